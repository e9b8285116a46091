"""Boosted forests (Friedman 2001) read from JSON: `{"bias": b, "trees": [[node, ...], ...]}`, in log-odds.

A node is five numbers, `[feature, threshold, left, right, value]`. The root of a tree is its node 0; `left` and `right`
are places within the tree, and a row goes left where `row[feature] <= threshold`. A leaf has the feature -1 and alone a
value. The score of a row is the bias plus the values of the leaves it comes to, one a tree. Written by
`evals.fitting.boosted`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Forest:
    """Its trees laid end to end, so that all are walked at once. All but `bias`, `roots` and `depth` are by node; below
    a leaf is the leaf itself, so that a row which has come to one stays there."""

    bias: float
    roots: Ints
    feature: Ints
    threshold: Floats
    left: Ints
    right: Ints
    value: Floats
    depth: int

    @classmethod
    def parse(cls, written: Mapping[str, Any], columns: Sequence[int] | Ints | None = None) -> Forest:
        """A forest from its JSON. `columns` says where each feature it was fitted on stands in the rows to be scored;
        without, where it stood."""
        trees: Sequence[Sequence[Sequence[float]]] = written["trees"]
        nodes = np.array(list(chain.from_iterable(trees)), dtype=np.float64).reshape(-1, 5)
        sizes = np.array([len(tree) for tree in trees], dtype=np.intp)
        roots = np.cumsum(sizes) - sizes
        feature, left, right = nodes[:, [0, 2, 3]].astype(np.intp).T
        leaf, own, first = feature < 0, np.arange(len(nodes)), np.repeat(roots, sizes)
        left, right = (np.where(leaf, own, first + below) for below in (left, right))
        feature = np.where(leaf, 0, feature)
        if columns is not None:
            feature = np.asarray(columns, dtype=np.intp)[feature]
        threshold, value = nodes[:, [1, 4]].T.copy()
        return cls(written["bias"], roots, feature, threshold, left, right, value, _depth(roots, left, right))

    def score(self, row: Floats) -> float:
        """Log-odds of one row, shape (features,)."""
        place = self.roots
        for _ in range(self.depth):
            below = row[self.feature[place]] <= self.threshold[place]
            place = np.where(below, self.left[place], self.right[place])
        return self.bias + float(self.value[place].sum())


def _depth(roots: Ints, left: Ints, right: Ints) -> int:
    """Steps to the deepest leaf."""
    depth, places = 0, roots
    while (inner := places[left[places] != places]).size:
        depth, places = depth + 1, np.concatenate([left[inner], right[inner]])
    return depth
