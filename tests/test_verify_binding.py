"""Directions and the nouns they are said of."""

from __future__ import annotations

import pytest

from rag.text.tokens import stem_of
from rag.verify import lexicon
from rag.verify.checking import check

DESIGN = "The new design lowers accuracy and raises the latency of training."
DRUG = "Heart rate was increased and blood pressure was reduced by the drug."


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The new design lowers the latency of training.", DESIGN),
        ("The new design raises accuracy.", DESIGN),
        ("Accuracy is raised by the new design.", DESIGN),
        ("The method improves latency.", "The method improves accuracy and increases latency."),
        ("The drug lowers heart rate and raises blood pressure.", DRUG),
        ("It reduces throughput.", "The error is reduced by 30 % while throughput increases."),
        ("Vitamin D increased fracture risk.", "Vitamin D reduced fracture risk and increased bone density."),
    ],
)
def test_a_direction_said_of_another_noun_is_contradicted(claim: str, evidence: str) -> None:
    assert check(claim, (evidence,)).outcome == "contradicted"


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The new design raises training latency.", DESIGN),
        ("Accuracy is lowered by the new design.", DESIGN),
        ("The drug lowers blood pressure and raises heart rate.", DRUG),
        (
            "Lantern improves accuracy.",
            "Lantern mitigates the degradation of accuracy under noise and improves accuracy.",
        ),
        (
            "The strategies are justified theoretically and validated on positioning tasks.",
            "We provide theoretical justification for these strategies and validate them empirically across tasks "
            "of positioning.",
        ),
    ],
)
def test_a_direction_said_of_the_same_noun_is_supported(claim: str, evidence: str) -> None:
    assert check(claim, (evidence,)).outcome == "supported"


def test_axes_are_found_by_their_words_wherever_their_lines_stand() -> None:
    assert lexicon.axis("improve") == lexicon.axis("worsen") != lexicon.axis("increase") == lexicon.axis("decrease")
    assert (lexicon.axis("improve"), 1) in lexicon.poles()[stem_of("better")]
