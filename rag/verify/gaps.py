"""What the evidence has instead of a claim word that nothing in it answers: a near word, a rival, or nothing like it.

All of it is soft: features for the fitted model, never a guard. Near words come from WordNet and from static vectors
(`drafter` ~ `draft model`); rivals are words that abstracts set beside each other (`token`, `pixel`), WordNet's
antonyms, and kinds of one thing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from rag.verify import lexicon, likeness, wordnet
from rag.verify.align import Alignment
from rag.verify.findings import Finding
from rag.verify.reading import Word, read
from rag.weights import read_weights

NAMES = ("near", "like_coverage", "worst_unlike", "rivals", "worst_rival", "cosine", "left_over")
NEAR, BROADER = 0.8, 0.6
_SIBLING = 0.5
_RARE, _UNLIKE = 5.5, 0.4
_PLAIN_ENDINGS = ("ly", "ed", "ing", "'s", "ise", "ize", "ises", "izes")
Weigh = Callable[[str], float]
"""The idf of a stem."""


@dataclass(frozen=True, slots=True)
class _Gap:
    """A claim word without an answer: its weight, and how much the evidence has that is near, alike, or a rival."""

    weight: float
    near: float
    like: float
    rival: float


def values(alignment: Alignment, weigh: Weigh) -> list[float]:
    """As NAMES lists them: shares of the claim's weight but for the worst ones (a tenth of their idf)."""
    claim = alignment.claim
    total = sum(weigh(claim.words[place].stem) for place in claim.content) or 1.0
    gaps = list(_gaps(alignment, weigh))
    unlike = [gap.weight * (1.0 - max(gap.like, gap.near)) for gap in gaps]
    rivals = [gap.weight * gap.rival for gap in gaps]
    return [
        1.0 - sum(gap.weight * (1.0 - gap.near) for gap in gaps) / total,
        1.0 - sum(unlike) / total,
        max(unlike, default=0.0) / 10,
        sum(rivals) / total,
        max(rivals, default=0.0) / 10,
        likeness.cosine(_bag(alignment.claim.words, weigh), _bag(alignment.evidence.words, weigh)),
        _left_over(alignment, weigh),
    ]


def _gaps(alignment: Alignment, weigh: Weigh) -> Iterator[_Gap]:
    claim, evidence, links = alignment.claim.words, alignment.evidence.words, alignment.links
    taken = {link.evidence for link in links.values() if not link.opposite}
    left = [evidence[place] for place in alignment.evidence.content if place not in taken]
    places = [p for p in alignment.claim.content if p not in links or links[p].opposite]
    others = [evidence[place].norm for place in alignment.evidence.content]
    like = likeness.closest([claim[place].norm for place in places], others)
    for place, alike in zip(places, like, strict=True):
        word = claim[place]
        if place in links:
            yield _Gap(weigh(word.stem), 0.0, 0.0, 1.0)
            continue
        near = max((_near(word, evidence[p]) for p in alignment.evidence.content), default=0.0)
        rival = 0.0 if near else max((_rival(word, other) for other in left), default=0.0)
        yield _Gap(weigh(word.stem), near, alike, rival)


def _near(word: Word, other: Word) -> float:
    return 0.0 if word.name or other.name else _near_stems(word.stem, other.stem)


@lru_cache(maxsize=262144)
def _near_stems(first: str, second: str) -> float:
    if wordnet.synonymous(first, second) or wordnet.derived(first, second):
        return NEAR
    return BROADER if wordnet.kind_of(second, first) else 0.0


def _rival(word: Word, other: Word) -> float:
    return 0.0 if word.name or other.name else _rival_stems(word.stem, other.stem)


@lru_cache(maxsize=262144)
def _rival_stems(first: str, second: str) -> float:
    if wordnet.opposed(first, second) or second in _contrasts().get(first, frozenset()):
        return 1.0
    return _SIBLING if wordnet.siblings(first, second) else 0.0


@cache
def _contrasts() -> wordnet.Related:
    """Stem -> stems that abstracts set beside it; written by `python -m evals.fit_contrasts`."""
    return wordnet.both_ways(read_weights("contrasts")["contrasts"])


def _bag(words: Sequence[Word], weigh: Weigh) -> list[tuple[str, float]]:
    return [(word.norm, weigh(word.stem)) for word in words if word.content]


def foreign(alignment: Alignment, weigh: Weigh, context: Sequence[str], around: frozenset[str]) -> Iterator[Finding]:
    """A rare word that neither the evidence nor the rest of the paper has, nor anything like it: the claim brings in
    something else. Plain words of anyone's English are let through."""
    evidence = alignment.evidence
    for place in alignment.claim.content if context else ():
        word = alignment.claim.words[place]
        if place in alignment.links or word.name or word.stem in around or weigh(word.stem) < _RARE:
            continue
        if word.norm.endswith(_PLAIN_ENDINGS) or word.stem in lexicon.stems(lexicon.PLAIN_ENGLISH):
            continue
        if any(_near(word, evidence.words[p]) for p in evidence.content):
            continue
        if likeness.closest([word.norm], _words_of((evidence.text, *context)))[0] < _UNLIKE:
            yield Finding("foreign", "doubt", f"“{word.text}” is nowhere in the paper")


def _words_of(texts: Iterable[str]) -> list[str]:
    return [word.norm for text in texts for word in read(text).words if word.content]


def _left_over(alignment: Alignment, weigh: Weigh) -> float:
    """Of the evidence between its first and last words that answer the claim, the share that answers nothing."""
    taken = {link.evidence for link in alignment.links.values()}
    if not taken:
        return 1.0
    words = alignment.evidence.words
    within = [p for p in alignment.evidence.content if min(taken) <= p <= max(taken)]
    total = sum(weigh(words[p].stem) for p in within) or 1.0
    return sum(weigh(words[p].stem) for p in within if p not in taken) / total
