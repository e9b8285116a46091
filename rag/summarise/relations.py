"""Where papers say alike, and where they differ. Rather silent than wrong: what is shown is what each paper
says itself.

Alike: sentences of the same part that are near in meaning and share a phrase and most rare words, none
speaking against the other. Different: a sentence that `rag.verify` finds contradicted by another paper's, on
the same phrase; or different figures for one measure on one named thing that belongs to neither paper.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from rag.summarise.phrases import noun_phrases
from rag.summarise.reading import Read, Said
from rag.text.names import GENERIC
from rag.verify import check

MOST: Final = 3
_ALIKE, _SAME_THING = 0.66, 0.55
"""Cosines: of sentences that say alike, and of sentences on the same thing."""
_SHARED, _SHARED_LEAST = 0.34, 0.25
"""Of the rare words of both, the share (by rarity) that both hold."""
_ON: Final = frozenset("on over than against to versus".split())
_PAIRS_CHECKED: Final = 150
_MEASURE: Final = re.compile(
    r"\b(?:accurac(?:y|ies)|f1|auroc|auc|perplexity|bleu|rouge|speed-?ups?|faster|latency|throughput"
    r"|recall|precision|success rates?"
    r"|win rates?|pass@1|map|iou|miou|psnr|ssim|fid|error rates?|top-1|memory)\b"
)


@dataclass(frozen=True, slots=True)
class Related:
    """Sentences of different papers that belong side by side, and what they are about."""

    about: str
    said: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class _Table:
    """The sentences that may be related, their cosines and their stems' rarity."""

    said: tuple[Said, ...]
    cosines: np.ndarray
    rarity: Mapping[str, float]

    def shared(self, one: Said, other: Said) -> float:
        first, second = set(one.passage.places), set(other.passage.places)
        whole = sum(self.rarity.get(stem, 0.0) for stem in first | second)
        return sum(self.rarity.get(stem, 0.0) for stem in first & second) / whole if whole else 0.0


def related(papers: Sequence[Read], topic_stems: frozenset[str]) -> tuple[tuple[Related, ...], tuple[Related, ...]]:
    """(agreements, differences), at most a few of each, the surest first."""
    table = _table(papers)
    if len(table.said) < 2:
        return (), ()
    directions = tuple(_opposed(table, topic_stems))
    figures = tuple(_figures(papers, topic_stems))
    apart = {one.place for found in directions for one in found.said}
    alike = tuple(_agreements(table, topic_stems, apart))
    return alike[:MOST], (*directions, *figures)[:MOST]


def _table(papers: Sequence[Read]) -> _Table:
    chosen = [
        (one, vector)
        for paper in papers
        for one, vector in zip(paper.said, paper.vectors, strict=True)
        if one.clean and not one.leaning and one.chance("background", "result", "conclusion") > 0.6
    ]
    spread = Counter(stem for one, _ in chosen for stem in one.passage.places)
    rarity = {stem: math.log(1 + len(chosen) / count) for stem, count in spread.items()}
    vectors = np.array([vector for _, vector in chosen]) if chosen else np.zeros((0, 1))
    return _Table(tuple(one for one, _ in chosen), vectors @ vectors.T, rarity)


def _pairs(table: _Table, least: float) -> Iterator[tuple[Said, Said]]:
    """Sentences of different papers and of one part, the nearest first."""
    upper = np.triu(table.cosines, 1)
    places = np.argwhere(upper >= least)
    order = sorted(map(tuple, places), key=lambda at: (-upper[at[0], at[1]], at))
    for left, right in order:
        one, other = table.said[left], table.said[right]
        if one.paper.id != other.paper.id and (one.part == "background") == (other.part == "background"):
            yield one, other


def _agreements(table: _Table, topic_stems: frozenset[str], apart: set[tuple[str, int]]) -> Iterator[Related]:
    used: set[str] = set()
    for one, other in _pairs(table, _ALIKE):
        if used & {one.paper.id, other.paper.id} or apart & {one.place, other.place}:
            continue
        about = _phrase(one, other, topic_stems)
        if about is None or table.shared(one, other) < _SHARED or _speaks_against(one, other):
            continue
        used |= {one.paper.id, other.paper.id}
        yield Related(about, (one, other))


