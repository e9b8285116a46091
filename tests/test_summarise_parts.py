"""The parts of an abstract: headings decide where there are any, words and order elsewhere."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.summarise.themes import _loners, _reassigned
from rag.text.cues import has
from rag.text.normalise import fold
from rag.text.parts import PARTS, heading, heading_length, part_chances, sections, shipped
from rag.text.sentences import split

ABSTRACT = (
    "Octopus robots have become popular. However, existing grippers remain costly and fail under water. "
    "In this paper, we propose SuckNet, a tactile skin for suckers. Specifically, a small network reads the pressure "
    "of each sucker. Experiments on three benchmarks show that SuckNet outperforms cameras by 12.5%. "
    "These findings suggest that touch has great potential at sea. Code is available at https://example.org/s."
)


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split(text)]


def parts_of(sentences: list[str]) -> tuple[str, ...]:
    """The likeliest part of each."""
    return tuple(PARTS[row.argmax()] for row in part_chances(sentences))


def test_the_parts_of_an_abstract_without_headings() -> None:
    expected = ("background", "background", "aim", "method", "result", "conclusion", "code")
    assert parts_of(sentences(ABSTRACT)) == expected


@pytest.mark.parametrize(
    ("sentence", "part"),
    [
        ("BACKGROUND Sepsis kills.", "background"),
        ("OBJECTIVE: To measure sepsis.", "aim"),
        ("MATERIALS AND METHODS We took blood.", "method"),
        ("MAIN OUTCOME MEASURES Death.", "method"),
        ("Results: Nobody died.", "result"),
        ("CONCLUSIONS AND RELEVANCE Take blood.", "conclusion"),
    ],
)
def test_the_authors_own_headings_decide(sentence: str, part: str) -> None:
    assert parts_of([sentence, "We found that 12 patients were better than ever (p < 0.05)."]) == (part, part)
    found = heading(sentence)
    assert found is not None
    assert sentence[found[0] :][0].isupper()


def test_a_mixed_heading_is_cut_off_and_decides_nothing() -> None:
    assert heading("METHODS AND RESULTS We took blood.") == (len("METHODS AND RESULTS "), None)
    assert list(sections(["AIMS A.", "METHODS AND RESULTS B.", "C."])) == ["aim", None, None]


@pytest.mark.parametrize(
    "sentence", ["BERT is a model.", "DNA AND RNA are long.", "Setting sail.", "", "GPT-4: a report."]
)
def test_what_only_looks_like_a_heading_is_none(sentence: str) -> None:
    assert heading_length(sentence) == 0


@given(st.lists(st.text(max_size=80), max_size=12))
def test_any_sentences_have_chances_that_add_up(wild: list[str]) -> None:
    chances = part_chances(wild)
    assert chances.shape == (len(wild), len(PARTS))
    np.testing.assert_allclose(chances.sum(axis=1), 1.0, atol=1e-9)


def test_the_chances_are_those_of_every_way_through_the_abstract() -> None:
    text = sentences(ABSTRACT)[1:5]
    model = replace(
        shipped(), offsets=shipped().offsets - np.eye(len(PARTS))[-1] * 1e6
    )  # no code: five parts, 625 ways
    alone = replace(model, transitions=np.zeros_like(model.transitions), first=np.zeros_like(model.first))
    scores = np.log(part_chances(text, alone) + 1e-300)
    expected = np.zeros_like(scores)
    for way in itertools.product(range(len(PARTS) - 1), repeat=len(text)):
        steps = sum(model.transitions[a, b] for a, b in itertools.pairwise(way))
        chance = np.exp(model.first[way[0]] + steps + sum(scores[place, part] for place, part in enumerate(way)))
        for place, part in enumerate(way):
            expected[place, part] += chance
    np.testing.assert_allclose(part_chances(text, model), expected / expected.sum(axis=1, keepdims=True), atol=1e-9)


def test_a_cue_that_is_not_known_is_an_error() -> None:
    assert has("we_make", fold("Here we formally introduce SuckNet."))
    with pytest.raises(KeyError):
        has("nonesuch", "")


ALIKE = np.array(
    [
        [1.0, 0.9, 0.8, 0.1, 0.1],
        [0.9, 1.0, 0.7, 0.1, 0.1],
        [0.8, 0.7, 1.0, 0.6, 0.1],
        [0.1, 0.1, 0.6, 1.0, 0.1],
        [0.1, 0.1, 0.1, 0.1, 1.0],
    ]
)


def test_a_paper_goes_to_the_theme_it_is_most_like() -> None:
    assert _reassigned(np.array([0, 0, 3, 3, 3]), ALIKE).tolist()[:3] == [0, 0, 0]


def test_a_paper_that_is_like_no_other_of_its_theme_stands_alone() -> None:
    assert _loners(np.array([0, 0, 0, 3, 3]), ALIKE).tolist() == [0, 0, 0, 8, 9]
