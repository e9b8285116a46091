"""The two places vectors lie in: a sealed folder, with its matrix or Chroma's index, and a Chroma server."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rag.library import matrix, rows
from rag.library.exact import ExactSearch
from rag.library.filtering import marks
from rag.library.layout import Layout
from rag.library.matrix import Matrix
from rag.library.server import ServerStore, Store
from rag.library.vectors import VectorStore, check_seal

_MOST_PARAMETERS = 500
Best = dict[str, float]
"""Paper id -> cosine of its nearest chunk."""


class FolderIndex:
    """A folder as it was sealed, and what has changed since: `lacks` searches the new, what is gone is left out."""

    def __init__(self, layout: Layout, connection: sqlite3.Connection, meta: Mapping[str, str]) -> None:
        """Raises CorpusDamaged."""
        self._connection = connection
        folder = layout.vectors(meta["vectors"])
        check_seal(folder, meta["seal"])
        self._store = _opened(folder, exactly=int(meta["chunks"]) <= matrix.UP_TO)
        fresh, gone = int(meta.get("fresh", 0)), int(meta.get("stale", 0))
        listed = connection.execute("SELECT chunk FROM stale") if gone else ()
        self._stale = frozenset(id_ for (id_,) in listed)
        self.size = int(meta["chunks"]) - fresh + gone
        self.lacks = ExactSearch(connection, int(meta["dimension"]), only_fresh=True) if fresh else None

    def nearest(self, vector: NDArray[np.float32], wanted: int, where: str, values: Sequence[object]) -> Best:
        """The papers of the nearest chunks, where the catalogue holds them and the filters let them through."""
        best: Best = {}
        for chunk, score in self._store.query(vector, wanted):
            if chunk not in self._stale:
                best.setdefault(chunk.rpartition("#")[0], score)
        query = f"SELECT p.id FROM papers p WHERE p.id IN (SELECT value FROM json_each(?)) AND {where}"
        inside = self._connection.execute(query, (json.dumps(list(best)), *values))
        return {id_: best[id_] for (id_,) in inside}

    def close(self) -> None:
        self._store.close()


def _opened(folder: Path, *, exactly: bool) -> Matrix | VectorStore:
    if exactly and Matrix.there(folder):
        with suppress(OSError):  # no room to map it
            return Matrix(folder)
    return VectorStore.open(folder)


class ServerIndex:
    """A server's collection, of which this ledger's chunks are a part."""

    lacks: ExactSearch | None = None

    def __init__(
        self, layout: Layout, connection: sqlite3.Connection, meta: Mapping[str, str], token: str | None
    ) -> None:
        """Raises StoreUnreachable, CorpusDamaged."""
        self._connection = connection
        self._store = ServerStore.open(Store(meta["store"], token), layout.name, meta["embedder"])
        self.size = self._store.count()

    def nearest(self, vector: NDArray[np.float32], wanted: int, where: str, values: Sequence[object]) -> Best:
        """As of a folder. What others keep there is passed over."""
        scores = dict(self._store.query(vector, wanted))
        keys, best = list(scores), Best()
        for first in range(0, len(keys), _MOST_PARAMETERS):
            part = keys[first : first + _MOST_PARAMETERS]
            query = (
                "SELECT p.id, c.vector FROM chunks c JOIN papers p ON p.key = c.paper "
                f"WHERE c.vector IN ({marks(part)}) AND {where}"
            )
            for packed, key in self._connection.execute(query, (*part, *values)):
                id_ = rows.unpacked(packed)
                best[id_] = max(scores[key], best.get(id_, -2.0))
        return best

    def close(self) -> None:
        self._store.close()
