"""The new state of a corpus: rows and vectors of what differs, and the marks by which readers find them."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from types import TracebackType

from rag.embed.contract import Embedder
from rag.errors import CorpusDamaged
from rag.library import chunks, indexing, matrix, rows, schema
from rag.library.beside import beside
from rag.library.cache import VectorCache
from rag.library.changes import Changes
from rag.library.indexing import Held, RowWriter
from rag.library.layout import Layout
from rag.library.pipeline import ServerTarget, Target, VectorPipeline
from rag.library.prepare import Prepared, rules
from rag.library.preparing import Preparing
from rag.library.processes import Processes
from rag.library.reports import Progress
from rag.library.server import Store
from rag.library.vectors import check_seal, seal
from rag.release import release
from rag.types import Chunk, Paper

_CHURN = 0.3
"""Above this share of replaced vectors the index is built anew: an HNSW graph keeps its dead."""
_DELTA, _MOST_DELTA = 0.1, 20_000
"""Share and number of new and gone vectors that may wait beside the folder: 20 MB more for a reader to multiply."""
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
        store: Store | None = None,
    ) -> None:
        """`store`: the server the vectors go to; without one they go into a folder here."""
        self.meta = dict(meta)
        self.healed: tuple[str, ...] = ()
        self.stale = stale or (bool(meta) and meta["rules"] != rules())
        self._layout, self._connection, self._processes = layout, connection, Processes()
        self._embedder = beside(embedder, self._processes)
        self.cache = VectorCache(layout)
        self._dimension = int(meta["dimension"]) if meta.get("dimension") else None
        self._token = layout.new_token()
        self._dead = int(meta.get("dead", 0))
        self._target = Target(layout.vectors(self._token), None)
        self._store = store
        self._server = ServerTarget(store, layout.name, embedder.identity) if store else None

    @contextmanager
    def streaming(self) -> Iterator[Callable[[Paper, bytes], None]]:
        """For a new corpus: papers are indexed as they are read; `apply` mends what proves to be linked."""
        writer = RowWriter(self._connection)
        with self._pipeline(self._server or self._target) as pipeline:

            def add(made: Prepared, hash_: bytes) -> None:
                writer.add(made, hash_)
                self._send(made, range(len(made.chunks)), pipeline)

            with Preparing(self._embedder.identity, self._processes, add) as preparing:
                yield preparing.put
            writer.flush()

    def apply(self, changes: Changes, tell: Callable[[Progress], None]) -> None:
        """Write what differs. Without any difference nothing is written, and the generation stays."""
        if self._server is not None:
            self._apply_to_server(self._server, changes, tell)
            return
        base = self._base()
        if base and not changes.any:
            return
        if not self.meta:
            self._index(changes, self._target, tell)
            self._target.store.count()  # makes the folder, though it may hold nothing
        else:
            self._index(changes, None, tell)
            if base is None or not self._waits():
                self._write_folder(base, tell)
        self._finish(self._target)

    def _apply_to_server(self, server: ServerTarget, changes: Changes, tell: Callable[[Progress], None]) -> None:
        again = bool(self.meta) and (self.stale or self.cache.lost)
        if self.meta and not again and not changes.any:
            return
        server.ask()
        self._index(changes, server, tell)
        if again:
            self._fill(server, tell, "")
        self._finish(None)

    def move(self, tell: Callable[[Progress], None]) -> None:
        """Every vector to where they shall be from now on, out of the cache; what is there already is left alone."""
        self._dead = 0
        self._fill(self._server or self._target, tell, "")
        self._forget_waiting()
        if self._server is None:
            self._target.store.count()
        self._finish(None if self._server else self._target)

    def __enter__(self) -> Build:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """After a failure the new vector folder is closed and removed."""
        self._processes.end()
        self.cache.close()
        if self._server is not None:
            self._server.close()
        if kind is not None and self._target.made:
            self._target.store.close()
            shutil.rmtree(self._target.folder, ignore_errors=True)

    @contextmanager
    def _pipeline(self, target: Target | ServerTarget | None) -> Iterator[VectorPipeline]:
        with VectorPipeline(self._embedder, self.cache, target, self._dimension) as pipeline:
            yield pipeline
        self._dimension = pipeline.dimension

    def _waits(self) -> bool:
        """Whether what is new and gone is so little that it may stay beside the vector folder."""
        return self._count("fresh") + self._count("stale") <= min(_MOST_DELTA, _DELTA * self._count("chunks"))

    def _write_folder(self, base: Path | None, tell: Callable[[Progress], None]) -> None:
        """A vector folder of this state: a copy of the last with what differs, or anew where too much of it is dead."""
        self._dead += self._count("stale")
        if base and self._dead <= _CHURN * self._count("chunks"):
            self._target = Target(self._target.folder, base)
            gone = [chunk for (chunk,) in self._connection.execute("SELECT chunk FROM stale")]
            self._target.store.delete(gone)
            self._fill(self._target, tell, "JOIN fresh f ON f.paper = c.paper AND f.ordinal = c.ordinal")
        else:
            self._dead = 0
            self._fill(self._target, tell, "")
            self._target.store.count()
        self._forget_waiting()

    def _forget_waiting(self) -> None:
        for table in ("fresh", "stale"):
            self._connection.execute(f"DELETE FROM {table}")

    def _fill(self, target: Target | ServerTarget, tell: Callable[[Progress], None], chosen: str) -> None:
        """Chunks of the catalogue into the target, from the cache; what the cache lost is embedded again."""
        total = self._connection.execute(f"SELECT count(*) FROM chunks c {chosen}").fetchone()[0]
        query = (
            'SELECT c.ordinal, c.first, c.last, c."start", c."end", c.vector, '
            + ", ".join(f"p.{column}" for column in rows.COLUMNS.split(", "))
            + f" FROM chunks c {chosen} JOIN papers p ON p.key = c.paper ORDER BY c.paper, c.ordinal"
        )
        with self._pipeline(target) as pipeline:
            for done, row in enumerate(self._connection.execute(query), start=1):
                (n, *span, vector), paper = row[:6], rows.paper(row[6:])
                text = chunks.embedded_text(paper, Chunk(paper.id, *span))
                pipeline.put([indexing.chunk_id(paper.id, n)], [vector], [text])
                if done % _REPORT_EVERY == 0:
                    tell(Progress("vectors", done, total))
        if total:
            tell(Progress("vectors", total, total))

    def _index(self, changes: Changes, target: Target | ServerTarget | None, tell: Callable[[Progress], None]) -> None:
        """The rows of what differs. Its vectors go into `target`; without one it is noted which are new and gone."""
        gone: set[str] = set()
        writer = RowWriter(self._connection)
        with self._pipeline(target) as pipeline:
            for key in changes.to_remove():
                held = indexing.delete(self._connection, key)
                gone |= held.vectors.keys() - held.fresh

            def write(made: Prepared, mark: tuple[int | None, bytes]) -> None:
                old, hash_ = mark
                held = indexing.delete(self._connection, old) if old is not None else Held()
                ids = [indexing.chunk_id(made.paper.id, n) for n in range(len(made.chunks))]
                new = [n for n, id_ in enumerate(ids) if held.vectors.get(id_) != made.vector_keys[n]]
                kept = {ids[n] for n in range(len(ids))} - {ids[n] for n in new}
                gone.update(held.vectors.keys() - kept - held.fresh)
                still = [n for n, id_ in enumerate(ids) if id_ in kept and id_ in held.fresh]
                writer.add(made, hash_, () if target else (*new, *still))
                self._send(made, new, pipeline)

            with Preparing(self._embedder.identity, self._processes, write) as preparing:
                for done, (old, hash_, paper) in enumerate(changes.to_index(), start=1):
                    preparing.put(paper, (old, hash_))
                    if done % _REPORT_EVERY == 0:
                        tell(Progress("index", done, changes.work))
            writer.flush()
        if changes.work:
            tell(Progress("index", changes.work, changes.work))
        if isinstance(target, Target):
            self._dead += len(gone)
            self._mend(target, gone)
        elif target is None:
            self._connection.executemany("INSERT OR IGNORE INTO stale VALUES (?)", [(id_,) for id_ in gone])

    def _mend(self, target: Target, gone: set[str]) -> None:
        """A new corpus's papers that proved to be one: chunks that are no more go out of the folder."""
        if not gone:
            return
        held = (
            indexing.chunk_id(rows.unpacked(id_), ordinal)
            for id_, ordinal in self._connection.execute(
                "SELECT p.id, c.ordinal FROM papers p JOIN chunks c ON c.paper = p.key"
            )
        )
        if obsolete := sorted(gone.difference(held)):
            target.store.delete(obsolete)

    def _send(self, made: Prepared, new: Sequence[int], pipeline: VectorPipeline) -> None:
        pipeline.put(
            [indexing.chunk_id(made.paper.id, n) for n in new],
            [made.vector_keys[n] for n in new],
            [made.texts[n] for n in new],
        )

    def _count(self, table: str) -> int:
        return int(self._connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])

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

    def _finish(self, target: Target | None) -> None:
        """Steps 4 and 5 of the protocol, short of the commit. Without a target the vectors are on the server."""
        if target is None:
            # A server's hit is looked up by its key.
            self._connection.execute("CREATE INDEX IF NOT EXISTS chunks_vector ON chunks (vector)")
            self.meta |= {"vectors": "", "seal": "{}"}
        elif target.made:
            target.store.flush()
            target.store.close()
            if matrix.FROM < self._count("chunks") <= matrix.UP_TO:
                matrix.write(target.folder, self._connection, self.cache)
            self.meta |= {"vectors": self._token, "seal": seal(target.folder)}
        hashes = [hash_ for (hash_,) in self._connection.execute("SELECT hash FROM papers ORDER BY id")]
        self.meta |= {
            "name": self._layout.name,
            "citewell": release(),
            "embedder": self._embedder.identity,
            "store": self._store.address if self._store else "",
            "dimension": str(self._dimension or ""),
            "rules": rules(),
            "generation": str(int(self.meta.get("generation", 0)) + 1),
            "dead": str(self._dead),
            "papers": str(len(hashes)),
            "chunks": str(self._count("chunks")),
            "fresh": str(self._count("fresh")),
            "stale": str(self._count("stale")),
            "fingerprint": sha256(b"".join(hashes)).hexdigest()[:16],
        }
        schema.write_meta(self._connection, self.meta)
