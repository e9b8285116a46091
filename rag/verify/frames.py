"""Who stands on which side: the arguments around a shared word, and what a comparison measures against.

Roles are read from order alone (no parser): what comes before a verb does, what follows it is done to, a passive
turns both round; what follows `than`, `over`, `compared with` or a verb of beating is the other side.
"""

from __future__ import annotations

from collections.abc import Iterator

from rag.verify import lexicon
from rag.verify.align import Alignment, relate
from rag.verify.reading import Reading, Word

_REACH = 6
_EXCHANGED = 0.3
_SIDE = 14
"""Words after a mark of comparison among which its other side is named."""
_BEFORE_A_NUMBER = frozenset(("over", "than"))
"""`over 30 tasks`, `less than 5 % of labels`: a bound, and what follows is no other side."""
_COLOURLESS = frozenset("a an the and or our its their this that these".split())


def crossed(alignment: Alignment, place: int) -> float:
    """How clearly what stands left and right of an aligned word is exchanged: 0 not at all, 1 fully."""
    link = alignment.links.get(place)
    if link is None:
        return 0.0
    left, right = _arguments(alignment.claim, place)
    before, after = _arguments(alignment.evidence, link.evidence)
    over, back = _shared(left, after), _shared(right, before)
    straight = _shared(left, before) + _shared(right, after)
    if not over or not back:
        return 0.0
    return max(0.0, (over + back - straight) / (over + back + straight))


def _shared(ours: dict[str, float], theirs: dict[str, float]) -> float:
    return sum(min(weight, theirs[stem]) for stem, weight in ours.items() if stem in theirs)


def _arguments(reading: Reading, place: int) -> tuple[dict[str, float], dict[str, float]]:
    """Stems of the nearest content words on each side, nearer ones weighing more; exchanged for a passive. A word on
    both sides is on neither."""
    words = reading.words
    sides: list[dict[str, float]] = [{}, {}]
    for side, step in zip(sides, (-1, 1), strict=True):
        spot, met = place + step, 0
        while 0 <= spot < len(words) and abs(words[spot].clause - words[place].clause) <= 1 and met < _REACH:
            key = _key(words[spot])
            if key:
                met += 1
                within = 1.0 if words[spot].clause == words[place].clause else 0.5
                side.setdefault(key, within * (1.5 if words[spot].name else 1.0) / met**0.5)
            spot += step
    left = {stem: weight for stem, weight in sides[0].items() if stem not in sides[1]}
    right = {stem: weight for stem, weight in sides[1].items() if stem not in sides[0]}
    return (right, left) if _passive(reading, place) else (left, right)


def _key(word: Word) -> str:
    if word.norm in lexicon.SELF:
        return "self"
    return word.stem if word.content else ""


def _passive(reading: Reading, place: int) -> bool:
    words = reading.words
    before = {word.norm for word in words[max(0, place - 3) : place]}
    after = {word.norm for word in words[place + 1 : place + 4]}
    participle = words[place].norm.endswith(("ed", "en", "own"))
    reduced = place > 0 and [word.norm for word in words[place + 1 : place + 2]] == ["by"]
    return participle and (reduced or ("by" in after and bool(before & lexicon.PASSIVE_AUXILIARIES)))


def moved(alignment: Alignment, place: int) -> bool:
    """Whether the nearest words before and after a relating word stand, in the evidence, only on its other side."""
    link = alignment.links.get(place)
    if link is None:
        return False
    left, right = _arguments(alignment.claim, place)
    before, after = _arguments(alignment.evidence, link.evidence)
    return _gone_over(left, before, after) and _gone_over(right, after, before)


def _gone_over(ours: dict[str, float], same: dict[str, float], other: dict[str, float]) -> bool:
    """Whether the nearest word is not on the same side there, and one of the nearest two only on the other."""
    nearest = list(ours)[:2]
    return bool(nearest) and nearest[0] not in same and any(k in other and k not in same for k in nearest)


def exchanged_places(alignment: Alignment) -> tuple[int, int] | None:
    """Two places of the claim whose words each stand where the evidence has the other, by what is around them."""
    claim, evidence = alignment.claim, alignment.evidence
    if any_passive(claim) != any_passive(evidence):
        return None
    sure = [link for link in alignment.links.values() if link.weight >= 0.9 and not link.opposite]
    here = {link.claim: _surroundings(claim, link.claim) for link in sure}
    there = {link.evidence: _surroundings(evidence, link.evidence) for link in sure}
    for number, first in enumerate(sure):
        for second in sure[number + 1 :]:
            if (first.claim < second.claim) == (first.evidence < second.evidence):
                continue
            if min(abs(first.claim - second.claim), abs(first.evidence - second.evidence)) < 2:
                continue
            pair = {claim.words[first.claim].stem, claim.words[second.claim].stem}
            if all(
                _alike(here[one.claim], there[other.evidence], pair)
                > _alike(here[one.claim], there[one.evidence], pair) + _EXCHANGED
                for one, other in ((first, second), (second, first))
            ):
                return first.claim, second.claim
    return None


