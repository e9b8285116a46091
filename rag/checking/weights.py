"""The fitted numbers of a check, written by `python -m evals.fit_check`; `rag/weights/check.json` says on what."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from rag.verify.risk import Calibration
from rag.weights import read_weights

ANY = "any"
"""All kinds of sentence together: each alone has too few wrong ones to bound a risk closely."""


@dataclass(frozen=True, slots=True)
class Weights:
    """`supported`: the points from which a sentence is called supported; `calibration` (under ANY): the points that
    keep the risk that a wrong one gets so many below each target; `max_risk`: the largest such risk a reader allows.
    `against`, `about`: the coverage from which words that say otherwise contradict, and from which a paper is about
    the same thing."""

    supported: float
    calibration: Calibration
    against: float
    about: float
    max_risk: float = 1.0

    @classmethod
    def parse(cls, written: dict[str, Any]) -> Weights:
        calibration = Calibration.parse(written["calibration"])
        return cls(written["supported"], calibration, written["against"], written["about"])

    def risk(self, points: float) -> float:
        """A bound on the chance that a wrong sentence gets so many points; 1.0 below what is called supported."""
        return self.calibration.risk(ANY, points) if points >= self.supported else 1.0

    def supports(self, points: float) -> bool:
        return points >= self.supported and self.risk(points) <= self.max_risk


@cache
def load() -> Weights:
    """The shipped weights."""
    return Weights.parse(read_weights("check"))
