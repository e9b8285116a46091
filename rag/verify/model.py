"""The fitted scorer: five small boosted forests in JSON, walked by plain Python, and their calibration.

Each forest was fitted without a fifth of the papers, and calibrated on just those: what ships is what was calibrated.
A claim's risk is that of its second lowest score, so four of five forests must let it pass: by Markov's inequality
at most 5/4 of the wrong claims that one would let pass, and fewer in practice.

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

from rag.verify.risk import Calibration

Tree = tuple[tuple[int, float, int, int, float], ...]
"""Nodes (feature, threshold, left, right, value); feature -1 marks a leaf."""


_DISSENTING = 1
"""Forests that may be outvoted."""


@dataclass(frozen=True, slots=True)
class Forest:
    bias: float
    trees: tuple[Tree, ...]

    def score(self, values: Sequence[float]) -> float:
        """Log-odds of support, uncalibrated."""
        return self.bias + sum(_walk(tree, values) for tree in self.trees)


@dataclass(frozen=True, slots=True)
class Scores:
    """`mean` tells how likely support is; `agreed` is what all forests but one give at least."""

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
        found = sorted(forest.score(values) for forest in self.forests)
        return Scores(sum(found) / len(found), found[min(_DISSENTING, len(found) - 1)])

    def probability(self, score: float) -> float:
        """Platt's sigmoid of a mean score, fitted on claims that the forest which scored them did not see."""
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, self.slope * score + self.offset))))


def _walk(tree: Tree, values: Sequence[float]) -> float:
    place = 0
    while True:
        feature, threshold, left, right, value = tree[place]
        if feature < 0:
            return value
        place = left if values[feature] <= threshold else right


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
    return Forest(written["bias"], tuple(trees))
