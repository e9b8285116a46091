"""What else speaks against a claim: subject and object exchanged, a word put in another's place, more said than the
evidence says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rag.text.inquiry import inquiries, of_inquiry
from rag.text.tokens import stem_of
from rag.verify import lexicon
from rag.verify.aliases import initials_match
from rag.verify.align import Alignment
from rag.verify.findings import Finding, Weight
from rag.verify.frames import crossed, exchanged_places, exchanged_sides, moved
from rag.verify.reading import Reading, Word

_AT_A_PRICE = re.compile(
    r"\b(?:at|with|for|despite|but|though) (?:(?:a|an|the|some) )?"
    r"(?:(?:small|slight|minor|moderate|modest|certain|little) )?(?:(?:accuracy|quality|performance) )?"
    r"(?:loss|losses|cost|price|expense|sacrifice|drop)\b(?! function)",
    re.IGNORECASE,
)
_FREE_OF_LOSS = re.compile(
    r"\b(?:lossless(?:ly)?"
    r"|(?:without|not|no|never|zero) (?:\w+ )?(?:compromis|sacrific|degrad|hurt|harm|los[st]|losing)\w*)",
    re.IGNORECASE,
)
_OTHERS = frozenset("current currently existing prior previous previously traditional conventional earlier".split())
_OURS = lexicon.SELF - {"they", "their", "these"}
_SUBJECT = 3
"""Words of a claim among which its subject is named."""
_CAUSES = frozenset(("because", "due", "owing", "thanks"))
_TELLING_WHY = _CAUSES | frozenset("since cause causes caused causing stem stems arise arises driven".split())
_COPULAS = frozenset("is are was were".split())
_DETERMINERS = frozenset("a an the its their our one".split())
_PREPOSITIONS = frozenset("as like with on over than of for from via into against in to by including".split())


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
            ours, theirs = claim[place], evidence[spot]
            if _abbreviates(ours, theirs, evidence) or _abbreviates(theirs, ours, claim):
                break
            if claim[place].clause == claim[place + step].clause:
                reason = f"the claim says “{claim[place].text}”, the sentence “{evidence[spot].text}”"
                named = claim[place].name and evidence[spot].name
                yield Finding("substitution", "conflict" if named else "doubt", reason)
                break


def _abbreviates(word: Word, other: Word, others: Sequence[Word]) -> bool:
    """Whether a word is an acronym of words of the other text (`PF`, `Pareto fronts`), and no other acronym's rival."""
    return not other.text.isupper() and initials_match(word.text, [each.norm for each in others])


def of_another_name(alignment: Alignment, own: frozenset[str]) -> Iterator[Finding]:
    """A claim of one named thing where the sentence begins with another, which the claim does not name. The paper's own
    system may well do what its parts do."""
    claim, evidence = alignment.claim, alignment.evidence
    if not claim.content or not evidence.content:
        return
    here, there = claim.content[0], evidence.content[0]
    ours, theirs = claim.words[here], evidence.words[there]
    met = {link.evidence for link in alignment.links.values()}
    if ours.name and theirs.name and ours.norm not in own and here not in alignment.links and there not in met:
        yield Finding("substitution", "conflict", f"the claim speaks of “{ours.text}”, the sentence of “{theirs.text}”")


def uncaused(alignment: Alignment) -> Iterator[Finding]:
    """A cause that the sentence does not have, nor any word that tells one."""
    claim, evidence = alignment.claim, alignment.evidence
    if any(word.norm in _TELLING_WHY for word in evidence.words):
        return
    for place, word in enumerate(claim.words):
        if not place or word.norm not in _CAUSES:
            continue
        after = [spot for spot in claim.content if spot > place and claim.words[spot].clause <= word.clause + 1]
        if len(after) > 1 and 3 * sum(spot in alignment.links for spot in after) <= len(after):
            yield Finding("cause", "veto", f"the sentence does not tell it “{word.text}” of that")


def identified(alignment: Alignment) -> Iterator[Finding]:
    """`X is Y` where the evidence has Y beside a preposition (`such as Y`, `with Y`): not what X is."""
    claim, evidence = alignment.claim.words, alignment.evidence.words
    for place in range(1, len(claim) - 1):
        if claim[place].norm not in _COPULAS or claim[place].clause != claim[place + 1].clause:
            continue
        spot = _first_noun(alignment.claim, place + 1)
        link = None if spot is None else alignment.links.get(spot)
        if spot is None or link is None or link.opposite:
            continue
        before = _before(evidence, link.evidence)
        if before in _PREPOSITIONS and evidence[link.evidence].norm != "able":
            reason = f"the claim says what “{claim[spot].text}” is, the sentence says “{before} …”"
            yield Finding("identity", "conflict" if _named(claim[spot]) else "doubt", reason)


