"""Numbers that name rather than count: `type 2 diabetes`, `receptor 1`, `version 7`, `W4A4`, the power in `1/ε^2`.

Such a number is right when the paper has the same word and number together, be it in its title.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag.text.normalise import fold
from rag.text.quantities import Quantity
from rag.text.readable import align
from rag.verify.reading import Reading

_BEFORE = re.compile(r"(?P<word>[^\W\d_][\w’'-]*)[\s-]$")
_NAMING = re.compile(
    r"(?:types?|versions?|grades?|stages?|phases?|class|levels?|groups?|series|generation|chromosomes?|subunits?|isoforms?|"
    r"serotypes?|subtypes?|strains?|virus|factors?|receptors?|proteins?|genes?|channels?|domains?|alpha|beta|gamma|"
    r"[a-z]{3,}(?:ase|in|gen))s?$"
)
_FORMAT = {"8": "quarter", "16": "half", "32": "single", "64": "double"}
_POWER = re.compile(
    r"(?<!\w)(?:(?P<over>1/)(?P<root>√\(?|sqrt\(?)?)?(?P<symbol>epsilon|delta|[^\W\d_])\s?"
    r"(?:\^?\{?\(?(?P<power>[-−⁻]?(?:[\d⁰¹²³⁴-⁹]+)(?:/\d+)?))?(?![\w/⁰-⁹])"
)
_GREEK = {"epsilon": "ε", "delta": "δ", "ϵ": "ε"}
_SUPERSCRIPTS = str.maketrans("⁻−⁰¹²³⁴⁵⁶⁷⁸⁹", "--0123456789")


def is_named(quantity: Quantity, claim: Reading, evidence: Reading, context: Sequence[str]) -> bool:
    """Whether the number is part of a name or a formula that the evidence, or the paper, has."""
    if _as_size(quantity, evidence.text):
        return True
    if quantity.unit == "bit":
        return _in_format(quantity, evidence.text)
    if quantity.unit not in ("", "label"):
        return False
    if _as_power(quantity, claim.text, evidence.text):
        return True
    word = _BEFORE.search(claim.text[max(0, quantity.start - 24) : quantity.start])
    shown = quantity.text.strip()
    if word is None or not shown.isdigit() or len(shown) > 3:
        return False
    at = quantity.start - len(word[0])
    capital = word["word"][0].isupper() and claim.text[:at].rstrip()[-1:] not in ("", ".", ":")
    if not capital and not _NAMING.match(word["word"]):
        return False
    together = re.compile(rf"(?<![^\W_]){re.escape(fold(word['word']))}s?[\s-]?{shown}(?:\.0)?(?![\d.]*\d)")
    return any(together.search(fold(text)) for text in (evidence.text, *context))


def _as_size(quantity: Quantity, text: str) -> bool:
    """Whether a number in the millions is part of a name: `RT-Qwen-0.5B` has half a billion parameters."""
    if quantity.unit or quantity.low != quantity.high or not quantity.low >= 1e6:
        return False
    shown = [f"{quantity.low / size:g}{letter}" for size, letter in ((1e6, "m"), (1e9, "b"), (1e12, "t"))]
    return any(re.search(rf"(?<![a-z0-9.]){re.escape(one)}(?![a-z0-9])", fold(text)) for one in shown)


def _in_format(quantity: Quantity, text: str) -> bool:
    """Bits that a number format has by its name: `W4A4`, `INT8`, half precision."""
    bits = f"{quantity.low:g}"
    if bits in _FORMAT and f"{_FORMAT[bits]} precision" in fold(text).replace("-", " "):
        return True
    return re.search(rf"(?:\b[WA]|A|INT|FP|BF|NF|TF){bits}(?!\d)", text) is not None


def _as_power(quantity: Quantity, claim: str, evidence: str) -> bool:
    """Whether the number is of `1/ε^2` or `ε^-2`, and the evidence has that power of that symbol."""
    if (
        "/" not in claim[quantity.end : quantity.end + 1]
        and "^" not in claim[max(0, quantity.start - 2) : quantity.start]
    ):
        return False
    own = [power for start, end, power in _powers(claim) if start <= quantity.start < end]
    theirs = {power for _, _, power in _powers(align(evidence).text)}
    return bool(own) and own[0] in theirs


def _powers(text: str) -> list[tuple[int, int, tuple[str, str]]]:
    """Negative powers of a symbol with their place: `1/ε^2` and `ε^-2` are (ε, 2)."""
    found = []
    for match in _POWER.finditer(text):
        power = (match["power"] or "1").translate(_SUPERSCRIPTS)
        if bool(match["over"]) == power.startswith("-"):
            continue
        symbol = _GREEK.get(match["symbol"], match["symbol"])
        found.append((*match.span(), (symbol, power.lstrip("-") + ("√" if match["root"] else ""))))
    return found
