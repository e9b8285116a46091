"""Pseudo-relevance feedback: what the best papers talk about, and which other candidates talk about it too.

Relevance model 3 of Abdul-Jaleel et al., "UMass at TREC 2004": terms weighted by how much of the best papers they make
up, times each paper's share of the trust in them. It rescores candidates, it never searches again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rag.retrieve.features import Candidates, Matrix, saturated
from rag.retrieve.lexicon import Lexicon, is_stopped
from rag.retrieve.query import Query, inverse_document_frequency

_PAPERS, _CONSIDERED, _TERMS = 5, 60, 20


def feedback(
    query: Query,
    lexicon: Lexicon,
    candidates: Candidates,
    scores: Matrix,
    frequency: Callable[[Sequence[str]], Mapping[str, int]],
    papers: int,
) -> Matrix:
    """(n,) between 0 and 1, the best candidate's being 1. `scores` are logits; `frequency` counts a term's papers."""
    numbers, share = _model(query, lexicon, candidates, scores)
    words = lexicon.words(numbers)
    known = frequency(words)
    idf = np.array([inverse_document_frequency(known[word], papers) for word in words], dtype=np.float32)
    worth = share * idf
    best = np.argsort(-worth, kind="stable")[:_TERMS]
    if not len(best) or worth[best[0]] <= 0:
        return np.zeros(len(candidates), dtype=np.float32)
    weights = worth[best] * idf[best]
    counts = np.zeros((len(candidates), len(best)), dtype=np.float32)
    for column, number in enumerate(numbers[best]):
        np.add.at(counts[:, column], candidates.paper_of[candidates.flat == number], 1)
    found = saturated(counts, candidates.lengths) @ weights
    return np.asarray(found / (found.max() or 1), dtype=np.float32)


def _model(query: Query, lexicon: Lexicon, candidates: Candidates, scores: Matrix) -> tuple[NDArray[np.int32], Matrix]:
    """The terms that make up most of the best papers, and how much each does."""
    best = np.argsort(-scores, kind="stable")[:_PAPERS]
    trust = np.zeros(len(candidates), dtype=np.float32)
    trust[best] = np.exp(scores[best] - scores[best].max())
    each = trust / (trust.sum() * np.maximum(candidates.lengths, 1))
    inside = trust[candidates.paper_of] > 0
    terms, where = np.unique(candidates.flat[inside], return_inverse=True)
    share = np.bincount(where, weights=each[candidates.paper_of[inside]]).astype(np.float32)
    order = np.argsort(-share, kind="stable")
    asked = set(query.terms)
    kept: list[int] = []
    for place, word in zip(order, lexicon.words(terms[order]), strict=True):
        if word and word not in asked and not is_stopped(word):
            kept.append(int(place))
            if len(kept) == _CONSIDERED:
                break
    return terms[kept], share[kept]
