"""Every vector that was ever paid for, by the text and the embedder it came from, so that Chroma can be rebuilt freely.

A database of its own, since its batches are committed as they come: a killed sync keeps what it had embedded, though
its catalogue transaction is gone. Vectors are stored in half precision and Chroma is given the same rounded numbers, so
a rebuilt store equals the lost one bit for bit; the rounding moves a cosine by less than 0.001.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rag import private
from rag.library import rows
from rag.library.filtering import marks
from rag.library.layout import Layout
from rag.library.schema import remove_database

Vectors = NDArray[np.float32]
_MOST_PARAMETERS = 500


def vector_key(identity: str, text: str) -> bytes:
    return hashlib.sha256(f"{identity}\0{text}".encode("utf-8", "surrogatepass")).digest()[:16]


class VectorCache:
    """Vector key -> vector. Used by one thread at a time."""

    def __init__(self, layout: Layout) -> None:
        self._path = layout.cache
        self.lost = not self._path.exists()
        try:
            self._connection = self._opened()
        except sqlite3.DatabaseError:
            self._start_over()

    def _opened(self) -> sqlite3.Connection:
        private.file(self._path)
        connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=10)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL)")
        return connection

    def _start_over(self) -> None:
        """What is damaged is thrown away: it can all be embedded again."""
        self.lost = True
        remove_database(self._path)
        self._connection = self._opened()

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The blobs of those keys that are known."""
        found: dict[bytes, bytes] = {}
        try:
            for first in range(0, len(keys), _MOST_PARAMETERS):
                part = keys[first : first + _MOST_PARAMETERS]
                query = f"SELECT key, vector FROM vectors WHERE key IN ({marks(part)})"
                found.update(self._connection.execute(query, part))
        except sqlite3.DatabaseError:
            self._connection.close()
            self._start_over()
            return {}
        return found

    def put(self, keys: Sequence[bytes], blobs: Sequence[bytes]) -> None:
        """Durable on return, as far as a killed process is concerned."""
        self._connection.execute("BEGIN")
        rows.insert(self._connection, "vectors (key, vector)", list(zip(keys, blobs, strict=True)), "INSERT OR REPLACE")
        self._connection.execute("COMMIT")

    def prune(self, layout: Layout) -> None:
        """Forget what no chunk uses once that is more than a third."""
        self._connection.execute("ATTACH ? AS catalogue", (str(layout.catalogue),))
        try:
            held = self._connection.execute("SELECT count(*) FROM vectors").fetchone()[0]
            used = self._connection.execute("SELECT count(*) FROM catalogue.chunks").fetchone()[0]
            if held > used * 1.5 + 100:
                self._connection.execute("DELETE FROM vectors WHERE key NOT IN (SELECT vector FROM catalogue.chunks)")
        finally:
            self._connection.execute("DETACH catalogue")

    def close(self) -> None:
        self._connection.close()


def to_blobs(vectors: Vectors) -> list[bytes]:
    return [row.tobytes() for row in vectors.astype("<f2")]


def from_blobs(blobs: Sequence[bytes]) -> Vectors:
    """(n, d) float32 of n blobs of the same length."""
    matrix = np.frombuffer(b"".join(blobs), dtype="<f2").reshape(len(blobs), -1)
    return matrix.astype(np.float32)
