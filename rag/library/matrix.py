"""The vectors of a sealed folder as one matrix on disk, for exact search where that costs little more than an index.

Written by the sync that makes the folder, before it is sealed: so it belongs to one state of the corpus, its seal tells
damage, and no one ever writes to it again. It is mapped into memory, not read: processes share what the operating
system keeps of it, and opening takes no time. Rows are of length 1, in single precision: half of it would have to be
widened at each search, which takes eight times as long as the product. As of Chroma, a row is a chunk by its id.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rag.errors import CorpusDamaged, NotWritable
from rag.library import rows
from rag.library.cache import VectorCache, from_blobs
from rag.library.indexing import chunk_id

FROM, UP_TO = 40_000, 150_000
"""Chunks. Fewer are as well read out of the vector cache. At 102,195 a product takes 12 ms of processor time and
Chroma's index 6 ms, but with a recall of 0.977, and after an import that costs a process that asks once a second."""
_FOLDER = "exact"
_VECTORS, _IDS, _ENDS = "vectors.f4", "ids.txt", "ends.i8"
_BATCH = 4096
Part = tuple[list[str], NDArray[np.float32]]


class Matrix:
    """What `write` wrote; it answers as a `VectorStore` does, exactly."""

    def __init__(self, folder: Path) -> None:
        within = folder / _FOLDER
        self._ends = np.fromfile(within / _ENDS, dtype="<i8")
        self._ids = np.memmap(within / _IDS, dtype=np.uint8, mode="r")
        flat = np.memmap(within / _VECTORS, dtype="<f4", mode="r")
        self._vectors = flat.reshape(len(self._ends), -1)

    @classmethod
    def there(cls, folder: Path) -> bool:
        """Whether one was written. That it is whole the folder's seal says."""
        return (folder / _FOLDER / _ENDS).is_file()

    def query(self, vector: NDArray[np.float32], k: int) -> list[tuple[str, float]]:
        """The k nearest chunks as (id, cosine), nearest first."""
        # Not by BLAS, which would wake a thread a core for some milliseconds and spin until all have come.
        scores = np.einsum("ij,j->i", self._vectors, vector / np.linalg.norm(vector))
        k = min(k, len(scores))
        best = np.argpartition(-scores, k - 1)[:k]
        best = best[np.lexsort((best, -scores[best]))]
        return [(self._id(row), float(scores[row])) for row in best.tolist()]

    def stored(self, size: int = 1000) -> Iterator[Part]:
        """Every id and vector, a batch at a time."""
        for first in range(0, self.count(), size):
            after = min(first + size, self.count())
            yield [self._id(row) for row in range(first, after)], np.array(self._vectors[first:after])

    def count(self) -> int:
        return len(self._ends)

    def close(self) -> None:
        """Lets go of the files, which Windows does not remove before."""
        del self._vectors, self._ids

    def _id(self, row: int) -> str:
        return bytes(self._ids[self._ends[row - 1] if row else 0 : self._ends[row]]).decode()


def write(folder: Path, connection: sqlite3.Connection, cache: VectorCache) -> None:
    """A matrix of every chunk of the catalogue. Raises NotWritable."""
    within, ends = folder / _FOLDER, [0]
    try:
        within.mkdir()
        with (within / _VECTORS).open("wb") as vectors, (within / _IDS).open("wb") as ids:
            for names, part in _ledger(connection, cache):
                vectors.write(part.astype("<f4", copy=False).tobytes())
                for name in names:
                    ends.append(ends[-1] + ids.write(name.encode()))
        np.array(ends[1:], dtype="<i8").tofile(within / _ENDS)
    except OSError as error:
        message = f"the vectors in {folder} cannot be written: {error.strerror or error}"
        raise NotWritable(message, "make room, or use another folder (CITEWELL_HOME)") from error


def _ledger(connection: sqlite3.Connection, cache: VectorCache) -> Iterator[Part]:
    joined = "chunks c JOIN papers p ON p.key = c.paper"
    query = f"SELECT p.id, c.ordinal, c.vector FROM {joined} ORDER BY c.paper, c.ordinal"
    cursor = connection.execute(query)
    while found := cursor.fetchmany(_BATCH):
        known = cache.get([key for _, _, key in found])
        if not all(key in known for _, _, key in found):
            raise CorpusDamaged("the vector cache was lost while it was used", "run the same command again")
        matrix = from_blobs([known[key] for _, _, key in found])
        norms = np.linalg.norm(matrix, axis=1, keepdims=True)
        np.divide(matrix, norms, out=matrix, where=norms > 0)
        yield [chunk_id(rows.unpacked(id_), ordinal) for id_, ordinal, _ in found], matrix
