"""Whether a claim turns a direction round: more for less, better for worse, at the place where the rest agrees."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from rag.verify import lexicon
from rag.verify.align import KIN, SAME, Alignment, relate
from rag.verify.binding import way
from rag.verify.findings import Finding
from rag.verify.frames import moved
from rag.verify.reading import DENIED, Reading

_REACH = 5
_KEPT = 0.3
_BETTERING = frozenset(
    "improve improvement ameliorate better worsen worse degrade degradation deteriorate deterioration impair "
    "impairment hurt harm exacerbate aggravate".split()
)
"""What they are said of gets better or worse; not so `well`, `strong` or `best`."""
_NO_DIRECTION = frozenset("dynamics loss cost costs compare compares compared comparing".split())
"""Words whose stem is that of one with a direction (`dynamic`, `lose`, `costly`, `comparable`)."""


def direction(alignment: Alignment) -> Iterator[Finding]:
    """A word answered by its opposite at the place where the rest of the claim stands."""
    claim, evidence = alignment.claim, alignment.evidence
    for place in claim.content:
        word = claim.words[place]
        if word.name or word.stem not in lexicon.poles() or word.norm in _NO_DIRECTION or _of_use(claim, place):
            continue
        known, theirs = way(alignment, place, partial(_stance_of, claim, evidence))
        if known < 0:
            yield Finding("direction", "conflict", f"the claim says “{word.text}”, the sentence “{theirs}”")
        if known:
            continue
        agree, oppose, met = -1.0, -1.0, ""
        for there in evidence.content:
            stance = _stance(claim, place, evidence, there)
            if not stance or (stance < 0 and _of_another(alignment, place, there)):
                continue
            near = _context(alignment, place, there)
            if stance > 0:
                agree = max(agree, near)
            elif near > oppose:
                oppose, met = near, evidence.words[there].text
        if (
            met
            and oppose >= (0.25 if agree >= 0 else 0.12)
            and oppose > agree + (_KEPT if _kept(alignment, place) else 0.05)
            and not moved(alignment, place)
            and not _kept_beside(alignment, place)
        ):
            yield Finding("direction", "conflict", f"the claim says “{word.text}”, the sentence “{met}”", oppose)


def _of_another(alignment: Alignment, place: int, there: int) -> bool:
    """Whether an opposite says something of another thing: its word has no direction, another word of the claim has it
    too (`several in a single pass`), or both stand before nouns that answer different ones (`high dimensions`,
    `low-energy`)."""
    evidence, links = alignment.evidence, alignment.links
    if evidence.words[there].norm in _NO_DIRECTION:
        return True
    if any(link.evidence == there and link.weight == SAME for spot, link in links.items() if spot != place):
        return True
    ours, theirs = place + 1, there + 1
    if ours not in links or links[ours].opposite or theirs >= len(evidence.words):
        return False
    answered = {link.evidence for link in links.values()}
    return links[ours].evidence != theirs and theirs in answered and links[ours].weight >= KIN


def _of_use(reading: Reading, place: int) -> bool:
    """Whether `use` is a noun (`of limited use`): it is not what one does instead of ignoring."""
    words = reading.words
    before = [word.norm for word in words[max(0, place - 2) : place]]
    return words[place].norm == "use" and "of" in before


def _kept(alignment: Alignment, place: int) -> bool:
    """Whether the evidence has the very word."""
    link = alignment.links.get(place)
    return link is not None and link.weight == SAME


def _kept_beside(alignment: Alignment, place: int) -> bool:
    """Whether the evidence has the very word beside the same neighbours (`theoretical justification` for `justified
    theoretically`): then an opposite elsewhere says something of another thing."""
    if not _kept(alignment, place):
        return False
    there = alignment.links[place].evidence
    met = [alignment.links[near] for near in (place - 1, place + 1) if near in alignment.links]
    return bool(met) and all(link.weight >= KIN and abs(link.evidence - there) == 1 for link in met)


def _stance(claim: Reading, place: int, evidence: Reading, there: int) -> int:
    """1 when two words point the same way, -1 when opposite ways, 0 when they have nothing to do with each other.

    `reduces latency` and `improves latency` agree, `reduces accuracy` and `improves accuracy` do not.
    """
    word, other = claim.words[place], evidence.words[there]
    weight, opposite = relate(word, other)
    lessened = _lessened(claim, place) != _lessened(evidence, there)
    if weight >= KIN:
        return -1 if lessened else 1
    ours, theirs = _trend(claim, place), _trend(evidence, there)
    if ours and theirs:
        opposite = ours != theirs
    elif weight:
        return -1 if lessened else 1
    elif not opposite:
        return 0
    denied = (word.denial == DENIED) != (other.denial == DENIED)
    return -1 if opposite != (denied != lessened) else 1


def _stance_of(claim: Reading, evidence: Reading, place: int, there: int) -> int:
    return _stance(claim, place, evidence, there)


def _lessened(reading: Reading, place: int) -> bool:
    return place > 0 and reading.words[place - 1].norm in ("less", "least")


def _trend(reading: Reading, place: int) -> int:
    """1 for better, -1 for worse, as far as a word and what it is said of tell; else 0."""
    stem = reading.words[place].stem
    signs = dict(lexicon.poles().get(stem, ()))
    if stem in lexicon.stems(_BETTERING):
        return signs[lexicon.axis("improve")]
    amount = signs.get(lexicon.axis("increase"), 0)
    if not amount:
        return 0
    for spot in (*range(place + 1, min(place + 4, len(reading.words))), place - 1, place - 2):
        if spot >= 0 and reading.words[spot].clause == reading.words[place].clause:
            value = lexicon.value(reading.words[spot].stem)
            if value:
                return amount * value
    return 0


def _context(alignment: Alignment, place: int, there: int) -> float:
    """How well the neighbours of a claim word are found, at like distance and side, around an evidence word."""
    claim, evidence, total = alignment.claim.words, alignment.evidence.words, 0.0
    for near in range(max(0, place - _REACH), min(len(claim), place + _REACH + 1)):
        word = claim[near]
        if near == place or not (word.content or word.number) or word.clause != claim[place].clause:
            continue
        gap, best = near - place, 0.0
        for spot in range(max(0, there - _REACH - 2), min(len(evidence), there + _REACH + 3)):
            other = evidence[spot]
            if spot != there and (other.stem == word.stem or (other.content and relate(word, other)[0] > 0)):
                same_side = (spot > there) == (near > place)
                best = max(best, (1.0 if same_side else 0.5) / (1 + 0.3 * abs(abs(spot - there) - abs(gap))))
        total += best / abs(gap) ** 0.75
    return total
