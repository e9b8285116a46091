"""A manuscript's bytes as text, character for character: what is written back differs in our remarks alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal, get_args

from rag.errors import Unreadable, UsageError

Form = Literal["plain", "markdown", "latex"]
FORMS: tuple[Form, ...] = get_args(Form)
MOST_BYTES = 4 * 2**20
"""A thesis has one or two million characters."""

_SUFFIXES: dict[str, Form] = {
    **dict.fromkeys((".tex", ".ltx", ".latex"), "latex"),
    **dict.fromkeys((".md", ".markdown", ".mdown", ".qmd", ".rmd", ".mdx"), "markdown"),
    **dict.fromkeys((".txt", ".text"), "plain"),
}
_LATEX = re.compile(r"\\(?:documentclass|begin\{|(?:sub)*section\*?\{|paragraph\{|cite[a-z]*\*?[\[{]|emph\{|textbf\{)")
_MARKDOWN = re.compile(
    r"^#{1,6} \S|^(?:```|~~~)|\[-?@[\w:.-]+|\*\*\S[^*\n]*\*\*|\]\(https?://|^\[\^?[\w-]+\]: \S|\A---\r?\n",
    re.MULTILINE,
)
_BINARY = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


@dataclass(frozen=True, slots=True)
class Source:
    """`text.encode()` is the file: its byte order mark and its line ends are kept. Offsets count its characters."""

    name: str
    text: str
    form: Form


def decode(raw: bytes, name: str, form: Form | None = None) -> Source:
    """Raises Unreadable, saying where, for what is too large, binary, or not UTF-8."""
    if len(raw) > MOST_BYTES:
        raise Unreadable(f"{name} has over {MOST_BYTES // 2**20} MB", "check it in parts, a chapter each")
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Unreadable(f"{name} is UTF-16", "save it as UTF-8")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        if b"\x00" in raw:
            raise _binary(name) from error
        line = raw.count(b"\n", 0, error.start) + 1
        raise Unreadable(f"{name}:{line}: byte {error.start} is not UTF-8", "save it as UTF-8") from error
    if _BINARY.search(text):
        raise _binary(name)
    return Source(name, text, form or form_of(name, text))


def _binary(name: str) -> Unreadable:
    return Unreadable(f"{name} is a binary file", "give plain text, markdown or LaTeX")


def form_of(name: str, text: str) -> Form:
    """What the name says, else what the text looks like."""
    suffix = PurePath(name).suffix.lower()
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    if _LATEX.search(text):
        return "latex"
    return "markdown" if _MARKDOWN.search(text) else "plain"


def form_named(given: str | None) -> Form | None:
    """Raises UsageError for a form that is none."""
    for form in FORMS:
        if given is None or given == form:
            return form if given else None
    raise UsageError(f"--from {given!r} is not a form of text", f"one of: {', '.join(FORMS)}")
