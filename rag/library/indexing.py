"""A paper's rows in the catalogue: written and removed together, inside the caller's transaction."""

from __future__ import annotations

import sqlite3

from rag.library import rows
from rag.library.prepare import Prepared

_PAPER = (
    f"INSERT INTO papers ({rows.COLUMNS}, folded_title, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def insert(connection: sqlite3.Connection, made: Prepared) -> None:
    """A new paper's rows."""
    paper = made.paper
    values = (*rows.values(paper), rows.packed(made.folded_title), rows.content_hash(rows.dumped(paper)))
    key = connection.execute(_PAPER, values).lastrowid
    connection.executemany(
        "INSERT INTO sentences VALUES (?, ?, ?, ?)",
        [(key, n, *span) for n, span in enumerate(made.sentences)],
    )
    windows = zip(made.chunks, made.vector_keys, strict=True)
    connection.executemany(
        "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(key, n, c.first, c.last, c.start, c.end, vector) for n, (c, vector) in enumerate(windows)],
    )
    connection.executemany(
        "INSERT INTO names VALUES (?, ?)", [(rows.packed(name), key) for name in made.names]
    )
    connection.execute(
        "INSERT INTO words (rowid, title, abstract) VALUES (?, ?, ?)",
        (key, made.title_terms, made.abstract_terms),
    )
    connection.execute(
        "INSERT INTO facets (rowid, venue, authors) VALUES (?, ?, ?)", (key, made.venue, made.authors)
    )


def delete(connection: sqlite3.Connection, key: int) -> dict[str, bytes]:
    """Remove a paper's rows; returns its chunks: id -> vector key."""
    (paper_id,) = connection.execute("SELECT id FROM papers WHERE key = ?", (key,)).fetchone()
    held = connection.execute("SELECT ordinal, vector FROM chunks WHERE paper = ?", (key,)).fetchall()
    for table, column in (("words", "rowid"), ("facets", "rowid"), ("papers", "key")):
        connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (key,))
    return {chunk_id(rows.unpacked(paper_id), ordinal): vector for ordinal, vector in held}


def chunk_id(paper_id: str, ordinal: int) -> str:
    """Chroma takes UTF-8 only; a lone surrogate in an id is escaped."""
    return f"{paper_id}#{ordinal}".encode("utf-8", "backslashreplace").decode()
