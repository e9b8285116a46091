"""Which noun a word of direction is said of.

Where the evidence `lowers accuracy and raises latency`, both the word and the noun of `lowers latency` are there, and
all that is wrong is how they go together. A noun goes with the nearest word of direction before it (`higher recall`,
`an increase in cost`), or after it behind a form of `be` (`the cost was reduced`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rag.verify import lexicon
from rag.verify.align import KIN, Alignment, relate
from rag.verify.reading import PLAIN, Reading

Stance = Callable[[int, int], int]
"""A claim word and an evidence word: 1 when they point the same way, -1 when opposite ways, 0 otherwise."""
_DIRECTIONS = ("increase", "more", "improve", "faster", "promote")
"""A word of each axis whose two sides point two ways."""
_REACH, _NOUNS = 8, 4
_LINKING = frozenset("the a an its their our this these in of for to on both".split())
_COORDINATORS = frozenset("and or but while whereas yet then thus also".split())


def way(alignment: Alignment, place: int, stance: Stance) -> tuple[int, str]:
    """Which way the evidence points where it has the noun that goes with a claim's word of direction, and its word
    for it: 1 the same way everywhere, -1 the opposite way everywhere, 0 neither, or it cannot be told (`reduces the
    increase in cost` says one direction of another)."""
    claim, evidence = alignment.claim, alignment.evidence
    if not _points(claim, place) or _nested(claim, place):
        return 0, ""
    noun = _noun(claim, place)
    if noun is None or noun not in alignment.links or _points(claim, noun):
        return 0, ""
    found = list(_governing(evidence, lambda spot: relate(claim.words[noun], evidence.words[spot])[0] >= KIN))
    plain = [there for there in found if not _nested(evidence, there)]
    if any(word.denial != PLAIN for word in (claim.words[place], *(evidence.words[there] for there in plain))):
        return 0, ""
    ways = {stance(place, there) for there in plain}
    if ways == {1}:
        return 1, evidence.words[plain[0]].text
    if ways == {-1} and plain == found:
        return -1, evidence.words[plain[0]].text
    return 0, ""


def _points(reading: Reading, place: int) -> bool:
    """Whether a word says which way something goes; adverbs (`highly`) and `gives rise to` say it of no noun."""
    word = reading.words[place]
    if word.norm.endswith("ly") or (word.norm == "rise" and reading.words[max(0, place - 1)].stem in ("give", "gave")):
        return False
    axes = {axis for axis, _ in lexicon.poles().get(word.stem, ())}
    return any(lexicon.axis(each) in axes for each in _DIRECTIONS)


def _nested(reading: Reading, place: int) -> bool:
    """Whether another direction is said of this one: `mitigates the loss of accuracy`."""
    for spot in range(place - 1, max(-1, place - 4), -1):
        if reading.words[spot].norm in _COORDINATORS or reading.words[spot].clause != reading.words[place].clause:
            return False
        if _points(reading, spot) or spot in reading.deniers:
            return True
    return False


def _noun(reading: Reading, place: int) -> int | None:
    """The head of what it goes with: the last of the first content words that stand together."""
    places = _with_it(reading, place)
    run = [spot for number, spot in enumerate(places) if spot - places[0] == number]
    return run[-1] if run else None


def _governing(reading: Reading, is_noun: Callable[[int], bool]) -> Iterator[int]:
    """The words of direction that go with any place that answers the noun."""
    for place in reading.content:
        if _points(reading, place) and any(is_noun(spot) for spot in _with_it(reading, place)):
            yield place


def _with_it(reading: Reading, place: int) -> list[int]:
    """The content words it may go with: those after it, or, behind a form of `be` or last in its clause, the one
    before it."""
    after = [] if _predicate(reading, place) else _after(reading, place)
    return after or _before(reading, place)[:1]


def _predicate(reading: Reading, place: int) -> bool:
    """Whether it is said of what stands before it: `is lower`, `was greatly reduced`."""
    before = reading.words[max(0, place - 2) : place]
    return any(word.norm in lexicon.PASSIVE_AUXILIARIES for word in before)


def _after(reading: Reading, place: int) -> list[int]:
    """Content words after it, up to the next word of direction (unless both go with what follows, `high- and
    low-frequency`) or the end of its clause; only the next where a hyphen joins the two (`low-overlap`)."""
    words, found = reading.words, list[int]()
    for spot in range(place + 1, min(place + 1 + _REACH, len(words))):
        if words[spot].clause != words[place].clause or len(found) == _NOUNS:
            break
        if _points(reading, spot):
            if found or words[spot - 1].norm not in _COORDINATORS:
                break
        elif words[spot].content:
            found.append(spot)
            if _hyphened(reading, spot) and spot == place + 1:
                break
        elif not found and words[spot].norm not in _LINKING | _COORDINATORS:
            break
    return found


def _hyphened(reading: Reading, place: int) -> bool:
    between = reading.text[reading.words[place - 1].end : reading.words[place].start]
    return len(between) == 1 and between in "-‐‑"


def _before(reading: Reading, place: int) -> list[int]:
    """Content words before it, nearest first, back to the last word of direction or the start of its clause."""
    words, found = reading.words, list[int]()
    for spot in range(place - 1, max(-1, place - 1 - _REACH), -1):
        if words[spot].clause != words[place].clause or _points(reading, spot) or len(found) == _NOUNS:
            break
        if words[spot].content:
            found.append(spot)
    return found
