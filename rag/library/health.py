"""Is a corpus well? `examine` looks at every part of it, `repair` makes the derived parts anew from the ledger."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import compress
from pathlib import Path

import numpy as np

from rag.embed.contract import Embedder
from rag.errors import CorpusDamaged, CorpusError
from rag.library import schema
from rag.library.cache import from_blobs
from rag.library.indexing import chunk_id
from rag.library.layout import Layout
from rag.library.lock import holder
from rag.library.matrix import Matrix
from rag.library.prepare import rules
from rag.library.reports import Finding, Progress
from rag.library.rows import unpacked
from rag.library.server import ServerStore
from rag.library.sync import kept_on, reindex
from rag.library.vectors import VectorStore, check_seal

_REPAIR = "run `citewell doctor --repair`"
_CLOSE = 0.999  # cosine between a stored vector and the ledger's: half precision, then Chroma's own normalising
_SAMPLE = 50
_UNREACHED = 2
"""Vectors of a sample that an approximate index may miss and be sound: all were compared with the ledger before."""


def examine(
    home: Path, name: str, embedder_identity: str | None = None, *, token: str | None = None
) -> tuple[Finding, ...]:
    """What is well and what is not, part by part; never raises for a corpus that is ill. Reads all of it."""
    layout = Layout.of(home, name)
    try:
        connection = schema.open_reader(layout)
    except CorpusError as error:
        return (_ill("catalogue", error),)
    with closing(connection):
        return tuple(_findings(layout, connection, embedder_identity, token))


def repair(
    home: Path,
    name: str,
    embedder: Embedder,
    progress: Callable[[Progress], None] | None = None,
    *,
    token: str | None = None,
) -> tuple[Finding, ...]:
    """Make anew what is ill and can be derived, and examine again.

    Raises what `reindex` raises: CorpusBusy, NotWritable, and CorpusDamaged where the ledger itself cannot be read.
    """
    findings = examine(home, name, embedder.identity, token=token)
    if all(finding.well for finding in findings):
        return findings
    reindex(home, name, embedder, progress, token=token)
    return examine(home, name, embedder.identity, token=token)


def _findings(
    layout: Layout, connection: sqlite3.Connection, identity: str | None, token: str | None
) -> Iterator[Finding]:
    vectors = partial(_vectors, token=token)
    for subject, look in (("catalogue", _catalogue), ("word index", _words), ("vectors", vectors)):
        try:
            with schema.guarded(layout):
                yield Finding(subject, True, look(layout, connection))
        except CorpusError as error:
            yield _ill(subject, error)
    if identity is not None:
        try:
            with schema.guarded(layout):
                schema.check_embedder(layout, schema.read_meta(connection), identity)
            yield Finding("embedder", True, identity)
        except CorpusError as error:
            yield _ill("embedder", error)
    yield from _folder(layout, connection)


def _ill(subject: str, error: CorpusError) -> Finding:
    return Finding(subject, False, error.message, error.hint)


def _catalogue(layout: Layout, connection: sqlite3.Connection) -> str:
    found = connection.execute("PRAGMA main.integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise CorpusDamaged(f"the catalogue of {layout.name!r} is damaged: {found}", schema.REBUILD)
    meta = schema.read_meta(connection)
    papers = _count(connection, "papers")
    if papers != int(meta["papers"]) or connection.execute("PRAGMA main.foreign_key_check").fetchone():
        raise CorpusDamaged(f"the catalogue of {layout.name!r} contradicts itself", schema.REBUILD)
    if meta["rules"] != rules():
        raise CorpusDamaged("the index was made by other rules of text than this citewell's", _REPAIR)
    return f"{papers} papers, generation {meta['generation']}, written by citewell {meta['citewell']}"


def _words(layout: Layout, connection: sqlite3.Connection) -> str:
    """Every paper has its row, and what a row holds is found."""
    papers = _count(connection, "papers")
    query = "SELECT count(*) FROM papers p JOIN words w ON w.rowid = p.key"
    if connection.execute(query).fetchone()[0] != papers or _count(connection, "words") != papers:
        raise CorpusDamaged("the word index does not hold the same papers as the catalogue", _REPAIR)
    query = "SELECT rowid, title || ' ' || abstract FROM words ORDER BY random() LIMIT ?"
    for key, text in connection.execute(query, (_SAMPLE,)).fetchall():
        rarest = max(text.split(), key=len, default="").replace('"', '""')
        match = "SELECT 1 FROM words WHERE words MATCH ? AND rowid = ?"
        if rarest and not connection.execute(match, (f'"{rarest}"', key)).fetchone():
            raise CorpusDamaged("the word index does not find what it holds", _REPAIR)
    return f"{_count(connection, 'vocabulary')} terms"


def _vectors(layout: Layout, connection: sqlite3.Connection, token: str | None) -> str:
    """Chroma, and the matrix where there is one, holds every chunk of the catalogue once, nothing else, with the
    ledger's vector, and finds it."""
    meta = schema.read_meta(connection)
    folder = layout.vectors(meta["vectors"])
    if not meta.get("store"):
        check_seal(folder, meta["seal"])
    chunks = _count(connection, "chunks")
    cached = connection.execute("SELECT count(*) FROM chunks c JOIN cache.vectors v ON v.key = c.vector").fetchone()[0]
    if cached != chunks:
        raise CorpusDamaged(f"the vector cache lacks {chunks - cached} of {chunks} vectors", _REPAIR)
    if (server := kept_on(meta, token)) is not None:
        with closing(ServerStore.open(server, layout.name, meta["embedder"])) as held:
            _on_server(connection, held)
        return f"{chunks} vectors of {meta['dimension'] or 'no'} dimensions on {server.address}"
    kinds: tuple[Callable[[Path], VectorStore | Matrix], ...] = (VectorStore.open, Matrix)
    for opened in kinds[: 1 + Matrix.there(folder)]:
        with closing(opened(folder)) as store:
            _compare(connection, store, chunks, meta)
            _find(connection, store, meta)
    return f"{chunks} vectors of {meta['dimension'] or 'no'} dimensions"


