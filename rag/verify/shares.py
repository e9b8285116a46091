"""Shares however they are put: `nine in ten`, `18 of 20`, `6/18`, `90%`, a sensitivity of `0.9` are one kind of amount.

A share counted in words, or out of a round number, is as rough as a reader takes it; other digits are exact, up to the
rounding of a percentage.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rag.text.quantities import Quantity, comparator
from rag.text.units import COUNTS
from rag.verify.amounts import bound, decimals, in_words, no_stronger
from rag.verify.reading import Reading

_VALUE = {word: float(value) for value, word in enumerate(COUNTS) if value} | {
    "twenty": 20.0,
    "hundred": 100.0,
    "a hundred": 100.0,
}
_COUNT = rf"(?:\d{{1,6}}|a hundred|{'|'.join(sorted(_VALUE, key=len, reverse=True))})"
_COUNTED = re.compile(
    rf"(?<![\w.,/^-])(?P<above>{_COUNT})(?:\s?(?P<slash>/)\s?|(?:\s[a-z]+)?\s(?:out\sof|of|in)\s(?:the\s|every\s|all\s)?)"
    rf"(?P<below>{_COUNT})(?![\w/%]|[.,-]\d)",
    re.IGNORECASE,
)
_OF_ALL = re.compile(
    r"(?:sensitivit|specificit|accurac|precision|recall|proportion|fraction|probabilit|prevalence|share|success|"
    r"survival|coverage|\brates?\b)",
    re.IGNORECASE,
)
_ROUND = frozenset((2.0, 3.0, 4.0, 5.0, 10.0, 20.0, 100.0))
_POINTS, _RELATIVE, _ABOUT, _CLOSE, _NEAR = 3.0, 0.2, 0.05, 1.25, 28


@dataclass(frozen=True, slots=True)
class Share:
    """`text[start:end]` says this many per cent; `slack`: how many points a reader takes it to be off by."""

    start: int
    end: int
    percent: float
    slack: float
    comparator: str


def counted(reading: Reading) -> Iterator[Share]:
    """Shares that two counts make."""
    for found in _COUNTED.finditer(reading.text):
        above, below = _count(found["above"]), _count(found["below"])
        if not 0 < above < below:
            continue
        percent = 100.0 * above / below
        loose = below in _ROUND or not found["below"].isdigit()
        slack = _rough(percent) if loose and not found["slash"] else 1e-6
        yield Share(*found.span(), percent, slack, comparator(reading.text, *found.span()))


def is_told(quantity: Quantity, claim: Reading, evidence: Reading) -> bool:
    """Whether the amount is a share, or one of the two counts of one, that the evidence gives in some form."""
    own = [share for share in counted(claim) if share.start <= quantity.start < share.end]
    ours = own[0] if own else _single(quantity, claim, ours=True)
    if ours is None:
        return False
    theirs = [*counted(evidence)]
    singles = [_single(q, evidence, ours=False) for q in evidence.quantities if own or q.unit != "%"]
    theirs += [share for share in singles if share]
    return any(_same(ours, other) for other in theirs)


def is_part(quantity: Quantity, claim: Reading) -> bool:
    """Whether the number is one of `four out of five`: nothing that is listed can be counted to give it."""
    parts = (share for share in counted(claim) if share.start <= quantity.start < share.end)
    return any(re.search(r"\b(?:out of|in)\b", claim.text[share.start : share.end]) for share in parts)


def _single(quantity: Quantity, reading: Reading, *, ours: bool) -> Share | None:
    """A share that one amount makes: a percentage, a fraction in words, a proportion."""
    percent = quantity.low
    if quantity.low != quantity.high or quantity.unit not in ("%", ""):
        return None
    fraction = quantity.unit == "" and 0 < quantity.low < 1
    if quantity.unit == "" and not (fraction and (in_words(quantity) or _of_all(quantity, reading))):
        return None
    step = 0.5 * 10.0 ** -decimals(quantity)
    if fraction:
        percent, step = 100 * percent, 100 * step
    slack = _rough(percent) if in_words(quantity) and fraction else step if not fraction or ours else 1e-6
    return Share(quantity.start, quantity.end, percent, slack, bound(quantity, reading))


def _of_all(quantity: Quantity, reading: Reading) -> bool:
    """Whether a number below one stands beside what is measured as a share: `sensitivity of 0.75`."""
    before = reading.text[max(0, quantity.start - _NEAR) : quantity.start]
    after = reading.text[quantity.end : quantity.end + _NEAR]
    near = re.split(r"[\d;,.]", before)[-1] + " " + re.split(r"[\d;,.±]", after)[0]
    return _OF_ALL.search(near) is not None


def _same(ours: Share, theirs: Share) -> bool:
    slack = max(ours.slack, theirs.slack if theirs.slack < 1 else 0.0)
    gap = theirs.percent - ours.percent
    close = abs(gap) <= max(slack, (_CLOSE - 1) * ours.percent)
    if ours.comparator in (">", ">=") and theirs.comparator in ("=", "~"):
        return gap > 0 and close
    if ours.comparator in ("<", "<=") and theirs.comparator in ("=", "~"):
        return gap < 0 and close
    if ours.comparator == "~":
        slack = max(slack, _ABOUT * theirs.percent)
    return abs(ours.percent - theirs.percent) <= slack + 1e-9 and no_stronger(ours.comparator, theirs.comparator)


def _rough(percent: float) -> float:
    """How far off a reader takes a share in words to be: less where it is close to none or to all."""
    return min(_POINTS, _RELATIVE * min(percent, 100.0 - percent))


def _count(text: str) -> float:
    return float(text) if text.isdigit() else _VALUE[text.casefold()]
