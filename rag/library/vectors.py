"""Chroma: one folder a state of the corpus, written by one sync, then sealed and only read.

Two processes that write one Chroma folder corrupt it, and a reader does not see another's writes in `query`; so no
folder that is read is ever written. A sync writes a new folder (a copy of the old one with the changes in it, or a
fresh one) and the catalogue's commit points readers to it. Copying costs a tenth of a second for 18,000 vectors.
Chunk ids are `paper id#ordinal`; text, years and venues stay in the catalogue: as Chroma metadata they would cost a
seventh of the sync. Chroma is imported when a store is first opened.
"""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import sqlite3
import warnings
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from rag import private
from rag.errors import CorpusDamaged, CorpusError, NotWritable, starved

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection

_COLLECTION = "chunks"
_DATABASE = "chroma.sqlite3"
# Built faster and searched wider than by default (100, 100): titles of ICML 2026 find 0.994 of their ten nearest papers
# (`python -m evals.sync_speed`). Searched with 300, by vectors near its own, recall is 0.998, 0.994, 0.989 where the
# index was built with 64, 40, 32, which took 6.6, 5.5, 4.8 s of processor; of 21,398 vectors of other abstracts, asked
# for by titles, 0.992, 0.987, 0.976. A wider search gives some of it back (0.988 for 40 with 400).
HNSW = {"space": "cosine", "ef_construction": 40, "ef_search": 500, "max_neighbors": 16}
# Chroma writes its index out whole each time this many vectors are new, and what it did not write it builds again when
# the folder is opened next, as `flush` must. So: often while the index is small, then every eighth to quarter of it.
_FLUSH_FIRST, _FLUSHES = 4_000, 8
_FLUSH_NEVER = 1_000_000_000
_REPAIR = "run `citewell doctor --repair`"
_NO_ROOM = re.compile(r"disk is full|No space left|disk quota", re.IGNORECASE)
_BLOCK, _SAMPLES = 4096, 16
_OURS = (KeyboardInterrupt, SystemExit, GeneratorExit, CorpusError, MemoryError)


