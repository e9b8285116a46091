"""Which of the papers found belong in a list: a learned chance for each, and the set with the best expected F-measure.

The ranking orders well and says little of where a list ends; what tells is how a paper's score stands among all that
were found, and how much of the topic it holds at once: in one sentence, in its title, in how many sentences. Fitted by
`python -m evals.fit_lists` on lists whose right papers were found by reading the whole corpus.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from rag.extract.matching import same_form
from rag.extract.passage import read
from rag.question import Question, understand
from rag.retrieve.scorer import best_cut
from rag.text.normalise import fold
from rag.text.rarity import weight
from rag.text.stemming import stem
from rag.text.tokens import terms
from rag.types import Paper, Sentence
from rag.verify.acronyms import other_forms
from rag.weights import read_weights

if TYPE_CHECKING:
    from rag.library import Library
from rag.retrieve import Retrieval

Array = NDArray[np.float64]
Places = Mapping[str, tuple[int, ...]]

_OR: Final = re.compile(r",| or | and/or |/|;| as well as |[():]", re.IGNORECASE)
MEMBER: Final = (
    *("behind", "standing", "papers", "whole", "sentence", "title", "sentences", "early", "near"),
    *("whole_behind", "sentence_behind"),
)
"""Logit behind the best's; its distance from the mean of all found, in standard deviations; the logarithm of the
corpus's size; the topic's share in the paper, its best sentence, its title; sentences that hold half, up to five, by
five; the share in title and opening; the share of neighbouring words of it that
stand near each other; how far the shares are behind the best paper's."""
_EARLY, _MANY, _HALF, _REACH, _LONGEST = 4, 5, 0.5, 3, 4
RECALL: Final = 1.15
"""How much more recall is wanted than precision: cross-fitted, it gains a point of one for two of the other."""
_MENTIONED: Final = re.compile(
    r"\b(?:mention(?:s|ed|ing)?|speaks? of|refers? to|touch(?:es)? (?:up)?on|contains? the word)\b"
)
_ALL: Final = 0.99
_LIGHT: Final = frozenset(
    stem(word)
    for word in """
    analyse analyze apply application approach base bring build data design develop estimate guarantee handle improve
    measure method model new offer perform problem prove scale serve several solve study system tackle task technique
    test train treat try two work write
    """.split()
)
"""Words that say what is done with a topic more often than what it is ("prove regret bounds"), and their weight."""
_LIGHT_WEIGHT: Final = 0.3


@dataclass(frozen=True, slots=True)
class Membership:
    """A logistic model of `MEMBER`."""

    weights: Array
    offset: float

    def chances(self, features: Array) -> Array:
        """(n,) chances of belonging, of (n, len(MEMBER)) features."""
        found: Array = 1 / (1 + np.exp(-np.clip(features @ self.weights + self.offset, -30, 30)))
        return found


def from_weights(fitted: Mapping[str, Any]) -> Membership:
    """From the parsed file. Raises KeyError where a feature has no weight."""
    return Membership(np.array([fitted["weights"][name] for name in MEMBER]), fitted["offset"])


@cache
def shipped() -> Membership:
    return from_weights(read_weights("lists"))


def members(question: Question, retrieval: Retrieval, library: Library, least: int = 1) -> tuple[int, ...]:
    """Places of the hits that belong, in rank order, at least `least` where there are as many hits. Where a large
    corpus has many papers of a topic, none stands out: those within the ranking's own end that say the whole topic
    together in one sentence belong too. Of a question for what papers mention, all that say it in one sentence."""
    if not retrieval.hits:
        return ()
    features = member_features(question, retrieval, library)
    places = best_set(shipped().chances(features), least)
    at_once = features[:, MEMBER.index("sentence")] >= _ALL
    if not _MENTIONED.search(fold(question.text)):
        at_once &= features[:, MEMBER.index("near")] >= _ALL
        at_once[retrieval.belonging :] = False
    return tuple(sorted({*places, *np.flatnonzero(at_once).tolist()}))


def best_set(chances: Array, least: int = 1) -> tuple[int, ...]:
    """Places of the likeliest, as many as make the best expected F-measure, at least `least`."""
    order = np.argsort(-chances, kind="stable")
    return tuple(sorted(order[: max(least, best_cut(chances[order], RECALL))].tolist()))


