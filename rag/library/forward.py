"""The forward index: what a reranker reads of a few papers. (The word and vector indexes go from a query to papers.)

Index terms by sentence, as they were indexed, so that nothing is tokenised again while a reader waits; and the cosine
of every chunk, exact, where the vector search gives only the best of the nearest.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rag.library import rows, schema
from rag.library.cache import from_blobs

if TYPE_CHECKING:
    from rag.library.library import Library

_CHOSEN = "p.id IN (SELECT value FROM json_each(?))"


def index_terms(library: Library, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Of each paper in the corpus: the title's terms, then each sentence's, as one string of spaced terms each."""
    query = f"SELECT p.id, w.title, w.abstract FROM papers p JOIN words w ON w.rowid = p.key WHERE {_CHOSEN}"
    with schema.guarded(library._layout):
        found = library._connection.execute(query, (json.dumps(ids),)).fetchall()
    return {rows.unpacked(id_): (title, *abstract.split("\n")) for id_, title, abstract in found}


def titles(library: Library, ids: Sequence[str]) -> dict[str, str]:
    """Of each paper in the corpus, in the order asked for."""
    with schema.guarded(library._layout):
        query = f"SELECT p.id, p.title FROM papers p WHERE {_CHOSEN}"
        found = dict(library._connection.execute(query, (json.dumps(ids),)).fetchall())
    named = {rows.unpacked(id_): rows.unpacked(title) for id_, title in found.items()}
    return {id_: named[id_] for id_ in ids if id_ in named}


def chunk_cosines(library: Library, vector: NDArray[np.float32], ids: Sequence[str]) -> NDArray[np.float32]:
    """(n, 2): of each paper its best chunk's cosine, and the mean of its chunks'; 0 where it has none."""
    query = (
        "SELECT j.key, v.vector FROM json_each(?) j JOIN papers p ON p.id = j.value "
        "JOIN chunks c ON c.paper = p.key JOIN cache.vectors v ON v.key = c.vector ORDER BY j.key, c.ordinal"
    )
    with schema.guarded(library._layout):
        found = library._connection.execute(query, (json.dumps(ids),)).fetchall()
    made = np.zeros((len(ids), 2), dtype=np.float32)
    if not found:
        return made
    matrix = from_blobs([blob for _, blob in found])
    norms = np.linalg.norm(matrix, axis=1) * np.linalg.norm(vector)
    cosines = np.divide(matrix @ vector, norms, out=np.zeros(len(matrix), np.float32), where=norms > 0)
    papers, starts, counts = np.unique([place for place, _ in found], return_index=True, return_counts=True)
    made[papers, 0] = np.maximum.reduceat(cosines, starts)
    made[papers, 1] = np.add.reduceat(cosines, starts) / counts
    return made
