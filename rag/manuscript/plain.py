"""Plain text laid out: paragraphs, items, headings, and the list of references at its end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rag.manuscript.layout import LINE, REFERENCES, Block, Layout, Reference, Span, blank, paragraphs, trim
from rag.manuscript.marks import apart, author_years, links, mathematics, numbers
from rag.manuscript.references import listed, numbered_tail

_ITEM = re.compile(r"^[^\S\r\n]*(?:[-*•·–◦▪‣]|\(?\d{1,2}[.)]|\([a-z]\))[^\S\r\n]+(?=\S)", re.MULTILINE)
_UNDERLINE = re.compile(r"^[=\-~^*_#]{3,}[^\S\r\n]*$", re.MULTILINE)
_STOPPED = re.compile(r"[.!?:;,。！？：；，…][\"'”’)\]]*\s*$")
_MOST_WORDS = 12


def lay_out(text: str) -> Layout:
    """Plain text has no markup: all of it is prose but its headings and its references."""
    body, references = without_references(text)
    drawn = [found.span() for found in _UNDERLINE.finditer(body)]
    body = blank(body, drawn)
    items = [found.span() for found in _ITEM.finditer(body)]
    starts = {end for _, end in items}
    blocks = tuple(b for span in paragraphs(body, items) for b in headed(body, span, item=span[0] in starts))
    shown = blank(body, mathematics(body))
    marks = apart((*author_years(shown), *numbers(shown), *links(shown)))
    return Layout(blocks, marks=marks, references=references)


def without_references(text: str) -> tuple[str, tuple[Reference, ...]]:
    """The text with its list of references blanked, and the list."""
    start = _references_at(text)
    if start is None:
        start = numbered_tail(text)
    if start is None:
        return text, ()
    return blank(text, [(start, len(text))]), listed(text[start:])


def _references_at(text: str) -> int | None:
    """Where a line begins that says no more than "References"."""
    return next((f.start() for f in LINE.finditer(text) if f[0].strip() and REFERENCES.fullmatch(f[0].strip())), None)


def headed(text: str, span: Span, *, item: bool = False) -> Iterator[Block]:
    """A paragraph as blocks: a first line that reads like a heading stands apart, but in an item of a list."""
    lines = [trim(text, f.start(), f.end()) for f in LINE.finditer(text, *span) if f[0].strip()]
    if not lines:
        return
    if not item and _is_heading(text, lines):
        yield Block(*lines[0], heading=True)
        lines = lines[1:]
    if lines:
        yield Block(lines[0][0], min(span[1], lines[-1][1]))


def _is_heading(text: str, lines: Sequence[Span]) -> bool:
    first = text[slice(*lines[0])]
    if _STOPPED.search(first) or len(first.split()) > _MOST_WORDS or not first[:1].isalnum():
        return False
    if len(lines) == 1:
        return True
    following, longest = text[slice(*lines[1])], max(end - start for start, end in lines)
    return following[:1].isupper() and len(first) < 0.6 * longest and len(first.split()) <= 8
