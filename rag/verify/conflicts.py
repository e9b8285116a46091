"""What else speaks against a claim: subject and object exchanged, a word put in another's place, more said than the
evidence says."""

from __future__ import annotations

from collections.abc import Iterator

from rag.verify import lexicon
from rag.verify.align import Alignment
from rag.verify.findings import Finding, Weight
from rag.verify.frames import crossed, exchanged_places, exchanged_sides, moved


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
        for step in (1, -1, 2, -2, 3, -3) if claim[place].name else (1, -1):
            anchor = alignment.links.get(place + step)
            spot = None if anchor is None or anchor.opposite else anchor.evidence - step
            if spot is None or not 0 <= spot < len(evidence) or spot in taken or not evidence[spot].content:
                continue
            if abs(step) > 1 and not evidence[spot].name:
                continue
            if claim[place].clause == claim[place + step].clause:
                reason = f"the claim says “{claim[place].text}”, the sentence “{evidence[spot].text}”"
                named = claim[place].name and evidence[spot].name
                yield Finding("substitution", "conflict" if named else "doubt", reason)
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
