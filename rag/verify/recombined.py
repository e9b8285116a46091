"""The evidence's own words, put together otherwise: `trained on B and tested on A` for `trained on A and tested on B`.

Who says a thing in other words has new words for it, and may turn it round (a passive, a converse verb). A claim in
nothing but the evidence's words that stands in another order, or joins one part of a coordination with the other's
rest, says something else; unless whole parts only changed places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rag.verify import lexicon
from rag.verify.align import KIN, Alignment, relate
from rag.verify.findings import Finding
from rag.verify.frames import any_passive
from rag.verify.reading import Reading, Word

SENTENCE_END = re.compile(r"[.!?][\s\"'”)\]]+(?=[A-Z0-9\"“(\[])| \. ")
_NEW_WORDS = 1
"""Words of its own that a claim may have and still count as said in the evidence's."""
_FREE = frozenset("a an the this that these those its their our his her is are was were be been both also it".split())
"""They may come and go."""
JOINTS = frozenset("and or but while whereas".split())
_ORDER = frozenset("first second then next before after later finally unlike".split())
_PIVOTS = frozenset("to from before after than into over".split())
"""Small words with two unlike sides."""
_MEANS = frozenset("by through via using with due thanks because".split())
"""What follows may as well be the subject: `improves X by Y`, `Y improves X`."""
_RELATIVE = frozenset("which who that whose".split())
_EVEN = lexicon.stems(
    frozenset(
        "associate associated association correlate correlated correlation relate related relation link linked combine "
        "combined combination similar different same equal equivalent between versus interact interaction jointly "
        "together compare comparison unify balance tradeoff trade match correspond corresponds "
        "corresponding coincide coincides equate equates differ differs agree agrees".split()
    )
)
"""What has two sides that may change places."""


@dataclass(frozen=True, slots=True)
class _Met:
    """A word of the claim, the place of the evidence it rests on, and the part of each text it stands in."""

    claim: int
    evidence: int
    ours: int
    theirs: int


def recombined(alignment: Alignment) -> Iterator[Finding]:
    """At most one: words exchanged around another, which the evidence gainsays, or one part's beginning with the other
    part's end, of which it says nothing."""
    claim, evidence = alignment.claim, alignment.evidence
    met = None if _quoted(claim, evidence) else _met(alignment)
    if met is None:
        return
    places = [each.evidence for each in met]
    if any_passive(claim) != any_passive(evidence, min(places), max(places)):
        return
    for part in sorted({each.ours for each in met}):
        own = [each for each in met if each.ours == part]
        exchanged = _exchanged(alignment, own)
        pair = exchanged or _mixed(alignment, own)
        if pair:
            first, second = (claim.words[place].text for place in pair)
            reason = f"the sentence does not put “{first}” and “{second}” together as the claim does"
            yield Finding("exchange", "conflict" if exchanged else "veto", reason)
            return


def _quoted(claim: Reading, evidence: Reading) -> bool:
    """Whether the claim's words stand in the evidence in one piece."""
    ours, theirs = [word.norm for word in claim.words], [word.norm for word in evidence.words]
    return any(theirs[at : at + len(ours)] == ours for at in range(len(theirs) - len(ours) + 1))


def _met(alignment: Alignment) -> list[_Met] | None:
    """The claim's words in order; None where it has too many of its own, or they are of several sentences."""
    claim, evidence = alignment.claim, alignment.evidence
    ours, theirs = parts(claim), parts(evidence)
    found, new = list[_Met](), 0
    for place, word in enumerate(claim.words):
        there = _place(alignment, place)
        if there is None or not _same_form(word, evidence.words[there]):
            new += word.norm not in _FREE | JOINTS
        if there is not None and _matters(word):
            found.append(_Met(place, there, ours[place], theirs[there]))
    if new > _NEW_WORDS or not found:
        return None
    places = [each.evidence for each in found]
    between = evidence.text[evidence.words[min(places)].end : evidence.words[max(places)].start]
    return None if SENTENCE_END.search(between) else found


def _same_form(word: Word, other: Word) -> bool:
    """But for an ending in -s: who says it in other words changes their forms too."""
    return word.norm.removesuffix("s") == other.norm.removesuffix("s")


def _matters(word: Word) -> bool:
    small = lexicon.NEGATORS | _ORDER | _PIVOTS
    return word.content or word.number or word.norm in small


def _place(alignment: Alignment, place: int) -> int | None:
    """By the alignment for content words; for the others the same word, nearest to the neighbours' place."""
    word, link = alignment.claim.words[place], alignment.links.get(place)
    if link is not None:
        return link.evidence if link.weight >= KIN and not link.opposite else None
    same = [n for n, other in enumerate(alignment.evidence.words) if other.norm == word.norm]
    if not same:
        return None
    beside = [(near, alignment.links[near].evidence) for near in (place + 1, place - 1) if near in alignment.links]
    if not beside:
        return same[0]
    near, there = beside[0]
    ahead = [n for n in same if (n < there) == (place < near)]
    return min(ahead or same, key=lambda n: abs(n - there))


def parts(reading: Reading) -> list[int]:
    """The number of the part each word stands in: clauses, and what a conjunction joins."""
    parts, joints = [], 0
    for word in reading.words:
        joints += word.norm in JOINTS
        parts.append(word.clause + joints)
    return parts


