"""The fitted scorer: a small boosted forest in JSON, walked by plain Python, and its calibration.

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


@dataclass(frozen=True, slots=True)
class Model:
    """`probability` of support from feature values, in the order of `names`."""

    names: tuple[str, ...]
    bias: float
    trees: tuple[Tree, ...]
    slope: float
    offset: float
    idf: dict[str, float]
    calibration: Calibration
    source: str

    def score(self, values: Sequence[float]) -> float:
        """Log-odds of support, uncalibrated."""
        return self.bias + sum(_walk(tree, values) for tree in self.trees)

    def probability(self, score: float) -> float:
        """Platt's sigmoid, fitted on claims that the forest did not see."""
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
        bias=written["bias"],
        trees=tuple(
            tuple((int(n[0]), n[1], int(n[2]), int(n[3]), n[4]) for n in tree) for tree in written["trees"]
        ),
        slope=written["slope"],
        offset=written["offset"],
        idf=written["idf"],
        calibration=Calibration.parse(written["calibration"]),
        source=written["source"],
    )
