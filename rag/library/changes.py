"""What a sync has to do: the staged input held against the catalogue, as temporary tables on disk."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator

from rag.library.staging import Staging
from rag.types import Paper

_WORK = """
CREATE TEMP TABLE work AS SELECT s.n AS staged, p.key AS old, p.hash IS s.hash AS same
FROM staged s LEFT JOIN papers p ON p.id = s.id WHERE p.key IS NULL OR p.hash <> s.hash OR ? ORDER BY s.n"""
_GONE = """
CREATE TEMP TABLE gone AS SELECT p.key, p.files FROM papers p
WHERE NOT EXISTS (SELECT 1 FROM staged s WHERE s.id = p.id)"""
_MOVED = """
UPDATE papers SET files = s.files FROM staged s WHERE papers.id = s.id AND papers.files <> s.files"""


class Changes:
    """Counts of papers, and the papers to index.

    `stale` says that every paper is to be indexed again, `first` that the catalogue held none before this sync.
    """

    def __init__(self, connection: sqlite3.Connection, staging: Staging, *, stale: bool, first: bool) -> None:
        self._connection, self._staging = connection, staging
        connection.execute(_WORK, (stale,))
        connection.execute(_GONE)
        self._keep_unread()
        added = self._count("work WHERE old IS NULL")
        changed = self._count("work WHERE old IS NOT NULL AND NOT same")
        removed = self._count("gone")
        before = self._count("papers")
        self.work = self._count("work")
        self.before, self.replaced = before, self.work - added + removed
        self.counts = (staging.count(), 0, 0, 0) if first else (added, changed, before - changed - removed, removed)
        """Papers added, changed, unchanged, removed."""
        moved = connection.execute(_MOVED).rowcount
        self.any = bool(self.work or removed or moved)

    def to_index(self) -> Iterator[tuple[int | None, bytes, Paper]]:
        """(key of the row it replaces, hash, paper), in reading order. The catalogue may be written meanwhile."""
        query = "SELECT w.old, s.hash, s.record, s.id, s.files FROM work w JOIN staged s ON s.n = w.staged"
        for old, hash_, *staged in self._connection.execute(f"{query} ORDER BY w.rowid"):
            yield old, hash_, self._staging.load(*staged)

    def to_remove(self) -> Iterator[int]:
        yield from (key for (key,) in self._connection.execute("SELECT key FROM gone"))

    def _count(self, source: str) -> int:
        return int(self._connection.execute(f"SELECT count(*) FROM {source}").fetchone()[0])

    def _keep_unread(self) -> None:
        """What could not be read this time is not gone: a record at that place, or any of a file that failed."""
        unread = {place for (place,) in self._connection.execute("SELECT place FROM unread")}
        if not unread:
            return
        kept = []
        for key, files in self._connection.execute("SELECT key, files FROM gone"):
            places = json.loads(files)
            if any(place in unread or place.rpartition(":")[0] in unread for place in places):
                kept.append((key,))
        self._connection.executemany("DELETE FROM gone WHERE key = ?", kept)
