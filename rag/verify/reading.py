"""A sentence as the checker reads it: words with their clause, what is denied, which are names, what numbers say.

There is no parser here. A clause ends at punctuation or at a conjunction that turns (`but`, `while`, `because`); a
negator denies what follows it in its clause (NegEx, Chapman et al. 2001, with an open-ended list of negators).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from rag.text.names import names
from rag.text.normalise import fold
from rag.text.quantities import Quantity, quantities
from rag.text.tokens import STOPWORDS, stem_of, tokenise
from rag.verify import lexicon

PLAIN, DOUBTED, DENIED = 0, 1, 2
_SCOPE = 8
_PART = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*", re.UNICODE)
_HYPHENS = frozenset("-‐‑")
_LABELS = frozenset("ABCDEFGHJKLMNOPQRSTUVWXYZ")
"""After a word of meaning they tell things apart: `gene A`, `vitamin C`."""
_CLAUSE_MARKS = frozenset(",;:.!?()[]—–")


@dataclass(frozen=True, slots=True)
class Word:
    """One word or part of a hyphenated one. `clause` counts clauses; `denial` is PLAIN, DOUBTED or DENIED."""

    text: str
    norm: str
    stem: str
    start: int
    end: int
    clause: int
    content: bool
    name: bool
    number: bool
    denial: int = PLAIN


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as the checks see it; words by position, everything else by character."""

    text: str
    words: tuple[Word, ...]
    quantities: tuple[Quantity, ...]
    names: tuple[tuple[str, int, int], ...]
    """Names as folded text with offsets."""
    negators: tuple[int, ...]
    """Positions of hard negators in `words`."""
    deniers: tuple[int, ...]
    """Positions of all that denies or doubts."""

    @property
    def content(self) -> tuple[int, ...]:
        """Positions of the words that carry the meaning, in order."""
        return tuple(place for place, word in enumerate(self.words) if word.content)


@dataclass(frozen=True, slots=True)
class _Raw:
    text: str
    start: int
    kind: str


@lru_cache(maxsize=8192)
def read(text: str) -> Reading:
    """Reads one sentence. Pure; cached, since evidence is read again for every claim on it."""
    named = tuple((name.norm, name.start, name.end) for name in names(text))
    counted = tuple(q for q in quantities(text) if _counts(text, q) and not _inside(q, named))
    words = _words(text, named, counted)
    denials, negators, deniers = _denials(text, words)
    marked = tuple(
        word if denial == PLAIN else _with_denial(word, denial) for word, denial in zip(words, denials, strict=True)
    )
    return Reading(text, marked, counted, named, negators, deniers)


def _counts(text: str, quantity: Quantity) -> bool:
    """Whether it is an amount: `zero-shot`, `one of` and formulas are not."""
    if quantity.unit == "expr":
        return False
    if quantity.text.casefold().startswith("one") and quantity.low == quantity.high == 1.0:
        return False
    word = quantity.text.casefold().strip()
    return not (word in ("zero", "one", "once") or (word == "1" and text[quantity.end : quantity.end + 1] == "-"))


def _inside(quantity: Quantity, named: tuple[tuple[str, int, int], ...]) -> bool:
    return any(start <= quantity.start and quantity.end <= end for _, start, end in named)


def _with_denial(word: Word, denial: int) -> Word:
    return Word(
        word.text,
        word.norm,
        word.stem,
        word.start,
        word.end,
        word.clause,
        word.content,
        word.name,
        word.number,
        denial,
    )


