"""How fast a corpus is synced and searched, against Chroma alone: `python -m evals.sync_speed [FILE]`.

Every part runs in a process of its own, so that peak memory is its own too. Sync and bare loop take turns; the best of
each counts. A sync is everything from the file to a sealed corpus: reading, taking apart, rows and words in SQLite,
embedding, Chroma, fsync. The bare loop adds the same vectors, made beforehand, to a Chroma collection (cosine,
otherwise Chroma's defaults, its largest batches) and does nothing else; a second one has the index that a sync builds
(less work when it is built, more when it is searched). Processor time and memory are those of all processes of a part.
Where other programs share the machine, processor time tells more than the clock, so the ratio of processor times is
printed too; by the clock it can only be reached where a sync keeps as many cores busy as Chroma does alone.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from unittest import mock

import numpy as np

from rag.types import Paper, Problem

if TYPE_CHECKING:
    from rag.library import Library

NAME = "speed"
QUERIES = 300
T = TypeVar("T")
Figures = dict[str, Any]


def main() -> None:
    """Run the parts one after the other and print one line each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path, default=_shared() / "icml2026" / "papers.jsonl")
    parser.add_argument("--repeat", type=int, default=2, help="how often sync and bare loop take turns")
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    parser.add_argument("--home", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.part:
        print(json.dumps(PARTS[given.part](given.file, given.home) | {"mb": peak_megabytes()}))
        return
    with tempfile.TemporaryDirectory() as folder:
        _report(given.file, Path(folder), given.repeat)


def _report(file: Path, folder: Path, repeat: int) -> None:
    syncs, bares = [], []
    for turn in range(repeat):
        home = folder / str(turn)
        syncs.append(_part("sync", file, home))
        bares.append(_part("bare", file, home))
    alike = _part("alike", file, home)
    sync, bare = min(syncs, key=_seconds), min(bares, key=_seconds)
    cores, rate = os.cpu_count() or 1, _seconds(bare) / _seconds(sync)
    print(f"corpus       {sync['papers']} papers, {bare['vectors']} vectors, {cores} cores")
    print(f"bare Chroma  {_took(bare)}  {bare['vectors'] / _seconds(bare):.0f} vectors/s")
    print(f"bare, index as a sync's  {_took(alike)}")
    print(f"sync         {_took(sync)}  {rate:.0%} of the bare rate (at least 70 %, aim 85 %)")
    print(f"             {float(bare['cpu']) / float(sync['cpu']):.0%} by processor time")
    print(f"             peak memory {sync['mb']} MB (under 700)")
    same, change = _part("same", file, home), _part("change", file, home)
    print(f"no change    {_took(same)}  (under 5)")
    print(
        f"1 % changed  {_took(change)}  {change['changed']} papers, {_seconds(change) / _seconds(sync):.1%} of a sync"
    )
    for kind, figures in _part("search", file, home).items():
        if kind != "mb":
            took = "  ".join(f"{name} {figures[name]:5.1f} ms" for name in ("p50", "p95", "cpu"))
            print(f"{kind:12} {took}{figures['more']}")


def _took(figures: Figures) -> str:
    return f"{figures['seconds']:6.2f} s (CPU {figures['cpu']:5.2f} s)"


def _part(part: str, file: Path, home: Path) -> Figures:
    return run_part("evals.sync_speed", part, str(file), "--home", str(home))


def run_part(module: str, part: str, *arguments: str) -> Figures:
    """One part in a process of its own: `python -m module --part PART ...` prints its figures as JSON."""
    command = [sys.executable, "-m", module, "--part", part, *arguments]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}  # as the command sets it
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    figures: Figures = json.loads(done.stdout)
    return figures


def _seconds(figures: Figures) -> float:
    return float(figures["seconds"])


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


def _alike(file: Path, home: Path) -> Figures:
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
        from dataclasses import replace

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


def _search(file: Path, home: Path) -> Figures:
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
                len(_ids(library.search_vectors(vector, 10)) & _ids(library.search_vectors(vector, 10, exact=True)))
                / 10
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


def _ids(hits: list[tuple[str, float]]) -> set[str]:
    return {id_ for id_, _ in hits}


def latencies(search: Callable[[int], object], count: int) -> dict[str, float]:
    """Milliseconds: percentiles of the wall clock, and the processor's mean, which other programs hardly slow."""
    search(0)
    taken = []
    spent = time.process_time()
    for number in range(count):
        started = time.perf_counter()
        search(number)
        taken.append(1000 * (time.perf_counter() - started))
    spent = time.process_time() - spent
    return {f"p{at}": float(np.percentile(taken, at)) for at in (50, 95, 99)} | {"cpu": 1000 * spent / count}


def _read(file: Path) -> Iterator[Paper | Problem]:
    from rag.readers import read

    return read([file])


def _vectors(home: Path) -> Iterator[tuple[list[str], np.ndarray[Any, np.dtype[np.float32]]]]:
    from rag.library.layout import Layout
    from rag.library.vectors import VectorStore

    (folder,) = Layout.of(home, NAME).folder.glob("vectors-*")
    return VectorStore.open(folder).stored()


def timed(work: Callable[[], T]) -> tuple[T, Figures]:
    wall, cpu = time.perf_counter(), _processor_time()
    result = work()
    return result, {"seconds": time.perf_counter() - wall, "cpu": _processor_time() - cpu}


def _processor_time() -> float:
    """Of this process and those it started that have ended."""
    return sum(os.times()[:4])


def peak_megabytes() -> int:
    """Of this process, and the largest of those it started that have ended."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    peak = sum(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return int(peak / (2**20 if sys.platform == "darwin" else 1024))


def _shared() -> Path:
    return Path(os.environ.get("CITEWELL_DATA") or Path(__file__).parents[2] / "shared" / "data")


PARTS = {
    "sync": sync_once,
    "bare": bare_loop,
    "alike": _alike,
    "same": same_again,
    "change": one_in_a_hundred,
    "search": _search,
}

if __name__ == "__main__":
    main()
