"""The first half of a sync: every record of the input, each paper once, beside the catalogue and not yet in it.

Held in temporary tables on disk, so that nothing holds the corpus in memory. A record that says what the catalogue
already says is staged as its id and hash alone. Records that share a key of `merge_keys` are linked, directly or
through others; `finish` settles which papers each linked group is.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from rag.library import rows
from rag.library.filtering import marks
from rag.readers.merging import merge_keys, settle
from rag.types import Paper, Problem

_TABLES = (
    "CREATE TEMP TABLE staged (n INTEGER PRIMARY KEY, grp INTEGER, id TEXT, hash BLOB, files TEXT, record TEXT)",
    "CREATE TEMP TABLE staged_keys (key TEXT PRIMARY KEY, grp INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TEMP TABLE unread (place TEXT PRIMARY KEY) WITHOUT ROWID",
)
_BY_GROUP = (
    "CREATE INDEX temp.staged_group ON staged (grp)",
    "CREATE INDEX temp.staged_keys_group ON staged_keys (grp)",
)
"""Made when first two records are linked: mostly none are."""
_KNOWN = f"SELECT {rows.COLUMNS} FROM papers WHERE id = ?"
_BATCH = 200
_MOST_PARAMETERS = 500
MAX_COPIES = 1_000
"""Places that are kept of one record: a file may hold the same a million times."""
Index = Callable[[Paper, bytes], None]


class _Pending(NamedTuple):
    """A record to be staged. `indexed`: just now, so that its row in the catalogue says the same."""

    paper: Paper
    group: int
    record: str
    hash: bytes
    indexed: bool = False


class Staging:
    """Records go in by `add`; after `finish`, `temp.staged` holds each paper once: id, hash, files, record.

    `record` is NULL where the catalogue's row of that id says the same (its files excepted). Records wait for some
    hundred others: each call of SQLite gives up Python's lock, and waits for it behind the threads that embed and add.
    """

    def __init__(self, connection: sqlite3.Connection, index: Index | None = None) -> None:
        """`index` is called with each paper that no earlier record is linked to, before it is staged."""
        self._connection, self._index = connection, index
        self._linked: set[int] = set()
        self._copies: Counter[bytes] = Counter()
        self._by_group = False
        self._next = 0
        self._waiting: list[Paper] = []
        self.problems: list[Problem] = []
        for statement in _TABLES:
            connection.execute(statement)

    def add(self, record: Paper | Problem) -> None:
        if isinstance(record, Problem):
            self._note(record)
            return
        self._waiting.append(record)
        if len(self._waiting) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Stage what waits."""
        records, self._waiting = self._waiting, []
        keys = [[rows.packed(key) for key in {paper.id, *merge_keys(paper)}] for paper in records]
        groups = dict(self._rows("SELECT key, grp FROM staged_keys WHERE key IN", [key for own in keys for key in own]))
        pending: list[_Pending] = []
        fresh: list[tuple[object, int]] = []
        for paper, own in zip(records, keys, strict=True):
            self._next += 1
            group = self._next
            record = rows.dumped(paper)
            hash_ = rows.content_hash(record)
            linked = {groups[key] for key in own if key in groups}
            if linked and self._plenty(hash_):
                continue
            if linked:
                self._write(pending, fresh)  # what is joined must be in the tables
                group = self._joined(sorted(linked))
                groups.update((key, group) for key, other in groups.items() if other in linked)
            indexed = bool(self._index and not linked)
            if self._index and indexed:
                self._index(paper, hash_)
            fresh += [(key, group) for key in own if key not in groups]
            groups.update((key, group) for key in own)
            pending.append(_Pending(paper, group, record, hash_, indexed))
        self._write(pending, fresh)

    def _write(self, pending: list[_Pending], keys: list[tuple[object, int]]) -> None:
        self._put(pending)
        rows.insert(self._connection, "staged_keys (key, grp)", keys)
        pending.clear()
        keys.clear()

    def _plenty(self, hash_: bytes) -> bool:
        """Whether a record was staged so often, word for word, that another place of it tells nothing."""
        self._copies[hash_] += 1
        return self._copies[hash_] >= MAX_COPIES  # the first one was no copy

    def finish(self) -> None:
        self.flush()
        for group in sorted(self._linked):
            query = "SELECT record, id, files FROM staged WHERE grp = ? ORDER BY n"
            records = [self.load(*row) for row in self._connection.execute(query, (group,)).fetchall()]
            self._connection.execute("DELETE FROM staged WHERE grp = ?", (group,))
            settled = [(paper, rows.dumped(paper)) for paper in settle(records)]
            self._put([_Pending(paper, group, record, rows.content_hash(record)) for paper, record in settled])
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
        """One group of several (sorted): all go by the smallest number."""
        first, *others = groups
        if not self._by_group:
            self._by_group = True
            for statement in _BY_GROUP:
                self._connection.execute(statement)
        self._linked.add(first)
        for other in others:
            self._linked.discard(other)
            for table in ("staged", "staged_keys"):
                self._connection.execute(f"UPDATE {table} SET grp = ? WHERE grp = ?", (first, other))
        return first

    def _put(self, pending: Sequence[_Pending]) -> None:
        ids = [rows.packed(each.paper.id) for each in pending]
        known = dict(self._rows("SELECT id, hash FROM papers WHERE id IN", ids))
        staged = []
        for (paper, group, record, hash_, indexed), id_ in zip(pending, ids, strict=True):
            kept = None if indexed or known.get(id_) == hash_ else record
            staged.append((group, id_, hash_, json.dumps(paper.files), kept))
        rows.insert(self._connection, "staged (grp, id, hash, files, record)", staged)

    def _rows(self, query: str, values: Sequence[object]) -> Iterator[tuple[Any, Any]]:
        """The rows of `query ... IN (values)`."""
        for first in range(0, len(values), _MOST_PARAMETERS):
            part = values[first : first + _MOST_PARAMETERS]
            yield from self._connection.execute(f"{query} ({marks(part)})", part)
