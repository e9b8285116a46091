"""BibTeX, parsed by bibtexparser an entry at a time: a broken entry costs only itself, and a file may be large."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import BinaryIO

from bibtexparser.entrypoint import parse_string
from bibtexparser.middlewares.names import InvalidNameError, parse_single_name_into_parts, split_multiple_persons_names
from bibtexparser.model import Entry, ParsingFailedBlock, String

from rag.readers.record import MAX_FIELD, Flaw, Record
from rag.readers.streams import Line, lines
from rag.text.normalise import plain

MAX_ENTRY = 2**20
"""Characters in an entry: what bibtexparser parses in about a second at worst."""
MAX_STRINGS = 20_000
"""Abbreviations kept for a file."""

_START = re.compile(r"[ \t]*@[ \t]*(?P<kind>[A-Za-z]+)[ \t]*[{(]")
_LATEX_FIELDS = frozenset({"title", "booktitle", "journal", "journaltitle", "series"})


def records(stream: BinaryIO) -> Iterator[Record | Flaw]:
    """A record an entry, and the line it starts at.

    LaTeX is read in titles, names and venues. An abstract stays as it stands between its braces or quotes.
    """
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # what it would log is told as flaws
    strings: dict[str, str] = {}
    for start, text in _entries(lines(stream)):
        if len(text) > MAX_ENTRY:
            yield Flaw(f"an entry of {len(text):,} characters (limit {MAX_ENTRY:,}): is a brace not closed?", start)
            continue
        for block in parse_string(text, parse_stack=[]).blocks:
            line = start + (block.start_line or 0)
            if isinstance(block, String):
                if len(strings) < MAX_STRINGS:
                    strings[block.key.lower()] = _resolved(str(block.value), strings)[: MAX_FIELD + 1]
            elif isinstance(block, ParsingFailedBlock):
                yield from _salvaged(block, line, strings)
            elif isinstance(block, Entry):
                yield Record(_fields(block, strings), line)


def _entries(numbered: Iterable[Line]) -> Iterator[tuple[int, str]]:
    """Texts that begin with an `@entry{` at the start of a line, up to the next; with their first line's number."""
    held: list[str] = []
    start = size = 0
    for line in numbered:
        text = "x" * (MAX_ENTRY + 1) if line.too_long else line.text
        if _START.match(text) or line.too_long:
            if start:
                yield start, "\n".join(held)
            held, start, size = [], line.number, 0
        if start and size <= MAX_ENTRY:
            held.append(text)
            size += len(text) + 1
    if start:
        yield start, "\n".join(held)


def _salvaged(block: ParsingFailedBlock, line: int, strings: Mapping[str, str]) -> Iterator[Record | Flaw]:
    """What can still be read of an entry that names a field twice; else the flaw."""
    inner = block.ignore_error_block
    if isinstance(inner, Entry):
        yield Record(_fields(inner, strings), line)
    else:
        reason = " ".join(str(block.error).split()).partition(": ")[2][:160]
        yield Flaw(f"not a valid BibTeX entry ({reason or 'its braces, quotes or commas do not fit'}): mend it", line)


def _fields(entry: Entry, strings: Mapping[str, str]) -> dict[str, object]:
    fields: dict[str, object] = {}
    for field in entry.fields:
        name, value = field.key.strip().lower(), _resolved(str(field.value), strings)
        if name == "author":
            fields[name] = _names(value)
        else:
            fields.setdefault(name, _readable(value) if name in _LATEX_FIELDS else value)
    return {**fields, "citekey": entry.key}


def _names(value: str) -> list[str]:
    names: list[str] = []
    for person in split_multiple_persons_names(value):
        try:
            parts = parse_single_name_into_parts(person, strict=False)
        except InvalidNameError:
            names.append(_readable(person))
            continue
        names.append(_readable(" ".join([*parts.first, *parts.von, *parts.last, *parts.jr])))
    return names


def _readable(value: str) -> str:
    """Without LaTeX, nor the braces that protect capitals."""
    return re.sub(r"[{}]", "", plain(value))


def _resolved(value: str, strings: Mapping[str, str]) -> str:
    """A value without its braces or quotes, abbreviations written out, `#` joined.

    Joining ends soon after `MAX_ENTRY` characters, which no field may have: abbreviations of abbreviations can double.
    """
    joined: list[str] = []
    size = 0
    for piece in _pieces(value.strip()):
        joined.append(_piece(piece.strip(), strings))
        size += len(joined[-1])
        if size > MAX_ENTRY:
            break
    return "".join(joined)


def _piece(piece: str, strings: Mapping[str, str]) -> str:
    if len(piece) >= 2 and piece[0] + piece[-1] in ("{}", '""'):
        return piece[1:-1]
    return strings.get(piece.lower(), piece)


def _pieces(value: str) -> Iterator[str]:
    """Cut at each `#` outside braces and quotes."""
    depth, start, quoted = 0, 0, False
    for match in re.finditer(r'\\.|[{}"#]', value, re.DOTALL):
        sign = match.group()
        if sign in "{}":
            depth += 1 if sign == "{" else -1
        elif sign == '"' and depth == 0:
            quoted = not quoted
        elif sign == "#" and depth == 0 and not quoted:
            yield value[start : match.start()]
            start = match.end()
    yield value[start:]
