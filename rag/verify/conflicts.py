"""What speaks against a claim, each with its reason in plain words: missing numbers and names, a denial or a
direction turned round, subject and object exchanged, more said than the evidence says."""

from __future__ import annotations

from collections.abc import Iterator

from rag.verify import lexicon
from rag.verify.align import Alignment, relate
from rag.verify.findings import Finding
from rag.verify.reading import DENIED, PLAIN, Reading

_REACH = 5


def negation(alignment: Alignment) -> Iterator[Finding]:
    """A plain word answered by a denied one, or the other way round."""
    claim, evidence = alignment.claim, alignment.evidence
    for place, link in alignment.links.items():
        word, other = claim.words[place], evidence.words[link.evidence]
        if link.opposite or link.weight < 0.7 or word.name:
            continue
        if (
            word.denial == DENIED
            and other.denial == PLAIN
            and _heads(claim, place)
            and not _denied_nearby(alignment, place)
        ):
            yield Finding("negation", "conflict", f"the claim denies “{word.text}”, the sentence does not")
        elif word.denial == PLAIN and other.denial == DENIED and _heads(evidence, link.evidence):
            if not _plain_elsewhere(evidence, other.stem):
                yield Finding(
                    "negation", "conflict", f"the sentence denies “{other.text}”, the claim does not"
                )


def _heads(reading: Reading, place: int) -> bool:
    """Whether this is the first or second content word after a hard negator: what is really denied."""
    before = [negator for negator in reading.negators if negator < place]
    if not before:
        return reading.words[place].denial == DENIED
    between = sum(reading.words[i].content for i in range(before[-1] + 1, place))
    return between <= 1


def _denied_nearby(alignment: Alignment, place: int) -> bool:
    """Whether anything in the same denial of the claim is denied or doubted in the evidence, or met its opposite."""
    clause = alignment.claim.words[place].clause
    for other, link in alignment.links.items():
        word = alignment.claim.words[other]
        if word.clause == clause and word.denial == DENIED:
            if link.opposite or alignment.evidence.words[link.evidence].denial != PLAIN:
                return True
    return False


def _plain_elsewhere(reading: Reading, stem: str) -> bool:
    return any(word.stem == stem and word.denial == PLAIN for word in reading.words)


def direction(alignment: Alignment) -> Iterator[Finding]:
    """A word answered by its opposite at the place where the rest of the claim stands."""
    claim, evidence = alignment.claim, alignment.evidence
    for place in claim.content:
        word = claim.words[place]
        if word.name or not lexicon.poles().get(word.stem):
            continue
        agree, oppose, met = -1.0, -1.0, ""
        for there in evidence.content:
            other = evidence.words[there]
            weight, opposite = relate(word, other)
            if not weight and not opposite:
                continue
            flipped = (word.denial == DENIED) != (other.denial == DENIED)
            near = _context(alignment, place, there)
            if opposite != flipped:
                if near > oppose:
                    oppose, met = near, other.text
            else:
                agree = max(agree, near)
        if met and oppose >= 0.25 and oppose > agree + 0.05 and not crossed(alignment, place):
            yield Finding(
                "direction", "conflict", f"the claim says “{word.text}”, the sentence “{met}”", oppose
            )


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
        total += best / abs(gap) ** 0.5
    return total


def swapped(alignment: Alignment) -> Iterator[Finding]:
    """Who did what to whom, exchanged around a shared word."""
    for place, link in alignment.links.items():
        word = alignment.claim.words[place]
        if (
            not word.name
            and not link.opposite
            and _relational(alignment, place)
            and crossed(alignment, place)
        ):
            yield Finding(
                "swap", "conflict", f"the claim exchanges what stands before and after “{word.text}”"
            )
            return


def _relational(alignment: Alignment, place: int) -> bool:
    word = alignment.claim.words[place]
    return (
        bool(lexicon.poles().get(word.stem))
        or word.stem in lexicon.groups()
        or word.norm.endswith(("s", "ed", "es"))
    )


def crossed(alignment: Alignment, place: int) -> bool:
    """Whether the arguments left and right of an aligned word are exchanged, passives undone."""
    link = alignment.links.get(place)
    if link is None:
        return False
    left, right = _arguments(alignment.claim, place)
    before, after = _arguments(alignment.evidence, link.evidence)
    left, right = left - right, right - left
    before, after = before - after, after - before
    over, back = left & after, right & before
    straight = (left & before) | (right & after)
    return bool(over and back) and len(over) + len(back) > len(straight)


def _arguments(reading: Reading, place: int) -> tuple[set[str], set[str]]:
    """Stems of the nearest content words on each side within the clause; sides exchanged for a passive."""
    words, clause = reading.words, reading.words[place].clause
    left, right = set[str](), set[str]()
    for side, step in ((left, -1), (right, 1)):
        spot = place + step
        while 0 <= spot < len(words) and words[spot].clause == clause and abs(spot - place) <= _REACH + 1:
            word = words[spot]
            if word.norm in lexicon.SELF:
                side.add("self")
            elif word.content:
                side.add(word.stem)
            spot += step
    if _passive(reading, place):
        left, right = right, left
    return left, right


def _passive(reading: Reading, place: int) -> bool:
    words = reading.words
    before = {word.norm for word in words[max(0, place - 3) : place]}
    after = {word.norm for word in words[place + 1 : place + 4]}
    return (
        "by" in after
        and bool(before & lexicon.PASSIVE_AUXILIARIES)
        and words[place].norm.endswith(("ed", "en", "own"))
    )


def overstated(alignment: Alignment) -> Iterator[Finding]:
    """Quantifiers and hedges: more said, or more firmly, than the evidence does."""
    said = {word.norm for word in alignment.claim.words}
    shown = {word.norm for word in alignment.evidence.words}
    universal, partial = said & lexicon.UNIVERSALS, shown & lexicon.PARTIALS
    if universal and partial and not shown & lexicon.UNIVERSALS and not said & partial:
        yield Finding(
            "quantifier", "conflict", f"the claim says “{min(universal)}”, the sentence “{min(partial)}”"
        )
    elif universal - shown and not shown & lexicon.UNIVERSALS:
        yield Finding("quantifier", "doubt", f"“{min(universal)}” is not in the sentence")
    for strong in sorted((said & lexicon.STRENGTHENERS) - shown):
        if not any(lexicon.synonymous(lexicon.stem(strong), lexicon.stem(word)) for word in shown):
            yield Finding("strength", "doubt", f"“{strong}” is not in the sentence")
    hedges = shown & lexicon.HEDGES
    if hedges and not said & lexicon.HEDGES:
        yield Finding("hedge", "doubt", f"the sentence says “{min(hedges)}”, the claim does not", 0.5)
