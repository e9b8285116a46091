"""Exact nearest neighbours by matrix product over the vector cache.

For what an approximate index is no help to: small corpora (loading Chroma costs more than multiplying), a filter that
leaves few papers, a folder that Chroma cannot open because it may not write there.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from rag.errors import CorpusDamaged
from rag.library.cache import from_blobs

_KEPT_BYTES = 64 * 2**20
_BATCH = 8192
_FRESH = "JOIN fresh f ON f.paper = c.paper AND f.ordinal = c.ordinal"
Block = tuple[NDArray[np.int64], NDArray[np.float32]]


class ExactSearch:
    """Over the catalogue of `connection`, the cache attached to it as `cache`. Keeps the vectors where they are few."""

    def __init__(self, connection: sqlite3.Connection, dimension: int, *, only_fresh: bool = False) -> None:
        """`only_fresh`: over the chunks that the vector folder lacks."""
        self._connection = connection
        self._chunks = f"chunks c {_FRESH}" if only_fresh else "chunks c"
        chunks = connection.execute(f"SELECT count(*) FROM {self._chunks}").fetchone()[0]
        self.small = chunks * dimension * 4 <= _KEPT_BYTES
        self._kept: tuple[Block, ...] | None = None

    def search(
        self, vector: NDArray[np.float32], k: int, where: str = "1", values: Sequence[object] = ()
    ) -> list[tuple[int, float]]:
        """The k papers (keys) whose best chunk is nearest by cosine, best first. `where` restricts `p` (papers)."""
        query = vector / np.linalg.norm(vector)
        allowed = None if where == "1" else self._allowed(where, values)
        best: dict[int, float] = {}
        for papers, matrix in self._blocks(where, values):
            # On one core: BLAS would wake a thread a core for some milliseconds, and spin until they all have come.
            keys, scores = _best_of_each(papers, np.einsum("ij,j->i", matrix, query))
            if allowed is not None:
                inside = np.isin(keys, allowed)
                keys, scores = keys[inside], scores[inside]
            best = _merged(best, keys, scores, k)
        return sorted(best.items(), key=lambda found: (-found[1], found[0]))

    def _allowed(self, where: str, values: Sequence[object]) -> NDArray[np.int64]:
        found = self._connection.execute(f"SELECT p.key FROM papers p WHERE {where}", values)
        return np.fromiter((key for (key,) in found), dtype=np.int64)

    def _blocks(self, where: str, values: Sequence[object]) -> Iterator[Block]:
        if not self.small:
            yield from self._read(where, values)
            return
        if self._kept is None:
            self._kept = tuple(self._read("1", ()))
        yield from self._kept

    def _read(self, where: str, values: Sequence[object]) -> Iterator[Block]:
        read, inside = (
            0,
            "" if where == "1" else f"WHERE c.paper IN (SELECT p.key FROM papers p WHERE {where})",
        )
        query = f"SELECT c.paper, v.vector FROM {self._chunks} JOIN cache.vectors v ON v.key = c.vector"
        cursor = self._connection.execute(f"{query} {inside} ORDER BY c.paper", values)
        while found := cursor.fetchmany(_BATCH):
            matrix = from_blobs([blob for _, blob in found])
            norms = np.linalg.norm(matrix, axis=1, keepdims=True)
            np.divide(matrix, norms, out=matrix, where=norms > 0)
            read += len(found)
            yield np.array([paper for paper, _ in found], dtype=np.int64), matrix
        if read != self._connection.execute(f"SELECT count(*) FROM {self._chunks} {inside}", values).fetchone()[0]:
            raise CorpusDamaged("the vector cache does not hold every chunk", "run `citewell doctor --repair`")


def _best_of_each(
    papers: NDArray[np.int64], scores: NDArray[np.float32]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """The best score of each run of equal papers."""
    starts = np.flatnonzero(np.r_[True, papers[1:] != papers[:-1]])
    return papers[starts], np.maximum.reduceat(scores, starts)


def _merged(best: dict[int, float], keys: NDArray[np.int64], scores: NDArray[np.float32], k: int) -> dict[int, float]:
    """The k best of what was found before and now; a paper may reach from one block into the next."""
    if len(scores) > k:
        top = np.argpartition(-scores, k - 1)[:k]
        keys, scores = keys[top], scores[top]
    for key, score in zip(keys.tolist(), scores.tolist(), strict=True):
        best[key] = max(score, best.get(key, -2.0))
    return dict(sorted(best.items(), key=lambda found: (-found[1], found[0]))[:k])
