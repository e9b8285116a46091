"""Make a corpus match its input: `sync`.

The protocol. SQLite and Chroma cannot commit together, so only SQLite commits:

1. The write lock is taken; vector folders that the catalogue does not point to (a killed sync's) are removed.
2. The input is read into temporary tables, each paper once, and compared by hash. (A new corpus is indexed while it is
   read; of papers that turn out to be one, the rows are mended.)
3. In one SQLite transaction the rows of what differs are written. Meanwhile new vectors are embedded into the vector
   cache, which commits as it goes. Few that are new or gone are written down as such (`fresh`, `stale`), and the last
   vector folder goes on to serve beside them; many are added to a folder of this sync's own, fresh or a copy.
4. Such a folder is flushed, closed, sealed (digests) and synced to disk.
5. The transaction commits, with a new generation, the folder's name and its seal. This is the moment of the sync.
6. The old folder and vectors nobody uses are removed.

Killed before 5: readers see the old state, whole; the next sync starts over with every vector it had embedded.
Killed after: the new state is whole, and what 6 left is removed by the next sync.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path

from rag.embed.contract import Embedder
from rag.errors import CorpusMissing, Unreadable, UsageError
from rag.library import rows, schema
from rag.library.build import Build
from rag.library.changes import Changes
from rag.library.layout import Layout
from rag.library.lock import writing
from rag.library.reports import Progress, Stage, SyncReport
from rag.library.server import Store
from rag.library.staging import Staging
from rag.types import Paper, Problem

Report = Callable[[Progress], None]
_REPORT_EVERY = 200


def sync(
    home: Path,
    name: str,
    records: Iterable[Paper | Problem],
    embedder: Embedder,
    *,
    allow_empty: bool = False,
    rebuild: bool = False,
    progress: Report | None = None,
    store: Store | None = None,
    token: str | None = None,
) -> SyncReport:
    """Make corpus `name` hold the papers of `records` and no others.

    A paper whose file could not be read this time is kept as it was. `rebuild` forgets what the corpus held, its
    embedder and its schema. A new corpus keeps its vectors on the Chroma server `store` where one is given, any other
    where they are; `token` is for the server that may be. Raises CorpusBusy, NotWritable, EmbedderMismatch,
    SchemaMismatch, CorpusDamaged, StoreUnreachable, UsageError or Unreadable (an input without any paper, unless
    `allow_empty`), and what the embedder raises; the corpus is then as it was.
    """
    started, layout, tell = time.perf_counter(), Layout.of(home, name), progress or _silent
    with _writer(layout, rebuild) as connection:
        meta = {} if rebuild else state(connection, layout, embedder.identity)
        build = Build(layout, connection, embedder, meta, store=_server(layout, meta, store, token))
        changes, problems = _perform(layout, connection, build, records, tell, allow_empty=allow_empty)
    return SyncReport(layout.name, *changes.counts, problems, time.perf_counter() - started, build.healed)


def reindex(
    home: Path, name: str, embedder: Embedder, progress: Report | None = None, *, token: str | None = None
) -> None:
    """Everything but the papers' own rows anew: sentences, chunks, words, names, and Chroma from the vector cache."""
    layout = Layout.of(home, name)
    with _writer(layout, rebuild=False) as connection:
        if not (meta := state(connection, layout, embedder.identity)):
            raise schema.missing(layout)
        query = f"SELECT {rows.COLUMNS} FROM papers ORDER BY key"
        papers = (rows.paper(row) for row in connection.execute(query))
        build = Build(layout, connection, embedder, meta, stale=True, store=kept_on(meta, token))
        _perform(layout, connection, build, papers, progress or _silent, allow_empty=True)


def move(
    home: Path,
    name: str,
    embedder: Embedder,
    store: Store | None,
    progress: Report | None = None,
) -> None:
    """Keep the vectors of corpus `name` on the server `store` from now on, or here where it is None.

    They come out of the vector cache, so nothing is embedded that is in it, and the place they were at is not asked.
    Readers go on with the old place until the move is committed. Raises what `sync` raises.
    """
    layout = Layout.of(home, name)
    with _writer(layout, rebuild=False) as connection:
        if not (meta := state(connection, layout, embedder.identity)):
            raise schema.missing(layout)
        with Build(layout, connection, embedder, meta, store=store) as build:
            with _transaction(connection):
                schema.upgrade(connection)
                build.move(progress or _silent)
            layout.sweep(build.meta["vectors"])


