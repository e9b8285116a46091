"""What speaks for a paper, given a question: a matrix with a row a candidate and a column a reason.

All are shares between about 0 and 1 of what was asked for, so that their sums can be compared between questions and
corpora. "Soft" coverage lets a term be met by its nearest word (the maximum similarity of Khattab and Zaharia's
ColBERT, 2020, over static vectors, weighted by idf). The "gist" is the soft coverage of all that was asked, words that
stand in no paper among it, each as rare as it is in research prose: what a question in other words has in common with
its paper.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rag.retrieve.lexicon import Lexicon, PaperTerms
from rag.retrieve.query import Query

NAMES = (
    "bm25",
    "covered",
    "covered_by_sentence",
    "covered_by_two",
    "sentence_bm25",
    "soft",
    "soft_by_sentence",
    "title",
    "title_bm25",
    "pairs",
    "exact",
    "rarest",
    "best_chunk",
    "mean_chunk",
    "feedback",
    "gist",
    "gist_by_sentence",
)

Matrix = NDArray[np.float32]
_K1, _B = 1.2, 0.75
_PAPER_LENGTH, _SENTENCE_LENGTH, _TITLE_LENGTH = 200.0, 24.0, 10.0
"""Index terms of a usual abstract, sentence and title. Fixed, so that a score means the same in every corpus."""
_REACH = 3
_RARE = 0.7


class Candidates:
    """The papers to be ranked, laid end to end: `flat` terms, each with its unit, each unit with its paper."""

    def __init__(self, papers: Sequence[PaperTerms]) -> None:
        self.flat = np.concatenate([paper.terms for paper in papers])
        sizes = np.array([len(paper.terms) for paper in papers])
        offsets = np.cumsum(sizes) - sizes
        self.lengths = sizes - 1
        self.units = np.concatenate([paper.starts + offset for paper, offset in zip(papers, offsets, strict=True)])
        self.paper_units = np.cumsum([0, *(len(paper.starts) for paper in papers[:-1])])
        self.unit_lengths = np.diff(np.append(self.units, len(self.flat)))
        self.unit_of = np.repeat(np.arange(len(self.units)), self.unit_lengths)
        self.paper_of = np.repeat(np.arange(len(papers)), sizes)

    def __len__(self) -> int:
        return len(self.lengths)

    def best_unit(self, values: Matrix) -> Matrix:
        """The largest value among each paper's units."""
        best: Matrix = np.maximum.reduceat(values, self.paper_units, axis=0)
        return best


def features(query: Query, lexicon: Lexicon, candidates: Candidates, cosines: Matrix) -> Matrix:
    """(n, len(NAMES)) float32. `cosines` is (n, 2): the best chunk's and the chunks' mean. `feedback` is left 0."""
    made = np.zeros((len(candidates), len(NAMES)), dtype=np.float32)
    made[:, 12:14] = cosines
    asked = lexicon.numbers((*query.terms, *query.foreign))
    if query.terms:
        place = _places(asked[: len(query.terms)], candidates.flat)
        _lexical(made, query, candidates, place)
        made[:, 9] = _pairs(query, candidates, place)
    if len(asked):
        _soft(made, query, lexicon, asked, candidates)
    return made


def _places(asked: NDArray[np.int32], flat: NDArray[np.int32]) -> NDArray[np.intp]:
    """Of each term in `flat`, which of the asked ones it is; -1 for none."""
    order = np.argsort(asked)
    found = np.searchsorted(asked[order], flat)
    place = order[np.minimum(found, len(order) - 1)]
    return np.where(asked[place] == flat, place, -1)


