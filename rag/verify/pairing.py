"""Two things told beside each other, each with the other's share: `A prunes width while B prunes depth`, where the
evidence has it the other way round.

No parser says which words are subject and which are told of it, so every way of cutting both halves is tried; only
one that stands far closer together in one sentence crosswise than straight speaks against the claim.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product

from rag.verify.align import KIN, Alignment, relate
from rag.verify.findings import Finding
from rag.verify.reading import Reading, Word
from rag.verify.recombined import JOINTS, SENTENCE_END, parts

_FACING = JOINTS - {"or"}
_FEWEST = 3
"""Words that each half must share with the evidence and not with the other half."""
_CROSSWISE, _CLOSE = 1.8, 0.9
"""How many times closer crosswise than straight, and how close at least (2.0: side by side)."""
_PART, _WORDS = 0.6, 6.0
"""What each part between two words leaves of their closeness; the distance that halves it."""

Places = Mapping[int, Sequence[int]]
"""Claim word -> where the evidence has it."""
Near = Mapping[tuple[int, int], float]
"""Two claim words -> how close they stand in the evidence."""


def exchanged_pairs(alignment: Alignment) -> Iterator[Finding]:
    """At most one conflict."""
    claim, evidence = alignment.claim, alignment.evidence
    places: Places = {place: _found(claim, place, evidence) for place in _weighty(claim)}
    segments = parts(evidence)
    for one, other in _halves(claim, places):
        spots = [spot for place in (*one, *other) for spot in places[place]]
        if SENTENCE_END.search(evidence.text, evidence.words[min(spots)].end, evidence.words[max(spots)].start):
            continue
        near = _near((*one, *other), places, segments)
        for first, second in product(range(1, len(one)), range(1, len(other))):
            heads, tails = (one[:first], other[:second]), (one[first:], other[second:])
            straight = sum(_closeness(h, t, near) for h, t in zip(heads, tails, strict=True))
            across = sum(_closeness(h, t, near) for h, t in zip(heads, tails[::-1], strict=True))
            if across >= max(_CLOSE, _CROSSWISE * straight):
                said, told = claim.words[heads[0][-1]].text, claim.words[tails[0][0]].text
                reason = f"the sentence does not put “{said}” and “{told}” together as the claim does"
                yield Finding("exchange", "conflict", reason)
                return


def _weighty(reading: Reading) -> list[int]:
    return [place for place, word in enumerate(reading.words) if word.content or word.number]


def _found(claim: Reading, place: int, evidence: Reading) -> tuple[int, ...]:
    word = claim.words[place]
    return tuple(spot for spot in _weighty(evidence) if _same(word, evidence.words[spot]))


def _same(word: Word, other: Word) -> bool:
    """By form, or by their digits (`2x`, `2`)."""
    if word.number and other.number:
        return word.norm == other.norm or (word.norm[:1].isdigit() and _digits(word) == _digits(other))
    return relate(word, other)[0] >= KIN


def _digits(word: Word) -> str:
    return "".join(char for char in word.norm if char.isdigit() or char == ".")


def _halves(claim: Reading, places: Places) -> Iterator[tuple[list[int], list[int]]]:
    """The found words of each two parts that a conjunction joins, without those that both have."""
    by_part: dict[int, list[int]] = {}
    opening: dict[int, str] = {}
    for place, (word, part) in enumerate(zip(claim.words, parts(claim), strict=True)):
        opening.setdefault(part, word.norm)
        if places.get(place):
            by_part.setdefault(part, []).append(place)
    for (_, one), (part, other) in pairwise(by_part.items()):
        if opening[part] in _FACING:
            shared = {claim.words[place].stem for place in one} & {claim.words[place].stem for place in other}
            left, right = ([p for p in half if claim.words[p].stem not in shared] for half in (one, other))
            if len(left) >= _FEWEST and len(right) >= _FEWEST:
                yield left, right


def _near(words: Sequence[int], places: Places, segments: Sequence[int]) -> Near:
    def closest(one: int, other: int) -> float:
        spots = product(places[one], places[other])
        return max(_PART ** abs(segments[a] - segments[b]) / (1 + abs(a - b) / _WORDS) for a, b in spots)

    return {(one, other): closest(one, other) for one, other in product(words, words) if one != other}


def _closeness(heads: Sequence[int], tails: Sequence[int], near: Near) -> float:
    """How close two groups of claim words stand in the evidence: 0 far apart, towards 1 side by side."""
    ahead = sum(max(near[head, tail] for head in heads) for tail in tails) / len(tails)
    back = sum(max(near[head, tail] for tail in tails) for head in heads) / len(heads)
    return (ahead + back) / 2