def _exchanged(alignment: Alignment, own: list[_Met]) -> tuple[int, int] | None:
    """Two words of one part that stand the other way round about a third, as in `B activates A`."""
    claim, evidence = alignment.claim.words, alignment.evidence.words
    for middle in own:
        if any(word.stem in _EVEN for word in claim[max(0, middle.claim - 1) : middle.claim + 1]):
            continue
        beside = [
            each
            for each in own
            if _together(alignment.evidence, each.evidence, middle.evidence)
            and _same_form(claim[each.claim], evidence[each.evidence])
        ]
        if middle not in beside:
            continue
        before = [each for each in beside if each.claim < middle.claim and each.evidence > middle.evidence]
        after = [each for each in beside if each.claim > middle.claim and each.evidence < middle.evidence]
        for first in reversed([each for each in before if _weighty(claim[each.claim])]):
            for second in [each for each in after if _weighty(claim[each.claim])]:
                if _compound(alignment, first, second) or _by_means(alignment, first, second):
                    continue
                if relate(claim[first.claim], evidence[second.evidence])[0] < KIN:
                    return first.claim, second.claim
    return None


def _together(reading: Reading, first: int, second: int) -> bool:
    """Whether two places stand in one clause, or the later in one that says more of the earlier (`, which shapes`)."""
    words = reading.words
    first, second = sorted((first, second))
    if words[first].clause == words[second].clause:
        return True
    start = next(place for place in range(first, second + 1) if words[place].clause > words[first].clause)
    return words[start].norm in _RELATIVE and words[start].clause == words[second].clause


def _by_means(alignment: Alignment, first: _Met, second: _Met) -> bool:
    """Whether one of the two is the other's means in the evidence and not in the claim."""
    ours = alignment.claim.words[first.claim : second.claim]
    theirs = alignment.evidence.words[second.evidence : first.evidence]
    return any(word.norm in _MEANS for word in theirs) and not any(word.norm in _MEANS for word in ours)


def _weighty(word: Word) -> bool:
    return word.content or word.number


def _compound(alignment: Alignment, first: _Met, second: _Met) -> bool:
    """`graph anomaly detection` for `detection of anomalies in graphs`."""
    together = all(word.content for word in alignment.claim.words[first.claim : second.claim + 1])
    between = alignment.evidence.words[second.evidence : first.evidence]
    return together and any(not word.content and word.norm not in _FREE for word in between)


def _mixed(alignment: Alignment, own: list[_Met]) -> tuple[int, int] | None:
    """Words from two parts of the evidence, each of which says something else of its own that was left out."""
    numbers = sorted({each.theirs for each in own})
    theirs = parts(alignment.evidence)
    used = {each.evidence for each in own}
    for first, second in ((a, b) for n, a in enumerate(numbers) for b in numbers[n + 1 :]):
        left = {part: _left_out(alignment, theirs, part, used, own) for part in (first, second)}
        if not left[first] or not left[second]:
            continue
        ones = [each for each in own if each.theirs == first]
        others = [each for each in own if each.theirs == second]
        crossing = (
            others[0].claim < ones[-1].claim
            and left[second][-1] > min(each.evidence for each in others)
            and (_skips(left[first], ones) or _skips(left[second], others))
        )
        rest = left[first][-1] > min(each.evidence for each in ones) and not _leans(alignment, theirs, second)
        if crossing or (rest and _hides(alignment, left[second], others)):
            return ones[-1].claim, others[0].claim
    return None


def _leans(alignment: Alignment, theirs: list[int], part: int) -> bool:
    """Whether a part begins with a word for the subject of the one before: `yet they often suffer`."""
    opening = [word.norm for word, own in zip(alignment.evidence.words, theirs, strict=True) if own == part][:2]
    return any(norm in lexicon.LEANING or norm in _RELATIVE for norm in opening)


def _left_out(alignment: Alignment, theirs: list[int], part: int, used: set[int], own: list[_Met]) -> list[int]:
    """Places of a part of the evidence that matter and that the claim's part does not have, in any form."""
    words = alignment.evidence.words
    said = {alignment.claim.words[each.claim].stem for each in own}
    return [
        place
        for place, word in enumerate(words)
        if theirs[place] == part
        and place not in used
        and word.stem not in said
        and (word.content or word.number or word.norm in lexicon.NEGATORS | _ORDER)
    ]


def _skips(left: list[int], used: list[_Met]) -> bool:
    """Whether the part begins with something that was left out."""
    return left[0] < min(each.evidence for each in used)


def _hides(alignment: Alignment, left: list[int], used: list[_Met]) -> bool:
    """Whether what the part begins with was left out and is no mere modifier of what is used: a small word stands
    between, or it denies, counts, names or gives an order."""
    words, start = alignment.evidence.words, min(each.evidence for each in used)
    for place in (place for place in left if place < start):
        word, between = words[place], words[place + 1 : start]
        if word.norm in lexicon.NEGATORS | _ORDER or word.number or word.name:
            return True
        if any(not each.content and each.norm not in _FREE for each in between):
            return True
    return False
