"""Units, scales and number words: the tables behind `quantities`."""

from __future__ import annotations

import re

CANONICAL: dict[str, str] = {
    **dict.fromkeys(("%", "percent", "per cent", "％"), "%"),
    **dict.fromkeys(
        (
            "percentage points",
            "percentage point",
            "% points",
            "%-points",
            "points",
            "point",
            "pp",
            "p.p.",
            "pts",
        ),
        "points",
    ),
    **dict.fromkeys(("×", "x", "X", "times", "fold", "folds"), "x"),
    **dict.fromkeys(
        ("orders of magnitude", "order of magnitude", "orders-of-magnitude", "order-of-magnitude"), "orders"
    ),
    **dict.fromkeys(("ns", "nanoseconds"), "ns"),
    **dict.fromkeys(("µs", "μs", "microseconds"), "us"),
    **dict.fromkeys(("ms", "milliseconds", "millisecond", "msec"), "ms"),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), "min"),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), "h"),
    **dict.fromkeys(("gpu hours", "gpu-hours", "GPU hours", "GPU-hours"), "gpu hours"),
    **dict.fromkeys(("day", "days"), "days"),
    **dict.fromkeys(("week", "weeks"), "weeks"),
    **dict.fromkeys(("month", "months"), "months"),
    **dict.fromkeys(("year", "years"), "years"),
    **{unit: unit.lower() for unit in ("KB", "kB", "MB", "GB", "TB", "PB", "KiB", "MiB", "GiB", "TiB", "Gbps", "Mbps")},
    **{
        unit: unit.lower()
        for unit in ("Hz", "kHz", "MHz", "GHz", "dB", "FPS", "fps", "FLOPs", "FLOPS", "GFLOPs", "TFLOPs")
    },
    **{
        unit: unit
        for unit in (
            "W",
            "kW",
            "mW",
            "J",
            "mJ",
            "kJ",
            "kg",
            "g",
            "mg",
            "µg",
            "mm",
            "cm",
            "km",
            "nm",
            "µm",
            "mM",
            "nM",
            "V",
        )
    },
    **dict.fromkeys(("tokens/s", "tokens/sec", "tokens per second", "tok/s"), "tokens/s"),
    **dict.fromkeys(("bit", "bits"), "bit"),
    **dict.fromkeys(("byte", "bytes"), "byte"),
    **dict.fromkeys(("°C", "° C"), "°C"),
    **dict.fromkeys(("°", "degrees", "degree"), "°"),
    **dict.fromkeys(("dollars", "USD"), "usd"),
}
"""A unit as written -> one name for it."""

_NAMES = rf"(?:{'|'.join(map(re.escape, sorted(CANONICAL, key=len, reverse=True)))})(?![\w])"
AFTER = rf"[\s-]?{_NAMES}"
AFTER_WORD = rf"[\s-]{_NAMES}"
"""What may follow a number as its unit. What is counted (`24-layer`, `24 layers`) is no unit."""

_SCALES = {
    "k": 1e3,
    "K": 1e3,
    "M": 1e6,
    "B": 1e9,
    "T": 1e12,
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
}
_SCALES |= {"trillion": 1e12, "mn": 1e6, "bn": 1e9}
SCALE = r"\s?(?i:hundred|thousand|million|billion|trillion)(?![\w])|(?:[kKMBT]|bn|mn)(?![A-Za-z\d])"

COUNTS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
"""The words for 0, 1, 2 and so on."""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SIZES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9}
_HALVES = ("half a ", "half-", "half ", "a half-", "a half ")
_HALF_TIMES = (("a", "year", "years"), ("a", "month", "months"), ("a", "week", "weeks"), ("a", "day", "days"),
               ("an", "hour", "h"), ("a", "minute", "min"), ("a", "second", "s"))  # fmt: skip
