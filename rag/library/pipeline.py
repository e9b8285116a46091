"""New vectors, beside what the caller does: one thread adds them to Chroma, which works outside Python's lock, and one
waits for an embedder that is asked over a network or computes elsewhere too. A few batches are in flight, never the
corpus.

An embedder that computes under the lock is called in the caller's thread. In one of its own each of its many short
steps outside the lock would end in a wait for the caller to give the lock up, five milliseconds each.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from rag.embed.contract import Embedder, computes_under_lock
from rag.errors import EmbedderMismatch, ModelRefused
from rag.library.cache import VectorCache, from_blobs, to_blobs
from rag.library.server import ServerStore, Store
from rag.library.vectors import VectorStore

_IN_FLIGHT = 6
_BATCH = 1000
"""Chunks. What is left when the last paper is read is a batch or two, which nothing else is done beside."""


class Target:
    """The vector folder a sync writes, made when first needed: a copy of `source`, or a fresh one."""

    def __init__(self, folder: Path, source: Path | None) -> None:
        self.folder, self._source = folder, source

    @cached_property
    def store(self) -> VectorStore:
        return VectorStore.copy(self._source, self.folder) if self._source else VectorStore.create(self.folder)

    @property
    def made(self) -> bool:
        return "store" in self.__dict__

    def add(self, ids: Sequence[str], keys: Sequence[bytes], vectors: NDArray[np.float32]) -> None:
        """Vectors by chunk; `keys` are those of the vector cache."""
        self.store.add(ids, vectors)


class ServerTarget:
    """A Chroma server, asked when first needed. Vectors go by their keys, whoever's chunks they are."""

    def __init__(self, store: Store, corpus: str, identity: str) -> None:
        self._given = store, corpus, identity

    @cached_property
    def _store(self) -> ServerStore:
        store, corpus, identity = self._given
        return ServerStore.open(store, corpus, identity, create=True)

    def add(self, ids: Sequence[str], keys: Sequence[bytes], vectors: NDArray[np.float32]) -> None:
        self._store.add(keys, vectors)

    def close(self) -> None:
        if "_store" in self.__dict__:
            self._store.close()

    def ask(self) -> None:
        """Raises StoreUnreachable: better before the work than after."""
        self._store.count()


@dataclass(slots=True)
class _Batch:
    ids: list[str] = field(default_factory=list)
    keys: list[bytes] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)


class VectorPipeline:
    """Chunks in, vectors into the cache and (where there is one) the target. Leaving its context waits for the rest."""

    def __init__(
        self, embedder: Embedder, cache: VectorCache, target: Target | ServerTarget | None, dimension: int | None
    ) -> None:
        self.dimension = dimension
        self._embedder, self._cache, self._target = embedder, cache, target
        self._batch = _Batch()
        self._embedding = ThreadPoolExecutor(1, "embed")
        self._adding = ThreadPoolExecutor(1, "chroma")
        self._pending: deque[Future[None]] = deque()

    def put(self, ids: Sequence[str], keys: Sequence[bytes], texts: Sequence[str]) -> None:
        """Blocks while too much is in flight. Raises what the embedder or Chroma raised on an earlier batch."""
        self._batch.ids.extend(ids)
        self._batch.keys.extend(keys)
        self._batch.texts.extend(texts)
        if len(self._batch.ids) >= _BATCH:
            self._send()

    def _send(self) -> None:
        batch, self._batch = self._batch, _Batch()
        if computes_under_lock(self._embedder):
            self._pending.append(self._adding.submit(self._add, batch, self._embed(batch)))
        else:
            embedded = self._embedding.submit(self._embed, batch)
            self._pending.append(self._adding.submit(self._add_embedded, batch, embedded))
        while len(self._pending) > _IN_FLIGHT:
            self._pending.popleft().result()

    def _embed(self, batch: _Batch) -> NDArray[np.float32]:
        known = self._cache.get(batch.keys)
        new = {key: text for key, text in zip(batch.keys, batch.texts, strict=True) if key not in known}
        if new:
            vectors = self._checked(self._embedder.embed(list(new.values())), len(new))
            blobs = to_blobs(vectors)
            self._cache.put(list(new), blobs)
            known.update(zip(new, blobs, strict=True))
        vectors = from_blobs([known[key] for key in batch.keys])
        self.dimension = self.dimension or vectors.shape[1]
        return vectors

    def _checked(self, vectors: NDArray[np.float32], count: int) -> NDArray[np.float32]:
        name = self._embedder.identity
        if vectors.ndim != 2 or vectors.shape[0] != count or not np.isfinite(vectors).all():
            raise ModelRefused(
                f"the embedder {name} gave {vectors.shape} finite numbers for {count} texts",
                "use another embedder",
            )
        if self.dimension and vectors.shape[1] != self.dimension:
            raise EmbedderMismatch(
                f"the embedder {name} now gives {vectors.shape[1]} dimensions; the corpus holds {self.dimension}",
                "run `citewell sync --rebuild PATH...`",
            )
        return vectors

    def _add_embedded(self, batch: _Batch, embedded: Future[NDArray[np.float32]]) -> None:
        self._add(batch, embedded.result())

    def _add(self, batch: _Batch, vectors: NDArray[np.float32]) -> None:
        if self._target:
            self._target.add(batch.ids, batch.keys, vectors)

    def __enter__(self) -> VectorPipeline:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                if self._batch.ids:
                    self._send()
                while self._pending:
                    self._pending.popleft().result()
        finally:
            self._embedding.shutdown(cancel_futures=True)
            self._adding.shutdown(cancel_futures=True)
