"""What a reader works out from two amounts, or from a change: a ratio, a difference, what is left, a faster speed.

`more than doubles` may rest on 26% against 11%, `twelve points` on 83.6% and 71.4%, `a quarter of the iterations` on
76.8% fewer. Only neighbouring amounts of one unit make a pair, and a change is read only where the words around both
amounts say so: `a quarter fewer` is not `a quarter of`. What is worked out is as rough as the claim puts it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, pairwise

from rag.text.quantities import Quantity
from rag.verify import shares
from rag.verify.amounts import as_times, bound, decimals, following, in_words, is_fraction
from rag.verify.reading import Reading

_POINTS = frozenset(("points", "percentage points", "pp"))
_UNPAIRED = frozenset(("x", "p", "label", "year", "orders", "size"))
_FACED = re.compile(
    r"[^\w.;]{0,4}(?:v|vs\.?|versus|and|but|to|than|or|compared (?:to|with)|against|from)[^\w.;]{1,3}"
    r"(?:only |just |about )*$"
)
_CLOSE, _BEYOND, _ABOUT = 1.25, 1.3, 0.1
_POINT, _PART = 0.03, 0.2
"""How far what is left may lie from a fraction in words: absolutely, and by its own size."""
_REACH, _AFTER = 70, 28

_LESS = (
    r"(?:few|less|low|small|short|cheap|light|reduc|reduction|cut|sav|shrink|shrank|decreas|drop|fall|fell|"
    r"declin|trim|compress|halv|lessen|diminish)"
)
_MORE = (
    r"(?:more|high|large|great|fast|quick|speed|long|better|throughput|improv|increas|gain|ris(?:e|es|ing)\b|rose|rais|"
    r"grow|efficien|accelerat|boost|wider|bigger)"
)
_WAY = re.compile(rf"\b(?:(?P<less>{_LESS})|(?P<more>{_MORE}))\w*", re.IGNORECASE)
_SPARING = re.compile(r"\b(?:efficien|speed|fast|quick|accelerat|throughput)\w*", re.IGNORECASE)
_OF = re.compile(r"\s+(?:of\b|the\s(?!time\b)|as (?:much|many)\b)")
_TAKEN = re.compile(
    r"\b(?:by (?:(?:about|some|nearly|almost|around|over|roughly|up to|at least|more than|less than) )?"
    r"|(?:cut|sav(?:e|ing)|reduc|lower|remov|drop|lost|lose|losing|trim|prun|skip|shed|spar(?:e|ing))\w*\s(?:\w+\s){0,3})$",
    re.IGNORECASE,
)
_AT_BEST = re.compile(r"(?:as (?:little|few|low|much|many) as|up to|down to|at best|best case)", re.IGNORECASE)
_AS_MANY = re.compile(r"\s+(?:as (?:many|often|frequent\w*|common\w*)|more often)\b")
_STOP = re.compile(r"[.!?;]\s")
_ALL_BUT = re.compile(r"\ball (?:but|except)(?: for)?\s$", re.IGNORECASE)
_AS = re.compile(r"\s+as\s(?!much\b|many\b)\w+")


def is_derived(quantity: Quantity, claim: Reading, evidence: Reading) -> bool:
    """Whether one step from amounts of the evidence gives the claim's."""
    if quantity.low != quantity.high or not quantity.low > 0:
        return False
    ours = as_times(quantity)
    if ours.unit in _POINTS and _is_difference(ours, claim, evidence):
        return True
    if _is_ratio(ours, claim, evidence) or _is_count(ours, claim, evidence):
        return True
    return any(_is_left(quantity, claim, other, evidence) for other in evidence.quantities)


def _is_difference(ours: Quantity, claim: Reading, evidence: Reading) -> bool:
    """Exact to the last digit of the two, unless said to be rough."""
    comparator = bound(ours, claim)
    for first, second in _pairs(evidence):
        if first.unit not in ("%", "", "points") or second.unit not in ("%", ""):
            continue
        digits = max(decimals(first), decimals(second))
        slack = 0.5 * 10.0 ** -(decimals(ours) if comparator == "~" else digits)
        if _holds(ours.low, abs(first.low - second.low), comparator, slack * 0.999, _CLOSE):
            return True
    return False


def _is_ratio(ours: Quantity, claim: Reading, evidence: Reading) -> bool:
    """`twice`, `2.4 times`, `half as long` for the ratio of a pair."""
    times = ours.low if ours.unit == "x" else 0.0
    comparator = bound(ours, claim)
    if is_fraction(ours) and _AS.match(claim.text, ours.end):
        times, comparator = 1 / ours.low, _flipped(comparator)
    if times < 1.2:
        return False
    step = 0.05 * times if in_words(ours) else 0.5 * 10.0 ** -decimals(ours)
    slack = max(step, _ABOUT * times) if comparator == "~" else step
    counts = _AS_MANY.match(claim.text, ours.end) is not None
    return any(_holds(times, ratio, comparator, slack, _BEYOND) for ratio in _ratios(evidence, counts))


def _ratios(evidence: Reading, counts: bool) -> Iterator[float]:
    for first, second in _pairs(evidence, counts):
        yield max(first.low, second.low) / min(first.low, second.low)
    for one in evidence.quantities:
        if one.low != one.high and min(one.low, one.high) > 0 and one.unit not in _UNPAIRED:
            yield max(one.low, one.high) / min(one.low, one.high)
    for part, rest in pairwise(shares.counted(evidence)):
        yield max(part.percent, rest.percent) / min(part.percent, rest.percent)


