"""The catalogue's tables, its versions, and the two ways to open it.

SQLite is the ledger: what it does not hold does not exist. It runs in WAL mode, so that readers keep their snapshot
while a sync writes the next state in one transaction; that transaction's commit is the moment a sync happens.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from rag import private
from rag.errors import (
    CorpusBusy,
    CorpusDamaged,
    CorpusError,
    CorpusMissing,
    EmbedderMismatch,
    NotWritable,
    SchemaMismatch,
)
from rag.library.layout import Layout

VERSION = 2
_UPGRADED = 1
"""The oldest version that is read as it is, and upgraded by the next sync."""
APPLICATION = 0x43495445  # "CITE"
REBUILD = "run `citewell sync --rebuild PATH...`"

# unicode61 may split at white space and nothing else: our terms (`eagle-3`, `c++`, `β-vae`, `1.78×`) stay whole.
_TOKENIZER = """tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co Cf'" """

# Bytes of new postings held in memory before they are written as one more segment to be merged.
_HELD = 32 * 2**20

# Venues and authors match by whole words, so there punctuation separates.
_NAMES = """tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'" """

# `fresh`: chunks whose vectors the sealed vector folder lacks. `stale`: ids of chunks that it holds and should not.
_SINCE_1 = """CREATE INDEX papers_url ON papers (url);
CREATE TABLE fresh (
    paper INTEGER NOT NULL REFERENCES papers ON DELETE CASCADE, ordinal INTEGER NOT NULL,
    PRIMARY KEY (paper, ordinal)) WITHOUT ROWID;
CREATE TABLE stale (chunk TEXT PRIMARY KEY) WITHOUT ROWID;"""

_TABLES = f"""
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE papers (
    key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, title_source TEXT NOT NULL,
    abstract TEXT NOT NULL, authors TEXT NOT NULL, year INTEGER, venue TEXT, url TEXT, doi TEXT,
    files TEXT NOT NULL, folded_title TEXT NOT NULL, hash BLOB NOT NULL);
CREATE INDEX papers_title ON papers (folded_title);
CREATE INDEX papers_year ON papers (year);
CREATE INDEX papers_doi ON papers (doi);
CREATE TABLE sentences (
    paper INTEGER NOT NULL REFERENCES papers ON DELETE CASCADE, ordinal INTEGER NOT NULL,
    "start" INTEGER NOT NULL, "end" INTEGER NOT NULL, PRIMARY KEY (paper, ordinal)) WITHOUT ROWID;
CREATE TABLE chunks (
    paper INTEGER NOT NULL REFERENCES papers ON DELETE CASCADE, ordinal INTEGER NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL, "start" INTEGER NOT NULL, "end" INTEGER NOT NULL,
    vector BLOB NOT NULL, PRIMARY KEY (paper, ordinal)) WITHOUT ROWID;
CREATE TABLE names (
    name TEXT NOT NULL, paper INTEGER NOT NULL REFERENCES papers ON DELETE CASCADE,
    PRIMARY KEY (name, paper)) WITHOUT ROWID;
CREATE INDEX names_paper ON names (paper);
CREATE VIRTUAL TABLE words USING fts5(title, abstract, {_TOKENIZER});
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, row);
CREATE VIRTUAL TABLE facets USING fts5(venue, authors, {_NAMES});
INSERT INTO words (words, rank) VALUES ('rank', 'bm25(1.0, 1.0)');
INSERT INTO words (words, rank) VALUES ('hashsize', {_HELD});
{_SINCE_1}
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""


def create(connection: sqlite3.Connection) -> None:
    """Empty tables, inside the caller's transaction. Whatever tables there were are dropped first."""
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL%'")
    for (name,) in names.fetchall():
        connection.execute(f'DROP TABLE "{name}"')
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    for (name,) in names.fetchall():
        connection.execute(f'DROP TABLE "{name}"')
    for statement in _TABLES.split(";\n"):
        connection.execute(statement)


def upgrade(connection: sqlite3.Connection) -> None:
    """What an older version lacks, inside the caller's transaction."""
    if connection.execute("PRAGMA user_version").fetchone()[0] < VERSION:
        for statement in (*_SINCE_1.split(";\n"), f"PRAGMA user_version = {VERSION}"):
            connection.execute(statement)


def open_writer(layout: Layout) -> sqlite3.Connection:
    """The one connection that writes. The caller holds the lock."""
    private.file(layout.catalogue)
    connection = sqlite3.connect(layout.catalogue, isolation_level=None, check_same_thread=False, timeout=10)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA temp_store = FILE")
    connection.execute("PRAGMA cache_size = -65536")
    return connection


