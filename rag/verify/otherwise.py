"""Whether the evidence has a claim's amount in other terms: as a share, in another unit, between bounds, worked out.

Asked only about amounts that do not stand in the evidence as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rag.text.quantities import Quantity
from rag.text.units import VAGUE
from rag.verify import derived, dimensions, labels, shares
from rag.verify.amounts import bound, keeps_bound, no_stronger, same_unit, same_value
from rag.verify.reading import Reading

_RATED = re.compile(r"\b(?:(?:hazards?|odds|risk|rate)[\s-]ratios?|HR|OR|RR)\b[^.;\d]{0,90}$")
_CUT = re.compile(r"\b(?:cut-?\s?offs?|thresholds?)\b[^.;\d]{0,60}$", re.IGNORECASE)
_BEST_CASE = re.compile(r"\b(?:in the best case|at (?:its |their )?best)\b", re.IGNORECASE)
_SHARES_UNIT = re.compile(r"\s?(?:,|and|or|to|v|vs\.?|versus)\s$")
_VAGUE_RANGE = (2.0, 10.0)
"""Hundreds are two hundred to a thousand."""


def is_told(quantity: Quantity, claim: Reading, evidence: Reading, context: Sequence[str]) -> bool:
    """Whether another number, or other words, of the evidence say what the claim's amount says."""
    quantity = replace(quantity, unit=_unit(claim, claim.quantities.index(quantity)))
    return (
        _in_other_measure(quantity, claim, evidence)
        or _is_vague(quantity, evidence)
        or shares.is_told(quantity, claim, evidence)
        or derived.is_derived(quantity, claim, evidence)
        or labels.is_named(quantity, claim, evidence, context)
    )


def bounded_alike(quantity: Quantity, claim: Reading, evidence: Reading) -> bool:
    """Whether the amount's bound, not that of the evidence's equal amount, is one that the evidence keeps."""
    ours = replace(quantity, comparator=bound(quantity, claim))
    best = _BEST_CASE.search(claim.text) is not None
    for other in evidence.quantities:
        theirs = replace(other, comparator=bound(other, evidence))
        if not same_unit(ours.unit, theirs.unit):
            continue
        if keeps_bound(ours, theirs):
            return True
        if best and theirs.comparator == "<=" and keeps_bound(ours, replace(theirs, comparator="=")):
            return True
        if not same_value(ours, theirs):
            continue
        if _CUT.search(evidence.text[max(0, other.start - 80) : other.start]):
            return True
        if theirs.comparator == "<=" and ours.comparator == "=" and _vague(ours) and _vague(theirs):
            return True
    return False


def _in_other_measure(quantity: Quantity, claim: Reading, evidence: Reading) -> bool:
    ours = replace(quantity, comparator=bound(quantity, claim))
    theirs = [replace(other, comparator=bound(other, evidence)) for other in _with_units(evidence)]
    alike = [made for other in theirs if (made := _like(ours, other))]
    if any(_one(ours, other, slack) for other, slack in alike):
        return True
    if ours.low == ours.high or not ours.unit:
        return False
    ends = [index for end in (ours.low, ours.high) for index, (other, slack) in enumerate(alike)
            if _one(replace(ours, low=end, high=end, comparator="="), other, slack)]  # fmt: skip
    return len(ends) > 1 and ends[0] < ends[-1]


def _like(ours: Quantity, theirs: Quantity) -> tuple[Quantity, float] | None:
    """The evidence's amount in the claim's unit, and how far the two may lie apart; None: it has none."""
    if ours.unit == theirs.unit:
        return theirs, 0.0
    made = dimensions.converted(theirs, ours.unit)
    if made is None:
        return None
    slack = dimensions.tolerance(ours.unit, theirs.unit, ours.comparator == "~")
    return replace(theirs, low=made[0], high=made[1], unit=ours.unit), slack


def _one(ours: Quantity, theirs: Quantity, slack: float) -> bool:
    near = all(abs(a - b) <= slack * abs(b) + 1e-9 for a, b in ((ours.low, theirs.low), (ours.high, theirs.high)))
    if near or same_value(ours, theirs):
        return no_stronger(ours.comparator, theirs.comparator)
    return keeps_bound(ours, theirs)


def _with_units(evidence: Reading) -> Iterator[Quantity]:
    """The amounts that have a unit, be it after the next one; a hazard ratio is times."""
    for place, quantity in enumerate(evidence.quantities):
        unit = _unit(evidence, place)
        if unit:
            yield replace(quantity, unit=unit)
        elif _RATED.search(evidence.text[max(0, quantity.start - 130) : quantity.start]):
            yield replace(quantity, unit="x")


def _unit(reading: Reading, place: int) -> str:
    """The unit of an amount; of `24 and 48 h`, that of the second."""
    own = reading.quantities[place]
    after = reading.quantities[place + 1 : place + 2]
    if own.unit or not after:
        return own.unit
    return after[0].unit if _SHARES_UNIT.fullmatch(reading.text[own.end : after[0].start]) else ""


def _vague(quantity: Quantity) -> bool:
    return quantity.text.strip().casefold() in VAGUE


def _is_vague(quantity: Quantity, evidence: Reading) -> bool:
    """`hundreds` for 412."""
    if not _vague(quantity) or quantity.comparator not in ("=", "~"):
        return False
    low, high = (quantity.low * factor for factor in _VAGUE_RANGE)
    return any(low <= other.low < high and other.unit == quantity.unit for other in evidence.quantities)
