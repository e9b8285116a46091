"""What speaks against a claim, each with its reason in plain words: a denial or a direction turned round, subject and
object exchanged, a word put in another's place, more said than the evidence says."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag.verify import lexicon
from rag.verify.align import Alignment, relate
from rag.verify.findings import Finding, Weight
from rag.verify.frames import crossed, exchanged_places, exchanged_sides, moved
from rag.verify.reading import DENIED, DOUBTED, PLAIN, Reading, Word

_REACH = 5
_NEGATIVE_FORM = re.compile(r"(?:un|non|in|im|ir|dis)(\w{3,})|(\w{3,})less$")


def negation(alignment: Alignment) -> Iterator[Finding]:
    """A plain word answered by a denied one, or the other way round."""
    claim, evidence = alignment.claim, alignment.evidence
    opposite = any(link.opposite and claim.words[p].denial for p, link in alignment.links.items())
    denied = {link.evidence for p, link in alignment.links.items() if claim.words[p].denial == DENIED}
    answering = [place for place in evidence.deniers if place not in denied]
    if (
        (claim.negators or _fails(claim))
        and not answering
        and not opposite
        and not _denies_by_form(claim, evidence)
    ):
        yield Finding(
            "negation",
            "conflict",
            f"the claim says “{claim.words[claim.deniers[0]].text}”, the sentence does not",
        )
        return
    for place, link in alignment.links.items():
        word, other = claim.words[place], evidence.words[link.evidence]
        if link.opposite or word.name or word.denial == other.denial:
            continue
        if word.denial == DENIED and other.denial == PLAIN:
            if _heads(claim, place) and not _denied_nearby(alignment, place):
                yield Finding(
                    "negation", "conflict", f"the claim denies “{word.text}”, the sentence does not"
                )
        elif (
            word.denial == PLAIN and _heads(evidence, link.evidence) and not _plain_elsewhere(evidence, other)
        ):
            if other.denial == DENIED and not _answered(alignment, link.evidence):
                yield Finding(
                    "negation", "conflict", f"the sentence denies “{other.text}”, the claim does not"
                )
            elif other.denial == DOUBTED and not _answered(alignment, link.evidence):
                yield Finding(
                    "softness", "doubt", f"the sentence takes “{other.text}” away, the claim does not"
                )


def _denies_by_form(claim: Reading, evidence: Reading) -> bool:
    """Whether the evidence denies by a word's own form what the claim denies: `unlabeled`, `non-convex`."""
    denied = {word.stem for word in claim.words if word.denial != PLAIN}
    return any(
        word.denial != PLAIN or (found and lexicon.stem(found[1] or found[2]) in denied)
        for word in evidence.words
        if word.content and ((found := _NEGATIVE_FORM.match(word.norm)) or word.denial != PLAIN)
    )


def _fails(reading: Reading) -> bool:
    return any(
        reading.words[place].norm in ("fail", "fails", "failed", "unable", "cannot")
        for place in reading.deniers
    )


def _heads(reading: Reading, place: int) -> bool:
    """Whether this is among the first two content words after a negator: what is really denied."""
    before = [negator for negator in reading.deniers if negator < place]
    if not before:
        return reading.words[place].denial != PLAIN
    return sum(reading.words[i].content for i in range(before[-1] + 1, place)) <= 1


def _denied_nearby(alignment: Alignment, place: int) -> bool:
    """Whether anything in the same denial of the claim is denied or doubted in the evidence, or met its opposite."""
    clause = alignment.claim.words[place].clause
    for other, link in alignment.links.items():
        word = alignment.claim.words[other]
        denied = word.clause == clause and word.denial == DENIED
        if denied and (link.opposite or alignment.evidence.words[link.evidence].denial != PLAIN):
            return True
    return False


def _answered(alignment: Alignment, there: int) -> bool:
    """Whether the claim answers the evidence's denial with a denier of its own, or with an opposite, in that clause."""
    clause = alignment.evidence.words[there].clause
    for place, link in alignment.links.items():
        if alignment.evidence.words[link.evidence].clause == clause:
            if link.opposite or alignment.claim.words[place].denial != PLAIN:
                return True
    return False


def _plain_elsewhere(reading: Reading, word: Word) -> bool:
    return any(other.stem == word.stem and other.denial == PLAIN for other in reading.words)


def direction(alignment: Alignment) -> Iterator[Finding]:
    """A word answered by its opposite at the place where the rest of the claim stands."""
    claim, evidence = alignment.claim, alignment.evidence
    for place in claim.content:
        word = claim.words[place]
        if word.name or word.stem not in lexicon.poles() or word.norm == "dynamics":
            continue
        agree, oppose, met = -1.0, -1.0, ""
        for there in evidence.content:
            stance = _stance(claim, place, evidence, there)
            if not stance:
                continue
            near = _context(alignment, place, there)
            if stance > 0:
                agree = max(agree, near)
            elif near > oppose:
                oppose, met = near, evidence.words[there].text
        if (
            met
            and oppose >= (0.25 if agree >= 0 else 0.12)
            and oppose > agree + 0.05
            and crossed(alignment, place) < 0.3
        ):
            yield Finding(
                "direction", "conflict", f"the claim says “{word.text}”, the sentence “{met}”", oppose
            )


