"""The fitted numbers of a check, written by `python -m evals.fit_check`; `rag/weights/check.json` says on what."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from rag.verify.risk import Calibration


@dataclass(frozen=True, slots=True)
class Weights:
    """`calibration`: per kind of sentence, the points that keep the risk of calling a wrong one supported below each
    target. `max_risk`: the largest risk still called supported. `against`, `about`: the coverage from which words that
    say otherwise contradict, and from which a paper is about the same thing."""

    calibration: Calibration
    max_risk: float
    against: float
    about: float

    @classmethod
    def parse(cls, written: dict[str, Any]) -> Weights:
        return cls(
            Calibration.parse(written["calibration"]),
            written["max_risk"],
            written["against"],
            written["about"],
        )


@cache
def load() -> Weights:
    """The shipped weights."""
    return Weights.parse(
        json.loads(files("rag").joinpath("weights", "check.json").read_text(encoding="utf-8"))
    )
