"""The fitted scorer: five small boosted forests in JSON, and their calibration.

Each forest was fitted without a fifth of the papers, and calibrated on just those: what ships is what was calibrated.
A claim's risk is that of its median score, so three of five forests must let it pass: by Markov's inequality at most
5/3 of the wrong claims that one would let pass, and in practice fewer than one would (`python -m evals.verification`).

Written by `python -m evals.fit_verify`; `rag/weights/verify.json` says on what.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from rag.forest import Forest
from rag.verify.risk import Calibration
from rag.weights import read_weights

_DISSENTING = 2
"""Forests that may be outvoted."""


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
    return parse(read_weights("verify"))


def parse(written: dict[str, Any]) -> Model:
    """A model from its JSON."""
    return Model(
        names=tuple(written["names"]),
        forests=tuple(Forest.parse(each) for each in written["forests"]),
        slope=written["slope"],
        offset=written["offset"],
        idf=written["idf"],
        calibration=Calibration.parse(written["calibration"]),
        source=written["source"],
    )
