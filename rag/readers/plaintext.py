r"""Abstracts as plain text: separated by blank lines, with or without titles, under an optional header line.

    ICML 2026 论文列表                 venue and year of what follows

    We introduce *FlowOptimizer*...    an abstract, in one line or wrapped

    A Title                            a title line, then its abstract
    We show that...

Titles may also stand between blank lines of their own, if all do, or as markdown headings; and fields may be labelled
(`Title: ...`, `Abstract: ...`). An abstract is kept as it stands, its inner line ends included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import BinaryIO

from rag.readers.headers import header_of
from rag.readers.record import MAX_ABSTRACT, MAX_LINE, Flaw, Record
from rag.readers.streams import Line, lines

MAX_TITLE_LINE = 300
_LOOK_AHEAD = 40
"""Blocks by which it is told whether titles stand apart."""

_BLANK = " \t\x0b\x0c\r\xa0\u200b\u200c\u200d\u2060\ufeff\u3000"
_RULE = re.compile(r"\s*([-*_=~#])(?:\s*\1){2,}\s*")
_LABEL = re.compile(
    r"[*_#>\s-]*(?P<name>title|authors?|year|date|venue|conference|journal|url|link|doi|abstract|summary|标题|题目|作者|摘要|年份)"
    r"[*_]*\s*[:：][*_]*\s*(?P<value>.*)",
    re.IGNORECASE | re.DOTALL,
)
_LABEL_NAMES = {
    "标题": "title",
    "题目": "title",
    "作者": "authors",
    "摘要": "abstract",
    "年份": "year",
    "summary": "abstract",
}
_SENTENCE_END = re.compile(r"[.。．;；,，:：][\"'”’)\]*_]*$")
_ABSTRACT_START = re.compile(r"(?:we|this (?:paper|work|study|article)|in this|our)\b", re.IGNORECASE)
_HEADING = re.compile(r"\s*#{1,6}\s+\S")
_SECTION = re.compile(
    r"(?:orals?|posters?|spotlights?|session|track|day|part|area|topic|contents?)\b(?:\W+\w+){0,3}\W*", re.IGNORECASE
)
_TITLE_MARK = re.compile(r"^\s*(?:#{1,6}\s+|[-*+]\s+|\[?\d{1,4}[.)\]]\s+)")


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that stand together, and the number of the first."""

    line: int
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip(_BLANK + "\n")


def records(stream: BinaryIO) -> Iterator[Record | Flaw]:
    """Records with `abstract`, and `title`, `venue`, `year`... where the file says them."""
    blocks = _blocks(lines(stream))
    first = list(islice(blocks, _LOOK_AHEAD))
    assembly = _Assembly(_titles_stand_apart([block for block in first if isinstance(block, Block)]))
    for block in chain(first, blocks):
        if isinstance(block, Flaw):
            yield block
        else:
            yield from assembly.take(block)
    yield from assembly.end()


class _Assembly:
    """Puts records together out of blocks. What waits for its abstract is a title, or labelled fields."""

    def __init__(self, titles_apart: bool) -> None:
        self._titles_apart = titles_apart
        self._around: Mapping[str, object] = {}
        self._waiting: dict[str, object] = {}
        self._since = 0

    def take(self, block: Block) -> Iterator[Record]:
        said, rest = _without_header(block)
        self._around = said or self._around
        if rest is None:
            return
        labels = _labels(rest)
        if self._waiting and "title" in labels:
            yield from self.end()
        if labels:
            self._wait(rest.line, {**self._waiting, **labels})
            if "abstract" in labels:
                yield from self.end()
        elif not self._waiting and self._is_title(rest):
            self._wait(rest.line, {"title": unmarked(rest.text)})
        elif self._waiting:
            self._waiting.setdefault("abstract", rest.text)
            yield from self.end()
        elif not _is_section(rest):
            yield Record({**self._around, **_titled(rest)}, rest.line)

    def end(self) -> Iterator[Record]:
        """What waits, as it is: a title that no abstract followed was a short abstract, unless it was labelled."""
        if self._waiting:
            fields = self._waiting
            if set(fields) == {"title"} and self._titles_apart:
                fields = {"abstract": fields["title"]}
            yield Record({**self._around, **fields}, self._since)
        self._waiting, self._since = {}, 0

    def _wait(self, line: int, fields: dict[str, object]) -> None:
        self._waiting, self._since = fields, self._since or line

    def _is_title(self, block: Block) -> bool:
        if len(block.lines) != 1 or _is_section(block):
            return False
        return (self._titles_apart and _like_title(block)) or bool(_HEADING.match(block.lines[0]))


