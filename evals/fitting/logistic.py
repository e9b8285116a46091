"""Logistic regression by gradient descent, in numpy alone: the same numbers on every machine that adds alike."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rag.retrieve.scorer import probability

Array = NDArray[np.float64]


def descend(loss: Callable[[Array], tuple[float, Array]], size: int, steps: int = 1500) -> Array:
    """Adam (Kingma and Ba, 2015) over the whole batch: the losses here are convex and small."""
    at, mean, square = np.zeros(size), np.zeros(size), np.zeros(size)
    for step in range(1, steps + 1):
        _, slope = loss(at)
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        rate = 0.05 * min(1.0, 4 * (1 - step / steps))
        at = at - rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-9)
    return at


def fit_logistic(x: Array, y: Array, weight: Array, ridge: float = 1e-3) -> tuple[Array, float]:
    """Weighted logistic regression. Returns the weights and the intercept."""
    middle, spread = x.mean(axis=0), x.std(axis=0) + 1e-9
    z = np.column_stack([(x - middle) / spread, np.ones(len(x))])

    def loss(at: Array) -> tuple[float, Array]:
        chances = np.asarray(probability(z @ at), dtype=float)
        slope = z.T @ ((chances - y) * weight) / weight.sum()
        penalty = np.append(at[:-1], 0)
        return 0.0, slope + 2 * ridge * penalty

    at = descend(loss, z.shape[1])
    weights = at[:-1] / spread
    return weights, float(at[-1] - weights @ middle)