class VectorStore:
    """One folder's collection. `add` and `delete` belong to the sync that made it, before `close`."""

    def __init__(self, folder: Path, client: Client, collection: Collection) -> None:
        self.folder = folder
        self._client = client
        self._collection = collection
        self._added, self._flush_at = 0, 0
        self.batch = client.get_max_batch_size()

    @classmethod
    def create(cls, folder: Path) -> VectorStore:
        settings: Any = {"hnsw": {**HNSW, "sync_threshold": _FLUSH_FIRST}}
        with _writing(folder):
            private.folder(folder)
            client = _client(folder)
            made = client.create_collection(_COLLECTION, configuration=settings, embedding_function=None)
            store = cls(folder, client, made)
            store._flush_at = _FLUSH_FIRST
            return store

    @classmethod
    def copy(cls, source: Path, folder: Path) -> VectorStore:
        """A writable copy of a sealed folder. Readers of the source go on."""
        with _writing(folder):
            shutil.copytree(source, folder, ignore=shutil.ignore_patterns(f"{_DATABASE}*", "exact"))
        with (
            _reading(source),
            closing(sqlite3.connect(source / _DATABASE)) as old,
            closing(sqlite3.connect(folder / _DATABASE)) as new,
        ):
            old.backup(new)
        store = cls.open(folder)
        store._flush_every(_FLUSH_NEVER)
        return store

    @classmethod
    def open(cls, folder: Path) -> VectorStore:
        """Raises CorpusDamaged for a folder that is missing or that this Chroma cannot read."""
        if not (folder / _DATABASE).is_file():
            raise CorpusDamaged(f"the vectors in {folder} are missing", _REPAIR)
        with _reading(folder):
            client = _client(folder)
            return cls(folder, client, client.get_collection(_COLLECTION, embedding_function=None))

    def add(self, ids: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Insert or replace, in batches Chroma takes."""
        for first in range(0, len(ids), self.batch):
            part = slice(first, first + self.batch)
            with _writing(self.folder):
                self._collection.upsert(ids=list(ids[part]), embeddings=vectors[part])
            self._added += len(ids[part])
            if self._flush_at and self._added >= _FLUSHES * self._flush_at:
                self._flush_at *= 2
                self._flush_every(self._flush_at)
                self._reopen()

    def delete(self, ids: Sequence[str]) -> None:
        for first in range(0, len(ids), self.batch):
            with _writing(self.folder):
                self._collection.delete(ids=list(ids[first : first + self.batch]))

    def count(self) -> int:
        with _reading(self.folder):
            return self._collection.count()

    def query(self, vector: NDArray[np.float32], k: int) -> list[tuple[str, float]]:
        """The k nearest chunks as (id, cosine), nearest first. Raises CorpusDamaged."""
        with _reading(self.folder):
            found = self._collection.query(query_embeddings=vector[None], n_results=k, include=["distances"])
        distances = found["distances"] or [[]]
        return [(id_, 1.0 - distance) for id_, distance in zip(found["ids"][0], distances[0], strict=True)]

    def stored(self, size: int = 1000) -> Iterator[tuple[list[str], NDArray[np.float32]]]:
        """Every id and vector it holds, a batch at a time."""
        offset = 0
        while True:
            with _reading(self.folder):
                part = self._collection.get(include=["embeddings"], limit=size, offset=offset)
            if not part["ids"]:
                return
            yield part["ids"], np.asarray(part["embeddings"], dtype=np.float32)
            offset += size

    def flush(self) -> None:
        """Write the index out (a batch that reaches the threshold does), so that readers load it and replay nothing."""
        with _writing(self.folder):
            first = self._collection.get(include=["embeddings"], limit=1)
            if not first["ids"]:
                return
            self._flush_every(2)
            self._reopen()
            for _ in range(2):
                self._collection.upsert(ids=first["ids"], embeddings=np.asarray(first["embeddings"]))

    def _reopen(self) -> None:
        """Another threshold counts from here on: Chroma reads it when it opens."""
        with _writing(self.folder):
            self._client.close()
            self._client = _client(self.folder)
            self._collection = self._client.get_collection(_COLLECTION, embedding_function=None)

    def _flush_every(self, count: int) -> None:
        # Chroma warns of itself: a collection without an embedding function is "legacy".
        with _writing(self.folder), warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            self._collection.modify(configuration={"hnsw": {"sync_threshold": count}})

    def close(self) -> None:
        with suppress(Exception):
            self._client.close()


def seal(folder: Path) -> str:
    """Sync the index files to disk. Returns their sizes and sampled digests, by which damage is noticed at opening."""
    with _writing(folder):
        files = _index_files(folder)
        for path in (*files, folder / _DATABASE):
            with path.open("rb+") as file:
                os.fsync(file.fileno())
        return json.dumps({path.relative_to(folder).as_posix(): _digest(path) for path in files})


def check_seal(folder: Path, seal: str) -> None:
    """Raises CorpusDamaged, naming the file, when the index is not the one that was sealed. Reads 64 KB a file."""
    for name, digest in json.loads(seal).items():
        path = folder / name
        if not path.is_file():
            raise CorpusDamaged(f"the vectors in {folder} are damaged: {name} is missing", _REPAIR)
        if _digest(path) != digest:
            raise CorpusDamaged(f"the vectors in {folder} are damaged: {name} is not as it was written", _REPAIR)
    if not (folder / _DATABASE).is_file():
        raise CorpusDamaged(f"the vectors in {folder} are damaged: {_DATABASE} is missing", _REPAIR)


def _index_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*/*") if path.is_file())


def _digest(path: Path) -> str:
    size = path.stat().st_size
    sampled = blake2b(str(size).encode(), digest_size=16)
    with path.open("rb") as file:
        for sample in range(_SAMPLES):
            file.seek(max(0, size - _BLOCK) * sample // (_SAMPLES - 1))
            sampled.update(file.read(_BLOCK))
    return sampled.hexdigest()


def hush() -> None:
    """Chroma's own log says nothing that a reader could use; what fails is raised."""
    for name in ("chromadb", "chromadb.telemetry"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _client(folder: Path) -> Client:
    import chromadb
    from chromadb.config import Settings

    hush()
    client = chromadb.PersistentClient(str(folder), Settings(anonymized_telemetry=False))
    return cast("Client", client)


@contextmanager
def _reading(folder: Path) -> Iterator[None]:
    """Chroma's errors, its Rust panics (BaseExceptions) among them, as CorpusDamaged."""
    try:
        yield
    except _OURS:
        raise
    except BaseException as error:
        message = f"the vectors in {folder} cannot be read: {first_line(error)}"
        if starved(error):
            raise MemoryError(message) from error
        if _NO_ROOM.search(message):  # Chroma writes when it opens
            raise NotWritable(message, "make room on the disk; nothing is lost") from error
        raise CorpusDamaged(message, _REPAIR) from error


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """The same, and the disk's errors, as NotWritable."""
    try:
        yield
    except _OURS:
        raise
    except BaseException as error:
        message = f"the vectors in {folder} cannot be written: {first_line(error)}"
        if starved(error):
            raise MemoryError(message) from error
        raise NotWritable(message, "make room, or use another folder (CITEWELL_HOME)") from error


def first_line(error: BaseException) -> str:
    """Of what it says, or its name."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
