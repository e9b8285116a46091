"""Remarks put into a manuscript as comments of its own form, and taken out again: the rest stays byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rag.errors import UsageError
from rag.manuscript.source import Form
from rag.text.normalise import visible

_LINE = re.compile(r"(?:(?<![^\r\n\ufeff])|\A)% citewell: [^\r\n]*(?:\r\n|\r|\n)")
_INLINE = re.compile(r"<!-- citewell: (?:(?!<!--|-->)[^\r\n])* -->")


@dataclass(frozen=True, slots=True)
class Remark:
    """What is said of `text[start:end]`, on one line."""

    start: int
    end: int
    text: str


def annotate(text: str, form: Form, remarks: Iterable[Remark]) -> str:
    """LaTeX: a comment line before the line where the sentence begins. Else: an HTML comment behind the sentence.

    Offsets are those of `text`, which must hold no earlier remarks (`strip` it first).
    """
    parts: list[str] = []
    last = 0
    ending = (re.search(r"\r\n|\r|\n", text) or ["\n"])[0]
    placed = [(_place(text, form, remark), _comment(form, remark, ending)) for remark in remarks]
    for place, comment in sorted(placed, key=lambda each: each[0]):
        parts += (text[last:place], comment)
        last = place
    made = "".join((*parts, text[last:]))
    if _once(made, form) != text:
        raise UsageError("the text holds half of an earlier remark of citewell", "take it out first")
    return made


def _place(text: str, form: Form, remark: Remark) -> int:
    if form != "latex":
        return remark.end
    line = max(text.rfind("\n", 0, remark.start), text.rfind("\r", 0, remark.start)) + 1
    return line + 1 if text[line : line + 1] == "\ufeff" and line == 0 else line


def _comment(form: Form, remark: Remark, ending: str) -> str:
    said = visible(" ".join(remark.text.split()))
    if form == "latex":
        return f"% citewell: {said}{ending}"
    return f"<!-- citewell: {re.sub('-{2,}', '–', said).replace('<!', '<').rstrip('->')} -->"


def strip(text: str, form: Form) -> str:
    """The text without any remark of ours."""
    while (bare := _once(text, form)) != text:
        text = bare
    return text


def _once(text: str, form: Form) -> str:
    return (_LINE if form == "latex" else _INLINE).sub("", text)
