"""The one formatter behind every surface: lines of spans. A pipe gets their text, a terminal their styles too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from rag.text.normalise import visible

Style = Literal["text", "claim", "number", "title", "meta", "quote", "match", "note", "heading", "warning"]


@dataclass(frozen=True, slots=True)
class Span:
    """A run of text in one style. `text` may come from a document: it is data, never markup."""

    text: str
    style: Style = "text"
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A paragraph: spans, and how far it (and what it wraps to) is indented, in columns.

    The first `hang` spans are a label ("[1] "): what the paragraph wraps to begins where the text behind it began.
    """

    spans: tuple[Span, ...] = ()
    indent: int = 0
    hang: int = 0


def line(*spans: Span | str, indent: int = 0, hang: int = 0) -> Line:
    return Line(tuple(Span(span) if isinstance(span, str) else span for span in spans), indent, hang)


def counted(count: int, noun: str) -> str:
    """`1 paper`, `2 papers`."""
    return f"{count} {noun}{'s' if count != 1 else ''}"


def to_text(lines: Iterable[Line]) -> str:
    """The plain form: one line a paragraph, no padding, no wrapping, control characters shown."""
    return "".join(
        f"{' ' * each.indent}{one_line(''.join(s.text for s in each.spans))}\n".lstrip("\r") for each in lines
    )


def one_line(text: str) -> str:
    """Control characters shown, line breaks folded: a title cannot pose as a line of ours."""
    return visible(" ".join(text.split("\n"))).replace("\r", " ").replace("\t", " ").rstrip()