def _words(text: str, named: tuple[tuple[str, int, int], ...], counted: tuple[Quantity, ...]) -> list[Word]:
    words: list[Word] = []
    clause, label = 0, False
    for raw in _parts(text):
        norm = fold(raw.text)
        label = label and raw.text in _LABELS
        if raw.kind == "mark":
            clause += 1 if raw.text in _CLAUSE_MARKS else 0
            label = False
            continue
        if norm in lexicon.BOUNDARIES and words and words[-1].clause == clause:
            clause += 1
        end = raw.start + len(raw.text)
        name = any(start <= raw.start and end <= stop for _, start, stop in named)
        number = raw.text[0].isdigit() or any(q.start <= raw.start and end <= q.end for q in counted)
        stem = stem_of(norm)
        prefix = text[end : end + 1] in _HYPHENS and norm in lexicon.PREFIXES
        content = label or (not number and (prefix or _is_content(norm, stem, name)))
        label = content and not label
        words.append(Word(raw.text, norm, stem, raw.start, end, clause, content, name, number))
    return words


def _is_content(norm: str, stem: str, name: bool) -> bool:
    if name or (stem in lexicon.poles() and norm not in lexicon.PREFIXES):
        return norm not in lexicon.NEGATORS
    if norm in lexicon.NEGATORS:
        return False
    return (norm not in STOPWORDS or norm in lexicon.TELLING) and (len(norm) > 1 or not norm.isascii())


def _parts(text: str) -> list[_Raw]:
    """Tokens with hyphenated words in their parts, marks kept as clause boundaries."""
    parts: list[_Raw] = []
    for token in tokenise(text):
        if token.kind == "symbol":
            parts.append(_Raw(token.text, token.start, "mark"))
            continue
        if token.kind == "name":
            parts.append(_Raw(token.text, token.start, token.kind))
            continue
        found = [_Raw(m.group(), token.start + m.start(), token.kind) for m in _PART.finditer(token.text)]
        parts.extend(found or [_Raw(token.text, token.start, "mark")])
    return parts


def _denials(text: str, words: list[Word]) -> tuple[list[int], tuple[int, ...], tuple[int, ...]]:
    """Per word how far it is denied, where the hard negators stand, and where all that denies does."""
    denials = [PLAIN] * len(words)
    negators: list[int] = []
    softer: list[int] = []
    for place, word in enumerate(words):
        after = words[place + 1].norm if place + 1 < len(words) else ""
        before = words[place - 1].norm if place else ""
        if word.norm in lexicon.NEGATORS and word.text != "NO" and not _only(word.norm, after):
            negators.append(place)
            _deny(words, denials, place, DENIED)
        elif word.norm == "free" and text[word.start - 1 : word.start] in ("-", "‐", "‑"):
            denials[place - 1] = DENIED
            softer.append(place)
        elif word.norm == "non" and after:
            denials[place + 1] = DENIED
            softer.append(place)
        elif word.norm in lexicon.SOFT_NEGATORS and not _positive(word.norm, before, after):
            softer.append(place)
            _deny(words, denials, place, DOUBTED)
        elif word.norm in lexicon.KEEPING and _from_doing(words, place):
            softer.append(place)
    return denials, tuple(negators), tuple(sorted((*negators, *softer)))


def _only(negator: str, after: str) -> bool:
    """`not only`, `nothing but`, `no more than`, `no other`: no denial."""
    if after in ("only", "just", "merely"):
        return True
    others = ("but", "more", "other", "beyond", "except", "less", "fewer")
    return negator in ("nothing", "no") and after in others


def _positive(word: str, before: str, after: str) -> bool:
    """`a little`; `free access` (`free of`, `free from` and `-free` take something away)."""
    return (word == "little" and before == "a") or (word == "free" and after not in ("of", "from"))


def _from_doing(words: list[Word], place: int) -> bool:
    """`keeps X from binding`."""
    after = [word.norm for word in words[place + 1 : place + 1 + _SCOPE] if word.clause == words[place].clause]
    return any(norm == "from" and doing.endswith("ing") for norm, doing in pairwise(after))


def _deny(words: list[Word], denials: list[int], place: int, denial: int) -> None:
    for reached in range(place + 1, min(place + 1 + _SCOPE, len(words))):
        if words[reached].clause != words[place].clause:
            return
        denials[reached] = max(denials[reached], denial)