def any_passive(reading: Reading, first: int = 0, last: int | None = None) -> bool:
    """Whether a text, or its words from `first` to `last`, has a passive with its `by`."""
    end = len(reading.words) if last is None else last + 1
    return any(_passive(reading, place) for place in range(first, end))


def _surroundings(reading: Reading, place: int) -> dict[tuple[str, bool], float]:
    """(stem, whether before) of the words around a place, nearer ones weighing more; small words count for roles."""
    found: dict[tuple[str, bool], float] = {}
    for spot in range(max(0, place - 3), min(len(reading.words), place + 4)):
        word = reading.words[spot]
        if spot != place and word.norm not in _COLOURLESS and word.clause == reading.words[place].clause:
            found.setdefault((word.stem, spot < place), 1 / abs(spot - place))
    return found


def _alike(ours: dict[tuple[str, bool], float], theirs: dict[tuple[str, bool], float], pair: set[str]) -> float:
    return sum(min(w, theirs[key]) for key, w in ours.items() if key in theirs and key[0] not in pair)


def exchanged_sides(alignment: Alignment) -> str | None:
    """A word that the claim measures against and the evidence measures, or None: `A over B` for `B over A`."""
    claim, evidence = alignment.claim, alignment.evidence
    ours, theirs = _measured_against(claim), _measured_against(evidence)
    if not theirs or not any(True for _ in _marks(claim)):
        return None
    wrongly = [place for place in ours if _side_of(claim.words[place], evidence, theirs) == -1]
    rightly = [place for place in ours if _side_of(claim.words[place], evidence, theirs) == 1]
    back = [place for place in theirs if _side_of(evidence.words[place], claim, ours) == -1]
    if wrongly and back and not rightly:
        return claim.words[wrongly[0]].text
    return _subject_measured_against(alignment, ours, theirs)


_TOLD_BY = 2
"""Words by which a thing is known again though the same head stands on both sides (`the proposed estimators`)."""


def _subject_measured_against(alignment: Alignment, ours: set[int], theirs: set[int]) -> str | None:
    """A word of what the claim measures where the evidence measures against just that, equally denied; or None."""
    claim, evidence = alignment.claim, alignment.evidence
    mark = min(_marks(claim))
    against = {claim.words[place].stem for place in ours}
    told = [
        place
        for place, link in alignment.links.items()
        if place < mark
        and link.evidence in theirs
        and link.weight >= 0.9
        and claim.words[place].stem not in against
        and claim.words[place].denial == evidence.words[link.evidence].denial
    ]
    again = {evidence.words[place].stem for place in theirs} & against
    alone = again - {claim.words[place].stem for place in alignment.links if place < mark}
    return claim.words[told[0]].text if len(told) >= _TOLD_BY and not alone else None


def _side_of(word: Word, other: Reading, against: set[int]) -> int:
    """1 when the other text measures against this word, -1 when it only has it elsewhere, 0 when it has it not."""
    found = [place for place in other.content if relate(word, other.words[place])[0] >= 0.9]
    if not found:
        return 0
    return 1 if any(place in against for place in found) else -1


def _measured_against(reading: Reading) -> set[int]:
    """Places of the content words just after each mark of comparison, up to the first name: what is said of a rival
    before its name (`than the state-of-the-art decoding method EAGLE-3`) may be long."""
    places: set[int] = set()
    for mark in _marks(reading):
        met = 0
        for spot in range(mark + 1, min(mark + _SIDE, len(reading.words))):
            word = reading.words[spot]
            if word.clause != reading.words[mark].clause:
                break
            if word.content and word.norm not in lexicon.BEATING and word.norm not in lexicon.FACELESS:
                if met < 3 or word.name:
                    places.add(spot)
                met += 1
                if met > 3 and word.name:
                    break
    return places


def _marks(reading: Reading) -> Iterator[int]:
    for place, word in enumerate(reading.words):
        after = reading.words[place + 1].norm if place + 1 < len(reading.words) else ""
        if word.norm in _BEFORE_A_NUMBER and (
            after.isdigit() or (place + 1 < len(reading.words) and reading.words[place + 1].number)
        ):
            continue
        passive = _passive(reading, place)
        replaced = after == "of" and (word.norm == "instead" or (word.norm == "place" and place > 0))
        if replaced or word.norm in lexicon.AGAINST or (word.norm in lexicon.BEATING and not passive):
            yield place
