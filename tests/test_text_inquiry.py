"""What a sentence only asks, told from what it says."""

from __future__ import annotations

import pytest

from rag.text.inquiry import asks, inquiries
from rag.verify import check

ASKED = (
    "OBJECTIVE To determine whether the use of statins is associated with reduced hip fracture risk.",
    "We asked whether larger models forget less.",
    "The aim of this study was to assess the effect of zinc on the common cold.",
    "It remains unclear whether self-play scales.",
    "We investigated the role of sleep in memory.",
    "We hypothesize that sparsity causes the drop.",
)
SAID = (
    "We show that whether a model forgets depends on its size.",
    "The method works regardless of whether labels are given.",
    "To assess robustness, we introduce BR-K, which tests policies against adversaries.",
    "We tested whether zinc helps and found that it shortens colds by two days.",
    "The benchmark is designed to evaluate agents.",
    "To improve accuracy, the model is trained twice.",
)


@pytest.mark.parametrize("sentence", ASKED)
def test_a_question_is_no_finding(sentence: str) -> None:
    assert asks(sentence)
    assert all(sentence[start:end].strip() for start, end in inquiries(sentence))


@pytest.mark.parametrize("sentence", SAID)
def test_what_is_said_is_not_asked(sentence: str) -> None:
    assert not asks(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "It works regardless of whether labels are given.",
        "Whatever it costs and whether or not it rains, we measure.",
        "It takes every draft, whether old or new.",
        "We compared two drugs and found that zinc helps.",
    ],
)
def test_what_is_so_in_either_case_or_was_found_is_no_inquiry(sentence: str) -> None:
    assert inquiries(sentence) == ()


def test_an_inquiry_ends_where_the_sentence_goes_on_to_say() -> None:
    asked = "AIM To study the effect of S. alba on moths, we caught 40 of them."
    ((start, end),) = inquiries(asked)
    assert asked[start:end] == "AIM To study the effect of S. alba on moths"


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The use of statins is associated with reduced hip fracture risk.", ASKED[0]),
        ("Larger models forget less.", ASKED[1]),
        ("Self-play scales.", ASKED[3]),
        ("Sparsity causes the drop.", ASKED[5]),
    ],
)
def test_what_is_only_asked_supports_nothing(claim: str, evidence: str) -> None:
    found = check(claim, [evidence])
    assert found.outcome == "not_found"
    assert any("asks" in reason for reason in found.reasons)


def test_that_it_was_asked_is_supported() -> None:
    said = "We ask whether larger models forget less."
    assert check("The authors ask whether larger models forget less.", [said]).outcome == "supported"
    told = "We tested whether zinc shortens colds and found that zinc shortens colds by two days."
    assert check("Zinc shortens colds by two days.", [told]).outcome == "supported"
