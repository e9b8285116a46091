"""Means with 95 % intervals that respect that questions about one paper hang together: the cluster bootstrap.

Clusters (papers) are drawn with replacement, all cases of a drawn cluster come along (Cameron, Gelbach & Miller 2008).
Deterministic: the same numbers give the same interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

DRAWS = 2000
_SEED = 20260
_LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and its 95 % interval. With one cluster the interval is the mean alone: it says nothing of the spread."""

    mean: float
    low: float
    high: float


def interval(values: Sequence[float], clusters: Sequence[str]) -> Interval:
    """The mean of `values` and the percentile interval of its cluster bootstrap. Needs one value at least."""
    array = np.asarray(values, dtype=np.float64)
    sums, counts = _by_cluster(array, clusters)
    mean = float(array.mean())
    if len(sums) < 2 or bool(np.all(array == array[0])):
        return Interval(mean, mean, mean)
    draws = np.random.default_rng(_SEED).integers(0, len(sums), size=(DRAWS, len(sums)))
    means = sums[draws].sum(axis=1) / counts[draws].sum(axis=1)
    low, high = np.quantile(means, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2])
    return Interval(mean, float(low), float(high))


def _by_cluster(values: np.ndarray, clusters: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    names = {name: number for number, name in enumerate(dict.fromkeys(clusters))}
    index = np.fromiter((names[name] for name in clusters), dtype=np.int64, count=len(values))
    sums = np.bincount(index, weights=values, minlength=len(names))
    return sums, np.bincount(index, minlength=len(names)).astype(np.float64)
