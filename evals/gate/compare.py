"""Two runs of the same questions, paired case by case: what moved beyond the noise, and every case that turned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evals.gate import stats
from evals.gate.summary import cluster, value_of
from evals.scorers import BY_NAME
from rag.errors import UsageError

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Moved:
    """A metric over the cases that both runs scored; `change` is after minus before, with its 95 % interval."""

    metric: str
    cases: int
    before: float
    after: float
    change: float
    low: float
    high: float

    @property
    def worsened(self) -> float:
        """How much worse, whichever way is worse."""
        return -self.change if BY_NAME[self.metric].better == "higher" else self.change

    @property
    def beyond_noise(self) -> bool:
        """Whether the interval leaves zero out. One case that turned never does."""
        return self.low > _ROUNDING or self.high < -_ROUNDING


@dataclass(frozen=True, slots=True)
class Turned:
    """A case that passes in one run only, or ended in an error in one only."""

    key: str
    kind: str
    question: str
    before: str
    after: str
    why: str


@dataclass(frozen=True, slots=True)
class Comparison:
    moved: tuple[Moved, ...]
    turned: tuple[Turned, ...]
    same: int


def same_questions(before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Raises UsageError where the two measured different questions or different corpora."""
    if before["questions"]["fingerprint"] != after["questions"]["fingerprint"]:
        raise UsageError(
            f"the runs asked different questions ({before['questions']['fingerprint']} and "
            f"{after['questions']['fingerprint']})",
            "run both over the same question files",
        )


def compare(before: Mapping[str, Any], after: Mapping[str, Any]) -> Comparison:
    """Two logs (or a baseline and a log). Cases that only one has are left out."""
    old = {_key(entry): entry for entry in before["cases"]}
    new = {_key(entry): entry for entry in after["cases"]}
    shared = [(old[key], new[key]) for key in new if key in old]
    moved = tuple(found for name in BY_NAME if (found := _moved(name, shared)) is not None)
    turned = tuple(
        _turned(key, old[key], new[key]) for key in new if key in old and _state(old[key]) != _state(new[key])
    )
    return Comparison(moved, turned, len(shared) - len(turned))


def _moved(metric: str, shared: list[tuple[Mapping[str, Any], Mapping[str, Any]]]) -> Moved | None:
    pairs = []
    for before, after in shared:
        old, new = _value(metric, before, after), _value(metric, after, before)
        if old is not None and new is not None:
            pairs.append((old, new, cluster(after)))
    if not pairs:
        return None
    found = stats.interval([new - old for old, new, _ in pairs], [each for _, _, each in pairs])
    count = len(pairs)
    before_mean, after_mean = sum(old for old, _, _ in pairs) / count, sum(new for _, new, _ in pairs) / count
    return Moved(metric, count, before_mean, after_mean, found.mean, found.low, found.high)


def _value(metric: str, entry: Mapping[str, Any], other: Mapping[str, Any]) -> float | None:
    """An error where the other run has a share counts as the worst."""
    if entry["error"] is not None and BY_NAME[metric].unit == "share" and value_of(metric, other) is not None:
        return 0.0 if BY_NAME[metric].better == "higher" else 1.0
    return value_of(metric, entry)


def _turned(key: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Turned:
    why = after["error"]["message"] if after["error"] else "; ".join(after.get("failures", ()))
    return Turned(key, after["kind"], after.get("question", ""), _state(before), _state(after), why)


def _state(entry: Mapping[str, Any]) -> str:
    if entry["error"] is not None:
        return "error"
    return "passed" if entry["passed"] else "failed"


def _key(entry: Mapping[str, Any]) -> str:
    return f"{entry['id']}#{entry['repeat']}"
