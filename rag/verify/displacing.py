"""What a claim says took another's place: `replaces A with B`, `B instead of A`, `switches from A to B`.

Two things that the evidence only lists beside each other do not replace one another: what the claim says was put aside
must be put aside there too (replaced, avoided, denied, set apart from), and not be what took the place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rag.verify import lexicon
from rag.verify.align import KIN, Alignment, relate
from rag.verify.findings import Finding
from rag.verify.reading import Reading

_REPLACING = frozenset("replace replaces replaced replacing supplant supplants supplanted supplanting".split())
_SUBSTITUTING = frozenset("substitute substitutes substituted substituting swap swaps swapped swapping".split())
_MOVING = frozenset("switch switches switched switching shift shifts shifted shifting move moves moved moving".split())
_PUTTING_ASIDE = _REPLACING | _SUBSTITUTING | _MOVING | frozenset(
    "instead rather lieu unlike opposed alternative alternatives contrast departing depart departs beyond dispensing "
    "forgoing sidestep sidesteps bypassing bypasses bypass reinterpret reinterpreting transition transforms turning "
    "convert converts converting conversion drop drops dropping discard discards discarding abandon abandons "
    "abandoning remove removes removing surrogate proxy than over versus traditional conventional prior previous "
    "previously existing typically substitution replacement".split()
)  # fmt: skip
"""With negators and those who deny more softly: any of them may say that something is not used."""
_REACH, _WORDS = 9, 3
_UNLIKE = "unlike"
"""It sets apart, which need not be said in the evidence; but what it sets apart may be turned round."""


@dataclass(frozen=True, slots=True)
class Displacement:
    """Places of the words that stand for what is put aside, and for what comes in its place, the nearest first."""

    mark: int
    old: tuple[int, ...]
    new: tuple[int, ...]


def displaced(alignment: Alignment) -> Iterator[Finding]:
    """The claim's displacements that the evidence turns round, or does not have."""
    claim, evidence = alignment.claim, alignment.evidence
    there = displacements(evidence)
    for each in displacements(claim):
        said = claim.words[each.mark].text
        if any(_turned(claim, each, evidence, other) for other in there):
            yield Finding("displaced", "conflict", f"the claim exchanges what is before and after “{said}”")
        elif claim.words[each.mark].norm != _UNLIKE and not _put_aside(evidence):
            met = alignment.links.get(each.old[0])
            if met is not None and not met.opposite:
                reason = f"the claim says “{said}”, the sentence does not"
                yield Finding("displaced", "conflict" if met.weight >= KIN else "doubt", reason)
            else:
                yield Finding("displaced", "doubt", f"“{said}” is not in the sentence", 0.5)


def displacements(reading: Reading) -> tuple[Displacement, ...]:
    """Every one that the words tell, in order."""
    found = (_at(reading, place) for place in range(len(reading.words)))
    return tuple(each for each in found if each is not None and each.old)


def _at(reading: Reading, place: int) -> Displacement | None:
    words = reading.words
    norm, after = words[place].norm, words[place + 1].norm if place + 1 < len(words) else ""
    if (norm == "instead" and after == "of") or (norm == "rather" and after == "than"):
        return Displacement(place, _onward(reading, place + 2), _backward(reading, place))
    if norm in ("place", "lieu") and after == "of" and place and words[place - 1].norm == "in":
        return Displacement(place, _onward(reading, place + 2), _backward(reading, place - 1))
    if norm in ("replacement", "substitute", "substitutes", "stand-in") and after == "for":
        return Displacement(place, _onward(reading, place + 2), _backward(reading, place))
    if norm == _UNLIKE:
        return _unlike(reading, place)
    if norm in _REPLACING:
        return _replacing(reading, place)
    if norm in _SUBSTITUTING and (mark := _next(reading, place, ("for", "with", "by"))):
        first, second = _onward(reading, place + 1, mark), _onward(reading, mark + 1)
        old, new = (second, first) if words[mark].norm == "for" else (first, second)
        return Displacement(place, old, new)
    if norm in _MOVING and after == "from" and (mark := _next(reading, place, ("to", "toward", "towards"))):
        return Displacement(place, _onward(reading, place + 2, mark), _onward(reading, mark + 1))
    return None


def _replacing(reading: Reading, place: int) -> Displacement:
    """`A is replaced by B`, `replacing A with B`, `B replaces A`."""
    mark = _next(reading, place, ("with", "by"))
    passive = any(word.norm in lexicon.PASSIVE_AUXILIARIES for word in reading.words[max(0, place - 3) : place])
    if passive:
        return Displacement(place, _backward(reading, place), _onward(reading, mark + 1) if mark else ())
    if mark:
        return Displacement(place, _onward(reading, place + 1, mark), _onward(reading, mark + 1))
    return Displacement(place, _onward(reading, place + 1), _backward(reading, place))


def _unlike(reading: Reading, place: int) -> Displacement:
    """`Unlike A, B does`; `B does, unlike A`."""
    words = reading.words
    after = next((n for n in range(place, len(words)) if words[n].clause != words[place].clause), len(words))
    opens = place == 0 or words[place - 1].clause != words[place].clause
    new = _onward(reading, after)[:1] if opens and after < len(words) else ()
    return Displacement(place, _onward(reading, place + 1), new)


def _next(reading: Reading, place: int, norms: tuple[str, ...]) -> int:
    """The next of these words in the clause, 0 for none."""
    for spot in range(place + 1, min(place + 1 + _REACH, len(reading.words))):
        if reading.words[spot].clause != reading.words[place].clause:
            break
        if reading.words[spot].norm in norms:
            return spot
    return 0


def _onward(reading: Reading, start: int, stop: int | None = None) -> tuple[int, ...]:
    words = reading.words
    end = min(start + _REACH, len(words)) if stop is None else stop
    inside = range(start, end)
    return tuple(p for p in inside if words[p].content and words[p].clause == words[start].clause)[:_WORDS]


def _backward(reading: Reading, place: int) -> tuple[int, ...]:
    words = reading.words
    inside = range(place - 1, max(-1, place - 1 - _REACH), -1)
    return tuple(p for p in inside if words[p].content and words[p].clause == words[place].clause)[:_WORDS]


def _put_aside(evidence: Reading) -> bool:
    """Whether anything in the evidence says that something is not used, or is compared with something else."""
    return bool(evidence.deniers) or any(word.norm in _PUTTING_ASIDE for word in evidence.words)


def _turned(claim: Reading, ours: Displacement, evidence: Reading, theirs: Displacement) -> bool:
    """Whether what the claim puts aside takes the place in the evidence, and the other way round."""
    return (
        _share(claim, ours.old, evidence, theirs.new)
        and _share(claim, ours.new, evidence, theirs.old)
        and not _share(claim, ours.old, evidence, theirs.old)
        and not _share(claim, ours.new, evidence, theirs.new)
    )


def _share(claim: Reading, ours: tuple[int, ...], evidence: Reading, theirs: tuple[int, ...]) -> bool:
    return any(relate(claim.words[a], evidence.words[b])[0] >= KIN for a in ours for b in theirs)
