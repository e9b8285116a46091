"""The first half of a sync: every record of the input, each paper once, beside the catalogue and not yet in it.

Held in temporary tables on disk, so that nothing holds the corpus in memory. A record that says what the catalogue
already says is staged as its id and hash alone. Records that share a key of `merge_keys` are linked, directly or
through others; `finish` settles which papers each linked group is.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable

from rag.library import rows
from rag.library.filtering import marks
from rag.readers.merging import merge_keys, settle
from rag.types import Paper, Problem

_TABLES = (
    "CREATE TEMP TABLE staged (n INTEGER PRIMARY KEY, grp INTEGER, id TEXT, hash BLOB, files TEXT, record TEXT)",
    "CREATE INDEX temp.staged_group ON staged (grp)",
    "CREATE TEMP TABLE staged_keys (key TEXT PRIMARY KEY, grp INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE INDEX temp.staged_keys_group ON staged_keys (grp)",
    "CREATE TEMP TABLE unread (place TEXT PRIMARY KEY) WITHOUT ROWID",
)
_SAME = "SELECT 1 FROM papers WHERE id = ? AND hash = ?"
_KNOWN = f"SELECT {rows.COLUMNS} FROM papers WHERE id = ?"


class Staging:
    """Records go in by `add`; after `finish`, `temp.staged` holds each paper once: id, hash, files, record.

    `record` is NULL where the catalogue's row of that id says the same (its files excepted).
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._linked: set[int] = set()
        self._next = 0
        self.problems: list[Problem] = []
        for statement in _TABLES:
            connection.execute(statement)

    def add(self, record: Paper | Problem, index: Callable[[Paper, bytes], None] | None = None) -> None:
        """`index` is called with a paper that no earlier record is linked to, before it is staged."""
        if isinstance(record, Problem):
            self._note(record)
            return
        keys = [rows.packed(key) for key in {record.id, *merge_keys(record)}]
        query = f"SELECT DISTINCT grp FROM staged_keys WHERE key IN ({marks(keys)})"
        groups = [group for (group,) in self._connection.execute(query, keys)]
        self._next += 1
        group = self._joined(groups) if groups else self._next
        self._put(record, group, index if not groups else None)
        self._connection.executemany(
            "INSERT OR IGNORE INTO staged_keys VALUES (?, ?)", [(key, group) for key in keys]
        )

    def finish(self) -> None:
        for group in sorted(self._linked):
            query = "SELECT record, id, files FROM staged WHERE grp = ? ORDER BY n"
            records = [self.load(*row) for row in self._connection.execute(query, (group,)).fetchall()]
            self._connection.execute("DELETE FROM staged WHERE grp = ?", (group,))
            for paper in settle(records):
                self._put(paper, group)
        self._connection.execute("CREATE UNIQUE INDEX temp.staged_id ON staged (id)")

    def count(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM staged").fetchone()[0])

    def load(self, record: str | None, id_: str | bytes, files: str) -> Paper:
        """The paper of a staged row. Only while the catalogue still has what a NULL record stands for."""
        if record is not None:
            return rows.loaded(record, files)
        row = self._connection.execute(_KNOWN, (id_,)).fetchone()
        return rows.paper((*row[:-1], files))

    def _note(self, problem: Problem) -> None:
        self.problems.append(problem)
        place = problem.file if problem.line is None else f"{problem.file}:{problem.line}"
        self._connection.execute("INSERT OR IGNORE INTO unread VALUES (?)", (rows.packed(place),))

    def _joined(self, groups: list[int]) -> int:
        """One group of several: all go by the smallest number."""
        first, *others = sorted(groups)
        self._linked.add(first)
        for other in others:
            self._linked.discard(other)
            for table in ("staged", "staged_keys"):
                self._connection.execute(f"UPDATE {table} SET grp = ? WHERE grp = ?", (first, other))
        return first

    def _put(self, paper: Paper, group: int, index: Callable[[Paper, bytes], None] | None = None) -> None:
        id_, record = rows.packed(paper.id), rows.dumped(paper)
        hash_ = rows.content_hash(record)
        if index:
            index(paper, hash_)
        known = index or self._connection.execute(_SAME, (id_, hash_)).fetchone()
        self._connection.execute(
            "INSERT INTO staged (grp, id, hash, files, record) VALUES (?, ?, ?, ?, ?)",
            (group, id_, hash_, json.dumps(paper.files), None if known else record),
        )
