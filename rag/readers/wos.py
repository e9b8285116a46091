"""Web of Science's plain text, parsed by rispy a record at a time: two-letter tags, continued by indented lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import rispy

from rag.readers.record import MAX_ABSTRACT, Flaw, Record
from rag.readers.streams import lines

MAX_RECORD = 8 * MAX_ABSTRACT
"""Characters in a record: the references of a review are listed in it."""
_KEPT = {
    "document_title": "title",
    "abstract": "abstract",
    "publication_name": "journal",
    "publication_year": "year",
    "early_access_year": "pub_year",
    "doi": "doi",
}
"""rispy's names of what is a paper's, and ours."""


def records(stream: BinaryIO) -> Iterator[Record | Flaw]:
    """A record from each `PT` to its `ER`, with its first line."""
    held: list[str] = []
    start = size = 0
    for line in lines(stream):
        text = line.text.strip("\ufeff").rstrip()
        tag = text[:2] if text[2:3] in ("", " ") else ""
        if tag == "PT" and start:
            yield _record(start, held, size)
            start = 0
        if tag == "PT":
            held, start, size = [], line.number, 0
        if tag == "ER":
            if start:
                yield _record(start, held, size)
            start = 0
        elif start:
            size += MAX_RECORD + 1 if line.too_long else len(text) + 1
            if size <= MAX_RECORD and text:
                held.append(text)
        elif text and tag not in ("FN", "VR", "EF"):
            yield Flaw("text outside of a record: a record begins with PT and ends with ER", line.number)
    if start:
        yield _record(start, held, size)


def _record(start: int, held: list[str], size: int) -> Record | Flaw:
    if size > MAX_RECORD:
        return Flaw(f"a record of {size:,} characters (limit {MAX_RECORD:,}): give abstracts, not full papers", start)
    try:
        found = rispy.loads("\n".join([*held, "ER", ""]), implementation=rispy.WokParser, skip_unknown_tags=True)
    except (ValueError, KeyError, IndexError, TypeError, OSError) as error:
        return Flaw(f"not a valid Web of Science record ({str(error)[:100]}): mend it", start)
    if len(found) != 1:
        return Flaw("not a valid Web of Science record: begin it with PT, end it with ER", start)
    said = found[0]
    fields = {ours: said[theirs] for theirs, ours in _KEPT.items() if theirs in said}
    return Record({**fields, "authors": said.get("author_full_name") or said.get("authors") or []}, start)
