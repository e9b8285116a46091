"""The learned part: what each reason is worth, what a score says about relevance, and where a list ends.

All numbers come from `rag/weights/retrieve.json`, written by `python -m evals.fit_retrieval`. The ranking is linear, so
that every place in it can be explained: fitted by the listwise softmax of Cao et al., "Learning to Rank: From Pairwise
Approach to Listwise Approach", ICML 2007.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag.retrieve.features import NAMES, Matrix
from rag.weights import read_weights

_TELLING = ("covered", "covered_by_sentence", "soft_by_sentence", "pairs", "rarest", "best_chunk")
_TELLING_COLUMNS = [NAMES.index(name) for name in _TELLING]
MEMBER_NAMES = ("behind", *_TELLING, *(f"{name}_behind" for name in _TELLING), "papers")
"""What speaks for belonging to a list: how far behind the best the logit of relevance is; reasons, and how far behind
the best candidate's they are; the logarithm of the corpus's size."""


@dataclass(frozen=True, slots=True)
class Scorer:
    """`first` ranks before feedback is known, `final` after it; the rest makes logits of the latter.

    `by_size` is what a logit changes by with the logarithm of the corpus's size: in a larger one, more look right.
    """

    first: Matrix
    final: Matrix
    slope: float
    by_size: float
    offset: float
    member: Matrix
    member_offset: float

    def relevance(self, features: Matrix, papers: int) -> Matrix:
        """(n,) logits of being relevant, among so many papers."""
        bias = self.by_size * math.log(max(papers, 1)) + self.offset
        logits: Matrix = (features @ self.final * self.slope + bias).astype(np.float32)
        return logits

    def belonging(self, features: Matrix, relevance: Matrix, papers: int) -> int:
        """How many of the best belong to what was asked for; rows are in order of rank.

        A paper that is more likely relevant than a member by its looks (an author's, say) has that likelihood.
        """
        if not len(relevance):
            return 0
        logits = member_features(features, relevance, papers) @ self.member + self.member_offset
        return best_cut(probability(np.maximum(logits, relevance)))


def member_features(features: Matrix, relevance: Matrix, papers: int) -> Matrix:
    """(n, len(MEMBER_NAMES))."""
    telling = features[:, _TELLING_COLUMNS]
    size = np.full(len(features), math.log(max(papers, 1)))
    behind = relevance.max() - relevance
    return np.column_stack([behind, telling, telling.max(axis=0) - telling, size]).astype(np.float32)


def best_cut(chances: NDArray[np.floating[Any]], recall: float = 1.0) -> int:
    """The length of the prefix with the best expected F-measure, recall counting `recall` times as much as precision:
    where the sum of its chances / (its length + recall^2 * the sum of all) is largest. At least 1.

    After Nan et al., "Optimizing F-measure: A Tale of Two Approaches", ICML 2012.
    """
    lengths = np.arange(1, len(chances) + 1)
    return int((np.cumsum(chances) / (lengths + recall**2 * chances.sum())).argmax()) + 1


def probability(logits: Matrix) -> Matrix:
    """The logistic function, without overflow."""
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))), dtype=np.float32)


def from_weights(weights: Mapping[str, Any]) -> Scorer:
    """From the parsed file. Raises KeyError where a reason has no weight."""
    return Scorer(
        _vector(weights["first"], NAMES),
        _vector(weights["final"], NAMES),
        weights["calibration"]["slope"],
        weights["calibration"]["by_size"],
        weights["calibration"]["offset"],
        _vector(weights["belonging"]["weights"], MEMBER_NAMES),
        weights["belonging"]["offset"],
    )


def _vector(weights: Mapping[str, float], names: tuple[str, ...]) -> Matrix:
    return np.array([weights[name] for name in names], dtype=np.float32)


@lru_cache(maxsize=1)
def shipped() -> Scorer:
    """The fitted scorer that comes with the package."""
    return from_weights(read_weights("retrieve"))