def _first_noun(reading: Reading, place: int) -> int | None:
    """The first content word after a copula with a determiner or as a name: `is the best`, `is Google's`."""
    words = reading.words
    determined = words[place].norm in _DETERMINERS
    spot = place + determined
    if spot >= len(words) or not words[spot].content or not (determined or _named(words[spot])):
        return None
    return spot


def _named(word: Word) -> bool:
    return word.name or word.text[:1].isupper()


def _before(words: Sequence[Word], place: int) -> str:
    spot = place - 1
    while spot >= 0 and words[spot].norm in _DETERMINERS:
        spot -= 1
    return words[spot].norm if spot >= 0 and words[spot].clause == words[place].clause else ""


def of_others(alignment: Alignment, own: frozenset[str]) -> Iterator[Finding]:
    """What a sentence says of earlier or current work, put down to the paper's own thing, which it does not name."""
    claim, evidence = alignment.claim, alignment.evidence
    norms = {word.norm for word in evidence.words}
    if norms & _OURS or not norms & _OTHERS or norms & own or claim.deniers:
        return
    subject = next((claim.words[place] for place in claim.content[:_SUBJECT] if claim.words[place].norm in own), None)
    if subject is not None:
        reason = f"the sentence speaks of other work, the claim of “{subject.text}”"
        yield Finding("owner", "conflict", reason)


def unsaid(alignment: Alignment) -> Iterator[Finding]:
    """A claim of which the sentence has nothing but a word for the paper itself (`we`, `it`)."""
    claim, evidence = alignment.claim, alignment.evidence
    told = any(evidence.words[link.evidence].content for link in alignment.links.values())
    if len(claim.content) > 1 and not told and not claim.quantities:
        yield Finding("name", "veto", "the sentence says nothing of it")


def only_asked(alignment: Alignment) -> Iterator[Finding]:
    """A claim most of whose words stand where the evidence asks or sets out to find (`to determine whether`). A claim
    about what was looked into rests on a sentence that says just that."""
    claim, evidence = alignment.claim, alignment.evidence
    spans = inquiries(evidence.text)
    if not spans or of_inquiry(claim.text):
        return
    met = [claim.words[place].stem for place in alignment.links]
    told = {word.stem for word in evidence.words if not any(start <= word.start < end for start, end in spans)}
    if 2 * sum(stem in told for stem in met) < len(met):
        asked = evidence.text[spans[0][0] :].split()
        yield Finding("hedge", "veto", f"the sentence asks and does not say so (“{' '.join(asked[:4])} …”)")


def priced(alignment: Alignment) -> Iterator[Finding]:
    """A price where the other text says that there is none: `at a small loss`, `lossless`."""
    claim, evidence = alignment.claim.text, alignment.evidence.text
    for here, there in ((_AT_A_PRICE, _FREE_OF_LOSS), (_FREE_OF_LOSS, _AT_A_PRICE)):
        said, shown = here.search(claim), there.search(evidence)
        if said and shown and not here.search(evidence):
            reason = f"the claim says “{said.group()}”, the sentence “{shown.group()}”"
            yield Finding("direction", "conflict", reason)


def overstated(alignment: Alignment) -> Iterator[Finding]:
    """Quantifiers and hedges: more said, or more firmly, than the evidence does."""
    said = {word.norm for word in alignment.claim.words}
    shown = {word.norm for word in alignment.evidence.words}
    universal, partial = said & lexicon.UNIVERSALS, shown & lexicon.PARTIALS
    if universal and partial and not shown & lexicon.UNIVERSALS and not said & partial:
        yield Finding(
            "quantifier",
            "conflict" if universal != {"each"} else "doubt",
            f"the claim says “{min(universal)}”, the sentence “{min(partial)}”",
        )
    elif universal and not shown & lexicon.UNIVERSALS:
        yield Finding("quantifier", "doubt", f"“{min(universal)}” is not in the sentence")
    for strong in sorted((said & lexicon.STRENGTHENERS) - shown):
        if not any(lexicon.synonymous(stem_of(strong), word.stem) for word in alignment.evidence.words):
            yield Finding("strength", "doubt", f"“{strong}” is not in the sentence")
    hedges = shown & lexicon.HEDGES
    if hedges and not said & lexicon.HEDGES:
        yield Finding("hedge", "doubt", f"the sentence says “{min(hedges)}”, the claim does not", 0.5)
