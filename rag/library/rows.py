"""A paper as a row and back, the hash by which two states of it are compared, and rows into a table."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Sequence
from itertools import chain
from typing import Any

from rag.types import Paper

COLUMNS = "id, title, title_source, abstract, authors, year, venue, url, doi, files"


def packed(text: str | None) -> str | bytes | None:
    """Text as SQLite takes it. A lone surrogate has no UTF-8: such a text is stored as bytes, and comes back as is."""
    if text is None or text.isascii():
        return text
    try:
        text.encode()
        return text
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def unpacked(value: Any) -> Any:
    return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value


def values(paper: Paper) -> tuple[Any, ...]:
    """In the order of COLUMNS."""
    texts = (packed(paper.id), packed(paper.title), paper.title_source, packed(paper.abstract))
    rest = (paper.year, packed(paper.venue), packed(paper.url), packed(paper.doi), json.dumps(paper.files))
    return (*texts, json.dumps(paper.authors), *rest)


def paper(row: Sequence[Any]) -> Paper:
    """From a row of COLUMNS."""
    id_, title, source, abstract, authors, year, venue, url, doi, files = row
    return Paper(
        unpacked(id_),
        unpacked(title),
        source,
        unpacked(abstract),
        tuple(json.loads(authors)),
        year,
        unpacked(venue),
        unpacked(url),
        unpacked(doi),
        tuple(json.loads(files)),
    )


def dumped(paper: Paper) -> str:
    """All a paper says of itself as JSON, ASCII, so that any text survives. Where it was read is not part of it."""
    fields = (
        paper.id,
        paper.title,
        paper.title_source,
        paper.abstract,
        paper.authors,
        paper.year,
        paper.venue,
    )
    return json.dumps((*fields, paper.url, paper.doi))


def loaded(record: str, files: str) -> Paper:
    """From `dumped` and the files, JSON too."""
    id_, title, source, abstract, authors, year, venue, url, doi = json.loads(record)
    places = tuple(json.loads(files))
    return Paper(id_, title, source, abstract, tuple(authors), year, venue, url, doi, places)


def content_hash(record: str) -> bytes:
    """Sixteen bytes of `dumped`."""
    return hashlib.sha256(record.encode()).digest()[:16]


def insert(
    connection: sqlite3.Connection, into: str, values: Sequence[tuple[object, ...]], how: str = "INSERT"
) -> None:
    """All rows into `table (column, ...)`, as many at once as a statement may hold.

    Each step of SQLite gives up Python's lock and waits for it again behind other threads: `executemany` once a row.
    """
    if not values:
        return
    width = len(values[0])
    most = connection.getlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER) // width
    for first in range(0, len(values), most):
        part = values[first : first + most]
        places = ", ".join([f"({', '.join('?' * width)})"] * len(part))
        connection.execute(f"{how} INTO {into} VALUES {places}", tuple(chain.from_iterable(part)))
