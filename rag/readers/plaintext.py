r"""Abstracts as plain text: separated by blank lines, with or without titles, under an optional header line.

    ICML 2026 论文列表                 venue and year of what follows

    We introduce *FlowOptimizer*...    an abstract, in one line or wrapped

    A Title                            a title line, then its abstract
    We show that...

Titles may also stand between blank lines of their own, if all do; or be labelled (`Title: ...`, `Abstract: ...`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import BinaryIO

from rag.readers.record import MAX_ABSTRACT, MAX_LINE, Flaw, Record
from rag.readers.streams import Line, lines

MAX_TITLE_LINE = 300
_LOOK_AHEAD = 40

_BLANK = " \t\x0b\x0c\r\xa0\u200b\u200c\u200d\u2060\ufeff\u3000"
_LIST_WORDS = (
    r"论文列表|论文集|论文|列表|清单|摘要集?|录用|会议|年|一覧|論文|(?:accepted|oral|poster|spotlight|conference|workshop|"
    r"main|track|full|list|of|the|proceedings|papers?|abstracts?|titles|and|from|at|in|for|collection)\b"
)
_HEADER = re.compile(
    rf"\s*[#*=\s]*(?:(?:{_LIST_WORDS})[\s:,·—–-]*)*(?P<venue>[^\W\d_][\w&/.+' -]{{0,50}}?)?[\s,'’-]*"
    rf"(?P<year>(?:19|20)\d\d)(?!\d)[\s:,·—–-]*(?:(?:{_LIST_WORDS})[\s:,·—–-]*)*(?:[(（]\s*\d+[^()（）]{{0,20}}[)）])?[\s*=#:：]*",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"[*_#>\s-]*(?P<name>title|authors?|year|date|venue|conference|journal|url|link|doi|abstract|summary|标题|题目|作者|摘要|年份)"
    r"[*_]*\s*[:：][*_]*\s*(?P<value>.*)",
    re.IGNORECASE | re.DOTALL,
)
_CHINESE = {"标题": "title", "题目": "title", "作者": "authors", "摘要": "abstract", "年份": "year"}
_SENTENCE_END = re.compile(r"[.。．;；,，:：][\"'”’)\]*_]*$")


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that stand together."""

    line: int
    lines: tuple[str, ...]
    size: int

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip(_BLANK + "\n")


def records(stream: BinaryIO) -> Iterator[Record | Flaw]:
    """Records with `abstract`, and `title`, `venue`, `year`... where the file says them."""
    around: dict[str, object] = {}
    pieces = _blocks(lines(stream))
    first = list(islice(pieces, _LOOK_AHEAD))
    apart = _titles_stand_apart([block for block in first if isinstance(block, Block)])
    title: Block | None = None
    labelled: tuple[int, dict[str, object]] | None = None
    for piece in chain(first, pieces):
        if isinstance(piece, Flaw):
            yield piece
            continue
        header, block = _header(piece)
        around = header or around
        if block is None:
            continue
        labels = _labels(block)
        if labelled is not None and (labels.get("title") or not labels):
            line, waiting = labelled
            labelled = None
            if not labels:  # Title: ..., a blank line, then the abstract without a label
                yield Record({**around, **waiting, "abstract": block.text}, line)
                continue
            yield Record({**around, **waiting}, line)
        if labels:
            line, waiting = labelled or (block.line, {})
            waiting = {**waiting, **labels}
            labelled = (line, waiting)
            if "abstract" in waiting:
                labelled = None
                yield Record({**around, **waiting}, line)
        elif title is None and ((apart and _like_title(block)) or _heading(block)):
            title = block
        else:
            yield Record({**around, **_titled(block, title)}, block.line if title is None else title.line)
            title = None
    if title is not None:
        yield Record({**around, "abstract": title.text}, title.line)
    if labelled is not None:
        yield Record({**around, **labelled[1]}, labelled[0])


def _blocks(numbered: Iterator[Line]) -> Iterator[Block | Flaw]:
    held: list[str] = []
    start = size = 0
    for line in chain(numbered, [Line(0, "")]):
        if line.too_long:
            yield Flaw(
                f"the line is longer than {MAX_LINE // 2**20} MB: give abstracts separated by blank lines",
                line.number,
            )
        if line.text.strip(_BLANK):
            start = start or line.number
            size += len(line.text) + 1
            if size <= 2 * MAX_ABSTRACT:
                held.append(line.text)
        elif start:
            yield _block(start, held, size)
            held, start, size = [], 0, 0


