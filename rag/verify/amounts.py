"""Whether two amounts are one: `a third` and `34%`, `tenfold` and `9.7-12.5x`, `more than half` and `55.6%`.

Prose rounds. A fraction in words is as rough as a reader takes it; `about` allows the next few per cent; a bound that
the evidence's number keeps closely (`more than 400` for 412) says no more than the number does.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice

from rag.text.quantities import Quantity
from rag.verify.reading import Reading

_POINTS = frozenset(("%", "points", "point", "pp", "percentage points", "percentage point"))
_A_FEW = re.compile(r"(?:[a-z]+|\d{1,2})$", re.IGNORECASE)
"""`on average over six attacks` counts them; it does not bound them."""
_AVERAGED = re.compile(r"(?<!\bfrom)(?<!\bof)(?<!\bwith)(?<!\bto)(?<!\bin)(?<!\bby)(?<!\bhas)(?<!\bhave) over\s*$")
_IN_WORDS = re.compile(r"[^\W\d]+(?:[\s-][^\W\d]+)*")
_ROUGHLY, _FRACTION, _CLOSE_BOUND = 0.05, 3.0, 1.25
"""Relative; percentage points; how far beyond its bound a number may lie."""
_SMALL = 12


def same_value(ours: Quantity, theirs: Quantity) -> bool:
    """Whether the claim's amount is the evidence's, as exactly as the claim puts it. Units are looked at only where
    they change the number (`a third`, an order of magnitude)."""
    whole = re.fullmatch(r"(\d+)/\1", theirs.text.strip())
    if whole and ours.low == float(whole[1]):
        return True
    if ours.unit == "orders" and theirs.unit == "x":
        return ours.comparator in ("=", "~", ">", ">=") and _magnitude(ours.low, theirs.low)
    ours, theirs, slack = _like(ours, theirs)
    rough = ours.comparator == "~"
    if ours.low == ours.high and theirs.low != theirs.high:
        ends = ours.comparator in ("<=", ">=", "~") and ours.low in (theirs.low, theirs.high)
        within = min(theirs.low, theirs.high) <= ours.low <= max(theirs.low, theirs.high)
        return ends or ((rough or slack > 0) and within)
    tolerance = max(slack, max(0.5 * 10.0 ** -decimals(ours), _ROUGHLY * abs(theirs.low)) if rough else 0.0)
    return _close(ours.low, theirs.low, tolerance) and _close(ours.high, theirs.high, tolerance)


def keeps_bound(ours: Quantity, theirs: Quantity) -> bool:
    """Whether the claim bounds, and the evidence's number lies within the bound and not far from it."""
    reach = 10.0 if ours.unit == "orders" and theirs.unit == "x" else _CLOSE_BOUND
    ours, theirs, _ = _like(ours, theirs)
    if theirs.comparator not in ("=", "~") or not ours.low or ours.low != ours.high:
        return False
    nearest, farthest = sorted((theirs.low / ours.low, theirs.high / ours.low), key=lambda r: abs(r - 1.0))
    if ours.comparator in (">", ">="):
        return min(nearest, farthest) > 1.0 and nearest <= reach
    return ours.comparator in ("<", "<=") and nearest >= 1 / reach and max(nearest, farthest) < 1.0


def _like(ours: Quantity, theirs: Quantity) -> tuple[Quantity, Quantity, float]:
    """Both in one measure, and how much they may differ for it: a fraction in words as a percentage, `halves` as
    twice, an order of magnitude as ten times."""
    ours, theirs = as_times(ours), as_times(theirs)
    if is_fraction(ours) and theirs.unit == "%":
        return replace(ours, low=ours.low * 100, high=ours.high * 100), theirs, _FRACTION
    if is_fraction(theirs) and ours.unit == "%":
        return ours, replace(theirs, low=theirs.low * 100, high=theirs.high * 100), 1.0
    return ours, theirs, 0.0


def as_times(quantity: Quantity) -> Quantity:
    """Orders of magnitude as factors; `halves` as a factor of two."""
    if quantity.unit == "orders" and quantity.low < 10:
        return replace(quantity, low=10.0**quantity.low, high=10.0**quantity.high, unit="x")
    if quantity.unit == "x" and quantity.low == 0.5 and in_words(quantity):
        return replace(quantity, low=2.0, high=2.0)
    return quantity


def is_fraction(quantity: Quantity) -> bool:
    """`half`, `two thirds`: in words, without a unit."""
    return not quantity.unit and 0 < quantity.low < 1 and in_words(quantity)


def in_words(quantity: Quantity) -> bool:
    return _IN_WORDS.fullmatch(quantity.text.strip()) is not None


def is_count(quantity: Quantity) -> bool:
    """`three benchmarks` in words: a reader may count what a sentence lists."""
    return not quantity.unit and in_words(quantity) and quantity.low in range(2, _SMALL + 1)


def _magnitude(orders: float, times: float) -> bool:
    return times > 0 and 10.0**orders <= times < 10.0 ** (orders + 1)


def decimals(quantity: Quantity) -> int:
    """Digits after the point, as written."""
    found = re.search(r"\.(\d+)", quantity.text)
    return len(found[1]) if found else 0


def _close(ours: float, theirs: float, tolerance: float) -> bool:
    return abs(ours - theirs) <= max(tolerance, 1e-9 * abs(theirs))


def same_unit(ours: str, theirs: str) -> bool:
    """Whether two amounts can be of one thing; none given goes with any."""
    if "year" in (ours, theirs) or ours == theirs or not ours:
        return True
    if "orders" in (ours, theirs) and "x" in (ours, theirs):
        return True
    return (ours in _POINTS and theirs in _POINTS) or ours.rstrip("s") == theirs.rstrip("s")


def bound(quantity: Quantity, reading: Reading) -> str:
    """The comparator, with `only 32` and `within the first 32` read as plain amounts and `100+` as more."""
    before = reading.text[max(0, quantity.start - 24) : quantity.start].casefold()
    if reading.text[quantity.end : quantity.end + 1] == "+":
        return ">"
    plain = before.rstrip().endswith("only") or (quantity.comparator == "<=" and "within" in before)
    if _AVERAGED.search(before) and _A_FEW.match(quantity.text.strip()):
        return "~"
    return "=" if plain else quantity.comparator


def no_stronger(ours: str, theirs: str) -> bool:
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


def following(reading: Reading, quantity: Quantity, most: int = 3) -> list[str]:
    """Stems of the words of meaning after a number, among them what it is a number of."""
    after = (word.stem for word in reading.words if word.start >= quantity.end and word.content)
    return list(islice(after, most))