def member_features(question: Question, retrieval: Retrieval, library: Library) -> Array:
    """(hits, len(MEMBER))."""
    ids = [hit.paper_id for hit in retrieval.hits]
    papers, sentences = library.get(ids), library.sentences(ids)
    topics = alternatives(question)
    spelled = dict(zip(question.terms, question.words, strict=True))
    held = np.array([topic_held(topics, papers[id_], sentences[id_], spelled) for id_ in ids])
    logits = np.array(retrieval.logits)
    spread = float(logits.std()) or 1.0
    size = np.full(len(ids), math.log(max(1, library.info.papers)))
    return np.column_stack(
        [
            logits.max() - logits,
            (logits - logits.mean()) / spread,
            size,
            held,
            held[:, :2].max(axis=0) - held[:, :2],
        ]
    )


def alternatives(question: Question) -> tuple[tuple[str, ...], ...]:
    """The topics of a list, each as index stems: "LLMs or diffusion models" names two; of "discrete or combinatorial
    optimization" both are optimization."""
    parts = [understand(part).terms for part in _OR.split(question.search)]
    kept = [tuple(term for term in part if term in question.terms) for part in parts]
    kept = [part for part in kept if part]
    shared = kept and len(kept[-1]) > 1 and "(" not in question.search
    head = kept[-1][-1:] if shared else ()
    return tuple(dict.fromkeys(part if len(part) > 1 else (*part, *head) for part in kept))


def topic_held(
    topics: Sequence[Sequence[str]],
    paper: Paper,
    sentences: Sequence[Sentence],
    spelled: Mapping[str, str] = MappingProxyType({}),
) -> tuple[float, ...]:
    """Of the topic that the paper holds most of, its share by rarity, in `MEMBER`'s order; zeros without a topic.

    `spelled` are the topics' stems as words, for acronyms: "graph neural networks" are met by GNNs, and the reverse.
    """
    texts = [paper.title, *(paper.abstract[s.start : s.end] for s in sentences)]
    units = [read(text).places for text in texts]
    return max((_held(topic, units, spelled) for topic in topics), default=(0.0,) * 6)


def _held(topic: Sequence[str], units: Sequence[Places], spelled: Mapping[str, str]) -> tuple[float, ...]:
    worth = np.array([weight(term) * (_LIGHT_WEIGHT if term in _LIGHT else 1) for term in topic])
    worth /= worth.sum() or 1.0
    found = [[_standing(unit, term) for term in topic] for unit in units]
    short = _shortened(tuple(topic), tuple(spelled.get(term, term) for term in topic))
    by_short = np.array([[_by_short(unit, short, place) for place in range(len(topic))] for unit in units])
    grid = np.array([[bool(places) for places in row] for row in found]) | by_short
    shares = grid @ worth
    many = min(_MANY, int((shares >= _HALF).sum())) / _MANY
    whole = float(grid.max(axis=0) @ worth)
    near = _near(worth, found, by_short) if len(topic) > 1 else whole
    return whole, float(shares.max()), float(shares[0]), many, float(shares[:_EARLY].max()), near


def _near(worth: Array, found: Sequence[Sequence[tuple[int, ...]]], by_short: NDArray[np.bool_]) -> float:
    """The share of neighbouring words of the topic that stand near each other in some sentence."""
    pairs = list(pairwise(range(len(worth))))
    heavy = [float(min(worth[a], worth[b])) for a, b in pairs]
    met = [
        any(
            (short[a] and short[b]) or any(abs(i - j) <= _REACH for i in row[a] for j in row[b])
            for row, short in zip(found, by_short, strict=True)
        )
        for a, b in pairs
    ]
    return sum(each for each, near in zip(heavy, met, strict=True) if near) / (sum(heavy) or 1.0)


def _standing(unit: Places, term: str) -> tuple[int, ...]:
    """Where a word, or one of its form, stands; a hyphen is no difference."""
    if term in unit:
        return unit[term]
    kin = (other for other in unit if other[0] == term[0] and _same(term, other))
    return tuple(place for other in kin for place in unit[other])


@lru_cache(maxsize=100_000)
def _same(first: str, second: str) -> bool:
    return same_form(first.replace("-", ""), second.replace("-", ""))


@lru_cache(maxsize=512)
def _shortened(topic: tuple[str, ...], words: tuple[str, ...]) -> tuple[tuple[range, frozenset[str]], ...]:
    """Stretches of the topic with the stems, all of which together stand for them: long forms and acronyms."""
    stretches = [range(a, b) for a in range(len(topic)) for b in range(a + 1, min(len(topic), a + _LONGEST) + 1)]
    forms = ((stretch, other_forms(" ".join(words[stretch.start : stretch.stop]))) for stretch in stretches)
    return tuple((stretch, frozenset(terms(form))) for stretch, found in forms for form in found)


def _by_short(unit: Places, short: Sequence[tuple[range, frozenset[str]]], place: int) -> bool:
    return any(place in stretch and stems and stems <= unit.keys() for stretch, stems in short)
