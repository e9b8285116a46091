"""Papers into themes: by what they do and the words they use, each compared with the other papers of the same
topic.

Ward's criterion (JASA 1963) over the Lance-Williams update, one round of reassignment, and papers that are no
nearer to their theme than any two papers of the topic are to one another stand alone. The same papers give
the same themes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from rag.summarise.reading import Read, Vector, unit

MOST: Final = 12
_BY_WORDS: Final = 0.5
_COMMON: Final = 0.5
"""A word of more than this share of the papers is the topic's own, and parts nothing."""


def grouped(papers: Sequence[Read]) -> tuple[tuple[Read, ...], ...]:
    """The largest themes first, those of one paper last; within a theme the papers nearest to its middle first."""
    if len(papers) < 3:
        return tuple((paper,) for paper in papers)
    alike = similarities(papers)
    labels = _reassigned(_ward(1.0 - alike, wanted(len(papers))), alike)
    labels = _loners(labels, alike)
    groups: dict[int, list[int]] = {}
    for place, label in enumerate(labels):
        groups.setdefault(int(label), []).append(place)
    ordered = sorted(groups.values(), key=lambda places: (-len(places), places[0]))
    return tuple(
        tuple(papers[i] for i in sorted(places, key=lambda i: (-alike[i, places].mean(), i))) for places in ordered
    )


def wanted(count: int) -> int:
    """How many themes a reader can hold for so many papers."""
    return max(2, min(MOST, round(1.1 * math.sqrt(count))))


def similarities(papers: Sequence[Read]) -> Vector:
    """(papers, papers): cosines of meaning and of rare words, the average paper's share taken off."""
    meaning = np.array([paper.vector for paper in papers])
    meaning = np.array([unit(row) for row in meaning - 0.8 * meaning.mean(axis=0)])
    words = _word_rows(papers)
    alike: Vector = (1 - _BY_WORDS) * meaning @ meaning.T + _BY_WORDS * words @ words.T
    return alike


def _word_rows(papers: Sequence[Read]) -> Vector:
    spread = Counter(stem for paper in papers for stem in paper.stems)
    kept = sorted(stem for stem, count in spread.items() if 2 <= count <= max(2, _COMMON * len(papers)))
    column = {stem: place for place, stem in enumerate(kept)}
    rows = np.zeros((len(papers), max(1, len(kept))))
    for row, paper in zip(rows, papers, strict=True):
        for stem, count in paper.stems.items():
            if stem in column:
                row[column[stem]] = (1 + math.log(count)) * math.log(1 + len(papers) / spread[stem])
    return np.array([unit(row) for row in rows])


def _ward(distances: Vector, themes: int) -> Vector:
    """Labels after merging down to so many themes."""
    count = len(distances)
    between = np.maximum(0.0, distances) ** 2
    np.fill_diagonal(between, np.inf)
    sizes, labels = np.ones(count), np.arange(count, dtype=np.float64)
    for _ in range(count - themes):
        left, right = sorted(divmod(int(between.argmin()), count))
        merged = _lance_williams(between, sizes, left, right)
        between[left, :] = between[:, left] = merged
        between[left, left] = np.inf
        between[right, :] = between[:, right] = np.inf
        sizes[left] += sizes[right]
        labels[labels == right] = left
    return labels


def _lance_williams(between: Vector, sizes: Vector, left: int, right: int) -> Vector:
    total = sizes[left] + sizes[right] + sizes
    merged: Vector = (
        (sizes[left] + sizes) * between[left] + (sizes[right] + sizes) * between[right] - sizes * between[left, right]
    ) / total
    return merged


def _reassigned(labels: Vector, alike: Vector) -> Vector:
    """Each paper to the theme that it is most like on average, itself left out."""
    themes = np.unique(labels)
    means = np.array([_mean_without_self(labels == theme, alike) for theme in themes])
    moved: Vector = np.asarray(themes[means.argmax(axis=0)])
    return moved


def _mean_without_self(members: Vector, alike: Vector) -> Vector:
    others = members.sum() - members
    sums = alike[:, members].sum(axis=1) - members * alike.diagonal()
    means: Vector = np.where(others > 0, sums / np.maximum(1, others), -1.0)
    return means


def _loners(labels: Vector, alike: Vector) -> Vector:
    """Papers that are nearer to their theme than the average pair keep it; the others get one of their own."""
    typical = float(alike[~np.eye(len(alike), dtype=bool)].mean())
    alone = labels.copy()
    for place, label in enumerate(labels):
        if _mean_without_self(labels == label, alike)[place] <= typical:
            alone[place] = len(labels) + place
    return alone