_VALUES: dict[str, tuple[float, str]] = {
    **{word: (float(value), "") for value, word in enumerate(COUNTS)},
    **{word: (10.0 * value, "") for value, word in enumerate(_TENS, start=2)},
    **{f"{word}fold": (float(value), "x") for value, word in enumerate(COUNTS) if value > 1},
    "twice": (2.0, "x"),
    "thrice": (3.0, "x"),
    "half": (0.5, ""),
    "dozen": (12.0, ""),
    **dict.fromkeys(("halves", "halved", "halving"), (0.5, "x")),
    **dict.fromkeys(("doubles", "doubled", "doubling"), (2.0, "x")),
    **dict.fromkeys(("triples", "tripled", "tripling"), (3.0, "x")),
    **{f"{lead}order{a}of{a}magnitude": (1.0, "orders") for lead in ("", "an ") for a in (" ", "-")},
    "a hundred": (100.0, ""),
    "orders of magnitude": (1.0, "orders"),
    "a thousand": (1000.0, ""),
    "a million": (1e6, ""),
    "a dozen": (12.0, ""),
    "hundreds": (100.0, ""),
    "thousands": (1000.0, ""),
    "millions": (1e6, ""),
    "billions": (1e9, ""),
    "dozens": (12.0, ""),
    **{f"{some} {name}": (size, "") for some in ("several", "a few") for name, size in _SIZES.items()},
    **{f"tens of {name}s": (10 * size, "") for name, size in _SIZES.items() if size >= 1e3},
    **{f"hundreds of {name}s": (100 * size, "") for name, size in _SIZES.items() if size >= 1e3},
    **{f"{half}{name}": (size / 2, "") for half in _HALVES for name, size in _SIZES.items()},
    **{f"half {a} {unit}": (0.5, own) for a, unit, own in _HALF_TIMES},
}
VAGUE = frozenset(word for word in _VALUES if re.match(r"several|a few|(?:ten|hundred|thousand|million|dozen)s", word))
"""Words for an order of size, not for a number: `hundreds`, `a few thousand`."""
_PARTS = {"half": 2.0, "third": 3.0, "quarter": 4.0, "fourth": 4.0, "fifth": 5.0, "tenth": 10.0}
_FRACTIONS = {
    f"{above}{joint}{part}{'s' if value > 1 and part != 'half' else ''}": (value / below, "")
    for value, above in ((1.0, "one"), (1.0, "a"), (2.0, "two"), (3.0, "three"), (4.0, "four"))
    for joint in (" ", "-")
    for part, below in _PARTS.items()
}
_HUNDREDS = {
    f"{word} {name}": (value * size, "")
    for word, (value, own) in list(_VALUES.items())
    if not own and word in COUNTS + _TENS
    for name, size in _SIZES.items()
}
_AND_A_HALF = {f"{word} and a half": (value + 0.5, "") for value, word in enumerate(COUNTS) if value}
_ALL = (
    _VALUES
    | _FRACTIONS
    | _HUNDREDS
    | _AND_A_HALF
    | {
        f"{ten}-{one}": (10.0 * value + digit, "")
        for value, ten in enumerate(_TENS, start=2)
        for digit, one in enumerate(COUNTS[1:10], start=1)
    }
)
WORDS = "|".join(sorted(map(re.escape, _ALL), key=len, reverse=True))
TELLING = frozenset(max(re.findall(r"[a-z]+", phrase), key=len) for phrase in _ALL)
"""A word of each of them, its longest: a text without any holds none."""

_PRONOUN_AFTER = re.compile(
    r"-(?:to|hot|shot|sum|way|off)\b|\s*(?:[.,;:)?!]|$|(?:of|can|may|might|must|should|would|could|is|has|that|which|who|to|from|with|in|on|for|by|and|or|as|at|"
    r"where|when|needs?|wants?|often|another|such)\b)"
)
_TO_A_NUMBER = re.compile(rf"-?\s(?:to|or)\s(?:{'|'.join(COUNTS[2:] + _TENS)}|\d)")
_PRONOUN_BEFORE = re.compile(
    r"\b(?:no|any|every|each|this|that|which|the|another|some|former|latter|new|original|only|by)[- ]$", re.I
)


def canonical(unit: str) -> str:
    """The one name of a unit; "" for none."""
    unit = unit.strip(" -\t\n\xa0")
    return CANONICAL.get(unit) or unit


def scale(text: str) -> float:
    text = text.strip()
    return _SCALES.get(text) or _SCALES.get(text.casefold()) or 1.0


def word_value(word: str) -> tuple[float, str]:
    """Value and own unit of a number word (folded): `twice` is (2, "x")."""
    return _ALL[word]


def counts_one(text: str, start: int, end: int) -> bool:
    """Whether "one" at `text[start:end]` counts something, and is not the pronoun."""
    if _TO_A_NUMBER.match(text, end):
        return True
    return not _PRONOUN_AFTER.match(text, end) and not _PRONOUN_BEFORE.search(text[max(0, start - 12) : start])