def _on_server(connection: sqlite3.Connection, store: ServerStore) -> None:
    """The server holds each of the ledger's vectors; what else it holds is others'."""
    query = "SELECT DISTINCT c.vector, v.vector FROM chunks c JOIN cache.vectors v ON v.key = c.vector"
    cursor = connection.execute(query)
    while part := dict(cursor.fetchmany(3000)):
        for keys, vectors in store.stored(list(part)):
            known = from_blobs([part.pop(key) for key in keys]) if keys else vectors
            norms = np.linalg.norm(known, axis=1) * np.linalg.norm(vectors, axis=1)
            if (np.einsum("ij,ij->i", known, vectors) < _CLOSE * norms).any():
                raise CorpusDamaged("the Chroma server holds other vectors than the ledger", _REPAIR)
        if part:
            raise CorpusDamaged("the Chroma server lacks vectors of this corpus", _REPAIR)


def _compare(connection: sqlite3.Connection, store: VectorStore | Matrix, chunks: int, meta: dict[str, str]) -> None:
    seen: set[str] = set()
    stale = _column(connection, "SELECT chunk FROM stale") if int(meta.get("stale", 0)) else set()
    for ids, vectors in store.stored():
        inside = [id_ not in stale for id_ in ids]
        ids, vectors = list(compress(ids, inside)), vectors[inside]
        known = _ledger(connection, ids)
        if len(known) != len(ids):
            raise CorpusDamaged("the vector store holds chunks that are not in the catalogue", _REPAIR)
        expected = from_blobs([known[id_] for id_ in ids])
        norms = np.linalg.norm(expected, axis=1) * np.linalg.norm(vectors, axis=1)
        if (np.einsum("ij,ij->i", expected, vectors) < _CLOSE * norms).any():
            raise CorpusDamaged("the vector store holds other vectors than the ledger", _REPAIR)
        seen.update(ids)
    wanted = chunks - int(meta.get("fresh", 0))
    if len(seen) != wanted or store.count() != wanted + len(stale):
        raise CorpusDamaged(f"the vector store holds {len(seen)} of {wanted} chunks", _REPAIR)


def _ledger(connection: sqlite3.Connection, ids: list[str]) -> dict[str, bytes]:
    query = (
        "SELECT c.ordinal, v.vector FROM papers p JOIN chunks c ON c.paper = p.key "
        "JOIN cache.vectors v ON v.key = c.vector WHERE p.id = ?"
    )
    found: dict[str, bytes] = {}
    for paper in dict.fromkeys(id_.rpartition("#")[0] for id_ in ids):
        found.update({chunk_id(paper, ordinal): blob for ordinal, blob in connection.execute(query, (paper,))})
    return {id_: found[id_] for id_ in ids if id_ in found}


def _column(connection: sqlite3.Connection, query: str) -> set[str]:
    return {value for (value,) in connection.execute(query)}


def _find(connection: sqlite3.Connection, store: VectorStore | Matrix, meta: dict[str, str]) -> None:
    sealed = "(SELECT 1 FROM fresh f WHERE f.paper = c.paper AND f.ordinal = c.ordinal)"
    query = (
        "SELECT p.id, c.ordinal, v.vector FROM chunks c JOIN papers p ON p.key = c.paper "
        "JOIN cache.vectors v ON v.key = c.vector "
        + (f"WHERE NOT EXISTS {sealed} " if int(meta.get("fresh", 0)) else "")
        + "ORDER BY random() LIMIT ?"
    )
    missed = []
    for id_, ordinal, blob in connection.execute(query, (_SAMPLE,)).fetchall():
        vector = from_blobs([blob])[0]
        best = store.query(vector, 1) if vector.any() else []
        if vector.any() and (not best or best[0][1] < _CLOSE):
            missed.append(chunk_id(unpacked(id_), ordinal))
    if len(missed) > _UNREACHED:
        raise CorpusDamaged(f"the vector store does not find {len(missed)} of its own, {missed[0]} first", _REPAIR)


def _folder(layout: Layout, connection: sqlite3.Connection) -> Iterator[Finding]:
    kept = schema.read_meta(connection).get("vectors")
    writer = holder(layout)
    if writer is not None:
        yield Finding("writer", True, f"being written by {writer}")
    elif strays := [path.name for path in layout.strays(kept)]:
        yield Finding("folder", True, f"{', '.join(strays)} left by a sync that was cut off; the next sync removes it")


def _count(connection: sqlite3.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
