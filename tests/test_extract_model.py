"""The closest sentences are weighed against each other, and what stands at the noun asked for is measured."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rag.extract.at_noun import AT_NOUN, at_noun
from rag.extract.features import FEATURES
from rag.extract.model import CLOSEST, COMPARED, closest, compared, shipped
from rag.extract.passage import read
from rag.extract.stated import STATED
from rag.forest import Forest
from rag.question import understand


def test_the_closest_of_a_paper_are_its_best_and_no_other_paper_s() -> None:
    scores = np.array([9.0, 1.0, 5.0, 4.0, 3.0, 2.0])
    assert closest(scores, [1, 2, 3, 4, 5]) == [2, 3, 4, 5][:CLOSEST]


def test_the_scores_are_dealt_out_anew_in_the_order_of_preference() -> None:
    first_said = len(COMPARED) - len(STATED)
    likes_said = Forest.parse(
        {"bias": 0.0, "trees": [[[first_said, 0.5, 1, 2, 0.0], [-1, 0, 0, 0, 0], [-1, 0, 0, 0, 1]]]}
    )
    rows, said = np.zeros((3, len(FEATURES))), np.zeros((2, len(STATED)))
    said[1, 0] = 1.0
    model = replace(shipped(), prefer=likes_said)
    assert model.reordered(rows, np.array([4.0, 7.0, 2.0]), [0, 2], said).tolist() == [2.0, 7.0, 4.0]


def test_each_of_the_closest_is_seen_beside_the_most_that_any_has() -> None:
    rows, said = np.zeros((2, len(FEATURES))), np.zeros((2, len(STATED)))
    seen = compared(rows, np.array([3.0, 5.0]), said)
    assert seen.shape == (2, 2 * len(COMPARED))
    assert seen[:, 0].tolist() == [3.0, 5.0] and seen[:, len(COMPARED)].tolist() == [-2.0, 0.0]


@pytest.mark.parametrize(
    ("question", "sentence", "measured"),
    [
        ("Which LLM writes the notes?", "We use the LLM GPT-5.", {"noun_name": 1.0, "noun_part": 0.0}),
        ("Which LLM writes the notes?", "An LLM-assisted pipeline writes them.", {"noun_name": 0.0, "noun_part": 1.0}),
        ("Which reefs were seen?", "We saw several reefs.", {"noun_empty": 1.0, "noun_many": 1.0}),
        ("How many reefs were seen?", "We saw 12 reefs.", {"noun_count": 1.0, "noun_as_asked": 1.0}),
        ("How many reefs were seen?", "We saw 12 fish.", {"noun_asked": 1.0, "noun_held": 0.0}),
        ("Is the reef deep?", "The reef is deep.", {"noun_asked": 0.0, "noun_held": 0.5}),
    ],
)
def test_what_stands_at_the_noun_asked_for(question: str, sentence: str, measured: dict[str, float]) -> None:
    found = dict(zip(AT_NOUN, at_noun(understand(question), read(sentence), frozenset()), strict=True))
    assert {name: found[name] for name in measured} == measured
