"""Manuscripts: plain text, markdown and LaTeX read into statements with exact offsets and the citations in them."""

from __future__ import annotations

from dataclasses import dataclass

from rag.manuscript import latex, markdown, plain
from rag.manuscript.layout import Block, Key, Layout, Mark, Reference
from rag.manuscript.source import FORMS, Form, Source, decode, form_of
from rag.manuscript.statements import Statement, statements

__all__ = [
    "FORMS",
    "Block",
    "Form",
    "Key",
    "Layout",
    "Manuscript",
    "Mark",
    "Reference",
    "Source",
    "Statement",
    "decode",
    "form_of",
    "read",
]

_READERS = {"plain": plain.lay_out, "markdown": markdown.lay_out, "latex": latex.lay_out}


@dataclass(frozen=True, slots=True)
class Manuscript:
    """A text someone wrote: `source.text[s.start:s.end]` is each statement."""

    source: Source
    layout: Layout
    statements: tuple[Statement, ...]


def read(source: Source) -> Manuscript:
    """Reads it. Never raises: what cannot be understood is prose."""
    layout = _READERS[source.form](source.text)
    return Manuscript(source, layout, statements(source.text, layout))
