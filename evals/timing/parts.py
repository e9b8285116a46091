"""What is done to one corpus: a first sync, Chroma alone, a sync of the same and of a hundredth changed, searches.

Each takes the file of its papers and the home of its corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

import numpy as np

from evals.timing.measure import Figures, latencies, timed
from rag.types import Paper, Problem

if TYPE_CHECKING:
    from rag.library import Library

NAME = "speed"
QUERIES = 300


def sync_once(file: Path, home: Path) -> Figures:
    from rag.embed import load
    from rag.library.sync import sync
    from rag.readers import read

    import_module("chromadb")  # beforehand, as for the bare loop
    embedder = load()
    report, figures = timed(lambda: sync(home, NAME, read([file]), embedder))
    return figures | {"papers": report.added}


def bare_loop(file: Path, home: Path) -> Figures:
    return _added(home, "bare", {"space": "cosine"})


def alike(file: Path, home: Path) -> Figures:
    from rag.library.vectors import HNSW

    return _added(home, "alike", HNSW)


def _added(home: Path, name: str, hnsw: Mapping[str, object]) -> Figures:
    import chromadb
    from chromadb.config import Settings

    vectors = np.concatenate([matrix for _, matrix in _vectors(home)])
    client = chromadb.PersistentClient(str(home / name), Settings(anonymized_telemetry=False))
    settings: Any = {"hnsw": dict(hnsw)}
    collection = client.create_collection(name, configuration=settings, embedding_function=None)
    size, ids = client.get_max_batch_size(), [str(number) for number in range(len(vectors))]

    def loop() -> None:
        for first in range(0, len(ids), size):
            collection.add(ids=ids[first : first + size], embeddings=vectors[first : first + size])

    return timed(loop)[1] | {"vectors": len(ids)}


def same_again(file: Path, home: Path) -> Figures:
    return _again(home, lambda: _read(file))


def one_in_a_hundred(file: Path, home: Path) -> Figures:
    def edited() -> Iterator[Paper | Problem]:
        for number, record in enumerate(_read(file)):
            if number % 100 == 0 and isinstance(record, Paper):
                record = replace(record, abstract=record.abstract + f" Edition {number} adds a sentence.")
            yield record

    return _again(home, edited)


def _again(home: Path, records: Callable[[], Iterator[Paper | Problem]]) -> Figures:
    from rag.embed import load
    from rag.library.sync import sync

    report, figures = timed(lambda: sync(home, NAME, records(), load()))
    return figures | {"changed": report.changed + report.added}


def search(file: Path, home: Path) -> Figures:
    """Titles as queries, warm: each was asked once before. Recall is of the ten nearest, against the exact product."""
    from rag.embed import load
    from rag.library import Library
    from rag.retrieve import Retriever
    from rag.text.tokens import content_terms

    embedder = load()
    with Library.open(home, NAME) as library:
        titles = [paper.title for paper in library.papers()]
        titles = titles[:: max(1, len(titles) // QUERIES)][:QUERIES]
        retriever = Retriever(library, embedder)
        first = latencies(lambda n: retriever.search(titles[n]), len(titles))
        whole = latencies(lambda n: retriever.search(titles[n]), len(titles))
    with through_index(home) as library:
        vectors = embedder.embed(titles)
        words = latencies(lambda n: library.search_words(content_terms(titles[n]), 50), len(titles))
        meaning = latencies(lambda n: library.search_vectors(vectors[n], 50), len(titles))
        exact = latencies(lambda n: library.search_vectors(vectors[n], 50, exact=True), len(titles))
        recall = np.mean(
            [
                len(ids(library.search_vectors(vector, 10)) & ids(library.search_vectors(vector, 10, exact=True))) / 10
                for vector in vectors
            ]
        )
    return {
        "first time": first | {"more": "  a whole retrieval, of papers not met before"},
        "retrieval": whole | {"more": "  again, warm (p50 under 20, p95 under 40)"},
        "words": words | {"more": ""},
        "index": meaning | {"more": f"  Chroma's, recall@10 against exact {recall:.4f} (at least 0.98)"},
        "product": exact | {"more": "  the same search by matrix product"},
    }


@contextmanager
def through_index(home: Path) -> Iterator[Library]:
    """The library, searched by Chroma's index though it be so small that a product is used."""
    from rag.library import Library, matrix, meaning

    small, exactly = mock.patch.object(meaning, "EXACT_UP_TO", 0), mock.patch.object(matrix, "UP_TO", 0)
    with small, exactly, Library.open(home, NAME) as library:
        yield library


def ids(hits: list[tuple[str, float]]) -> set[str]:
    return {id_ for id_, _ in hits}


def _read(file: Path) -> Iterator[Paper | Problem]:
    from rag.readers import read

    return read([file])


def _vectors(home: Path) -> Iterator[tuple[list[str], np.ndarray[Any, np.dtype[np.float32]]]]:
    from rag.library.layout import Layout
    from rag.library.vectors import VectorStore

    (folder,) = Layout.of(home, NAME).folder.glob("vectors-*")
    return VectorStore.open(folder).stored()