def open_reader(layout: Layout) -> sqlite3.Connection:
    """A connection that cannot write, on a read-only disk too. Raises CorpusMissing, CorpusDamaged, SchemaMismatch."""
    if not layout.catalogue.exists():
        raise missing(layout)
    with guarded(layout):
        connection = _connect_reader(layout)
        try:
            check_version(connection, layout)
        except BaseException:
            connection.close()
            raise
    return connection


def _connect_reader(layout: Layout) -> sqlite3.Connection:
    for mode in ("mode=ro", "immutable=1"):
        connection = sqlite3.connect(
            f"{layout.catalogue.absolute().as_uri()}?{mode}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if layout.cache.exists():
                connection.execute("ATTACH ? AS cache", (f"{layout.cache.absolute().as_uri()}?{mode}",))
            return connection
        except sqlite3.OperationalError:
            # WAL needs its side files; where they cannot be made, nobody writes either, unless a log is waiting.
            connection.close()
            waiting = layout.catalogue.with_name(layout.catalogue.name + "-wal")
            if mode == "immutable=1" or (waiting.exists() and waiting.stat().st_size):
                raise
    raise AssertionError("unreachable")


def check_version(connection: sqlite3.Connection, layout: Layout) -> None:
    """Raises CorpusMissing before the first commit, CorpusDamaged for a stranger's file, SchemaMismatch."""
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if not tables:
        raise missing(layout)
    if application != APPLICATION:
        raise CorpusDamaged(f"{layout.catalogue} is not a catalogue of citewell", REBUILD)
    if not _UPGRADED <= version <= VERSION:
        age, way = ("a newer", "upgrade citewell") if version > VERSION else ("an older", "keep the older citewell")
        raise SchemaMismatch(
            f"corpus {layout.name!r} was written by {age} citewell (schema {version}, this one reads {VERSION})",
            f"{way}, or {REBUILD}",
        )


def check_embedder(layout: Layout, meta: dict[str, str], identity: str) -> None:
    """Raises EmbedderMismatch: vectors of two models are not comparable, whatever their length."""
    if meta["embedder"] != identity:
        raise EmbedderMismatch(
            f"corpus {layout.name!r} was made with {meta['embedder']}, not with {identity}",
            f"use that embedder, or {REBUILD}",
        )


def sound(layout: Layout) -> bool:
    """Whether SQLite finds every page of the catalogue well (or there is none yet)."""
    try:
        with closing(sqlite3.connect(layout.catalogue)) as connection:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
    except sqlite3.DatabaseError:
        return False


def missing(layout: Layout) -> CorpusMissing:
    """The error for a corpus that is not there; names those that are."""
    others = [other.name for other in layout.beside() if other.name != layout.name and _begun(other)]
    there = f"there: {', '.join(others)}; " if others else ""
    return CorpusMissing(
        f"there is no corpus {layout.name!r} in {layout.folder.parent}",
        f"{there}`citewell sync --corpus {layout.name} PATH...` makes it",
    )


def _begun(layout: Layout) -> bool:
    """Whether a sync was ever committed: a first one that fails leaves a catalogue without tables."""
    try:
        with closing(sqlite3.connect(f"{layout.catalogue.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT 1 FROM sqlite_master").fetchone() is not None
    except sqlite3.Error:  # damaged, or locked: it is there
        return True


def read_meta(connection: sqlite3.Connection) -> dict[str, str]:
    return dict(connection.execute("SELECT name, value FROM meta"))


def write_meta(connection: sqlite3.Connection, values: dict[str, str]) -> None:
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())


@contextmanager
def guarded(layout: Layout) -> Iterator[None]:
    """SQLite's errors as ours: what is wrong with the corpus, and the way out."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise _named(error, layout) from error


def _named(error: sqlite3.DatabaseError, layout: Layout) -> CorpusError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return CorpusBusy(f"corpus {layout.name!r} is locked by another program", "try again when it is done")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_PERM):
        return NotWritable(
            f"{layout.folder} cannot be written: {error}", "use another folder (CITEWELL_HOME), or make room"
        )
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR):
        return CorpusDamaged(
            f"the catalogue of {layout.name!r} cannot be read: {error}",
            f"check {layout.folder}, or {REBUILD}",
        )
    return CorpusDamaged(f"the catalogue of {layout.name!r} is damaged: {error}", REBUILD)


def discard(layout: Layout) -> None:
    """Delete a catalogue that cannot be read, with its log: only under --rebuild."""
    remove_database(layout.catalogue)


def remove_database(path: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