def _blocks(numbered: Iterator[Line]) -> Iterator[Block | Flaw]:
    held: list[str] = []
    start = size = 0
    for line in chain(numbered, [Line(0, "")]):
        if line.too_long:
            reason = f"the line is longer than {MAX_LINE // 2**20} MB: give abstracts separated by blank lines"
            yield Flaw(reason, line.number)
        if line.text.strip(_BLANK) and not _RULE.fullmatch(line.text):
            start = start or line.number
            size += len(line.text) + 1
            if size <= 2 * MAX_ABSTRACT:
                held.append(line.text)
        elif start:
            if size > MAX_ABSTRACT + MAX_TITLE_LINE:
                reason = f"{size:,} characters without a blank line (limit {MAX_ABSTRACT:,})"
                yield Flaw(f"{reason}: set abstracts apart by blank lines", start)
            else:
                yield Block(start, tuple(held))
            held, start, size = [], 0, 0


def _without_header(block: Block) -> tuple[Mapping[str, object] | None, Block | None]:
    """Venue and year when the block is, or begins with, a header line; and what is left of the block."""
    said = header_of(block.lines[0])
    if said is None:
        return None, block
    rest = block.lines[1:]
    return said, Block(block.line + 1, rest) if rest else None


def _labels(block: Block) -> dict[str, object]:
    """Fields of a labelled block: each runs to the next label, the abstract to the end of the block."""
    found: dict[str, list[str]] = {}
    name = ""
    for text in block.lines:
        match = _LABEL.fullmatch(text) if name != "abstract" else None
        if match:
            name = _LABEL_NAMES.get(match["name"].lower(), match["name"].lower())
            found[name] = [match["value"]]
        elif not name:
            return {}
        else:
            found[name].append(text)
    if not {"title", "abstract"} & set(found):
        return {}
    joined = {label: "\n".join(values).strip(_BLANK + "\n") for label, values in found.items()}
    return {label: text for label, text in joined.items() if text}


def _titled(block: Block) -> dict[str, object]:
    if not _first_line_is_title(block):
        return {"abstract": block.text}
    abstract = "\n".join(block.lines[1:]).strip(_BLANK + "\n")
    return {"title": unmarked(block.lines[0]), "abstract": abstract}


def unmarked(title: str) -> str:
    """A title without markdown's heading marks, list number and emphasis around it."""
    title = _TITLE_MARK.sub("", title.strip(_BLANK))
    match = re.fullmatch(r"(\*\*|__|\*|_)(.+)\1", title)
    return (match[2] if match else title).strip(_BLANK)


def _is_section(block: Block) -> bool:
    """`## Oral session 3` is a heading over a part of the list, not a paper's."""
    text = block.lines[0]
    return len(block.lines) == 1 and bool(_HEADING.match(text)) and bool(_SECTION.fullmatch(unmarked(text)))


def _like_title(block: Block) -> bool:
    text = block.text
    if len(block.lines) > 1 or not 3 <= len(text) <= MAX_TITLE_LINE:
        return False
    return not _SENTENCE_END.search(text) and not _ABSTRACT_START.match(text)


def _titles_stand_apart(blocks: list[Block]) -> bool:
    """Whether blocks alternate between titles and abstracts, all of them. At least one pair is needed."""
    rest = [left for block in blocks if (left := _without_header(block)[1]) is not None]
    whole = len(blocks) < _LOOK_AHEAD
    if len(rest) < 2 or (whole and len(rest) % 2) or any(map(_labels, rest)):
        return False
    return all(
        _like_title(title) and not _like_title(abstract) and len(abstract.text) > 1.5 * len(title.text)
        for title, abstract in zip(rest[::2], rest[1::2], strict=False)
    )


def _first_line_is_title(block: Block) -> bool:
    """A line that ends no sentence, stands before a longer text, and was not wrapped.

    Wrapping breaks a line where the next word no longer fits; a title ends sooner than that.
    """
    first, rest = block.lines[0].strip(_BLANK), block.lines[1:]
    if not rest or len(first) > MAX_TITLE_LINE or _SENTENCE_END.search(first) or sum(map(len, rest)) <= len(first):
        return False
    if _HEADING.match(first) or re.fullmatch(r"\*\*.+\*\*|__.+__", first):
        return True
    next_word = next(iter(rest[0].split()), "")
    return len(first) + 1 + len(next_word) <= max(map(len, block.lines)) and not next_word[:1].islower()
