"""LaTeX, markdown and the tags of web pages, as abstracts really hold them, turned into Unicode piece by piece.

Every piece knows which characters of the source it stands for. One pass with an explicit stack: no recursion, no
exception, linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from rag.text import symbols
from rag.text.emphasis import emphasis
from rag.text.markup import INVISIBLE
from rag.text.mathematics import math_spans
from rag.text.tags import TAG, Tag, tag_of


class Piece(NamedTuple):
    """`text` stands for `source[start:end]`; when the lengths agree, character for character."""

    text: str
    start: int
    end: int


_UNSEEN = re.compile(f"[{INVISIBLE}]")
# Plain text comes first, and what begins with a sign that nothing else begins with last: the order is for speed.
_TOKEN = re.compile(
    rf"(?:[^\\{{}}$^_~*`'<{INVISIBLE}-]+|-(?!-)|'(?!'))+|\\[A-Za-z]+\*?|\\[\s\S]?|-{{2,}}|''|``"
    rf"|[{{}}$^_~*`]|[{INVISIBLE}]+|{TAG}|<"
)
_SIGNS = frozenset("\\{}$^_~*`'<-")
"""A token that begins with another character is plain text, or cannot be seen."""
_SCRIPTS = {"sup": symbols.superscript, "sub": symbols.subscript}
_DEEPEST = 40
"""Braces and waiting commands nested deeper than this are no abstract's; reading them all would take quadratic time."""

Shape = Callable[[str], "str | Shape"]
"""What a command does with its next argument: the text it makes, or what it does with the one after."""


@dataclass(slots=True)
class _Group:
    start: int
    literal: bool = False
    tag: str = ""
    pieces: list[Piece] = field(default_factory=list)
    waiting: list[tuple[Shape, int]] = field(default_factory=list)


def pieces(text: str) -> list[Piece]:
    """What is read, in order; white space is kept as it came."""
    return _Converter(text).run()


