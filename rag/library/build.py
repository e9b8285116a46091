"""The new state of a corpus: rows and vectors of what differs, and the marks by which readers find them."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import TracebackType

from rag.embed.contract import Embedder
from rag.errors import CorpusDamaged
from rag.library import chunks, indexing, rows, schema
from rag.library.cache import VectorCache
from rag.library.changes import Changes
from rag.library.indexing import RowWriter
from rag.library.layout import Layout
from rag.library.pipeline import Target, VectorPipeline
from rag.library.prepare import Prepared, prepare, rules
from rag.library.reports import Progress
from rag.library.vectors import check_seal, seal
from rag.types import Chunk, Paper

_CHURN = 0.3
"""Above this share of replaced vectors the index is built anew: an HNSW graph keeps its dead."""
_REPORT_EVERY = 200


class Build:
    """One sync's writing, inside its transaction; a context manager. `meta` is the corpus's state, at last the new."""

    def __init__(
        self,
        layout: Layout,
        connection: sqlite3.Connection,
        embedder: Embedder,
        meta: dict[str, str],
        *,
        stale: bool = False,
    ) -> None:
        self.meta = dict(meta)
        self.healed: tuple[str, ...] = ()
        self.stale = stale or (bool(meta) and meta["rules"] != rules())
        self._layout, self._connection, self._embedder = layout, connection, embedder
        self.cache = VectorCache(layout)
        self._dimension = int(meta["dimension"]) if meta.get("dimension") else None
        self._token = layout.new_token()
        self._dead = int(meta.get("dead", 0))
        self._target = Target(layout.vectors(self._token), None)

    @contextmanager
    def streaming(self) -> Iterator[Callable[[Paper, bytes], None]]:
        """For a new corpus: papers are indexed as they are read; `apply` mends what proves to be linked."""
        writer = RowWriter(self._connection)
        with self._pipeline(self._target) as pipeline:

            def index(paper: Paper, hash_: bytes) -> None:
                made = prepare(paper, self._embedder.identity)
                writer.add(made, hash_)
                self._send({}, made, pipeline)

            yield index
            writer.flush()

    def apply(self, changes: Changes, tell: Callable[[Progress], None]) -> None:
        """Write what differs. Without any difference nothing is written, and the generation stays."""
        base = self._base()
        if base and not changes.any:
            return
        if not self.meta:
            self._index(changes, self._target, tell)
        elif base and self._dead_share(changes) <= _CHURN:
            self._target = Target(self._target.folder, base)
            self._index(changes, self._target, tell)
        else:
            self._index(changes, None, tell)
            self.refill(self._target, tell)
            base = None
        if base is None:
            self._dead = 0
            self._target.store.count()  # makes the folder, though it may hold nothing
        self._finish(self._target)

    def __enter__(self) -> Build:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """After a failure the new vector folder is closed and removed."""
        self.cache.close()
        if kind is not None and self._target.made:
            self._target.store.close()
            shutil.rmtree(self._target.folder, ignore_errors=True)

    @contextmanager
    def _pipeline(self, target: Target | None) -> Iterator[VectorPipeline]:
        with VectorPipeline(self._embedder, self.cache, target, self._dimension) as pipeline:
            yield pipeline
        self._dimension = pipeline.dimension

    def refill(self, target: Target, tell: Callable[[Progress], None]) -> None:
        """Every chunk of the catalogue into `target`, from the cache; what the cache lost is embedded again."""
        total = self._connection.execute("SELECT count(*) FROM chunks").fetchone()[0]
        done, query = 0, f"SELECT key, {rows.COLUMNS} FROM papers ORDER BY key"
        with self._pipeline(target) as pipeline:
            for key, *row in self._connection.execute(query):
                paper, windows = rows.paper(row), self._chunks(key, row[0])
                texts = [chunks.embedded_text(paper, chunk) for chunk, _ in windows]
                ids = [indexing.chunk_id(paper.id, n) for n in range(len(windows))]
                pipeline.put(ids, [vector for _, vector in windows], texts)
                done += len(windows)
                if done % _REPORT_EVERY < len(windows):
                    tell(Progress("vectors", done, total))
        tell(Progress("vectors", total, total))

    def _chunks(self, key: int, paper_id: str) -> list[tuple[Chunk, bytes]]:
        query = 'SELECT first, last, "start", "end", vector FROM chunks WHERE paper = ? ORDER BY ordinal'
        return [(Chunk(paper_id, *span), vector) for *span, vector in self._connection.execute(query, (key,))]

    def _index(self, changes: Changes, target: Target | None, tell: Callable[[Progress], None]) -> None:
        obsolete: list[str] = []
        writer = RowWriter(self._connection)
        with self._pipeline(target) as pipeline:
            for key in changes.to_remove():
                obsolete.extend(indexing.delete(self._connection, key))
            for done, (old, hash_, paper) in enumerate(changes.to_index(), start=1):
                made = prepare(paper, self._embedder.identity)
                held = indexing.delete(self._connection, old) if old is not None else {}
                writer.add(made, hash_)
                obsolete.extend(self._send(held, made, pipeline))
                if done % _REPORT_EVERY == 0:
                    tell(Progress("index", done, changes.work))
            writer.flush()
        if changes.work:
            tell(Progress("index", changes.work, changes.work))
        if target and obsolete:
            target.store.delete(obsolete)
        self._dead += len(obsolete)

    def _send(self, held: dict[str, bytes], made: Prepared, pipeline: VectorPipeline) -> list[str]:
        """Those of a paper's vectors that are new go to the pipeline; returns the chunk ids that are no more."""
        ids = [indexing.chunk_id(made.paper.id, n) for n in range(len(made.chunks))]
        new = [n for n, id_ in enumerate(ids) if held.get(id_) != made.vector_keys[n]]
        self._dead += sum(ids[n] in held for n in new)
        pipeline.put([ids[n] for n in new], [made.vector_keys[n] for n in new], [made.texts[n] for n in new])
        return [id_ for id_ in held if id_ not in set(ids)]

    def _base(self) -> Path | None:
        """The vector folder to build upon: none for a new corpus, or where the last one is damaged."""
        if not self.meta or self.stale:
            return None
        if self.cache.lost:
            self.healed = ("the vector cache was lost or damaged: its vectors were embedded again",)
            return None
        folder = self._layout.vectors(self.meta["vectors"])
        try:
            check_seal(folder, self.meta["seal"])
            return folder
        except CorpusDamaged as damage:
            self.healed = (damage.message,)
            return None

    def _dead_share(self, changes: Changes) -> float:
        vectors = int(self._connection.execute("SELECT count(*) FROM chunks").fetchone()[0])
        return self._dead / max(1, vectors) + changes.replaced / max(1, changes.before)

    def _finish(self, target: Target) -> None:
        """Steps 4 and 5 of the protocol, short of the commit."""
        if target.made:
            target.store.flush()
            target.store.close()
            self.meta |= {"vectors": self._token, "seal": seal(target.folder)}
        hashes = [hash_ for (hash_,) in self._connection.execute("SELECT hash FROM papers ORDER BY id")]
        self.meta |= {
            "name": self._layout.name,
            "citewell": _version(),
            "embedder": self._embedder.identity,
            "dimension": str(self._dimension or ""),
            "rules": rules(),
            "generation": str(int(self.meta.get("generation", 0)) + 1),
            "dead": str(self._dead),
            "papers": str(len(hashes)),
            "chunks": str(self._connection.execute("SELECT count(*) FROM chunks").fetchone()[0]),
            "fingerprint": sha256(b"".join(hashes)).hexdigest()[:16],
        }
        schema.write_meta(self._connection, self.meta)


def _version() -> str:
    try:
        return version("citewell")
    except PackageNotFoundError:
        return "unreleased"
