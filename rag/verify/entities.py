"""Numbers and names: what a claim may not say unless its evidence says it too, whatever else agrees.

A number needs the same value and unit, a comparator no stronger than the evidence's, and the same thing that it is
a number of. A name needs to be there, as its acronym or long form, or as the paper's own system behind a `we`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rag.text.normalise import fold
from rag.text.quantities import Quantity
from rag.verify import lexicon
from rag.verify.align import relate
from rag.verify.aliases import initials_match
from rag.verify.findings import Finding
from rag.verify.reading import Reading, Word

_POINTS = frozenset(("%", "points", "point", "pp", "percentage points", "percentage point"))
_SPLITS = frozenset(("and", "or", "while", "but"))
_REACH = 6


def numbers(claim: Reading, evidence: Reading) -> Iterator[Finding]:
    """A value, unit or comparator that the evidence does not give."""
    for quantity in claim.quantities:
        same = [other for other in evidence.quantities if _same_value(quantity, other)]
        if not same:
            yield Finding("number", "veto", _missing(quantity, evidence))
            continue
        if not any(_same_unit(quantity.unit, other.unit) for other in same):
            yield Finding(
                "number",
                "veto",
                f"the claim says “{quantity.text.strip()}”, the sentence “{same[0].text.strip()}”",
            )
        elif not any(_no_stronger(quantity.comparator, other.comparator) for other in same):
            yield Finding(
                "comparator", "veto", f"“{quantity.text.strip()}” is bounded otherwise in the sentence"
            )


def _missing(quantity: Quantity, evidence: Reading) -> str:
    alike = [other for other in evidence.quantities if _same_unit(quantity.unit, other.unit)]
    said = f"the claim says {quantity.text.strip()}"
    return (
        f"{said}, the sentence says {alike[0].text.strip()}"
        if alike
        else f"{said}, the sentence has no such number"
    )


def _same_value(ours: Quantity, theirs: Quantity) -> bool:
    if ours.low == ours.high and theirs.low != theirs.high:
        return ours.comparator in ("~", "<=", ">=") and ours.low in (theirs.low, theirs.high)
    tolerance = 0.0
    if ours.comparator == "~":
        digits = len(ours.text.strip().partition(".")[2].rstrip("%x×\\ ")) if "." in ours.text else 0
        tolerance = 0.5 * 10.0**-digits
    return _close(ours.low, theirs.low, tolerance) and _close(ours.high, theirs.high, tolerance)


def _close(ours: float, theirs: float, tolerance: float) -> bool:
    return abs(ours - theirs) <= max(tolerance, 1e-9 * abs(theirs))


def _same_unit(ours: str, theirs: str) -> bool:
    return (
        ours == theirs
        or not ours
        or (ours in _POINTS and theirs in _POINTS)
        or ours.rstrip("s") == theirs.rstrip("s")
    )


def _no_stronger(ours: str, theirs: str) -> bool:
    """Whether a comparator claims no more than the evidence's: `6x` may rest on `over 6x`, never the reverse."""
    allowed = {
        "=": ("=", "~", ">", ">="),
        "~": ("=", "~", ">", ">=", "<"),
        ">": (">",),
        ">=": (">=", ">", "="),
        "<": ("<",),
        "<=": ("<=", "<", "="),
    }
    return theirs in allowed.get(ours, (ours,))


def owners(claim: Reading, evidence: Reading) -> Iterator[Finding]:
    """A number that the evidence gives, but of another thing than the claim does."""
    if "respectively" in fold(evidence.text):
        return
    for quantity in claim.quantities:
        rivals = [
            q
            for q in evidence.quantities
            if _same_unit(quantity.unit, q.unit) or _same_unit(q.unit, quantity.unit)
        ]
        own = [q for q in rivals if _same_value(quantity, q)]
        if not own or len(own) == len(rivals):
            continue
        mine = max(_bond(claim, quantity, evidence, q) for q in own)
        rival = max((q for q in rivals if q not in own), key=lambda q: _bond(claim, quantity, evidence, q))
        theirs = _bond(claim, quantity, evidence, rival)
        if theirs > 1.4 * mine + 0.1:
            yield Finding(
                "owner",
                "conflict",
                f"the sentence gives {rival.text.strip()} where the claim gives {quantity.text.strip()}",
                theirs - mine,
            )


def _bond(claim: Reading, ours: Quantity, evidence: Reading, theirs: Quantity) -> float:
    """How much of what stands around our number stands, in like order, around theirs."""
    here, there = _nearest(claim.words, ours), _nearest(evidence.words, theirs)
    total = 0.0
    for place in range(max(0, here - _REACH), min(len(claim.words), here + _REACH + 1)):
        word = claim.words[place]
        if not word.content or word.clause != claim.words[here].clause:
            continue
        best = 0.0
        for spot in range(max(0, there - _REACH), min(len(evidence.words), there + _REACH + 1)):
            if relate(word, evidence.words[spot])[0] > 0:
                best = max(best, _closeness(place - here, spot - there, evidence.words, there, spot))
        total += (
            best
            * (2.0 if word.name else 1.0)
            * _cut(claim.words, here, place)
            / abs(place - here or 1) ** 0.5
        )
    return total


def _closeness(ours: int, theirs: int, words: Sequence[Word], there: int, spot: int) -> float:
    side = 1.0 if (ours > 0) == (theirs > 0) else 0.7
    return side * _cut(words, there, spot) / (1 + 0.25 * abs(abs(theirs) - abs(ours)))


def _cut(words: Sequence[Word], first: int, last: int) -> float:
    """1.0 within one phrase; less for each `and` or comma between."""
    low, high = sorted((first, last))
    crossings = sum(word.norm in _SPLITS for word in words[low:high]) + words[high].clause - words[low].clause
    return 0.4 ** min(crossings, 2)


def _nearest(words: Sequence[Word], quantity: Quantity) -> int:
    return min(range(len(words)), key=lambda i: abs(words[i].start - quantity.start), default=0)


def missing_names(claim: Reading, evidence: Reading, own: frozenset[str]) -> Iterator[Finding]:
    """A name that the evidence does not have, nor means by `we` or `it`."""
    present = {_bare(name) for name, _, _ in evidence.names}
    folded = fold(evidence.text)
    stems = {word.stem for word in evidence.words}
    leaning = any(word.norm in lexicon.SELF for word in evidence.words) or not present
    for name, start, end in claim.names:
        bare = _bare(name)
        if bare in present or bare in folded or bare.replace("-", " ") in folded.replace("-", " "):
            continue
        if initials_match(claim.text[start:end], [word.norm for word in evidence.words]):
            continue
        if (bare in own and leaning) or _parts_present(bare, stems):
            continue
        yield Finding("name", "veto", f"“{claim.text[start:end]}” is not in the sentence")


def _bare(name: str) -> str:
    return name.rstrip("s") if len(name) > 3 else name


def _parts_present(name: str, stems: set[str]) -> bool:
    """A hyphenated or slashed name whose every lettered part is in the evidence (`LLM-based`)."""
    parts = [part for part in name.replace("/", "-").split("-") if part]
    return len(parts) > 1 and all(lexicon.stem(part) in stems or part in stems for part in parts)
