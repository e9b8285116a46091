"""RIS, parsed by rispy a record at a time, so that a broken record costs only itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

import rispy

from rag.readers.record import MAX_ABSTRACT, Flaw, Record
from rag.readers.streams import Line, lines

MAX_RECORD = 2 * MAX_ABSTRACT

_TAG = re.compile(r"(?P<tag>[A-Z][A-Z0-9])  ?-(?: (?P<value>.*)|\s*$)")
_NAMES = {"A1": "AU", "A2": "ED", "T1": "TI", "N2": "AB", "Y1": "PY"}


def records(stream: BinaryIO) -> Iterator[Record | Flaw]:
    """A record from each `TY  -` to its `ER  -`, with its first line."""
    held: list[str] = []
    start = size = 0
    for line in lines(stream):
        match = _TAG.match(line.text.strip("\ufeff"))
        tag = match["tag"] if match else ""
        if tag == "TY" and start:
            yield _record(start, held, size)
            start = 0
        if tag == "TY":
            held, start, size = [], line.number, 0
        if line.too_long:
            size = MAX_RECORD + 1
        if start:
            size += len(line.text) + 1
            if size <= MAX_RECORD:
                held.append(_canonical(match, line))
        elif line.text.strip("\ufeff \t") and tag != "ER" and not line.text.strip().rstrip(".").isdigit():
            yield Flaw("text outside of a record: a record begins with TY  - and ends with ER  -", line.number)
        if tag == "ER":
            if start:
                yield _record(start, held, size)
            start = 0
    if start:
        yield _record(start, held, size)


def _canonical(match: re.Match[str] | None, line: Line) -> str:
    """The line with its tag spaced as rispy wants it, and the synonyms of EndNote and others made one."""
    if match is None:
        return line.text
    tag = _NAMES.get(match["tag"], match["tag"])
    return f"{tag}  - {match['value'] or ''}"


def _record(start: int, held: list[str], size: int) -> Record | Flaw:
    if size > MAX_RECORD:
        return Flaw(f"a record of {size:,} characters (limit {MAX_RECORD:,}): give abstracts, not full papers", start)
    text = "\n".join(line for line in held if not line.startswith("ER  -")) + "\nER  - \n"
    try:
        found = rispy.loads(text, skip_unknown_tags=True)
    except (ValueError, KeyError, IndexError, TypeError, OSError) as error:
        return Flaw(f"not a valid RIS record ({str(error)[:100]}): mend it", start)
    if len(found) != 1:
        return Flaw("not a valid RIS record: begin it with TY  -, end it with ER  -", start)
    return Record(found[0], start)
