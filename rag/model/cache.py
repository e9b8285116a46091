"""Replies kept on disk, by model, exact prompt and parameters, for every process of this home.

It never fails an answer: a cache that cannot be read or written is an empty one.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rag import private
from rag.errors import NotWritable
from rag.model.contract import Prompt

_MOST_REPLIES = 20_000
_BUSY = 5.0
_TABLE = """CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, identity TEXT NOT NULL, reply TEXT NOT NULL, at REAL NOT NULL) WITHOUT ROWID"""


@dataclass(frozen=True, slots=True)
class ReplyCache:
    """Only whole replies are kept: those that the model ended by itself."""

    path: Path

    @classmethod
    def under(cls, home: Path) -> ReplyCache:
        return cls(home / "cache" / "replies.sqlite3")

    def get(self, key: str) -> str | None:
        with contextlib.suppress(sqlite3.Error, OSError):
            if self.path.exists():
                with self._open() as database:
                    row = database.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
                return str(row[0]) if row else None
        return None

    def put(self, key: str, identity: str, reply: str) -> None:
        with contextlib.suppress(sqlite3.Error, OSError, UnicodeEncodeError), self._open() as database:
            database.execute("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?)", (key, identity, reply, time.time()))
            database.execute(
                "DELETE FROM replies WHERE at < (SELECT at FROM replies ORDER BY at DESC LIMIT 1 OFFSET ?)",
                (_MOST_REPLIES - 1,),
            )

    def clear(self) -> int:
        """Forgets every reply and says how many there were. Raises NotWritable."""
        if not self.path.exists():
            return 0
        try:
            with self._open() as database:
                return database.execute("DELETE FROM replies").rowcount
        except (sqlite3.Error, OSError) as error:
            if isinstance(error, OSError | sqlite3.OperationalError):
                raise NotWritable(
                    f"{self.path}: {error}", "close the other citewell, or mend its permissions"
                ) from error
            self.path.unlink()  # damaged: nothing in it is worth keeping
            return 0

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """One transaction. The file is for its owner only."""
        private.file(self.path)
        with contextlib.closing(sqlite3.connect(self.path, timeout=_BUSY)) as database, database:
            database.execute("PRAGMA synchronous = OFF")  # a power cut may cost the cache, and nothing else
            database.execute(_TABLE)
            yield database


def key_of(identity: str, prompt: Prompt, max_tokens: int, repeat: int) -> str:
    """`repeat` tells the runs of a repeated evaluation apart; 0 for everything else."""
    asked = json.dumps([identity, prompt.system, prompt.user, max_tokens, repeat])
    return hashlib.sha256(asked.encode()).hexdigest()
