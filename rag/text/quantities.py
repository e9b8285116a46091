"""Quantities with exact offsets: how much, of what unit, and whether the text says up to, over, at least or about.

Used to notice a changed number, and to know whether a sentence can answer "how much" or "how many".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rag.text.latex import align


@dataclass(frozen=True, slots=True)
class Quantity:
    """`text == source[start:end]`. `low == high` unless a range; `unit` is "%", "x", "", "year", "expr" or a unit as written,
    folded; `comparator` is "=", "<=", ">=", "<", ">" or "~"."""

    text: str
    start: int
    end: int
    low: float
    high: float
    unit: str
    comparator: str


_SCALE = {
    "k": 1e3,
    "K": 1e3,
    "M": 1e6,
    "B": 1e9,
    "T": 1e12,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
}
_WORDS = {
    w: float(i)
    for i, w in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}
_ADVERBS = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_NUMBER = r"[-−+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_SCALES = r"(?:\s?(?:thousand|million|billion|trillion)\b|[kKMBT](?![A-Za-z]))"
_UNIT = r"\s?%|\s?percent(?:age points?)?\b|\s?[×x](?![A-Za-z0-9])|-?fold\b|\s?times\b|\s?(?:ms|GB|MB|TB|KB|dB|Hz|GHz|MHz|FPS|fps|tokens/s|points?|pp|seconds?|minutes?|hours?|days?|years?)\b"
_QUANTITY = re.compile(
    rf"(?<![\w.])(?P<low>{_NUMBER})(?P<s1>{_SCALES})?(?P<u1>{_UNIT})?(?:\s?(?:-|–|—|~|\bto\b)\s?(?P<high>{_NUMBER})(?P<s2>{_SCALES})?)?(?P<u2>{_UNIT})?(?![\w])"
    rf"|(?<![\w-])(?P<word>{'|'.join(_WORDS)})(?P<wu>[- ]fold\b|\s(?:times|percent)\b)?(?![\w])"
    rf"|\b(?P<adverb>once|twice|thrice)\b",
    re.IGNORECASE,
)
_COMPARATORS = (
    (re.compile(r"(?:up to|at most|no more than|as (?:much|many|high) as|within|≤)\s*$", re.I), "<="),
    (re.compile(r"(?:at least|no (?:less|fewer) than|a minimum of|≥)\s*$", re.I), ">="),
    (
        re.compile(
            r"(?:more than|over|above|exceed(?:s|ing)?|greater than|beyond|surpass(?:es|ing)?|>)\s*$", re.I
        ),
        ">",
    ),
    (re.compile(r"(?:less than|fewer than|under|below|<)\s*$", re.I), "<"),
    (re.compile(r"(?:about|around|approximately|roughly|nearly|almost|some|~|≈|∼)\s*$", re.I), "~"),
)


def quantities(text: str) -> tuple[Quantity, ...]:
    """Every quantity, in order, none overlapping."""
    aligned = align(text)
    found: list[Quantity] = []
    for match in _QUANTITY.finditer(aligned.text):
        start, end = aligned.span(match.start(), match.end())
        if found and start < found[-1].end:
            continue
        low, high, unit = _value(match)
        found.append(
            Quantity(text[start:end], start, end, low, high, unit, _comparator(aligned.text, match.start()))
        )
    return tuple(found)


def _value(match: re.Match[str]) -> tuple[float, float, str]:
    if match["word"]:
        value = _WORDS[match["word"].casefold()]
        return value, value, _unit(match["wu"] or "")
    if match["adverb"]:
        value = _ADVERBS[match["adverb"].casefold()]
        return value, value, "x"
    low = _number(match["low"])
    high = _number(match["high"]) if match["high"] else low
    scale_high = _scale(match["s2"]) if match["s2"] else 1.0
    scale_low = _scale(match["s1"]) if match["s1"] else scale_high
    return (
        low * scale_low,
        high * (scale_high if match["s2"] or match["high"] else scale_low),
        _unit(match["u2"] or match["u1"] or ""),
    )


def _scale(text: str) -> float:
    text = text.strip()
    return _SCALE.get(text) or _SCALE.get(text.casefold()) or _SCALE.get(text.upper(), 1.0)


def _number(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


def _unit(text: str) -> str:
    text = text.strip(" -").casefold()
    if text in ("×", "x", "times", "fold"):
        return "x"
    if text in ("%", "percent"):
        return "%"
    return text


def _comparator(text: str, start: int) -> str:
    before = text[max(0, start - 24) : start]
    for pattern, sign in _COMPARATORS:
        if pattern.search(before):
            return sign
    return "="
