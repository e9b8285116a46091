"""A question as the retriever sees it: the terms that can be found, what each is worth, and which of them are names."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rag.retrieve.spelled import is_word
from rag.text.rarity import share
from rag.text.stemming import stem
from rag.text.tokens import content_terms, tokenise

MOST_TERMS = 64
"""A pasted abstract asks for no more than its rarest words."""

_ASKING = frozenset(
    stem(word)
    for word in """
    address approach article author claim compare concern cover deal describe discuss evidence exist explain explore
    find finding investigate involve list literature main mention method name kind look new novel people present
    propose provide publication publish question report research result review speak study summarise summarize
    talk technique tell touch type use using used
    """.split()
)
"""Words that say how something is asked more often than what; they keep a part of their weight."""
_ASKING_WEIGHT = 0.35

_COMMON, _FEW_PAPERS, _ENOUGH, _MOST_FOUND = 0.05, 300, 0.6, 4_000
"""Share and number of papers that a common word stands in; share of the weight that rarer words must hold to do without
it; papers found (each as often as it is) beyond which no more words are looked for: BM25 takes time for each."""

_AT_LARGE = 500
"""As so many papers, research at large has a say in how rare a word is."""

_CJK = re.compile(r"[\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]+")


@dataclass(frozen=True, slots=True)
class Query:
    """`terms` stand in at least one paper, rarest words kept, in order of asking; `idf` and `exact` go with them.

    `unknown` are the content terms that stand in no paper. `following[i, j]` says that term j is asked for right after
    term i, other than as parts of one word. `searched` are the terms by which candidates are looked for: the common
    ones, which find everything and cost most, are left to the ranking where rarer ones hold most of the weight.
    `foreign` are those of the unknown that are words: what they mean may stand in a paper. `gist` is what each of the
    terms, then of the foreign, is worth, together 1.
    """

    text: str
    meaning: str
    terms: tuple[str, ...]
    unknown: tuple[str, ...]
    foreign: tuple[str, ...]
    gist: NDArray[np.float32]
    idf: NDArray[np.float32]
    exact: NDArray[np.bool_]
    following: NDArray[np.bool_]
    searched: tuple[str, ...]

    @property
    def mass(self) -> float:
        """What all findable terms are worth together; never 0, so that it can divide."""
        return float(self.idf.sum()) or 1.0


def inverse_document_frequency(frequency: int, papers: int) -> float:
    """BM25's idf, kept positive: ln(1 + (N - n + 1/2) / (n + 1/2)) (Robertson and Zaragoza, 2009; Lucene's form)."""
    return math.log(1 + (papers - frequency + 0.5) / (frequency + 0.5))


def asked_terms(text: str, terms: Sequence[str] | None) -> tuple[str, ...]:
    """The content terms of a question, or those a caller chose in their place; each once."""
    return tuple(dict.fromkeys(content_terms(text) if terms is None else terms))


def analyse(text: str, asked: Sequence[str], frequency: Mapping[str, int], papers: int) -> Query:
    """`frequency` tells of each asked term in how many of the corpus's papers it stands."""
    worth = {
        term: inverse_document_frequency(frequency[term], papers) * (_ASKING_WEIGHT if term in _ASKING else 1)
        for term in asked
        if frequency.get(term)
    }
    rarest = sorted(worth, key=lambda term: -worth[term])[:MOST_TERMS]
    kept = tuple(term for term in worth if term in set(rarest))
    foreign = tuple(term for term in asked if not frequency.get(term) and is_word(term))[:MOST_TERMS]
    return Query(
        text,
        _meaning(text, kept),
        kept,
        tuple(term for term in asked if not frequency.get(term)),
        foreign,
        _gist((*kept, *foreign), frequency, papers),
        np.array([worth[term] for term in kept], dtype=np.float32),
        _exact(text, kept),
        _following(text, kept),
        _searched(kept, worth, frequency, papers),
    )


def _gist(terms: Sequence[str], frequency: Mapping[str, int], papers: int) -> NDArray[np.float32]:
    """Each term's share of the whole: minus the logarithm of its rate among papers, those of research at large with
    them, since in a small corpus a word is rare by chance."""
    rates = [(frequency.get(term, 0) + _AT_LARGE * share(term)) / (papers + _AT_LARGE) for term in terms]
    worth = [
        -math.log(rate) * (_ASKING_WEIGHT if term in _ASKING else 1) for term, rate in zip(terms, rates, strict=True)
    ]
    total = sum(worth) or 1.0
    return np.array([each / total for each in worth], dtype=np.float32)


def _searched(
    kept: Sequence[str], worth: Mapping[str, float], frequency: Mapping[str, int], papers: int
) -> tuple[str, ...]:
    """The rarest, until they hold enough of the weight; then those that are not common, while they find few."""
    enough = _ENOUGH * sum(worth[term] for term in kept)
    common = max(_COMMON * papers, _FEW_PAPERS)
    chosen: set[str] = set()
    held, found = 0.0, 0
    for term in sorted(kept, key=lambda term: frequency[term]):
        if held >= enough and (frequency[term] > common or found + frequency[term] > _MOST_FOUND):
            break
        chosen.add(term)
        held, found = held + worth[term], found + frequency[term]
    return tuple(term for term in kept if term in chosen)


def _meaning(text: str, terms: Sequence[str]) -> str:
    """What is embedded. Chinese over a corpus that holds none of it only blurs what the names say."""
    if _CJK.search(text) and not any(_CJK.search(term) for term in terms):
        return " ".join(_CJK.sub(" ", text).split())
    return text


def _exact(text: str, terms: Sequence[str]) -> NDArray[np.bool_]:
    """Names, numbers and symbols: what must be matched as written."""
    written = {token.stem for token in tokenise(text) if token.kind in ("name", "number")}
    return np.array([term in written or any(char.isdigit() for char in term) for term in terms], dtype=bool)


def _following(text: str, terms: Sequence[str]) -> NDArray[np.bool_]:
    number = {term: place for place, term in enumerate(terms)}
    pairs = np.zeros((len(terms), len(terms)), dtype=bool)
    words = [content_terms(token.text) for token in tokenise(text) if token.kind != "symbol"]
    words = [word for word in words if word]
    for left, right in pairwise(words):
        for a in left:
            for b in right:
                if a in number and b in number and a != b:
                    pairs[number[a], number[b]] = True
    return pairs
