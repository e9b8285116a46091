"""What a reader of LaTeX, markdown or plain text hands on: where prose stands, what in it is none, what is cited."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Span = tuple[int, int]
Style = Literal["key", "number", "name", "link"]


@dataclass(frozen=True, slots=True)
class Key:
    """One work cited: a bibliography key, a number, an author with a year, or a link or identifier."""

    text: str
    style: Style


@dataclass(frozen=True, slots=True)
class Mark:
    r"""A citation, `text[start:end]`. A textual one is a part of its sentence (`\citet`, "Wu (2026) show")."""

    start: int
    end: int
    keys: tuple[Key, ...]
    textual: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, an item or a heading: no sentence goes over its ends."""

    start: int
    end: int
    heading: bool = False


@dataclass(frozen=True, slots=True)
class Reference:
    """An entry of a list of references, as its file holds it; the fields of a .bib where it is one."""

    key: str
    text: str
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """`hidden` are the spans inside blocks that are no prose (comments, labels, targets of links), in order; `solid`
    those that no sentence ends in (code)."""

    blocks: tuple[Block, ...]
    hidden: tuple[Span, ...] = ()
    marks: tuple[Mark, ...] = ()
    references: tuple[Reference, ...] = ()
    bibliographies: tuple[str, ...] = ()
    """The .bib files that the text names."""
    solid: tuple[Span, ...] = ()
    spoken: tuple[tuple[int, int, str], ...] = ()
    """Spans that stand for other words, in order: a macro for a name."""


LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
REFERENCES = re.compile(
    r"\W*(?:\d+\.?\s+)?"
    r"(?:references?|bibliography|works cited|literature(?: cited)?|sources|quellen|literatur|参考文献)\W*",
    re.IGNORECASE,
)
"""The heading of a list of references."""


def blank(text: str, spans: Iterable[Span], filler: str = " ") -> str:
    """The text with each span overwritten, same length. Spans may overlap."""
    parts: list[str] = []
    last = 0
    for start, end in sorted(spans):
        start = max(start, last)
        if end > start:
            parts += (text[last:start], filler * (end - start))
            last = end
    return "".join((*parts, text[last:]))


def covered(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The same spans in order, those that meet joined."""
    joined: list[Span] = []
    for start, end in sorted(span for span in spans if span[1] > span[0]):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


def paragraphs(text: str, breaks: Iterable[Span] = ()) -> list[Span]:
    """What lies between empty lines and `breaks`, white space trimmed."""
    cuts = [(found.start(), found.end()) for found in EMPTY.finditer(text)]
    found: list[Span] = []
    last = 0
    for start, end in [*covered([*cuts, *breaks]), (len(text), len(text))]:
        trimmed = trim(text, last, start)
        if trimmed[0] < trimmed[1]:
            found.append(trimmed)
        last = end
    return found


_END = r"(?:\r\n|\n|\r(?!\n))"
EMPTY = re.compile(rf"{_END}[^\S\r\n]*(?:{_END}[^\S\r\n]*)+")


def trim(text: str, start: int, end: int) -> Span:
    """The span without white space (or a byte order mark) at its ends."""
    while start < end and (text[start].isspace() or text[start] == "\ufeff"):
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
