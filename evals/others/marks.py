"""Citation marks in answers of others: `[1, 2]`, `[1][2]`, `[1-3]`, `【1】`, `[^1]`, `[Source 2]`, `[smith2020]`.

Apart from the reader of our own models' replies, which knows only opaque keys: here a bare number is a key, and "2.5"
in the text never is one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from rag.text.sentences import split

_MARK = re.compile(r"[ \t]*[\[【〔［(（]\s*([^\[\]【】〔〕［］()（）\n]{1,120}?)\s*[\]】〕］)）](?!\()")
_LABEL = re.compile(r"^(?:\^|#|(?:source|sources|ref|refs|doc|document|passage|citation)s?\.?\s*:?\s*#?)\s*", re.I)
_PART = re.compile(r"\s*(?:,|;|&|\band\b)\s*", re.IGNORECASE)
_RANGE = re.compile(r"(\d{1,3})\s*[-–]\s*(\d{1,3})")
_AFTER_STOP = re.compile(r"([.!?。！？]+[\"”’)]*)((?:[ \t]*\x00\d+\x00)+)")
_PLACE = re.compile("\x00(\\d+)\x00")
_WIDEST_RANGE = 20


@dataclass(frozen=True, slots=True)
class Written:
    """A sentence without its marks, and the keys it names, each once."""

    text: str
    keys: tuple[str, ...]


def read(answer: str, known: Collection[str], passages: str) -> tuple[Written, ...]:
    """The sentences of an answer. A bracket that the passages hold themselves, and that is no given id, stays."""
    marks: list[tuple[str, ...]] = []

    def take(found: re.Match[str]) -> str:
        keys = _keys(found[1], known)
        round_bracket = found[0].strip()[0] in "(（"
        if not keys or (round_bracket and not _is_label(found[1], known)):
            return found[0]
        if found[0].strip() in passages and not any(key in known for key in keys):
            return found[0]
        marks.append(keys)
        return f"\x00{len(marks) - 1}\x00"

    text = _MARK.sub(take, answer.replace("\x00", " "))
    text = _AFTER_STOP.sub(lambda found: found[2] + found[1], text)  # a mark after the full stop is of that sentence
    return tuple(_sentences(text, marks))


def _sentences(text: str, marks: list[tuple[str, ...]]) -> Iterator[Written]:
    for start, end in split(text):
        sentence = text[start:end]
        keys = tuple(dict.fromkeys(key for found in _PLACE.finditer(sentence) for key in marks[int(found[1])]))
        bare = " ".join(_PLACE.sub("", sentence).split())
        if any(char.isalnum() for char in bare):
            yield Written(re.sub(r"^(?:[-*•]|\d{1,2}[.)])\s+", "", bare), keys)


def _keys(inside: str, known: Collection[str]) -> tuple[str, ...]:
    """The keys in a bracket, or () where it is no mark."""
    if inside in known:
        return (inside,)
    keys: list[str] = []
    for part in _PART.split(inside):
        word = _LABEL.sub("", part.strip())
        span = _RANGE.fullmatch(word)
        if word in known or (word.isdigit() and len(word) <= 3):
            keys.append(word)
        elif span and int(span[1]) <= int(span[2]) <= int(span[1]) + _WIDEST_RANGE:
            keys.extend(str(number) for number in range(int(span[1]), int(span[2]) + 1))
        else:
            return ()
    return tuple(keys)


def _is_label(inside: str, known: Collection[str]) -> bool:
    """`(Source 2)` and `(smith2020)` are marks; `(2)` may be part of a list."""
    return bool(_LABEL.match(inside)) or (inside in known and not inside.isdigit())
