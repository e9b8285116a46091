"""Nearest papers by meaning: Chroma's index, or an exact product where that is faster or all there is."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rag.errors import CorpusDamaged
from rag.library import rows
from rag.library.exact import ExactSearch
from rag.library.filtering import condition
from rag.library.layout import Layout
from rag.library.vectors import VectorStore, check_seal
from rag.types import Filters

Scored = list[tuple[str, float]]
EXACT_UP_TO = 2_000
"""Chunks. Below, a product takes less time than Chroma takes to import, and is exact (`python -m evals.sync_speed`)."""
_FEW = 20_000
"""Chunks that a filter may leave for an exact product where the corpus is too large to keep in memory."""
_CHUNKS_A_PAPER = 4


class VectorSearch:
    """Over one state of a corpus: `connection` holds its snapshot, `meta` its marks."""

    def __init__(self, layout: Layout, connection: sqlite3.Connection, meta: Mapping[str, str]) -> None:
        self._layout, self._connection, self._meta = layout, connection, meta
        self._chunks = int(meta["chunks"])
        self._store: VectorStore | None = None
        self._product: ExactSearch | None = None
        self._without_chroma = self._chunks <= EXACT_UP_TO

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
        self._store = self._product = None

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
        except CorpusDamaged:
            if not (self._read_only() or self._superseded()):
                raise
            self._without_chroma = True
            return self._multiply(vector, k, where, values)

    def _multiply(self, vector: NDArray[np.float32], k: int, where: str, values: Sequence[object]) -> Scored:
        if self._product is None:
            self._product = ExactSearch(self._connection, int(self._meta["dimension"]))
        found = dict(self._product.search(vector, k, where, values))
        ids = self._connection.execute(
            "SELECT key, id FROM papers WHERE key IN (SELECT value FROM json_each(?))",
            (json.dumps(list(found)),),
        )
        return _ordered((rows.unpacked(id_), found[key]) for key, id_ in ids)

    def _leaves_few(self, where: str, values: Sequence[object]) -> bool:
        if where == "1":
            return False
        if self._product is not None and self._product.small:
            return True
        count = self._connection.execute(f"SELECT count(*) FROM papers p WHERE {where}", values).fetchone()[0]
        return bool(count * self._chunks <= _FEW * int(self._meta["papers"]))

    def _approximate(
        self, vector: NDArray[np.float32], k: int, where: str, values: Sequence[object]
    ) -> Scored:
        """Ask for more chunks until k papers are among them."""
        store, wanted = self._opened(), _CHUNKS_A_PAPER * k
        while True:
            wanted = min(wanted, self._chunks)
            best: dict[str, float] = {}
            for chunk, score in store.query(vector, wanted):
                best.setdefault(chunk.rpartition("#")[0], score)
            inside = self._inside(list(best), where, values)
            if len(inside) >= k or wanted == self._chunks:
                return _ordered((id_, best[id_]) for id_ in inside)[:k]
            wanted *= 4

    def _inside(self, ids: list[str], where: str, values: Sequence[object]) -> list[str]:
        """Those that the catalogue holds and the filters let through."""
        query = f"SELECT p.id FROM papers p WHERE p.id IN (SELECT value FROM json_each(?)) AND {where}"
        return [id_ for (id_,) in self._connection.execute(query, (json.dumps(ids), *values))]

    def _opened(self) -> VectorStore:
        if self._store is None:
            folder = self._layout.vectors(self._meta["vectors"])
            check_seal(folder, self._meta["seal"])
            self._store = VectorStore.open(folder)
        return self._store

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