class _Converter:
    """A stack of open groups; each collects pieces and the commands that wait for an argument."""

    def __init__(self, text: str) -> None:
        self.text = text
        spans = math_spans(text)
        self.math = spans
        self.next_math = 0
        self.marks = emphasis(text, spans)
        self.has_latex = "\\" in text or bool(spans)
        self.stack = [_Group(0)]

    def run(self) -> list[Piece]:
        skip_to = 0
        for token in _TOKEN.finditer(self.text):
            if token.start() < skip_to:
                continue
            skip_to = self._read(token[0], token.start(), token.end())
        while len(self.stack) > 1:
            self._close(len(self.text), whole=False)
        self._flush()
        return self.stack[0].pieces

    def _read(self, token: str, start: int, end: int) -> int:
        """Take one token; gives the position to go on from."""
        first = token[0]
        if first not in _SIGNS:
            if first.isascii() or not _UNSEEN.match(first):
                self._literal(token, start)
            return end
        if first == "\\":
            return self._command(token, start, end)
        if first == "{":
            self._open(start)
        elif first == "}":
            self._brace(start)
        elif first == "$":
            if not self._in_math(start) or not self._at_delimiter(start):
                self._emit(token, start, end)
        elif first in "*_`" and start in self.marks:
            return start + self.marks[start]
        elif first in "^_":
            self._script(first, start, end)
        elif first == "<" and (tag := tag_of(token)) is not None:
            self._tag(tag, start, end)
        elif first in "~`" or token in ("''", "``") or token.startswith("--"):
            self._emit(self._punctuation(token, start, end), start, end)
        else:
            self._literal(token, start)
        return end

    def _tag(self, tag: Tag, start: int, end: int) -> None:
        """`10<sup>3</sup>` is raised as `10^3` is; a paragraph parts words, all else is only taken out."""
        if tag.name in _SCRIPTS and tag.closes:
            if self.stack[-1].tag == tag.name:
                self._close(end, whole=True)
        elif tag.name in _SCRIPTS and len(self.stack) <= _DEEPEST:
            self.stack[-1].waiting.append((_SCRIPTS[tag.name], start))
            self.stack.append(_Group(start, tag=tag.name))
        elif tag.parts:
            self._emit(" ", start, end)

    def _in_math(self, at: int) -> bool:
        while self.next_math < len(self.math) and self.math[self.next_math][1] <= at:
            self.next_math += 1
        return self.next_math < len(self.math) and self.math[self.next_math][0] <= at

    def _at_delimiter(self, at: int) -> bool:
        start, end = self.math[self.next_math]
        return at < start + 2 or at >= end - 2

    def _literal(self, token: str, start: int) -> None:
        """Ordinary characters. A waiting command takes the first that is no white space, the next the one after."""
        group = self.stack[-1]
        if not group.waiting:
            group.pieces.append(Piece(token, start, start + len(token)))
            return
        while token and self.stack[-1].waiting:
            start, token = start + len(token) - len(token.lstrip()), token.lstrip()
            if token:
                self._emit(token[0], start, start + 1)
                start, token = start + 1, token[1:]
        if token:
            self._emit(token, start, start + len(token))

    def _emit(self, text: str, start: int, end: int) -> None:
        """Hand text to the innermost waiting command, or to the group."""
        group = self.stack[-1]
        while group.waiting:
            shape, begun = group.waiting.pop()
            shaped = shape(text)
            start = begun
            if not isinstance(shaped, str):
                group.waiting.append((shaped, begun))
                return
            text = shaped
        if text:
            group.pieces.append(Piece(text, start, end))

    def _open(self, start: int) -> None:
        group = self.stack[-1]
        if len(self.stack) > _DEEPEST:
            return
        bare = not group.waiting and not self._in_math(start) and self.text[start + 1 : start + 2] != "\\"
        literal = bare and (not self.has_latex or self.text[start - 1 : start].isspace() or start == 0)
        if literal:
            self._emit("{", start, start + 1)
        self.stack.append(_Group(start, literal))

    def _brace(self, start: int) -> None:
        if len(self.stack) > 1:
            self._close(start + 1, whole=True)
        else:
            self._emit("}", start, start + 1)

    def _close(self, end: int, *, whole: bool) -> None:
        self._flush()
        group = self.stack.pop()
        outer = self.stack[-1]
        if outer.waiting:
            self._emit("".join(piece.text for piece in group.pieces), group.start, end)
            return
        outer.pieces.extend(group.pieces)
        if group.literal and whole:
            outer.pieces.append(Piece("}", end - 1, end))

    def _flush(self) -> None:
        """A command at the end of its group gets an empty argument."""
        waiting = self.stack[-1].waiting
        while waiting:
            begun = waiting[-1][1]
            self._emit("", begun, begun + 1)

    def _script(self, mark: str, start: int, end: int) -> None:
        following = self.text[end : end + 1]
        raised = mark == "^" and (following == "{" or following.isdigit())
        takes = self._in_math(start) or raised or (mark == "_" and following == "{" and self.has_latex)
        if takes and len(self.stack[-1].waiting) < _DEEPEST:
            self.stack[-1].waiting.append((symbols.superscript if mark == "^" else symbols.subscript, start))
        else:
            self._emit(mark, start, end)

    def _punctuation(self, token: str, start: int, end: int) -> str:
        before, after = self.text[start - 1 : start], self.text[end : end + 1]
        if token[0] == "-" and len(token) > 1:
            if len(token) > 3 or (after.isalnum() and not before.isalnum()):
                return token
            return "–" if len(token) == 2 else "—"
        if token == "~" and before and after and not before.isspace() and not after.isspace():
            return token if before.isdigit() and after.isdigit() else " "
        return {"``": "“", "''": "”"}.get(token, token)

    def _command(self, token: str, start: int, end: int) -> int:
        name = token[1:].rstrip("*")
        if _UNSEEN.match(name):
            return end
        if not name[:1].isalpha():
            return self._escape(token, start, end)
        shape = symbols.SHAPES.get(name)
        if shape is not None:
            if len(self.stack[-1].waiting) < _DEEPEST:
                self.stack[-1].waiting.append((shape, start))
            if name in symbols.REFERENCES:
                self._unspace()
            return end
        if name in symbols.TRANSPARENT:
            return end
        known = symbols.CHARACTERS.get(name)
        if known is not None:
            apart = len(known) > 1 and known.isalpha() and self.text[start - 1 : start].isalnum()
            self._emit(f" {known}" if apart else known, start, end)
            return end
        return self._unknown(name, start, end)

    def _unknown(self, name: str, start: int, end: int) -> int:
        r"""A macro of the authors' own (`\ours`) keeps its name; `\emphword` lost its braces on the way."""
        broken = symbols.BROKEN.match(name)
        if broken:
            command, rest = broken[1], broken[2]
            shape = symbols.SHAPES.get(command)
            self._emit(_force(shape, rest) if shape else rest, start, end)
        else:
            self._emit(name, start, end)
        return end

    def _escape(self, token: str, start: int, end: int) -> int:
        char = token[1:2]
        if char == "," and self.text[start - 1 : start].isdigit() and self.text[end : end + 1].isdigit():
            self._emit(",", start, end)
            return end
        accent = symbols.ACCENTS.get(char)
        if accent is not None and self.text[end : end + 1].strip() and len(self.stack[-1].waiting) < _DEEPEST:
            self.stack[-1].waiting.append((accent, start))
        elif char and char in "()[]":
            if not self._in_math(start):
                self._emit(char, start, end)
        else:
            self._emit(symbols.ESCAPES.get(char, char or "\\"), start, end)
        return end

    def _unspace(self) -> None:
        pieces = self.stack[-1].pieces
        if pieces and pieces[-1].text.isspace():
            pieces.pop()
        elif pieces and pieces[-1].text[-1:].isspace():
            text, start, end = pieces.pop()
            kept = text.rstrip()
            pieces.append(Piece(kept, start, end - len(text) + len(kept)))


@lru_cache(maxsize=4096)
def _force(shape: Shape, text: str) -> str:
    shaped = shape(text)
    while not isinstance(shaped, str):
        shaped = shaped("")
    return shaped
