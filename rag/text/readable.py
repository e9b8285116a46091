"""The readable text of an abstract, with a way back: what is found in it is given as exact offsets of the source."""

from __future__ import annotations

import re
from typing import NamedTuple

from rag.text.latex import pieces
from rag.text.markup import has_markup


class Aligned(NamedTuple):
    """Readable text; character `i` of it came from `source[starts[i]:ends[i]]`."""

    source: str
    text: str
    starts: list[int] | None
    ends: list[int] | None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Source offsets of `text[start:end]` (not empty), with the braces and dollar signs that belong to it."""
        if self.starts is None or self.ends is None:
            return start, end
        first, last = self.starts[start], self.ends[end - 1]
        return _balanced(self.source, first, last)


def align(text: str) -> Aligned:
    """The readable text with a way back to the source. White space is kept as it came."""
    if not has_markup(text):
        return Aligned(text, text, None, None)
    starts: list[int] = []
    ends: list[int] = []
    read = pieces(text)
    for piece, start, end in read:
        if len(piece) == end - start:
            starts.extend(range(start, end))
            ends.extend(range(start + 1, end + 1))
        else:
            starts.extend([start] * len(piece))
            ends.extend([end] * len(piece))
    return Aligned(text, "".join(piece for piece, _, _ in read), starts, ends)


def readable(text: str) -> str:
    """The text of `align`, without the offsets."""
    if not has_markup(text):
        return text
    return "".join(piece for piece, _, _ in pieces(text))


_OPENING = re.compile(r"(?:\\[A-Za-z]{1,20}\s?)?\{[^{}]{0,20}$")


def _balanced(source: str, first: int, last: int) -> tuple[int, int]:
    """Widened over the brace and the dollar sign of which the span holds only the other half."""
    inside = source[first:last]
    excess = inside.count("}") - inside.count("{")
    while excess > 0 and (opening := _OPENING.search(source, max(0, first - 44), first)):
        first, excess = opening.start(), excess - 1
    while excess < 0 and source[last : last + 1] == "}":
        last, excess = last + 1, excess + 1
    if source.count("$", first, last) % 2:
        if source[last : last + 1] == "$":
            last += 1
        elif source[first - 1 : first] == "$":
            first -= 1
    return first, last
