"""The fitted part: which sentence answers, and whether any does. Weights: `python -m evals.fit_extract`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rag.extract.features import FEATURES
from rag.extract.matching import Vector
from rag.extract.stated import STATED
from rag.forest import Forest
from rag.weights import read_weights

CLOSEST: Final = 4
"""Sentences of the best paper that are weighed against each other: in 19 questions of 20 one of them answers."""
COMPARED: Final = ("score", *FEATURES, *STATED)
"""What the preference sees of each of the closest: as it is, then less the most that any of them has."""
SUMMARY: Final = (
    "chosen", "gap", *FEATURES, *(f"best_{name}" for name in FEATURES), *STATED, *(f"best_{name}" for name in STATED),
)  # fmt: skip
"""What the refusal sees: the chosen sentence's score, its lead, its features, the best of each, and the question as a
statement beside it, and the most of that among the closest."""


@dataclass(frozen=True, slots=True)
class Linear:
    """Standardised features times weights; `columns` are the features it was fitted on."""

    columns: NDArray[np.intp]
    mean: Vector
    scale: Vector
    weights: Vector
    bias: float = 0.0

    def __call__(self, rows: Vector) -> Vector:
        scores: Vector = (rows[:, self.columns] - self.mean) / self.scale @ self.weights + self.bias
        return scores


@dataclass(frozen=True, slots=True)
class Model:
    """`select` scores each sentence by its FEATURES; `prefer` weighs the closest of one paper against each other;
    `forest` says from the chosen one's SUMMARY whether it answers."""

    select: Linear
    prefer: Forest
    forest: Forest
    threshold: float
    """Probability below which the corpus does not hold the answer."""

    def reordered(self, rows: Vector, scores: Vector, close: Sequence[int], said: Vector) -> Vector:
        """The scores, those of the `close` rows dealt out anew in the order of preference; `said`, (close, STATED)."""
        weighed = [self.prefer.score(row) for row in compared(rows[list(close)], scores[list(close)], said)]
        dealt = scores.copy()
        order = sorted(range(len(close)), key=lambda at: -weighed[at])
        dealt[[close[at] for at in order]] = sorted(scores[list(close)], reverse=True)
        return dealt

    def probability(self, row: Vector) -> float:
        """That the chosen sentence answers, from its SUMMARY."""
        return float(1.0 / (1.0 + np.exp(-np.clip(self.forest.score(row), -30, 30))))


def closest(scores: Vector, own: Sequence[int]) -> list[int]:
    """The best rows of one paper, whose rows are `own`."""
    return sorted(own, key=lambda at: -float(scores[at]))[:CLOSEST]


def compared(rows: Vector, scores: Vector, said: Vector) -> Vector:
    """(closest, 2 COMPARED): each of the closest beside the others."""
    each = np.hstack([scores[:, None], rows, said])
    return np.hstack([each, each - each.max(axis=0)])


def summary(rows: Vector, scores: Vector, chosen: int, said: Vector, most: Vector) -> Vector:
    """The SUMMARY of one chosen row among all; `said` is what `stated` gives of it, `most` the most of that among the
    closest."""
    others = np.delete(scores, chosen)
    gap = float(scores[chosen] - others.max(initial=scores[chosen] - 5.0))
    return np.concatenate([[scores[chosen], gap], rows[chosen], rows.max(axis=0), said, most])


def from_json(held: dict[str, Any]) -> Model:
    """Raises ValueError when the weights were fitted for features that are not measured any more."""
    columns, said = _columns(held["features"], FEATURES), _columns(held["stated"], STATED)
    size, statements = len(FEATURES), len(STATED)
    of_one = np.concatenate([[0], 1 + columns, 1 + size + said])
    of_closest = np.concatenate([of_one, len(COMPARED) + of_one])
    after = 2 + 2 * size
    of_summary = np.concatenate([[0, 1], 2 + columns, 2 + size + columns, after + said, after + statements + said])
    prefer, forest = Forest.parse(held["prefer"], of_closest), Forest.parse(held["forest"], of_summary)
    return Model(_linear(held["select"], columns), prefer, forest, held["threshold"])


def _columns(names: Sequence[str], measured: Sequence[str]) -> NDArray[np.intp]:
    """Where the features that were fitted stand among those that are measured."""
    missing = [name for name in names if name not in measured]
    if missing:
        raise ValueError(f"rag/weights/extract.json wants the feature {missing[0]}: run `python -m evals.fit_extract`")
    return np.array([measured.index(name) for name in names])


def _linear(part: dict[str, Any], columns: NDArray[np.intp]) -> Linear:
    return Linear(columns, np.array(part["mean"]), np.array(part["scale"]), np.array(part["weights"]), part["bias"])


@cache
def shipped() -> Model:
    """The weights that come with citewell; read once."""
    return from_json(read_weights("extract"))
