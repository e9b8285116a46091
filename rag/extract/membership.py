"""Which of the papers found belong in a list: a learned chance for each, and the set with the best expected F1.

The ranking orders well and says little of where a list ends; what tells is how a paper's score stands among all that
were found, and how much of the topic it holds at once: in one sentence, in its title, in how many sentences. Fitted by
`python -m evals.fit_lists` on lists whose right papers were found by reading the whole corpus.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from rag.extract.matching import same_form
from rag.extract.passage import read
from rag.question import Question, understand
from rag.text.rarity import weight
from rag.text.stemming import stem
from rag.types import Paper, Sentence
from rag.weights import read_weights

if TYPE_CHECKING:
    from rag.library import Library
    from rag.retrieve import Retrieval

Array = NDArray[np.float64]

_OR: Final = re.compile(r",| or | and/or |/|;| as well as |[():]", re.IGNORECASE)
MEMBER: Final = (
    *("behind", "standing", "papers", "whole", "sentence", "title", "sentences", "early"),
    *("whole_behind", "sentence_behind"),
)
"""Logit behind the best's; its distance from the mean of all found, in standard deviations; the logarithm of the
corpus's size; the topic's share in the paper, its best sentence, its title; sentences that hold half, up to five, by
five; the share in title and opening; how far the shares are behind the best paper's."""
_EARLY, _MANY, _HALF = 4, 5, 0.5
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
    """Places of the hits that belong, in rank order, at least `least` where there are as many hits."""
    if not retrieval.hits:
        return ()
    chances = shipped().chances(member_features(question, retrieval, library))
    return best_set(chances, least)


def best_set(chances: Array, least: int = 1) -> tuple[int, ...]:
    """The set with the best expected F1: the likeliest, as many as `2 * sum of theirs / (their number + sum of all)`
    is largest for (Nan et al., "Optimizing F-measure: A Tale of Two Approaches", ICML 2012)."""
    order = np.argsort(-chances, kind="stable")
    expected = 2 * np.cumsum(chances[order]) / (np.arange(1, len(chances) + 1) + chances.sum())
    return tuple(sorted(order[: max(least, int(expected.argmax()) + 1)].tolist()))


def member_features(question: Question, retrieval: Retrieval, library: Library) -> Array:
    """(hits, len(MEMBER))."""
    ids = [hit.paper_id for hit in retrieval.hits]
    papers, sentences = library.get(ids), library.sentences(ids)
    topics = alternatives(question)
    held = np.array([topic_held(topics, papers[id_], sentences[id_]) for id_ in ids])
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
    head = kept[-1][-1:] if kept and len(kept[-1]) > 1 else ()
    return tuple(dict.fromkeys(part if len(part) > 1 else (*part, *head) for part in kept))


def topic_held(
    topics: Sequence[Sequence[str]], paper: Paper, sentences: Sequence[Sentence]
) -> tuple[float, ...]:
    """Of the topic that the paper holds most of, its share by rarity, in `MEMBER`'s order; zeros without a topic."""
    units = [read(paper.title).places, *(read(paper.abstract[s.start : s.end]).places for s in sentences)]
    return max((_held(topic, units) for topic in topics), default=(0.0,) * 5)


def _held(topic: Sequence[str], units: Sequence[Mapping[str, Any]]) -> tuple[float, ...]:
    worth = np.array([weight(term) * (_LIGHT_WEIGHT if term in _LIGHT else 1) for term in topic])
    grid = np.array([[_holds(unit, term) for term in topic] for unit in units]) * worth / (worth.sum() or 1.0)
    shares = grid.sum(axis=1)
    many = min(_MANY, int((shares >= _HALF).sum())) / _MANY
    whole = float(grid.max(axis=0).sum())
    return whole, float(shares.max()), float(shares[0]), many, float(shares[:_EARLY].max())


def _holds(unit: Mapping[str, Any], term: str) -> bool:
    """Whether a word, or one of its form, stands in it; a hyphen is no difference."""
    if term in unit:
        return True
    bare = term.replace("-", "")
    return any(same_form(bare, other.replace("-", "")) for other in unit if other[0] == term[0])