def _stance(claim: Reading, place: int, evidence: Reading, there: int) -> int:
    """1 when two words point the same way, -1 when opposite ways, 0 when they have nothing to do with each other.

    `reduces latency` and `improves latency` agree, `reduces accuracy` and `improves accuracy` do not.
    """
    word, other = claim.words[place], evidence.words[there]
    weight, opposite = relate(word, other)
    lessened = _lessened(claim, place) != _lessened(evidence, there)
    if weight:
        return -1 if lessened else 1
    if not opposite:
        ours, theirs = _trend(claim, place), _trend(evidence, there)
        if not ours or not theirs:
            return 0
        opposite = ours != theirs
    denied = (word.denial == DENIED) != (other.denial == DENIED)
    return -1 if opposite != (denied != lessened) else 1


def _lessened(reading: Reading, place: int) -> bool:
    return place > 0 and reading.words[place - 1].norm in ("less", "least")


def _trend(reading: Reading, place: int) -> int:
    """1 for better, -1 for worse, as far as a word and what it is said of tell; else 0."""
    poles = lexicon.poles().get(reading.words[place].stem, frozenset())
    quality = next((sign for axis, sign in poles if axis == lexicon.QUALITY), 0)
    amount = next((sign for axis, sign in poles if axis == lexicon.AMOUNT), 0)
    if quality:
        return quality
    if not amount:
        return 0
    for spot in (*range(place + 1, min(place + 4, len(reading.words))), place - 1, place - 2):
        if 0 <= spot and reading.words[spot].clause == reading.words[place].clause:
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


def swapped(alignment: Alignment) -> Iterator[Finding]:
    """Who did what to whom, or what was measured against what, exchanged."""
    side = exchanged_sides(alignment)
    if side:
        yield Finding("sides", "conflict", f"the claim puts “{side}” on the other side of the comparison")
    yield from _exchanged(alignment)
    for place, link in alignment.links.items():
        word = alignment.claim.words[place]
        if word.name or link.opposite:
            continue
        reason = f"the claim exchanges what stands before and after “{word.text}”"
        if _relates(alignment, place) and moved(alignment, place):
            yield Finding("swap", "conflict", reason)
        elif (clear := crossed(alignment, place)) > 0:
            yield Finding("crossing", "doubt", reason, clear)


def _exchanged(alignment: Alignment) -> Iterator[Finding]:
    pair = exchanged_places(alignment)
    if pair:
        first, second = (alignment.claim.words[place] for place in pair)
        weight: Weight = "conflict" if first.name and second.name else "doubt"
        reason = f"the claim puts “{first.text}” and “{second.text}” in each other's place"
        yield Finding("exchange", weight, reason, 1.0 if weight == "conflict" else 0.5)


def _relates(alignment: Alignment, place: int) -> bool:
    """Whether a word is a verb of doing or beating in both texts, as far as list and ending tell."""
    link, verbs = alignment.links[place], lexicon.stems(lexicon.BEATING | lexicon.DOING)
    pair = (alignment.claim.words[place], alignment.evidence.words[link.evidence])
    return all(w.stem in verbs and w.norm.endswith(("s", "ed", "ing", "m", "t", "d")) for w in pair)


def substituted(alignment: Alignment) -> Iterator[Finding]:
    """A word the evidence does not have, standing just where the evidence has another (`token-level` for
    `pixel-level`)."""
    claim, evidence = alignment.claim.words, alignment.evidence.words
    taken = {link.evidence for link in alignment.links.values()}
    for place in alignment.claim.content:
        if place in alignment.links:
            continue
        for step in (1, -1):
            anchor = alignment.links.get(place + step)
            spot = None if anchor is None or anchor.opposite else anchor.evidence - step
            if spot is None or not 0 <= spot < len(evidence) or spot in taken or not evidence[spot].content:
                continue
            if claim[place].clause == claim[place + step].clause:
                reason = f"the claim says “{claim[place].text}”, the sentence “{evidence[spot].text}”"
                yield Finding("substitution", "doubt", reason)
                break


def overstated(alignment: Alignment) -> Iterator[Finding]:
    """Quantifiers and hedges: more said, or more firmly, than the evidence does."""
    said = {word.norm for word in alignment.claim.words}
    shown = {word.norm for word in alignment.evidence.words}
    universal, partial = said & lexicon.UNIVERSALS, shown & lexicon.PARTIALS
    if universal and partial and not shown & lexicon.UNIVERSALS and not said & partial:
        yield Finding(
            "quantifier", "conflict", f"the claim says “{min(universal)}”, the sentence “{min(partial)}”"
        )
    elif universal and not shown & lexicon.UNIVERSALS:
        yield Finding("quantifier", "doubt", f"“{min(universal)}” is not in the sentence")
    for strong in sorted((said & lexicon.STRENGTHENERS) - shown):
        if not any(lexicon.synonymous(lexicon.stem(strong), word.stem) for word in alignment.evidence.words):
            yield Finding("strength", "doubt", f"“{strong}” is not in the sentence")
    hedges = shown & lexicon.HEDGES
    if hedges and not said & lexicon.HEDGES:
        yield Finding("hedge", "doubt", f"the sentence says “{min(hedges)}”, the claim does not", 0.5)
