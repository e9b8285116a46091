"""Tokens with exact offsets of the text as it came, and the index terms made of them.

Markup is read through (`C$^2$R` is one token), compounds are indexed whole and in parts, numbers keep their unit sign,
Chinese, Japanese and Korean runs become characters and pairs. Words are stemmed by Snowball's English stemmer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Literal, NamedTuple

from rag.text.normalise import fold
from rag.text.readable import align, readable
from rag.text.stemming import stem

Kind = Literal["word", "number", "name", "symbol", "cjk"]


@dataclass(frozen=True, slots=True)
class Token:
    """`text == source[start:end]`, markup included; `norm` is what is compared, `stem` what is indexed."""

    text: str
    start: int
    end: int
    norm: str
    stem: str
    kind: Kind


STOPWORDS: frozenset[str] = frozenset(
    """
    a about above abstract abstracts after again against all also am among an and any are arent as
    at be because been before being below between both but by can cant could couldnt did didnt do
    does doesnt doing don done dont down during each either else et etc for from further give had
    has hasnt have havent having he her here hers him his how i if in into is isn isnt it its itself
    ive just know let lets may me might more most much must my neither nor not of off on once one
    only or other our ours out over own paper papers per please rather s said same say says she
    should show since so some such t tell than that the their theirs them then there these they this
    those though through thus to too toward towards under until up upon us very via was wasnt we
    were werent what when where whereas whether which while who whom whose why will with within
    without wont work works would wouldnt yet you your yours
    """.split()
)
"""Folded, unstemmed. Question words and the words every question about papers holds are among them."""

_CJK = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u3100-\u312f\u3130-\u318f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_WORD = (
    "0-9A-Za-z\u00aa\u00b2\u00b3\u00b5\u00b9\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u1fff\u2070-\u209c\u20d0-\u20f0\u2102-\u2188"
    "\u2c00-\u2dff\ua4d0-\ua95f\ua980-\uabff\ufb00-\ufdff\ufe20-\ufe2f\ufe70-\ufefe\uff10-\uff19\uff21-\uff3a\uff41-\uff5a"
    "\U00010000-\U0001efff"
)
_JOIN = "'’.&_/+@‐‑‒–-"
_URL = r"https?://[^\s<>\"'”’）)\]}]+"
_NUMBER = (
    r"\d+(?:,\d{3})*(?:\.\d+)?(?:[⁻⁺]?[⁰¹²³⁴-⁹]+|[eE][-+]?\d+)?"
    r"(?:[kKMBT](?![A-Za-z])|x(?![A-Za-z0-9])|[×%‰])?(?![A-Za-z\d]|[-‐‑][A-Za-z])"
)
_COMPOUND = rf"[{_WORD}]+(?:[{_JOIN}][{_WORD}]+)*(?:\+\+|#|(?<=[A-Z\d])\*)?"
TERM = re.compile(rf"{_URL}|{_NUMBER}|{_COMPOUND}|[{_CJK}]+")
_TOKEN = re.compile(rf"{TERM.pattern}|\S")
_WHOLE_NUMBER = re.compile(_NUMBER)
_FIRST_CJK = re.compile(f"[{_CJK}]")
_FIRST_WORD = re.compile(f"[{_WORD}]")
_SPACE_IN_A_WORD = "\u1680"  # the one white space among the letters of `_WORD`
_HYPHENS = str.maketrans(dict.fromkeys("‐‑‒–", "-"))
_PARTS = re.compile(r"[^\W_]+(?:(?<=\d)\.\d+)*(?:\+\+|#)?")
_RELATION = re.compile(r"(?<![^\W_])([A-Za-zα-ω]) ?([<>=≤≥]) ?(\d+(?:\.\d+)?)")
_DIGIT = re.compile("[0-9]")
_SERIES = re.compile(r"([a-z][a-z]*-?)(\d+)((?:/\d+)+)")
GREEK = {chr(code): unicodedata.name(chr(code)).split()[-1].lower() for code in range(0x3B1, 0x3CA)} | {
    "λ": "lambda",
    "ς": "sigma",
}
"""Small letters by their English names."""
_GREEK_LETTER = re.compile("[α-ω]")


def tokenise(text: str) -> tuple[Token, ...]:
    """Every token in order, none overlapping; only white space and markup lies between them."""
    aligned = align(text)
    found: list[Token] = []
    last = 0
    for match in _TOKEN.finditer(aligned.text):
        start, end = aligned.span(*match.span())
        if start >= last:
            norm, stemmed, kind = analyse(match[0])[:3]
            found.append(Token(text[start:end], start, end, norm, stemmed, kind))
            last = end
    return tuple(found)


def terms(text: str) -> list[str]:
    """Index terms in order, repeated as often as they occur: folded stems, compounds whole and in parts, CJK pairs."""
    shown = readable(text)
    return [*_terms_of(shown), *_relations(shown)]


def spaced_terms(text: str) -> str:
    """`terms` as one string, a space between each two: as an index stores them, and four times as fast."""
    shown = readable(text)
    if _SPACE_IN_A_WORD in shown:
        return " ".join((*_terms_of(shown), *_relations(shown)))
    if len(_pieces) > _PIECES_KEPT:
        _pieces.clear()
    return " ".join(filter(None, (*map(_pieces.__getitem__, shown.split()), *_relations(shown))))


def _terms_of(shown: str) -> Iterator[str]:
    return chain.from_iterable(analyse(token).terms for token in TERM.findall(shown))


class _Pieces(dict[str, str]):
    """The terms between two white spaces, over which no token reaches: a corpus has few different such pieces."""

    def __missing__(self, piece: str) -> str:
        word = piece.strip("(),.;:")
        made = None
        if word.isascii():  # mostly letters, perhaps with hyphens: the same as below, without the token rules
            norm = word.lower()
            if word.isalpha():
                made = stem(norm)
            elif all(map(str.isalpha, parts := norm.split("-"))):
                made = " ".join(dict.fromkeys(chain.from_iterable(_spellings(norm, parts, digit=False))))
        if made is None:
            made = " ".join(_terms_of(piece))
        self[piece] = made
        return made


_pieces = _Pieces()
_PIECES_KEPT = 131_072


def content_terms(text: str) -> list[str]:
    """What to search by: those of `terms` that are no stop words, each once, in order.

    Of a compound only its parts, and the whole where it holds a digit (`eagle-3`): the other spellings are for the
    index, to be found by. Asking for all of them counts a compound three times, which cost 0.012 nDCG@10 on SciFact
    and 3 points of first hits on ICML titles (BM25).
    """
    shown = readable(text)
    asked = dict.fromkeys((*chain.from_iterable(map(_asked, TERM.findall(shown))), *_relations(shown)))
    return [term for term in asked if term not in _STOPPED]


def _relations(shown: str) -> list[str]:
    """`K > 2` as one term."""
    if not ("<" in shown or ">" in shown or "=" in shown or "≤" in shown or "≥" in shown):
        return []  # written out: this is asked of every sentence, and `in` is faster than a pattern
    return [f"{analyse(letter).norm}{sign}{number}" for letter, sign, number in _RELATION.findall(shown)]


class _Analysis(NamedTuple):
    norm: str
    stem: str
    kind: Kind
    terms: tuple[str, ...]
    asked: tuple[str, ...] = ()
    """Those of `terms` to search by; empty when all."""


@lru_cache(maxsize=65536)
def _asked(token: str) -> tuple[str, ...]:
    analysis = analyse(token)
    return analysis.asked or analysis.terms


@lru_cache(maxsize=65536)
def analyse(token: str) -> _Analysis:
    """One token by its look: folded form, stem, kind, and the index terms it stands for."""
    ascii_ = token.isascii()
    if ascii_ and token.isalpha():
        norm = token.lower()
        stemmed = stem(norm)
        return _Analysis(norm, stemmed, "word" if token[1:].islower() or len(token) == 1 else "name", (stemmed,))
    norm = fold(token)
    if not ascii_:
        norm = _GREEK_LETTER.sub(lambda letter: GREEK[letter[0]], norm.translate(_HYPHENS))
    norm = norm or token
    if token[0].isdecimal() and _WHOLE_NUMBER.fullmatch(token):
        return _number(norm.replace(",", "").replace("×", "x"))
    if not ascii_ and _FIRST_CJK.match(token):
        return _Analysis(norm, norm, "cjk", _grams(norm))
    if not _FIRST_WORD.match(token):
        return _Analysis(norm, norm, "symbol", ())
    if "://" in token:
        return _Analysis(norm, norm, "name", tuple(stem(part) for part in _PARTS.findall(norm)))
    norm = norm.removesuffix("'s").replace("'", "") or norm
    if token.endswith("*"):
        norm += "*"
    return _compound(norm, "name" if _is_name(token) else "word")


@lru_cache(maxsize=65536)
def stem_of(word: str) -> str:
    """The index stem of one folded word; of what is not one word, itself."""
    tokens = tokenise(word)
    return tokens[0].stem if len(tokens) == 1 else word


def stemmed(words: str) -> frozenset[str]:
    """A list of folded words, white space between, as index stems."""
    return frozenset(stem_of(word) for word in words.split())


def is_plural_acronym(word: str) -> bool:
    """`LLMs`, `GANs`."""
    return len(word) > 2 and word[-1] == "s" and word[-3:-1].isupper()


def _number(norm: str) -> _Analysis:
    bare = norm.rstrip("%‰x")
    return _Analysis(norm, norm, "number", (norm, bare) if bare != norm else (norm,))


def _compound(norm: str, kind: Kind) -> _Analysis:
    """Whole, run together (`k-NN` is also `knn`, `pre-training` also `pretraining`), and in parts."""
    parts = _PARTS.findall(norm)
    if len(parts) < 2:
        stemmed = stem(norm)
        return _Analysis(norm, stemmed, kind, (stemmed,))
    digit = bool(_DIGIT.search(norm)) if norm.isascii() else any(char.isdigit() for char in norm)
    series, joined, stems = _spellings(norm, parts, digit=digit)
    asked = (series if digit else joined if len(norm) < 6 else []) + stems
    return _Analysis(norm, series[0], kind, tuple(dict.fromkeys(series + joined + stems)), tuple(asked))


def _spellings(norm: str, parts: list[str], *, digit: bool) -> tuple[list[str], list[str], list[str]]:
    whole = norm if digit or len(parts[-1]) < 4 else stem(norm)
    joined = [stem("".join(parts))] if len(parts) == 2 and "-" in norm else []
    return _series(norm, whole), joined, [stem(part) for part in parts]


def _series(norm: str, whole: str) -> list[str]:
    """`cifar-10/100` is also `cifar-10` and `cifar-100`."""
    found = _SERIES.fullmatch(norm) if "/" in norm else None
    if found is None:
        return [whole]
    return [norm, found[1] + found[2], *(found[1] + number for number in found[3].split("/")[1:])]


def _grams(run: str) -> tuple[str, ...]:
    return (*run, *(run[i : i + 2] for i in range(len(run) - 1)))


def _is_name(token: str) -> bool:
    """Inner capitals, two capitals, or letters with digits or Greek: what a system or a data set is called."""
    if token.isascii():
        small = token.lower()
        if _DIGIT.search(token):
            return small != token.upper()
        return small[1:] != token[1:] or token.endswith(("++", "#", "*"))
    letters = [char for char in token if char.isalpha()]
    if any(char.isdigit() for char in token):
        return bool(letters)
    if any(char.isupper() for char in token[1:]) or token.endswith(("++", "#", "*")):
        return True
    return any("α" <= char <= "ω" for char in token) and len(letters) > 1


_STOPPED = frozenset(stem(word) for word in STOPWORDS) | STOPWORDS