def kept_on(meta: Mapping[str, str], token: str | None) -> Store | None:
    """The server that holds a corpus's vectors, if one does."""
    return Store(meta["store"], token) if meta.get("store") else None


def _server(layout: Layout, meta: Mapping[str, str], given: Store | None, token: str | None) -> Store | None:
    """Where a sync puts vectors. Raises UsageError where the corpus keeps them elsewhere than asked for."""
    held = kept_on(meta, given.token if given else token)
    if meta and given and (held is None or held.address != given.address):
        raise UsageError(
            f"corpus {layout.name!r} keeps its vectors {f'on {held.address}' if held else 'here'}, "
            f"not on {given.address}",
            f"run `citewell move {given.address} --corpus {layout.name}`",
        )
    return given if given or not meta else held


def _perform(
    layout: Layout,
    connection: sqlite3.Connection,
    build: Build,
    records: Iterable[Paper | Problem],
    tell: Report,
    *,
    allow_empty: bool,
) -> tuple[Changes, tuple[Problem, ...]]:
    """Steps 1 to 6."""
    layout.sweep(build.meta.get("vectors"))
    with build:
        with _transaction(connection):
            first = not build.meta
            if first:
                schema.create(connection)
            else:
                schema.upgrade(connection)
            with build.streaming() if first else nullcontext() as index:
                staging = Staging(connection, index)
                _read(records, staging, "index" if first else "read", tell)
                staging.flush()
            staging.finish()
            _refuse_empty(layout, connection, staging, allow_empty)
            changes = Changes(connection, staging, stale=build.stale, first=first)
            build.apply(changes, tell)
        layout.sweep(build.meta["vectors"])
        build.cache.prune(layout)
    return changes, tuple(staging.problems)


@contextmanager
def _writer(layout: Layout, rebuild: bool) -> Iterator[sqlite3.Connection]:
    """The lock, and the catalogue open for writing. Under `rebuild` one that cannot be read is made anew."""
    with writing(layout), schema.guarded(layout):
        if rebuild and not schema.sound(layout):
            schema.discard(layout)
        connection = schema.open_writer(layout)
        try:
            yield connection
        finally:
            connection.close()


def _silent(_: Progress) -> None:
    pass


def state(connection: sqlite3.Connection, layout: Layout, identity: str) -> dict[str, str]:
    """The catalogue's meta; empty before the first sync. Raises SchemaMismatch, EmbedderMismatch, CorpusDamaged."""
    try:
        schema.check_version(connection, layout)
    except CorpusMissing:
        return {}
    meta = schema.read_meta(connection)
    schema.check_embedder(layout, meta, identity)
    return meta


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _read(
    records: Iterable[Paper | Problem],
    staging: Staging,
    stage: Stage,
    tell: Report,
) -> None:
    count = 0
    for count, record in enumerate(records, start=1):
        staging.add(record)
        if count % _REPORT_EVERY == 0:
            tell(Progress(stage, count, None))
    tell(Progress(stage, count, count))


def _refuse_empty(layout: Layout, connection: sqlite3.Connection, staging: Staging, allow_empty: bool) -> None:
    if allow_empty or staging.count():
        return
    held = connection.execute("SELECT count(*) FROM papers").fetchone()[0]
    keeps = f"; corpus {layout.name!r} keeps its {held} papers" if held else ""
    if staging.problems:
        more = f" (and {len(staging.problems) - 1} more)" if len(staging.problems) > 1 else ""
        raise Unreadable(f"no paper could be read: {staging.problems[0]}{more}{keeps}", "mend the input")
    raise UsageError(f"the input holds no paper{keeps}", "check the paths; --allow-empty empties a corpus on purpose")
