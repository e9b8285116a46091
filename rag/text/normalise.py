r"""One reading of a text for matching (`fold`), one for people (`plain`), and one that is safe to print (`visible`).

None of them keeps lengths: offsets are always counted in the text as it came.
"""

from __future__ import annotations

import hashlib
import html
import re
import unicodedata
from functools import lru_cache

from rag.text.readable import readable
from rag.text.tags import has_tag

_LIGATURES = {
    chr(char): unicodedata.normalize("NFKC", chr(char)) for char in (*range(0xFB00, 0xFB07), *range(0x1D400, 0x1D800))
}
_LIGATURE = re.compile("[\ufb00-\ufb06\U0001d400-\U0001d7ff]")
_PLAIN_ASCII = re.compile(r"[^\\{}$^~*_`<\x00-\x1f\x7f-\U0010ffff]*")
_COMBINING = re.compile("[\u0300-\u036f]+")
_OTHER_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "æ": "ae", "œ": "oe", "ı": "i", "ð": "d", "þ": "th"}
)
_UNIFIED = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−⁃﹘﹣－", "-"),
        **dict.fromkeys("‘’‚‛′´`ʹʼ", "'"),
        **dict.fromkeys("“”„‟″«»〝〞", '"'),
        **dict.fromkeys("∗⋆", "*"),
        **dict.fromkeys("∼˜~", " "),
        "∆": "δ",
        "ϵ": "ε",
        "µ": "μ",
    }
)
_RAISED = re.compile(r"(?<=\d)[⁰¹²³⁴-⁹⁺⁻ⁿ]+")
_LEFTOVERS = re.compile(r"[\\{}$*\x00-\x08\x0e-\x1f\x7f-\x9f]+|(?<!\d)\^|(?<![^\W_])_+|_+(?![^\W_])")
_DASHES = re.compile(r"-{2,}")
_QUOTES = re.compile(r"''+")
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#39|#x27);")
"""What web pages leave in abstracts. Once only: `&amp;lt;` was written to be read as `&lt;`."""
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\u115f\u1160\u3164\uffa0\U000e0000-\U000e007f\ud800-\udfff]"
)


def plain(text: str) -> str:
    r"""For reading: `6$\times$` is `6×`, `**DFlash**` is `DFlash`, white space is one space."""
    shown = readable(text)
    if not shown.isascii():
        shown = unicodedata.normalize("NFC", shown)
        shown = _LIGATURE.sub(lambda found: _LIGATURES[found[0]], shown)
    if "&" in shown:
        shown = _ENTITY.sub(lambda found: html.unescape(found[0]), shown)
    return one_spaced(shown)


def one_spaced(text: str) -> str:
    """White space as single spaces, none at the ends."""
    if text.isprintable() and "  " not in text and text[:1] != " " and text[-1:] != " ":
        return text  # as most texts are: no other white space can be printed
    return " ".join(text.split())


def fold(text: str) -> str:
    """For matching: NFKC, lower case, no accents, no markup, one dash, one quote, one space. Idempotent."""
    return _fold_short(text) if len(text) <= _SHORT else _fold(text)


def _fold(text: str) -> str:
    if _PLAIN_ASCII.fullmatch(text) and "--" not in text and "''" not in text:
        return one_spaced(text.casefold())
    text = _RAISED.sub(r"^\g<0>", readable(text))
    text = _COMBINING.sub("", unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold()))
    text = unicodedata.normalize("NFKC", text.translate(_OTHER_LETTERS)).casefold().translate(_UNIFIED)
    text = _QUOTES.sub('"', _DASHES.sub("-", _LEFTOVERS.sub("", text)))
    folded = " ".join(text.split())
    # Tags that only came about as others were taken out: once more would be for ever with enough of them.
    return " ".join(folded.replace("<", " ").split()) if has_tag(folded) else folded


_SHORT = 64
_fold_short = lru_cache(maxsize=65536)(_fold)
"""Words and titles come again and again; abstracts do not, and would only fill the memory."""


def content_key(text: str) -> str:
    """Sixteen hex digits that are the same for the same abstract, whatever its Unicode form, case and white space."""
    composed = text if text.isascii() else unicodedata.normalize("NFKC", text)
    normal = one_spaced(composed).casefold()
    return hashlib.sha256(normal.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def visible(text: str) -> str:
    r"""Safe to print: control, bidi and zero-width characters as escapes (`\x1b`, `\u202e`); newline and tab stay."""
    return _HIDDEN.sub(lambda found: _escaped(found[0]), text)


def _escaped(char: str) -> str:
    number = ord(char)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