def _pairs(evidence: Reading, counts: bool = False) -> Iterator[tuple[Quantity, Quantity]]:
    """Neighbouring amounts of one unit, or that the text sets side by side (`7.7 v 17.7 months`); of counts, if asked
    for, those of one sentence."""
    single = [q for q in evidence.quantities if q.low == q.high and q.low > 0 and q.unit not in _UNPAIRED]
    for first, second in pairwise(single):
        between = evidence.text[first.end : second.start]
        plain = counts and first.unit == second.unit == "" and not _STOP.search(between)
        if plain or (first.unit in ("", second.unit) and _FACED.match(between)):
            yield first, second
    by_unit: dict[str, Quantity] = {}
    for quantity in single:
        kind = quantity.unit or _scale(quantity)
        if kind and kind in by_unit:
            yield by_unit[kind], quantity
        if kind:
            by_unit[kind] = quantity


def _scale(quantity: Quantity) -> str:
    """`7B` and `14B` are sizes of models."""
    return "size" if re.search(r"\d[kKMBT]$", quantity.text.strip()) else ""


def _is_count(ours: Quantity, claim: Reading, evidence: Reading) -> bool:
    """`all but two` where 12 of 14 do; nine tasks where there are six tasks and three tasks more."""
    if ours.unit or ours.low % 1 != 0 or ours.comparator not in ("=", "~"):
        return False
    plain = [q for q in evidence.quantities if not q.unit and q.low == q.high]
    if _ALL_BUT.search(claim.text[: ours.start]):
        wholes = [q.low for q in claim.quantities if q.start > ours.start and not q.unit] or [q.low for q in plain]
        return any(one.low - other.low == ours.low and one.low in wholes for one in plain for other in plain)
    counted = following(claim, ours)[:1]
    return any(
        one.low + other.low == ours.low
        and " and " in evidence.text[one.end : other.start]
        and not _STOP.search(evidence.text[one.end : other.start])
        and set(counted) & set(following(evidence, one)) & set(following(evidence, other))
        for one, other in combinations(plain, 2)
    )


def _is_left(ours: Quantity, claim: Reading, theirs: Quantity, evidence: Reading) -> bool:
    """Whether both texts tell of one change in other terms: what is left of it, or how far it goes up."""
    if theirs.low != theirs.high or theirs.unit not in ("%", "x", "orders", ""):
        return False
    said = _left(ours, claim)
    if said is None or said == 1.0:
        return False
    there = _left(theirs, evidence) or (_sparing(theirs, evidence) if said < 1 else None)
    rest = _OF.match(claim.text, ours.end) is not None
    if there is None or (ours.unit == theirs.unit and not rest):
        return False
    comparator, hedged = bound(ours, claim), _hedged(ours, claim)
    limited = theirs.comparator if theirs.comparator not in ("=", "~") else ""
    if limited and not (hedged if limited == "<=" else comparator in ("=", "~") and not hedged):
        return False
    slack = 0.5 * 10.0 ** -decimals(ours) * (said / ours.low if ours.unit == "x" else 0.01)
    if in_words(ours):
        slack = min(_POINT, _PART * said) if said < 1 else max(_POINT, 0.05 * said)
    if hedged or comparator == "<=":
        comparator = "~"
    if rest:
        return _holds(said, there, comparator, slack, _CLOSE)
    return (said < 1) == (there < 1) and _holds(abs(1 - said), abs(1 - there), comparator, slack, _CLOSE)


def _left(quantity: Quantity, reading: Reading) -> float | None:
    """The new amount over the old one, where the words around an amount say that it is a change."""
    times = as_times(quantity)
    if quantity.unit == "x" and in_words(quantity) and quantity.low == 0.5:
        return 0.5
    way = _way(quantity, reading)
    if times.unit == "x" and times.low > 1:
        return {"less": 1 / times.low, "more": times.low}.get(way)
    part = quantity.low / 100 if quantity.unit == "%" else quantity.low if is_fraction(quantity) else 0.0
    if not 0 < part < 1:
        return None
    before = reading.text[max(0, quantity.start - _AFTER) : quantity.start]
    if _OF.match(reading.text, quantity.end) and not _TAKEN.search(before):
        return part if in_words(quantity) or quantity.unit == "%" else None
    return {"less": 1 - part, "more": 1 + part}.get(way)


def _sparing(quantity: Quantity, reading: Reading) -> float | None:
    """What is left of the cost where speed or efficiency goes up by a factor."""
    times = as_times(quantity)
    around = reading.text[max(0, quantity.start - _REACH) : quantity.end + _AFTER]
    return 1 / times.low if times.unit == "x" and times.low > 1 and _SPARING.search(around) else None


def _way(quantity: Quantity, reading: Reading) -> str:
    """Whether an amount is more or less of something, by the nearest word that tells: after it, or before."""
    after = re.split(r"[,;.()]|\d", reading.text[quantity.end : quantity.end + _AFTER])[0]
    before = re.split(r"[;.()]\s", reading.text[max(0, quantity.start - _REACH) : quantity.start])[-1]
    behind = _WAY.search(after)
    ahead = [*_WAY.finditer(before)]
    found = behind or (ahead[-1] if ahead else None)
    return "" if found is None else "less" if found["less"] else "more"


def _hedged(quantity: Quantity, claim: Reading) -> bool:
    around = claim.text[max(0, quantity.start - _AFTER) : quantity.end + _REACH]
    return bound(quantity, claim) == "<=" or _AT_BEST.search(around) is not None


def _flipped(comparator: str) -> str:
    return {">": "<", "<": ">", ">=": "<=", "<=": ">="}.get(comparator, comparator)


def _holds(said: float, there: float, comparator: str, slack: float, beyond: float) -> bool:
    """Whether the claim's amount, bounded as it is, may stand for what was worked out."""
    if comparator in (">", ">="):
        return said < there <= beyond * said
    if comparator == "<":
        return said / beyond <= there < said
    return abs(said - there) <= slack + 1e-9