def _lexical(made: Matrix, query: Query, candidates: Candidates, place: NDArray[np.intp]) -> None:
    idf, mass, hits = query.idf, query.mass, np.flatnonzero(place >= 0)
    counts = np.zeros((len(candidates.units), len(idf)), dtype=np.float32)
    np.add.at(counts, (candidates.unit_of[hits], place[hits]), 1)
    inside = (counts > 0).astype(np.float32)
    frequency = np.add.reduceat(counts, candidates.paper_units, axis=0)
    held = (frequency > 0).astype(np.float32)
    by_unit = inside @ idf / mass
    title = inside[candidates.paper_units] @ idf / mass
    made[:, 0] = saturated(frequency, candidates.lengths, _PAPER_LENGTH) @ idf / mass
    made[:, 1] = held @ idf / mass
    made[:, 2] = candidates.best_unit(by_unit)
    made[:, 3] = candidates.best_unit(_two_units(inside, candidates) @ idf / mass)
    made[:, 4] = candidates.best_unit(saturated(inside, candidates.unit_lengths, _SENTENCE_LENGTH) @ idf / mass)
    made[:, 7] = title
    made[:, 8] = title * 2 * _TITLE_LENGTH / (_TITLE_LENGTH + candidates.unit_lengths[candidates.paper_units])
    for column, chosen in ((10, query.exact), (11, idf >= _RARE * idf.max())):
        if chosen.any():
            made[:, column] = held[:, chosen] @ idf[chosen] / idf[chosen].sum()


def saturated(frequency: Matrix, lengths: NDArray[np.int64], usual: float = _PAPER_LENGTH) -> Matrix:
    """BM25's term frequency part (Robertson and Zaragoza, 2009), 1 for one occurrence at the usual length."""
    norm = _K1 * (1 - _B + _B * lengths[:, None] / usual)
    saturated: Matrix = (frequency * (_K1 + 1) / (frequency + norm)).astype(np.float32)
    return saturated


def _two_units(inside: Matrix, candidates: Candidates) -> Matrix:
    """What each unit holds together with the one before it in the same paper."""
    joined = inside.copy()
    joined[1:] = np.maximum(inside[1:], inside[:-1])
    joined[candidates.paper_units] = inside[candidates.paper_units]
    return joined


def _pairs(query: Query, candidates: Candidates, place: NDArray[np.intp]) -> Matrix:
    """The share of neighbouring words of the question that stand near each other in the paper, by the rarer's idf."""
    worth = np.where(query.following, np.minimum.outer(query.idf, query.idf), 0)
    if not worth.any():
        return np.zeros(len(candidates), dtype=np.float32)
    met = np.zeros((len(candidates), *worth.shape), dtype=bool)
    for distance in range(1, _REACH + 1):
        left, right = place[:-distance], place[distance:]
        same = candidates.unit_of[:-distance] == candidates.unit_of[distance:]
        at = np.flatnonzero((left >= 0) & (right >= 0) & same)
        met[candidates.paper_of[at], left[at], right[at]] = True
    met |= met.transpose(0, 2, 1)
    share: Matrix = ((met * worth).sum(axis=(1, 2)) / worth.sum()).astype(np.float32)
    return share


def _soft(made: Matrix, query: Query, lexicon: Lexicon, asked: NDArray[np.int32], candidates: Candidates) -> None:
    """Each term met by its nearest word, in the paper and in its best sentence."""
    distinct, where = _distinct(candidates.flat)
    near = np.maximum(lexicon.vectors(distinct) @ lexicon.vectors(asked).T, 0)
    exact = _places(asked, distinct)
    known = np.flatnonzero(exact >= 0)
    near[known, exact[known]] = 1
    by_unit = np.maximum.reduceat(near[where], candidates.units, axis=0)
    by_paper = candidates.best_unit(by_unit)
    weights, gist, terms = query.idf / query.mass, query.gist, len(query.terms)
    made[:, 5] = by_paper[:, :terms] @ weights
    made[:, 6] = candidates.best_unit(by_unit[:, :terms] @ weights)
    made[:, 15] = by_paper @ gist
    made[:, 16] = candidates.best_unit(by_unit @ gist)


def _distinct(flat: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
    """The distinct terms in order, and where each of `flat` is among them: as np.unique, without sorting."""
    present = np.zeros(int(flat.max()) + 1, dtype=bool)
    present[flat] = True
    place = np.cumsum(present) - 1
    return np.flatnonzero(present).astype(np.int32), place[flat]
