"""Quantities with exact offsets: how much, of what unit, and whether the text says up to, over, at least or about.

Used to notice a changed number, and to know whether a sentence can answer "how much" or "how many". Numbers that are
part of a name (`GPT-5`, `CIFAR-10`), list numbers `(1)` and citations `[12]` are not quantities.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from rag.text import units
from rag.text.readable import align


@dataclass(frozen=True, slots=True)
class Quantity:
    """`text == source[start:end]`, without the words of the comparator.

    `low` and `high` are the two ends of a range in the order written ("from 45 to 31": 45, 31), else equal.
    `unit`: "%", "points", "x" (times, -fold), "s", "gb"... (see `units.CANONICAL`), "year", "p" (a p-value), "label"
    (Figure 2, Stage 1), "size" (224x224), "expr" (O(...): `low == high == 0`, compare `norm`), "" for a plain number.
    `comparator`: "=", "<=" (up to), ">=" (at least), "<", ">" or "~" (about). `norm` is the normalised text.
    """

    text: str
    start: int
    end: int
    low: float
    high: float
    unit: str
    comparator: str
    norm: str = ""


_DIGITS = r"(?:\d{1,3}(?:[,\u2009\u202f]\d{3})+(?!\d)|\d+)(?:\.\d+)?"
_POWER = r"\s?[×x·*]\s?10(?:[⁻⁺]?[⁰¹²³⁴-⁹]+|\^[-−]?\d+)|[eE][-+−]?\d+(?![\w.])|[⁻⁺]?[⁰¹²³⁴-⁹]+|\^[-−]?\d+(?:\.\d+)?"
_BODY = (
    rf"(?P<currency>[$€£¥]\s?)?(?P<number>[-−+]?{_DIGITS}(?:{_POWER})?)"
    rf"(?P<below>/\d+(?![\w/]))?(?P<scale>{units.SCALE})?(?P<unit>{units.AFTER})?(?![\w]|\.\d)"
)
_FIRST = rf"(?:(?<![\w.@/_])|(?<=\d[%×xX]/))(?<![\w)\]][-‐‑–−]){_BODY}"
_EXPRESSION = (
    r"(?<![\w\\])(?P<expr>(?:[OoΘΩω]\u0303?|Õ|Omega|Theta)\*?\s?"
    r"\((?:[^()]|\((?:[^()]|\([^()]{0,60}\)){0,80}\)){1,160}\))"
)
_SIZE = r"(?<![\w.@/_-])(?P<size>\d+(?:\s?[×x]\s?\d+)+)(?![\w.⁰-⁹]|\^)"
_WORD = rf"(?i:(?P<word>{units.WORDS}))(?P<wordunit>{units.AFTER_WORD})?(?![\w])(?<!zero(?=-))"
_ANY = re.compile(rf"{_EXPRESSION}|{_SIZE}|{_FIRST}|(?<![\w-]){_WORD}")
_START = re.compile(
    r"[$€£¥]\s?[-−+]?\d|[-−+]?\d|[ΘΩωÕ]|\b(?:[Oo]\u0303?\*?\s?\(|Omega|Theta"
    r"|(?i:ze|on|tw|th|fo|fi|si|se|ei|ni|te|el|hu|mi|bi|do|ha|tr|or|an?\s[odhtmqf]))"
)
"""Where `_ANY` may match: spares the long alternatives everywhere else."""
_SECOND = re.compile(rf"{_BODY}|{_WORD}")
_RANGE = re.compile(r"-?\s+to\s+|-to-|\s+and\s+|-?\s+or\s+(?=[a-z])|\s?(?:-|–|—|−|~|∼)\s?")
_BETWEEN = re.compile(r"\bbetween\s+$", re.IGNORECASE)
_LIST_NUMBER = re.compile(
    r"(?:^|(?<=[\s(]))\d{1,2}\)|\[\d+(?:[,–-]\s?\d+)*\]|(?:^|(?<=[.:;\n]\s))\d{1,2}\.(?=\s[A-Z*])"
)
_NUMERAL = re.compile(r"(?P<mantissa>[-−+]?[\d.]+)(?:\s?[×x·*]\s?(?P<ten>10))?(?P<power>.*)", re.DOTALL)
_LOOK, _BRACKET = 32, 120


@dataclass(slots=True)
class _Amount:
    """One end of a range, as read: `text[start:end]` of the readable text."""

    start: int
    end: int
    value: float
    unit: str
    scale: float = 1.0
    fraction: str = ""


def quantities(text: str) -> tuple[Quantity, ...]:
    """Every quantity, in order, none overlapping."""
    aligned = align(text)
    found: list[Quantity] = []
    for low, high in _scan(aligned.text):
        start, end = aligned.span(low.start, high.end)
        if found and start < found[-1].end:
            continue
        comparator, unit = _context(aligned.text, low, high)
        norm = _norm(low, high, unit, aligned.text)
        found.append(Quantity(text[start:end], start, end, low.value, high.value, unit, comparator, norm))
    return tuple(found)


def _scan(text: str) -> Iterator[tuple[_Amount, _Amount]]:
    listed = _LIST_NUMBER.finditer(text)
    skip = next(listed, None)
    at = 0
    while begin := _START.search(text, at):
        at = begin.start() + 1
        while skip and skip.end() < at:
            skip = next(listed, None)
        if skip and skip.start() < at and not _closes(text, skip):
            at = skip.end()
            continue
        found = _ANY.match(text, begin.start())
        if found is None:
            continue
        low, high = _read(found, text)
        if low is not None:
            at = high.end
            yield low, high


def _closes(text: str, listed: re.Match[str]) -> bool:
    """Whether what looks like a list number ends a bracket opened before it: `(e.g., Veo 3)`, `(n = 20)`."""
    before = text[max(0, listed.start() - _BRACKET) : listed.start()].rstrip()
    opened = before.rfind("(")
    return listed[0][-1] == ")" and 0 <= opened < len(before) - 1 and ")" not in before[opened:]


def _read(found: re.Match[str], text: str) -> tuple[_Amount | None, _Amount]:
    """Both ends of what was found; the same amount twice unless it is a range."""
    if found["expr"]:
        made = _Amount(*found.span(), 0.0, "expr")
        return made, made
    if found["size"]:
        sides = re.findall(r"\d+", found[0])
        return _Amount(*found.span(), float(sides[0]), "size"), _Amount(*found.span(), float(sides[-1]), "size")
    low = _amount(found, text)
    return low, (low and _other_end(text, low)) or low or _Amount(*found.span(), 0.0, "")


def _amount(found: re.Match[str], text: str) -> _Amount | None:
    """The match as a number; None when it is a pronoun ("one can") or runs on as a name (3D)."""
    if found["word"]:
        word = found["word"].casefold()
        unit = units.canonical(found["wordunit"] or "")
        if word == "one" and not unit and not units.counts_one(text, found.start(), found.end()):
            return None
        value, own = units.word_value(word)
        return _Amount(*found.span(), value, unit or own)
    value = _numeral(found["number"])
    if found["below"]:
        below = float(found["below"][1:])
        value = value / below if below else float("inf")
    scale = units.scale(found["scale"] or "")
    unit = "usd" if (found["currency"] or "").startswith("$") else (found["currency"] or "").strip()
    fraction = f"{found['number']}{found['below']}" if found["below"] else ""
    return _Amount(*found.span(), value * scale, unit or units.canonical(found["unit"] or ""), scale, fraction)


def _other_end(text: str, low: _Amount) -> _Amount | None:
    joint = _RANGE.match(text, low.end)
    if joint is None:
        return None
    if joint[0].strip() == "and" and not _BETWEEN.search(text[max(0, low.start - _LOOK) : low.start]):
        return None
    found = _SECOND.match(text, joint.end())
    high = _amount(found, text) if found else None
    if high is None or (low.unit and high.unit and low.unit != high.unit):
        return None
    if low.scale == 1.0 and high.scale > 1.0 and low.value < 1000:
        low.value, low.scale = low.value * high.scale, high.scale
    return high


def _numeral(text: str) -> float:
    read = _NUMERAL.match(re.sub("[,\u2009\u202f]", "", text))
    if read is None:
        return float("nan")
    mantissa = float(read["mantissa"].replace("−", "-"))
    power = unicodedata.normalize("NFKC", read["power"]).replace("−", "-").lstrip("^eE")
    try:
        if not power:
            return mantissa * (10.0 if read["ten"] else 1.0)
        if read["ten"] or "e" in read["power"].casefold():
            return mantissa * math.pow(10.0, float(power))
        return math.pow(mantissa, float(power))
    except (OverflowError, ZeroDivisionError, ValueError):
        return float("inf")


_BEFORE = re.compile(
    r"(?:(?P<le>\b(?:up to|at most|no more than|no greater than|as (?:much|many|high|large|long|far) as|"
    r"within|maximum of)|≤)"
    r"|(?P<ge>\b(?:at least|no (?:less|fewer) than|minimum of|lower bound of)|≥)"
    r"|(?P<gt>\b(?:more than|over|above|exceed(?:s|ed|ing)?|greater than|larger than|higher than|beyond|"
    r"surpass(?:es|ed|ing)?|upwards of)|>|≫)"
    r"|(?P<lt>\b(?:less than|fewer than|under|below|lower than|smaller than|as (?:few|little|low) as|only)|<|≪)"
    r"|(?P<about>\b(?:about|around|approximately|approx\.|roughly|nearly|almost|close to|circa|ca\.|"
    r"on average|some)|[~∼≈≃≲≳]))"
    r"[\s(]*(?:(?:a|an|the|by|of|its)\s+)?$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"(?P<ge>\+(?![\w+/])|\s(?:or|and) (?:more|higher|above|greater)\b)"
    r"|(?P<le>\s(?:or (?:less|fewer|lower|below)|at most)\b)"
)
_SIGN_BEFORE = ".≤≥<>≪≫~∼≈≃≲≳"
_SIGNS = {"le": "<=", "ge": ">=", "gt": ">", "lt": "<", "about": "~"}
_LABEL = re.compile(
    r"\b(?:fig(?:ure)?s?|tables?|sec(?:tion)?s?|theorems?|lemmas?|eqs?|equations?|stages?|steps?|phases?|types?|levels?|"
    r"algorithms?|versions?|chapters?|appendix|part|class|grade|tier|tasks?|track|system|rank|round)\.?\s+$",
    re.IGNORECASE,
)
_P_VALUE = re.compile(r"\b[pP](?:[- ]?values?)?\s?(?:[<>=≤≥]|of|was|is)\s*$")
_YEAR = re.compile(
    r"(?:\b(?:in|since|until|till|during|year|before|after|by|from|to|through|between|and|of|late|early|mid)\s+|[(,–-]\s?"
    r"|\b[A-Z][A-Za-z]*[A-Z][A-Za-z]*[\s'’-]?)$"
)
_COUNTED = re.compile(r"\s+[a-z]+s\b(?<!\bis)(?<!\bwas)(?<!\bhas)(?<!\bas)(?<!\bthis)")


def comparator(text: str, start: int, end: int) -> str:
    """What the words around `text[start:end]` make of an amount there: "=", "<=", ">=", "<", ">" or "~"."""
    before, after = text[max(0, start - _LOOK) : start], text[end : end + _LOOK]
    last = before.rstrip("( \t\n")[-1:]
    ahead = _BEFORE.search(before) if last.isalpha() or last in _SIGN_BEFORE else None
    found = ahead or _AFTER.match(after)
    return _SIGNS[found.lastgroup or "about"] if found else "="


def _context(text: str, low: _Amount, high: _Amount) -> tuple[str, str]:
    """Comparator and unit, as far as the words around the number tell."""
    before, after = text[max(0, low.start - _LOOK) : low.start], text[high.end : high.end + _LOOK]
    bounded = comparator(text, low.start, high.end)
    unit = high.unit or low.unit
    if unit:
        return bounded, unit
    if before[-1:] not in " =<>≤≥(-–,":
        return bounded, ""
    if _P_VALUE.search(before):
        return bounded, "p"
    if _LABEL.search(before):
        return bounded, "label"
    shown = text[low.start : low.end]
    if len(shown) == 4 and shown.isdigit() and 1900 <= low.value < 2100 and _YEAR.search(before):
        return bounded, "" if _COUNTED.match(after) else "year"
    return bounded, ""


def _norm(low: _Amount, high: _Amount, unit: str, text: str) -> str:
    """One spelling of the same amount: `31 percent`, `31\\%` and `31%` are `31%`; `sqrt(T)` is `√T`."""
    if unit == "expr":
        return _expression(text[low.start : low.end])
    if unit == "size":
        return "x".join(re.findall(r"\d+", text[low.start : low.end]))
    number = "-".join(end.fraction or f"{end.value:.12g}" for end in ((low,) if low is high else (low, high)))
    return number + unit


def _expression(text: str) -> str:
    text = re.sub(r"(?<=[\w)])[⁻⁺]?[⁰¹²³⁴-⁹]+", r"^\g<0>", text)
    text = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).replace("−", "-").replace("sqrt", "√"))
    text = re.sub(r"√\((\w|\d+)\)", r"√\1", re.sub(r"\^\((-?[\w.]+)\)", r"^\1", text))
    return re.sub(r"[\s·]+", "", text)
