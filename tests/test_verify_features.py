"""What the checker reads beside the words themselves: gaps and their rivals, the way a text points, WordNet's table."""

from __future__ import annotations

import time

import pytest

from rag.forest import Forest
from rag.text.tokens import stem_of
from rag.verify import gaps, stance, wordnet
from rag.verify.align import align
from rag.verify.checking import check
from rag.verify.features import NAMES, compare
from rag.verify.model import Model, Scores, load
from rag.verify.reading import read
from rag.verify.risk import Calibration


def values(claim: str, evidence: str, *context: str) -> dict[str, float]:
    compared = compare(claim, [evidence], context, load().idf)
    return dict(zip(NAMES, compared.values, strict=True))


def kinds(claim: str, evidence: str, *context: str) -> dict[str, str]:
    return {found.kind: found.weight for found in compare(claim, [evidence], context, load().idf).findings}


def test_the_model_reads_these_features_in_this_order() -> None:
    assert load().names == NAMES


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The lack of FGF21 slows plaque formation.", "FGF21 deficiency exacerbates plaque formation."),
        (
            "MafA phosphorylation decreases its ubiquitination.",
            "MafA phosphorylation induces its ubiquitination.",
        ),
        ("Statin use raises the risk of hip fractures.", "Statin use lowers the risk of hip fracture."),
    ],
)
def test_a_text_that_points_the_other_way_is_told_by_its_turns(claim: str, evidence: str) -> None:
    found = values(claim, evidence)
    assert found["other_way"] > 0.3
    assert found["same_way"] == 0.0


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The lack of FGF21 speeds plaque formation.", "FGF21 deficiency exacerbates plaque formation."),
        ("Lantern cuts the latency by 31%.", "Lantern reduces the latency by 31%."),
        ("Lantern raises accuracy.", "Lantern reduces the latency by 31% and raises accuracy."),
        (
            "Lantern raises accuracy on five tasks.",
            "Lantern raises accuracy on five tasks without any additional training.",
        ),
        ("Loss of p53 does not reduce growth.", "Growth was not inhibited by the deletion of p53."),
    ],
)
def test_two_turns_point_the_same_way(claim: str, evidence: str) -> None:
    found = values(claim, evidence)
    assert found["same_way"] > 0.3
    assert found["other_way"] == 0.0


def test_what_does_not_point_anywhere_has_no_way() -> None:
    claim, evidence = read("The model reads tokens."), [read("Tokens are read by the model.")]
    assert stance.values(claim, evidence, lambda stem: 4.0) == [0.0, 0.0]


def test_wordnet_knows_kinds_opposites_and_what_is_made_of_what() -> None:
    assert wordnet.kind_of(stem_of("statin"), stem_of("medicine")) or wordnet.kind_of(
        stem_of("placebo"), stem_of("medicine")
    )
    assert wordnet.synonymous(stem_of("rapid"), stem_of("quick"))
    assert wordnet.opposed(stem_of("fast"), stem_of("slow"))
    assert not wordnet.synonymous(stem_of("fast"), stem_of("slow"))
    assert not wordnet.kind_of(stem_of("medicine"), stem_of("placebo"))


def test_a_near_word_answers_a_gap_and_a_rival_does_not() -> None:
    evidence = "The agent gives a rapid reply to real questions."
    near, rival = (
        values(f"The agent gives a {word} reply to {kind} questions.", evidence)
        for word, kind in (("quick", "real"), ("rapid", "synthetic"))
    )
    assert near["rivals"] == 0.0
    assert rival["rivals"] > 0.0 or rival["opposites"] > 0.0


def test_rivals_are_words_that_abstracts_set_beside_each_other() -> None:
    alignment = align(read("Models are compared in mice."), read("Models are compared in humans."))
    found = dict(zip(gaps.NAMES, gaps.values(alignment, lambda stem: 5.0), strict=True))
    assert found["rivals"] > 0.0
    assert found["worst_rival"] == 0.5


ROBOT = "The robot grasps objects with a soft gripper."
ABOUT = ("Soft grasping", "We study grasping.", ROBOT)


def test_a_word_from_nowhere_is_noticed() -> None:
    moon = "The robot grasps objects on the moon with a soft gripper."
    assert kinds(moon, ROBOT, *ABOUT)["foreign"] == "doubt"
    found = check(moon, [ROBOT], context=ABOUT)
    assert (found.outcome, found.reasons) == ("not_found", ("“moon” is nowhere in the paper",))
    assert "foreign" not in kinds("Today's robot grasps objects with a soft gripper.", ROBOT, *ABOUT)


DRAFTS = "By generating draft tokens in a single forward pass, Lantern enables efficient drafting."


def test_one_at_a_time_is_not_in_a_single_pass() -> None:
    claim = "Lantern generates draft tokens one at a time."
    assert kinds(claim, DRAFTS)["direction"] == "conflict"
    assert check(claim, [DRAFTS]).outcome == "contradicted"
    assert "direction" not in kinds("Lantern generates draft tokens one at a time.", claim)


def test_several_things_fit_into_a_single_one() -> None:
    claim = "Lantern generates several draft tokens in a single forward pass."
    assert "direction" not in kinds(claim, DRAFTS)
    assert check(claim, [DRAFTS]).outcome != "contradicted"


def test_an_opposite_said_of_another_noun_is_none() -> None:
    evidence = "We apply the method to high-dimensional molecular design and low-energy conformer generation."
    claim = "The method is applied to low-energy conformer generation and molecular design in high dimensions."
    assert "direction" not in kinds(claim, evidence)


def test_what_a_thing_is_said_to_be() -> None:
    evidence = "Our market integrates with cloud platforms, such as Google's Vertex AI."
    assert "identity" in kinds("Our market is Google's Vertex AI.", evidence)


def test_bounds_meet_their_own_number() -> None:
    evidence = "Lantern reaches over 6$\\times$ lossless acceleration, up to 2.5$\\times$ higher speedup than Beacon."
    assert "number" not in kinds("Lantern accelerates six times without loss.", evidence)
    assert "comparator" not in kinds("Lantern accelerates six times without loss.", evidence)


def test_a_check_is_quick() -> None:
    pairs = [
        (f"Lantern reduces the latency of model {n} by 31%.", f"Model {n} is 31% faster with Lantern.")
        for n in range(60)
    ]
    check(pairs[0][0], [pairs[0][1]])
    began = time.process_time()
    for claim, evidence in pairs:
        check(claim, [evidence])
    assert (time.process_time() - began) / len(pairs) < 0.05


def test_most_forests_must_agree() -> None:
    forests = tuple(Forest.parse({"bias": bias, "trees": []}) for bias in (2.0, -1.0, 0.5, 3.0, 1.0))
    model = Model(("x",), forests, 1.0, 0.0, {}, Calibration({}), "")
    assert model.scores((0.0,)) == Scores(mean=1.1, agreed=1.0)
    assert len(load().forests) == 5


def test_a_cost_is_not_costly() -> None:
    evidence = "The networks generalize flow functions that map imbalances to the optimal flow cost."
    assert "direction" not in kinds("Flow functions are efficient to optimize.", evidence)


def test_a_question_claims_nothing() -> None:
    evidence = "Lantern reduces the latency by 31% on five tasks."
    assert check("Lantern reduces the latency by 31% on five tasks.", [evidence]).outcome == "supported"
    found = check("Lantern reduces the latency by 31% on five tasks?", [evidence])
    assert (found.outcome, found.reasons) == ("not_found", ("a question claims nothing",))
