"""A paper's rows in the catalogue: written and removed together, inside the caller's transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rag.library import rows
from rag.library.prepare import Prepared

_BATCH = 200
_COLUMNS = {
    "papers": f"papers (key, {rows.COLUMNS}, folded_title, hash)",
    "sentences": 'sentences (paper, ordinal, "start", "end")',
    "chunks": 'chunks (paper, ordinal, first, last, "start", "end", vector)',
    "names": "names (name, paper)",
    "fresh": "fresh (paper, ordinal)",
    "words": "words (rowid, title, abstract)",
    "facets": "facets (rowid, venue, authors)",
}


class RowWriter:
    """New papers' rows, some hundred papers at a time; until `flush` the last are not in the tables.

    Each step of SQLite gives up Python's lock and waits for it again, behind the threads that embed and add to Chroma:
    so few calls are made, each with many rows.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        last = connection.execute("SELECT max(seq) FROM sqlite_sequence WHERE name = 'papers'").fetchone()[0]
        self._key: int = last or 0
        self._waiting: dict[str, list[tuple[Any, ...]]] = {table: [] for table in _COLUMNS}

    def add(self, made: Prepared, hash_: bytes, fresh: Iterable[int] = ()) -> None:
        """`fresh`: ordinals of the chunks that the vector folder lacks."""
        self._key += 1
        key, waiting = self._key, self._waiting
        waiting["papers"].append((key, *rows.values(made.paper), rows.packed(made.folded_title), hash_))
        waiting["sentences"] += [(key, n, *span) for n, span in enumerate(made.sentences)]
        windows = enumerate(zip(made.chunks, made.vector_keys, strict=True))
        waiting["chunks"] += [(key, n, c.first, c.last, c.start, c.end, vector) for n, (c, vector) in windows]
        waiting["names"] += [(rows.packed(name), key) for name in made.names]
        waiting["fresh"] += [(key, n) for n in fresh]
        waiting["words"].append((key, made.title_terms, made.abstract_terms))
        waiting["facets"].append((key, made.venue, made.authors))
        if len(waiting["papers"]) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        for table, waiting in self._waiting.items():
            rows.insert(self._connection, _COLUMNS[table], waiting)
            waiting.clear()


@dataclass(frozen=True, slots=True)
class Held:
    """What a paper had: vector keys by chunk id, and which of them the vector folder lacks."""

    vectors: Mapping[str, bytes] = field(default_factory=dict)
    fresh: frozenset[str] = frozenset()


def delete(connection: sqlite3.Connection, key: int) -> Held:
    """Remove a paper's rows; returns what it had."""
    (packed,) = connection.execute("SELECT id FROM papers WHERE key = ?", (key,)).fetchone()
    paper_id = rows.unpacked(packed)
    chunks = connection.execute("SELECT ordinal, vector FROM chunks WHERE paper = ?", (key,)).fetchall()
    fresh = connection.execute("SELECT ordinal FROM fresh WHERE paper = ?", (key,)).fetchall()
    for table, column in (("words", "rowid"), ("facets", "rowid"), ("papers", "key")):
        connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (key,))
    return Held(
        {chunk_id(paper_id, ordinal): vector for ordinal, vector in chunks},
        frozenset(chunk_id(paper_id, ordinal) for (ordinal,) in fresh),
    )


def chunk_id(paper_id: str, ordinal: int) -> str:
    """Chroma takes UTF-8 only; a lone surrogate in an id is escaped."""
    return f"{paper_id}#{ordinal}".encode("utf-8", "backslashreplace").decode()