def _block(start: int, held: list[str], size: int) -> Block | Flaw:
    if size > MAX_ABSTRACT + MAX_TITLE_LINE:
        reason = f"{size:,} characters without a blank line (limit {MAX_ABSTRACT:,}): separate abstracts by blank lines"
        return Flaw(reason, start)
    return Block(start, tuple(held), size)


def _header(block: Block) -> tuple[dict[str, object] | None, Block | None]:
    """Venue and year when the block is, or begins with, a header line; and what is left of the block."""
    match = _HEADER.fullmatch(block.lines[0]) if len(block.lines[0]) <= 120 else None
    if not match:
        return None, block
    around: dict[str, object] = {"year": match["year"]}
    if match["venue"]:
        around["venue"] = match["venue"].strip(" -,'’")
    rest = block.lines[1:]
    return around, Block(block.line + 1, rest, sum(map(len, rest))) if rest else None


def _labels(block: Block) -> Mapping[str, object]:
    """Fields of a labelled block: each label runs to the next; the abstract to the end."""
    found: dict[str, list[str]] = {}
    name = ""
    for text in block.lines:
        match = _LABEL.fullmatch(text) if name != "abstract" else None
        if match:
            name = _CHINESE.get(match["name"], match["name"].lower())
            name = "abstract" if name == "summary" else name
            found[name] = [match["value"]] if match["value"].strip(_BLANK) else []
        elif not name:
            return {}
        else:
            found[name].append(text)
    if not {"title", "abstract"} & set(found):
        return {}
    return {label: "\n".join(values).strip(_BLANK + "\n") for label, values in found.items()}


def _titled(block: Block, title: Block | None) -> dict[str, object]:
    if title is not None:
        return {"title": unmarked(title.text), "abstract": block.text}
    if _first_line_is_title(block):
        abstract = "\n".join(block.lines[1:]).strip(_BLANK + "\n")
        return {"title": unmarked(block.lines[0]), "abstract": abstract}
    return {"abstract": block.text}


def unmarked(title: str) -> str:
    """A title without markdown's heading marks, list number and emphasis around it."""
    title = re.sub(r"^\s*(?:#{1,6}\s+|[-*+]\s+|\[?\d{1,4}[.)\]]\s+)", "", title.strip(_BLANK))
    match = re.fullmatch(r"(\*\*|__|\*|_)(.+)\1", title)
    return (match[2] if match else title).strip(_BLANK)


def _heading(block: Block) -> bool:
    return len(block.lines) == 1 and re.match(r"\s*#{1,6}\s+\S", block.lines[0]) is not None


def _like_title(block: Block) -> bool:
    text = block.text
    return len(block.lines) == 1 and 3 <= len(text) <= MAX_TITLE_LINE and not _SENTENCE_END.search(text)


def _titles_stand_apart(blocks: list[Block]) -> bool:
    """Whether blocks alternate between titles and abstracts, all of them."""
    left = [rest for block in blocks if (rest := _header(block)[1]) is not None]
    pairs = len(left) // 2
    return (
        pairs > 0
        and len(left) % 2 in (0, int(len(blocks) == _LOOK_AHEAD))
        and all(
            _like_title(title) and not _like_title(abstract) and len(abstract.text) > len(title.text)
            for title, abstract in zip(left[::2], left[1::2], strict=False)
        )
    )


def _first_line_is_title(block: Block) -> bool:
    """A line that ends no sentence, before a longer text, and was not wrapped there.

    Wrapping breaks a line where the next word no longer fits; a title ends sooner than that.
    """
    if len(block.lines) < 2:
        return False
    first, rest = block.lines[0].strip(_BLANK), block.lines[1:]
    if len(first) > MAX_TITLE_LINE or _SENTENCE_END.search(first) or sum(map(len, rest)) <= len(first):
        return False
    if re.match(r"(?:#{1,6}\s|\*\*.+\*\*$)", first):
        return True
    width = max(map(len, block.lines))
    next_word = rest[0].split(maxsplit=1)[0] if rest[0].split() else ""
    return len(first) + 1 + len(next_word) <= width and not next_word[:1].islower()
