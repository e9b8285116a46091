"""The forward index: what a reranker reads of a few papers. (The word and vector indexes go from a query to papers.)

Index terms by sentence, as they were indexed, so that nothing is tokenised again while a reader waits; and the cosine
of every chunk, exact, where the vector search gives only the best of the nearest.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
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


def chunk_cosines(
    library: Library, vector: NDArray[np.float32], ids: Sequence[str]
) -> dict[str, NDArray[np.float32]]:
    """The cosine of each chunk of these papers, in order. Papers without a chunk, or not there, are left out."""
    query = (
        "SELECT p.id, v.vector FROM papers p JOIN chunks c ON c.paper = p.key "
        f"JOIN cache.vectors v ON v.key = c.vector WHERE {_CHOSEN} ORDER BY p.key, c.ordinal"
    )
    with schema.guarded(library._layout):
        found = library._connection.execute(query, (json.dumps(ids),)).fetchall()
    if not found:
        return {}
    matrix = from_blobs([blob for _, blob in found])
    norms = np.linalg.norm(matrix, axis=1) * np.linalg.norm(vector)
    cosines = np.divide(matrix @ vector, norms, out=np.zeros(len(matrix), np.float32), where=norms > 0)
    made: dict[str, NDArray[np.float32]] = {}
    for id_, group in groupby(enumerate(found), key=lambda row: row[1][0]):
        first, *others = (number for number, _ in group)
        made[rows.unpacked(id_)] = cosines[first : first + 1 + len(others)]
    return made
