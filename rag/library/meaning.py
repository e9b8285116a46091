"""Nearest papers by meaning: by a sealed folder or a server, or by a product over the vector cache where few are."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rag.errors import CorpusDamaged, NotWritable
from rag.library import matrix, rows
from rag.library.exact import ExactSearch
from rag.library.filtering import condition
from rag.library.indexes import FolderIndex, ServerIndex
from rag.library.layout import Layout
from rag.library.vectors import check_seal
from rag.types import Filters

Scored = list[tuple[str, float]]
EXACT_UP_TO = matrix.FROM
"""Chunks. Up to here a product takes no longer than Chroma's index does, is exact, and spares a process that asks once
the import of Chroma and its index (`python -m evals.sync_speed`)."""
_FEW = 20_000
"""Chunks that a filter may leave for an exact product where the corpus is too large to keep in memory."""
_CHUNKS_A_PAPER = 4


class VectorSearch:
    """Over one state of a corpus: `connection` holds its snapshot, `meta` its marks."""

    def __init__(
        self, layout: Layout, connection: sqlite3.Connection, meta: Mapping[str, str], token: str | None = None
    ) -> None:
        """`token`: for the Chroma server, where the corpus keeps its vectors on one."""
        self._layout, self._connection, self._meta, self._token = layout, connection, meta, token
        self._chunks = int(meta["chunks"])
        self._index: FolderIndex | ServerIndex | None = None
        self._product: ExactSearch | None = None
        self._without_chroma = self._chunks <= EXACT_UP_TO

    def close(self) -> None:
        if self._index is not None:
            self._index.close()
        self._index = self._product = None

    def search(self, vector: NDArray[np.float32], k: int, filters: Filters, *, exact: bool) -> Scored:
        """The k papers whose best chunk is nearest, best cosine first. A zero vector is near nothing."""
        vector = np.asarray(vector, dtype=np.float32).ravel()
        if k < 1 or not self._chunks or not vector.any():
            return []
        where, values = condition(filters)
        if exact or self._without_chroma or self._leaves_few(where, values):
            return self._multiply(vector, k, where, values)
        try:
            return self._approximate(vector, k, where, values)
        except (CorpusDamaged, NotWritable) as error:
            full = isinstance(error, NotWritable)
            if self._meta.get("store") or not (full or self._read_only() or self._superseded()):
                raise
            self._without_chroma = True
            return self._multiply(vector, k, where, values)

    def _multiply(self, vector: NDArray[np.float32], k: int, where: str, values: Sequence[object]) -> Scored:
        if self._product is None:
            self._product = ExactSearch(self._connection, int(self._meta["dimension"]))
        return _ordered(self._named(self._product.search(vector, k, where, values)))

    def _named(self, hits: Sequence[tuple[int, float]]) -> Iterator[tuple[str, float]]:
        found = dict(hits)
        ids = self._connection.execute(
            "SELECT key, id FROM papers WHERE key IN (SELECT value FROM json_each(?))",
            (json.dumps(list(found)),),
        )
        return ((rows.unpacked(id_), found[key]) for key, id_ in ids)

    def _leaves_few(self, where: str, values: Sequence[object]) -> bool:
        if where == "1":
            return False
        if self._product is not None and self._product.small:
            return True
        count = self._connection.execute(f"SELECT count(*) FROM papers p WHERE {where}", values).fetchone()[0]
        return bool(count * self._chunks <= _FEW * int(self._meta["papers"]))

    def _approximate(self, vector: NDArray[np.float32], k: int, where: str, values: Sequence[object]) -> Scored:
        """Ask the index for more chunks until k papers are among them; then what it lacks, exactly."""
        index, wanted = self._opened(), _CHUNKS_A_PAPER * k
        while True:
            wanted = min(wanted, index.size)
            best = index.nearest(vector, wanted, where, values) if wanted else {}
            if len(best) >= k or wanted == index.size:
                break
            wanted *= 4
        if index.lacks is not None:
            for id_, score in self._named(index.lacks.search(vector, k, where, values)):
                best[id_] = max(score, best.get(id_, -2.0))
        return _ordered(best.items())[:k]

    def _opened(self) -> FolderIndex | ServerIndex:
        if self._index is None:
            if self._meta.get("store"):
                self._index = ServerIndex(self._layout, self._connection, self._meta, self._token)
            else:
                self._index = FolderIndex(self._layout, self._connection, self._meta)
        return self._index

    def _superseded(self) -> bool:
        """Another sync has replaced the folder under this snapshot, whose vectors the cache still holds."""
        other = sqlite3.connect(f"{self._layout.catalogue.absolute().as_uri()}?mode=ro", uri=True)
        try:
            found = other.execute("SELECT value FROM meta WHERE name = 'vectors'").fetchone()
            return bool(found) and found[0] != self._meta["vectors"]
        finally:
            other.close()

    def _read_only(self) -> bool:
        """Chroma writes to its database when it opens it. The index was found whole, or its seal would have said so."""
        folder = self._layout.vectors(self._meta["vectors"])
        if not folder.is_dir() or os.access(folder, os.W_OK):
            return False
        check_seal(folder, self._meta["seal"])
        return True


def _ordered(found: Iterable[tuple[str, float]]) -> Scored:
    return sorted(found, key=lambda hit: (-hit[1], hit[0]))
