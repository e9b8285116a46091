"""Units of one dimension: `48 h` are two days, `12 weeks` three months as people count them, `1500 ms` 1.5 s."""

from __future__ import annotations

from rag.text.quantities import Quantity

_DAY = 86400.0
_SIZES: dict[str, tuple[str, float]] = {
    **{u: ("time", s) for u, s in (("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3), ("s", 1.0), ("min", 60.0))},
    **{u: ("time", s * _DAY) for u, s in (("h", 1 / 24), ("days", 1.0), ("weeks", 7.0))},
    **{u: ("time", s * _DAY) for u, s in (("months", 365.25 / 12), ("years", 365.25))},
    **{u: ("store", 1e3**n) for n, u in enumerate(("byte", "kb", "mb", "gb", "tb", "pb"))},
    **{u: ("store", 1024.0**n) for n, u in enumerate(("kib", "mib", "gib", "tib"), start=1)},
    **{u: ("length", s) for u, s in (("nm", 1e-9), ("µm", 1e-6), ("mm", 1e-3), ("cm", 1e-2), ("km", 1e3))},
    **{u: ("mass", s) for u, s in (("µg", 1e-6), ("mg", 1e-3), ("g", 1.0), ("kg", 1e3))},
    **{u: ("power", s) for u, s in (("mW", 1e-3), ("W", 1.0), ("kW", 1e3))},
    **{u: ("energy", s) for u, s in (("mJ", 1e-3), ("J", 1.0), ("kJ", 1e3))},
    **{u: ("rate", s) for u, s in (("hz", 1.0), ("khz", 1e3), ("mhz", 1e6), ("ghz", 1e9))},
    **{u: ("dose", s) for u, s in (("nM", 1e-9), ("mM", 1e-3))},
}
_CALENDAR, _SHORTER = frozenset(("months", "years")), frozenset(("days", "weeks"))
_AS_COUNTED, _BINARY, _ROUGHLY = 0.09, 0.025, 0.05
"""Relative: 12 weeks for three months; 1024 MB for 1 GB; what `about` allows."""


def converted(quantity: Quantity, unit: str) -> tuple[float, float] | None:
    """Both ends of the amount in another unit of its dimension; None where there is none."""
    own, wanted = _SIZES.get(quantity.unit), _SIZES.get(unit)
    if own is None or wanted is None or own[0] != wanted[0]:
        return None
    return quantity.low * own[1] / wanted[1], quantity.high * own[1] / wanted[1]


def tolerance(ours: str, theirs: str, rough: bool) -> float:
    """How far, relatively, two amounts in these units may lie apart and still be said to be one."""
    units = {ours, theirs}
    if units & _CALENDAR and units & _SHORTER:
        return _AS_COUNTED
    store = _SIZES[ours][0] == "store"
    return max(_BINARY if store else 1e-6, _ROUGHLY if rough else 0.0)
