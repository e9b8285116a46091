"""The checker on pairs of our own: what the sentence says, otherwise worded, and one small thing wrong."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag.verify import check, check_against
from rag.verify.align import align
from rag.verify.conflicts import substituted
from rag.verify.reading import read

PROBE = (
    "On the Harbor benchmark, Lantern reduces decoding latency by 31\\% and raises accuracy from 71.2\\% to 78.4\\%, "
    "while Beacon needs 4$\\times$ more memory."
)
BEATS = "Across five tasks, Lantern outperforms Beacon by up to 2.5$\\times$ without any additional training."
PLAIN = "We propose Sparse Tide Routing (STR), a training-free method that routes tokens to a small set of experts."
FINDING = "Our results suggest that larger models are less sensitive to the order of the retrieved passages."
RIVAL = "Lantern is fast, with up to 2.5$\\times$ higher speedup than the state-of-the-art decoding method Beacon."

SUPPORTED = [
    ("Lantern cuts decoding latency by 31 percent on the Harbor benchmark.", PROBE),
    ("On Harbor, Lantern reduces decoding latency by 31%.", PROBE),
    ("Lantern raises accuracy from 71.2% to 78.4% on the Harbor benchmark.", PROBE),
    ("Lantern outperforms Beacon by up to 2.5x across five tasks.", BEATS),
    ("Beacon is outperformed by Lantern by up to 2.5x across five tasks.", BEATS),
    ("Sparse Tide Routing routes tokens to a small set of experts.", PLAIN),
    ("STR is a training-free method that routes tokens to a small set of experts.", PLAIN),
    (
        "The results suggest that larger models are less sensitive to the order of retrieved passages.",
        FINDING,
    ),
]

WRONG = [
    ("number", "Lantern cuts decoding latency by 37 percent on the Harbor benchmark.", PROBE),
    ("number", "Lantern raises accuracy from 71.2% to 87.4% on the Harbor benchmark.", PROBE),
    ("unit", "Lantern reduces decoding latency by 31x on the Harbor benchmark.", PROBE),
    ("owner", "Lantern raises accuracy by 31% on the Harbor benchmark.", PROBE),
    ("comparator", "Lantern outperforms Beacon by more than 2.5x across five tasks.", BEATS),
    ("direction", "Lantern increases decoding latency by 31% on the Harbor benchmark.", PROBE),
    ("direction", "Lantern underperforms Beacon by up to 2.5x across five tasks.", BEATS),
    (
        "direction",
        "The results suggest that larger models are more sensitive to the order of the passages.",
        FINDING,
    ),
    ("negation", "Lantern does not reduce decoding latency by 31% on the Harbor benchmark.", PROBE),
    ("negation", "STR is a method that does not route tokens to a small set of experts.", PLAIN),
    ("swap", "Beacon outperforms Lantern by up to 2.5x across five tasks.", BEATS),
    ("swap", "Lantern is outperformed by Beacon by up to 2.5x across five tasks.", BEATS),
    ("sides", "Beacon is up to 2.5x faster than Lantern.", RIVAL),
    ("name", "On the Anchor benchmark, Skiff reduces decoding latency by 31%.", PROBE),
    ("name", "Lantern outperforms GPT-4 by up to 2.5x across five tasks.", BEATS),
    ("other", "The optimiser converges at a linear rate for strongly convex objectives.", PROBE),
    ("other", "Gradient noise explains the generalisation gap of large batches.", FINDING),
]


@pytest.mark.parametrize(("claim", "sentence"), SUPPORTED)
def test_a_true_rewording_is_supported(claim: str, sentence: str) -> None:
    found = check(claim, [sentence])
    assert found.outcome == "supported", found
    assert found.risk <= 0.05 and found.certified and not found.reasons


@pytest.mark.parametrize(("kind", "claim", "sentence"), WRONG)
def test_one_wrong_thing_is_never_supported(kind: str, claim: str, sentence: str) -> None:
    found = check(claim, [sentence])
    assert found.outcome != "supported", found
    assert found.reasons
    if kind in ("negation", "direction", "swap", "owner"):
        assert found.outcome == "contradicted", found


def test_the_bound_of_a_number_tells_which_is_meant() -> None:
    gains = (
        "Experiments show that DFlash achieves over 6$\\times$ lossless acceleration across a range of models "
        "and tasks, delivering up to 2.5$\\times$ higher speedup than the state-of-the-art speculative "
        "decoding method EAGLE-3."
    )
    right = check("DFlash is up to 2.5 times faster than EAGLE-3 at speculative decoding.", [gains])
    assert right.risk < 1.0 and right.probability > 0.7, right
    wrong = check("DFlash is over 2.5x faster than EAGLE-3.", [gains])
    assert wrong.outcome != "supported" and wrong.risk == 1.0


def test_the_reason_names_both_numbers() -> None:
    found = check("Lantern reduces decoding latency by 9.9% on the Harbor benchmark.", [PROBE])
    assert found.outcome == "contradicted"
    assert "9.9%" in found.reasons[0] and "31" in found.reasons[0]


def test_a_number_of_the_paper_cannot_be_given_to_another_thing() -> None:
    sentence = "Lantern reaches 91.3% on Harbor and 84.6% on Quay."
    assert check("Lantern reaches 91.3% on Harbor.", [sentence]).outcome == "supported"
    assert check("Lantern reaches 91.3% on Quay.", [sentence]).outcome == "contradicted"


def test_a_system_may_answer_for_we_but_not_for_another() -> None:
    sentence = "Our method improves recall by 12% over BM25 on long documents."
    context = ["We introduce Lantern, a retriever for long documents.", sentence]
    assert (
        check("Lantern improves recall by 12% over BM25 on long documents.", [sentence], context=context).risk <= 0.05
    )
    assert (
        check("Skiffer2 improves recall by 12% over BM25 on long documents.", [sentence], context=context).risk == 1.0
    )


def test_citation_marks_are_not_part_of_a_claim() -> None:
    plain = check("Lantern cuts decoding latency by 31% on Harbor.", [PROBE])
    assert check("Lantern cuts decoding latency by 31% on Harbor (Doe et al., 2024).", [PROBE]) == plain
    assert check("Lantern cuts decoding latency by 31% on Harbor [1, 2].", [PROBE]) == plain


@pytest.mark.parametrize("text", ["", "  ", ".", "?!"])
def test_nothing_said_is_not_found(text: str) -> None:
    assert check(text, [PROBE]).outcome == "not_found"
    assert check("Lantern is fast.", []).outcome == "not_found"
    assert check("Lantern is fast.", [text]).outcome == "not_found"


def test_another_language_is_not_certified() -> None:
    found = check("该方法将解码延迟降低了百分之三十一。", [PROBE])
    assert found.outcome == "not_found" and not found.certified
    german = check("Die Methode verringert die Latenz der Dekodierung deutlich gegenüber Beacon.", [PROBE])
    assert not german.certified and german.outcome != "supported"


def test_a_premise_meets_the_sentence_that_corrects_it() -> None:
    sentences = [PLAIN, PROBE, "Code is available."]
    index, found = check_against("Lantern increases decoding latency by 31%", sentences)
    assert (index, found.outcome) == (1, "contradicted")
    index, found = check_against("Lantern reduces decoding latency by 31% on Harbor", sentences)
    assert (index, found.outcome) == (1, "supported")
    index, found = check_against("Tulips bloom earlier in warm springs", sentences)
    assert found.outcome == "not_found"
    assert check_against("anything", [])[0] == -1


VERBS = [
    ("Lantern reduces the latency of decoding", "Lantern does not reduce the latency of decoding"),
    ("Beacon requires a large amount of memory", "Beacon does not require a large amount of memory"),
    (
        "The estimator is consistent under mild assumptions",
        "The estimator is not consistent under mild assumptions",
    ),
    ("These models can follow long instructions", "These models cannot follow long instructions"),
    ("The bound holds for convex losses", "The bound never holds for convex losses"),
]


@pytest.mark.parametrize(("yes", "no"), VERBS)
def test_a_not_is_never_supported_by_the_plain_sentence(yes: str, no: str) -> None:
    assert check(no, [yes + "."]).outcome == "contradicted"
    assert check(yes, [no + "."]).outcome == "contradicted"
    assert check(yes, [yes + "."]).outcome == "supported"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from([PROBE, BEATS, "Beacon stores 48 GB, serves 120 users and fails 0.7% of the time."]),
    st.data(),
)
def test_a_changed_digit_is_never_supported(sentence: str, data: st.DataObject) -> None:
    claim = sentence.replace("\\%", "%").replace("$\\times$", "x")
    digits = [m.start() for m in re.finditer(r"\d", claim)]
    place = data.draw(st.sampled_from(digits))
    new = data.draw(st.sampled_from([d for d in "123456789" if d != claim[place]]))
    assert check(claim[:place] + new + claim[place + 1 :], [sentence]).outcome != "supported"


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200), st.lists(st.text(max_size=200), max_size=4))
def test_wild_text_never_raises(claim: str, sentences: list[str]) -> None:
    found = check(claim, sentences)
    assert 0.0 <= found.probability <= 1.0 and 0.0 < found.risk <= 1.0
    check_against(claim, sentences)


def test_the_same_claim_gets_the_same_answer() -> None:
    first = [check(claim, [sentence]) for claim, sentence in SUPPORTED]
    assert first == [check(claim, [sentence]) for claim, sentence in SUPPORTED]


COLDS = "Daily vitamin C shortened colds in marathon runners but not in sedentary adults."
LANGUAGES = "We release a benchmark with 500 questions in English and 200 in Hindi."
LACKING = "The expression of the synthase was not induced by the toxin in mice lacking the receptor."
TRAINED = "Beacon is training-free and requires only little tuning."


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Vitamin C does not shorten colds in sedentary adults.", COLDS),
        ("The benchmark has 200 questions in Hindi.", LANGUAGES),
        ("The benchmark has 500 questions in English.", LANGUAGES),
        ("Lantern is 2.5 times faster than Beacon.", f"Lantern gains over 6$\\times$ on all tasks. {RIVAL}"),
        ("The toxin induces the synthase through the receptor.", LACKING),
        ("Beacon requires no training and little tuning.", TRAINED),
        ("Of 228 patients with fever, 121 had malaria.", "Of 228 patients with fever, 121 patients (53%) had malaria."),
        ("These proteins keep the receptor from binding DNA.", "These proteins prevent the receptor from binding DNA."),
        ("Local minima correspond to attractive fixed points.", "Attractive fixed points correspond to local minima."),
    ],
)  # fmt: skip
def test_what_is_told_in_short_or_turned_round_is_not_denied(claim: str, evidence: str) -> None:
    assert check(claim, (evidence,)).outcome != "contradicted"


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Vitamin C does not shorten colds in marathon runners.", COLDS),
        ("Vitamin C shortens colds in sedentary adults.", COLDS),
        ("The toxin induces the synthase in mice lacking the receptor.", LACKING),
        ("Beacon requires training and little tuning.", TRAINED),
        ("Unlike Lantern, Beacon needs paired images.", "Unlike Beacon, Lantern needs paired images."),
        ("Gene B activates gene A.", "Gene A activates gene B."),
    ],
)
def test_the_same_said_of_the_other(claim: str, evidence: str) -> None:
    assert check(claim, (evidence,)).outcome == "contradicted"


def test_what_does_not_go_together_is_not_found() -> None:
    """That words do not go together as a claim has them gainsays nothing."""
    assert check("The benchmark has 500 questions in Hindi.", (LANGUAGES,)).outcome == "not_found"


OTHERS = "However, most existing planners require labelled routes for training in order to obtain their own maps."
BLOOD = "IgM against the toxin was detected in 46% of the patients and in 30% of healthy individuals."


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Lantern requires labelled routes for training its maps.", OTHERS),
        ("IgG against the toxin was detected in 30% of healthy individuals.", BLOOD),
        (
            "Beacon is faster than Harbor because it skips the encoder.",
            "Beacon is faster than Harbor on all five tasks.",
        ),
    ],
)
def test_other_work_another_name_and_a_cause_that_is_not_there(claim: str, evidence: str) -> None:
    paper = (
        "Maps",
        "We address this by proposing Lantern, a planner.",
        "IgG was measured too.",
        "IgG is late.",
        evidence,
    )
    assert check(claim, (evidence,), context=paper).risk == 1.0


def test_an_acronym_is_not_another_name_than_its_words() -> None:
    fronts, quality = read("Lantern yields feasible Pareto fronts."), read("Lantern improves feasible PF quality.")
    rival, kinase = (
        read("The switch is activated by VEGFR."),
        read("In this growth path, the switch is activated by EGFR."),
    )
    assert not [found for found in substituted(align(fronts, quality)) if found.weight == "conflict"]
    assert [found for found in substituted(align(rival, kinase)) if found.weight == "conflict"]


def test_what_another_sentence_of_the_paper_denies_is_not_supported() -> None:
    cited = "Current samplers for image restoration require costly external training data."
    denied = "The lottery prior restores images without requiring external training data."
    claim = "Image restoration with the lottery prior requires external training data."
    assert check(claim, (denied,)).outcome == "contradicted"
    assert check(claim, (cited,), context=("Lottery priors", cited, denied)).outcome != "supported"
