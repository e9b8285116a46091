"""PubMed's .nbib (MEDLINE): `TAG - value` lines, continued by lines that begin with six spaces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from rag.readers.record import MAX_ABSTRACT, Flaw, Record
from rag.readers.streams import lines

MAX_RECORD = 8 * MAX_ABSTRACT
"""Characters in a record: thousands of authors with their addresses are normal here."""

_TAG = re.compile(r"(?P<tag>[A-Z][A-Z0-9]{1,3}) {0,2}- ?(?P<value>.*)")
_FIRST = "PMID"
_ONE = frozenset({"PMID", "TI", "BTI", "AB", "DP", "JT", "TA", "DEP"})
_KEPT = _ONE | {"FAU", "AU", "LID", "AID", "CN"}


def records(stream: BinaryIO) -> Iterator[Record | Flaw]:
    """A record from each `PMID-` to the next, with the line it starts at; also those a blank line sets apart."""
    fields: dict[str, list[str]] = {}
    start = size = 0
    blank, tag = False, ""
    for line in lines(stream):
        match = _TAG.fullmatch(line.text.rstrip())
        if match and start and (match["tag"] == _FIRST or (blank and match["tag"] in fields)):
            yield _record(start, fields, size)
            fields, start, size = {}, 0, 0
        blank = not line.text.strip()
        size += MAX_RECORD + 1 if line.too_long else len(line.text)
        if match:
            tag = match["tag"]
            start = start or line.number
            if size <= MAX_RECORD and tag in _KEPT:
                fields.setdefault(tag, []).append(match["value"])
        elif line.text.startswith("      ") and fields.get(tag) and size <= MAX_RECORD:
            fields[tag].append("\0" + line.text.strip())
        elif not blank and not line.text.strip().rstrip(".").isdigit() and not start:
            yield Flaw("text before the first tag: a record begins with PMID-", line.number)
    if start:
        yield _record(start, fields, size)


def _record(start: int, fields: dict[str, list[str]], size: int) -> Record | Flaw:
    if size > MAX_RECORD:
        return Flaw(f"a record of {size:,} characters (limit {MAX_RECORD:,}): give abstracts, not full papers", start)
    joined = {tag: "\n".join(values).replace("\n\0", " ").split("\n") for tag, values in fields.items()}
    said: dict[str, object] = {tag: values[0] if tag in _ONE else values for tag, values in joined.items()}
    said.setdefault("TI", said.get("BTI"))
    said["AU"] = joined.get("FAU") or joined.get("AU") or joined.get("CN") or []
    said["DOI"] = next((text for text in (*joined.get("LID", ()), *joined.get("AID", ())) if "[doi]" in text), None)
    return Record({tag: value for tag, value in said.items() if tag not in ("FAU", "LID", "AID", "CN", "BTI")}, start)