def _opposed(table: _Table, topic_stems: frozenset[str]) -> Iterator[Related]:
    used: set[str] = set()
    for checked, (one, other) in enumerate(_pairs(table, _SAME_THING)):
        if checked == _PAIRS_CHECKED:
            return
        if one.part == "background" or used & {one.paper.id, other.paper.id}:
            continue
        about = _phrase(one, other, topic_stems)
        if about is None or table.shared(one, other) < _SHARED_LEAST or not _contradict(one, other):
            continue
        used |= {one.paper.id, other.paper.id}
        yield Related(about, (one, other))


def _contradict(one: Said, other: Said) -> bool:
    """Both ways: a claim of more than the other says is contradicted one way only. Figures are not compared here."""
    if one.passage.numbers or other.passage.numbers:
        return False
    return _speaks_against(one, other) and _speaks_against(other, one)


def _speaks_against(one: Said, other: Said) -> bool:
    return check(one.text, [other.text]).outcome == "contradicted"


def _phrase(one: Said, other: Said, topic_stems: frozenset[str]) -> str | None:
    """The longest phrase that both use and that says more than the topic itself."""
    first = {phrase.stems: phrase for phrase in noun_phrases(one.text)}
    second = {phrase.stems: phrase for phrase in noun_phrases(other.text)}
    shared = [
        first[stems]
        for stems in first
        if stems in second and len(stems) > 1 and not set(stems) <= topic_stems
        if first[stems].governed or second[stems].governed
    ]
    best = max(shared, key=lambda phrase: (len(phrase.stems), phrase.written), default=None)
    return best.written if best else None


def _figures(papers: Sequence[Read], topic_stems: frozenset[str]) -> Iterator[Related]:
    """The same measure against the same named thing, in the same unit, with another figure."""
    own = frozenset(name for paper in papers for name in paper.own_names)
    found: dict[tuple[str, str, str], dict[str, tuple[float, Said]]] = {}
    for paper in papers:
        for one in paper.said:
            if not one.clean or one.leaning or one.chance("result", "conclusion") < 0.5:
                continue
            for name in _measured_on(one) - own - topic_stems:
                for measure, unit, value in _measured(one):
                    found.setdefault((name, measure, unit), {}).setdefault(paper.paper.id, (value, one))
    for (name, measure, _), held in sorted(found.items(), key=lambda item: (-len(item[1]), item[0])):
        for (first, one), (second, other) in combinations(held.values(), 2):
            if first != second:
                yield Related(f"{measure}, {_as_written(one, name)}", (one, other))
                break


def _measured_on(one: Said) -> set[str]:
    """Folded names of what a result was measured on or against: "on GSM8K", "faster than EAGLE-3"."""
    return {name for name in one.passage.names - GENERIC if name[:1].isalpha() and _is_governed(name, one)}


def _is_governed(name: str, one: Said) -> bool:
    folded = one.passage.folded
    before = folded[: folded.find(name)].removesuffix("the ").split()
    return name in folded and bool(before) and before[-1] in _ON


def _measured(one: Said) -> set[tuple[str, str, float]]:
    """(measure, unit, value) where a sentence holds one measure and one figure: nothing is left to guess."""
    measures = {found[0] for found in _MEASURE.finditer(one.passage.folded)}
    figures = {
        (quantity.unit, quantity.high)
        for _, quantity in one.passage.numbers
        if quantity.unit in ("%", "points", "x") and quantity.comparator not in ("<", ">")
    }
    if len(measures) != 1 or len(figures) != 1:
        return set()
    return {(measure, *figure) for measure in measures for figure in figures}


def _as_written(one: Said, norm: str) -> str:
    return next((token for token in one.text.split() if norm in token.casefold()), norm).strip(",.;:()")
