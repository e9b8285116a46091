"""The certificate: how likely it is that a wrong claim passes, bounded from labelled claims with 95 % confidence.

For each target a score threshold is chosen so that the chance that an unsupported claim of its kind scores above it
is below the target. The bound on that chance is Clopper and Pearson's (Biometrika 1934); trying thresholds from
strict to lax and stopping at the first that fails keeps it valid for the one chosen (fixed-sequence testing in
Learn then Test: Angelopoulos, Bates, Candès, Jordan and Lei, arXiv 2110.01052). It holds for claims exchangeable
with the calibration's, whatever the share of wrong ones among them. Bounds of several claims add up (union bound).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

CONFIDENCE = 0.95
TARGETS = (
    0.001,
    0.002,
    0.003,
    0.004,
    0.005,
    0.0075,
    0.01,
    0.0125,
    0.015,
    0.02,
    0.025,
    0.03,
    0.04,
    0.05,
    0.075,
    0.1,
    0.15,
    0.2,
)


def binomial_cdf(k: int, n: int, p: float) -> float:
    """P(X <= k) for X ~ Binomial(n, p)."""
    if p <= 0.0:
        return 1.0
    if p >= 1.0:
        return 1.0 if k >= n else 0.0
    log_p, log_q = math.log(p), math.log1p(-p)
    total = 0.0
    for i in range(k + 1):
        choose = math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1)
        total += math.exp(choose + i * log_p + (n - i) * log_q)
    return min(1.0, total)


def upper_bound(errors: int, n: int, confidence: float = CONFIDENCE) -> float:
    """Clopper-Pearson: the largest rate under which `errors` or fewer of `n` are still plausible. 1.0 when n is 0."""
    if n <= 0 or errors >= n:
        return 1.0
    low, high = errors / n, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if binomial_cdf(errors, n, middle) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


def threshold(wrong_scores: Sequence[float], target: float, confidence: float = CONFIDENCE) -> float | None:
    """The lowest score that keeps the bound on P(score >= threshold | wrong) at or under the target; None if none does.

    Candidates go from above the highest wrong score downwards, one wrong score at a time, and stop at the first
    that fails: the bound only grows with each, so that one is found by bisection. Ties pass together.
    """
    ranked = sorted(wrong_scores, reverse=True)
    wrong = len(ranked)
    allowed = bisect_right(range(wrong + 1), target, key=lambda errors: upper_bound(errors, wrong, confidence)) - 1
    if allowed < 0:
        return None
    return math.nextafter(ranked[allowed], math.inf) if allowed < wrong else -math.inf


def union(risks: Sequence[float]) -> float:
    """A bound on the chance that any of several claims is wrong, whatever their dependence."""
    return min(1.0, math.fsum(risks))


@dataclass(frozen=True, slots=True)
class Calibration:
    """Per kind of claim: (target, threshold) from strict to lax. A kind that is not here is not covered."""

    kinds: Mapping[str, tuple[tuple[float, float], ...]]

    @classmethod
    def parse(cls, written: Mapping[str, Any]) -> Calibration:
        return cls({kind: tuple((row[0], row[1]) for row in rows) for kind, rows in written.items()})

    def covers(self, kind: str) -> bool:
        return bool(self.kinds.get(kind))

    def risk(self, kind: str, score: float) -> float:
        """The smallest certified target that a score passes; 1.0 when it passes none."""
        for target, least in self.kinds.get(kind, ()):
            if score >= least:
                return target
        return 1.0
