"""Layout -> statements: the sentences of a manuscript with exact offsets, as they read without their citations."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rag.manuscript.layout import Block, Layout, Mark, Span, blank
from rag.manuscript.marks import mathematics
from rag.text.normalise import plain
from rag.text.quantities import quantities
from rag.text.sentences import split

_STOP = re.compile(r"[.!?。！？…][\"'”’)\]}]*[\s~]*\Z")
_APART = re.compile(r"[\s.!?。！？]\Z")
_TIE = re.compile(r"~(?=\s|$)")
_HELD = "\ue000"
"""Stands around the number of a formula while the words about it are made plain."""
_LEFT_OVER = (
    (re.compile(r"[(\[]\s*[,;]*\s*[)\]]"), " "),
    (re.compile(r"\s+(?=[.,;:!?)\]](?:\s|$))"), ""),
)
"""What is left where citations were: empty brackets, a blank before a stop."""


@dataclass(frozen=True, slots=True)
class Statement:
    """`text[start:end]` of the manuscript with the citations that belong to it; `reading` is what it says without."""

    start: int
    end: int
    reading: str
    marks: tuple[Mark, ...] = ()
    heading: bool = False
    block: int = 0


def statements(text: str, layout: Layout) -> tuple[Statement, ...]:
    """Every sentence of every block, in order."""
    found = (each for number, block in enumerate(layout.blocks) for each in _of_block(text, layout, block, number))
    return tuple(each for each in found if each.reading)


def _of_block(text: str, layout: Layout, block: Block, number: int) -> Iterator[Statement]:
    hidden, marks = _within(layout.hidden, block), _marks_within(layout.marks, block)
    spoken = tuple(each for each in layout.spoken if block.start <= each[0] < block.end)
    if block.heading:
        reading = read(text, (block.start, block.end), hidden, marks, spoken)
        yield Statement(block.start, block.end, reading, marks, True, number)
        return
    shown = _splittable(text, block, layout, hidden, marks)
    spans = [(start + block.start, end + block.start) for start, end in split(shown)]
    following = [start for start, _ in spans[1:]] + [block.end]
    for (start, end), until in zip(spans, following, strict=False):
        own = tuple(mark for mark in marks if start <= mark.start < until)
        end = max([end, *(mark.end for mark in own)])
        yield Statement(start, end, read(text, (start, end), hidden, own, spoken), own, False, number)


def _within(spans: Sequence[Span], block: Block) -> tuple[Span, ...]:
    first = bisect_left(spans, block.start, key=lambda span: span[1])
    last = bisect_left(spans, block.end, key=lambda span: span[0])
    return tuple(spans[first:last])


def _marks_within(marks: Sequence[Mark], block: Block) -> tuple[Mark, ...]:
    first = bisect_left(marks, block.start, key=lambda mark: mark.start)
    return tuple(marks[first : bisect_left(marks, block.end, key=lambda mark: mark.start)])


def _splittable(text: str, block: Block, layout: Layout, hidden: Sequence[Span], marks: Sequence[Mark]) -> str:
    """The block, same length, as the splitter should see it: a citation after a stop is white space, others a word."""
    base, shown = block.start, text[block.start : block.end]
    after = {mark for mark in marks if _follows(text, mark, base)}
    apart = {(s, e) for s, e in hidden if _APART.search(text, max(base, s - 3), s) or s <= base}
    shown = blank(shown, [(max(s, base) - base, e - base) for s, e in apart])
    shown = blank(shown, [(mark.start - base, mark.end - base) for mark in after])
    solid = [(m.start, m.end) for m in marks if m not in after] + [span for span in hidden if span not in apart]
    solid += _within(layout.solid, block)
    shown = blank(shown, [(max(s, base) - base, e - base) for s, e in solid], "X")
    return re.sub(r"[\r\n~\ufeff]", " ", shown)


def _follows(text: str, mark: Mark, base: int) -> bool:
    """Whether a citation comes after the full stop of the sentence it belongs to, not as the subject of the next."""
    if mark.textual or not _STOP.search(text, max(base, mark.start - 12), mark.start):
        return False
    before = text[max(base, mark.start - 5) : mark.start].rstrip("~ \r\n")
    return not before.endswith((" al.", "e.g.", "i.e.", "cf.")) and not text[mark.end :].lstrip()[:1].islower()


def read(
    text: str,
    span: Span,
    hidden: Sequence[Span],
    marks: Sequence[Mark],
    spoken: Sequence[tuple[int, int, str]] = (),
) -> str:
    """What a span says, readable, without its citations; an author who is a part of the sentence becomes a pronoun."""
    parts: list[str] = []
    last, end = span
    for start, stop, word in sorted(
        [*((s, e, " ") for s, e in hidden), *spoken, *((m.start, m.end, _word(text, m, span)) for m in marks)]
    ):
        if start >= end or stop <= last:
            continue
        parts += (text[last : max(start, last)], word)
        last = max(last, min(stop, end))
    said = "".join((*parts, text[last:end]))
    said = _readable(_TIE.sub(" ", said))
    for pattern, new in _LEFT_OVER:
        said = pattern.sub(new, said)
    return " ".join(said.split())


def _readable(said: str) -> str:
    """Plain text, but formulas as they were written: without their marks they would be words and numbers."""
    formulas = [said[slice(*span)] for span in mathematics(said)]
    kept = [each for each in formulas if any(amount.unit == "expr" for amount in quantities(each))]
    for number, formula in enumerate(kept):
        said = said.replace(formula, f"{_HELD}{number}{_HELD}", 1)
    said = plain(said)
    for number, formula in enumerate(kept):
        said = said.replace(f"{_HELD}{number}{_HELD}", formula, 1)
    return said


def _word(text: str, mark: Mark, span: Span) -> str:
    if mark.start == span[0] and (mark.textual or text[mark.end :].lstrip()[:1].islower()):
        return "We"
    return "it" if mark.textual else " "


def parted(text: str, layout: Layout, whole: Statement, cuts: Sequence[int]) -> tuple[Statement, ...]:
    """A statement cut at these places, each part with the citations that stand in it."""
    edges = [whole.start, *cuts, whole.end]
    parts = []
    for start, end in pairwise(edges):
        own = tuple(mark for mark in whole.marks if start <= mark.start < end)
        reading = read(text, (start, end), layout.hidden, own, layout.spoken).strip(" ,;")
        parts.append(replace(whole, start=start, end=end, reading=reading, marks=own))
    return tuple(part for part in parts if part.reading)
