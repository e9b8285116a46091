"""The fitted scorer: five small boosted forests in JSON, and their calibration.

Each forest was fitted without a fifth of the papers, and calibrated on just those: what ships is what was calibrated.
A claim's risk is that of its median score, so three of five forests must let it pass: by Markov's inequality at most
5/3 of the wrong claims that one would let pass, and in practice fewer than one would (`python -m evals.verification`).

Written by `python -m evals.fit_verify`; `rag/weights/verify.json` says on what.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag.verify.risk import Calibration

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Tree = tuple[tuple[int, float, int, int, float], ...]
"""Nodes (feature, threshold, left, right, value); feature -1 marks a leaf."""


_DISSENTING = 2
"""Forests that may be outvoted."""


@dataclass(frozen=True, slots=True)
class Forest:
    """Its trees laid end to end, so that all are walked at once: a node's feature, threshold, and the nodes below it
    on the left and right (a leaf's is itself); `value` is 0 but at leaves."""

    bias: float
    roots: Ints
    feature: Ints
    threshold: Floats
    left: Ints
    right: Ints
    value: Floats
    depth: int

    @classmethod
    def of(cls, bias: float, trees: Sequence[Tree]) -> Forest:
        nodes: list[tuple[int, float, int, int, float]] = []
        roots = []
        for tree in trees:
            first = len(nodes)
            roots.append(first)
            for place, (feature, threshold, left, right, value) in enumerate(tree, start=first):
                below = (place, place) if feature < 0 else (first + left, first + right)
                nodes.append((max(feature, 0), threshold, *below, value))
        table = np.array(nodes, dtype=np.float64).reshape(-1, 5)
        features, lefts, rights = (table[:, column].astype(np.intp) for column in (0, 2, 3))
        deepest = max((_depth(tree) for tree in trees), default=0)
        starts = np.array(roots, dtype=np.intp)
        return cls(bias, starts, features, table[:, 1], lefts, rights, table[:, 4], deepest)

    def score(self, values: Floats) -> float:
        """Log-odds of support, uncalibrated."""
        place = self.roots
        for _ in range(self.depth):
            below = values[self.feature[place]] <= self.threshold[place]
            place = np.where(below, self.left[place], self.right[place])
        return self.bias + float(self.value[place].sum())


def _depth(tree: Tree, place: int = 0) -> int:
    feature, _, left, right, _ = tree[place]
    return 0 if feature < 0 else 1 + max(_depth(tree, left), _depth(tree, right))


@dataclass(frozen=True, slots=True)
class Scores:
    """`mean` tells how likely support is; `agreed` is what most forests give at least."""

    mean: float
    agreed: float


@dataclass(frozen=True, slots=True)
class Model:
    """`probability` of support from feature values, in the order of `names`."""

    names: tuple[str, ...]
    forests: tuple[Forest, ...]
    slope: float
    offset: float
    idf: dict[str, float]
    calibration: Calibration
    source: str

    def scores(self, values: Sequence[float]) -> Scores:
        """Log-odds of support, uncalibrated."""
        row = np.asarray(values, dtype=np.float64)
        found = sorted(forest.score(row) for forest in self.forests)
        return Scores(sum(found) / len(found), found[min(_DISSENTING, len(found) - 1)])

    def probability(self, score: float) -> float:
        """Platt's sigmoid of a mean score, fitted on claims that the forest which scored them did not see."""
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, self.slope * score + self.offset))))


@cache
def load() -> Model:
    """The shipped model."""
    written = json.loads(files("rag").joinpath("weights", "verify.json").read_text(encoding="utf-8"))
    return parse(written)


def parse(written: dict[str, Any]) -> Model:
    """A model from its JSON."""
    return Model(
        names=tuple(written["names"]),
        forests=tuple(_forest(each) for each in written["forests"]),
        slope=written["slope"],
        offset=written["offset"],
        idf=written["idf"],
        calibration=Calibration.parse(written["calibration"]),
        source=written["source"],
    )


def _forest(written: dict[str, Any]) -> Forest:
    trees = (tuple((int(n[0]), n[1], int(n[2]), int(n[3]), n[4]) for n in tree) for tree in written["trees"])
    return Forest.of(written["bias"], tuple(trees))
