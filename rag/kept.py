"""What a home keeps beside its corpora: the log of answers, the conversations, the model's replies. Are they well?

Each is looked through, and under `repair` what is damaged is set aside under another name, never deleted, and begun
anew with all that can still be read. Only the cache of replies is dropped: it can be asked for again.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from rag.errors import CitewellError
from rag.history import History
from rag.library.reports import Finding
from rag.model.cache import ReplyCache
from rag.sessions import Sessions

_REPAIR = "run `citewell doctor --repair`: what can be read is kept, the damaged file is set aside"


def examine(home: Path, *, repair: bool = False) -> Iterator[Finding]:
    """One finding for each part that there is. Never raises for one that is ill."""
    for look in (_history, _conversations, _replies):
        try:
            yield from look(home, repair)
        except CitewellError as error:
            yield Finding(look.__name__.strip("_"), False, error.message, error.hint)
        except OSError as error:
            reason = error.strerror or str(error)
            yield Finding(look.__name__.strip("_"), False, f"{error.filename}: {reason}", "mend its permissions")


def _history(home: Path, repair: bool) -> Iterator[Finding]:
    log = History(home)
    if not log.path.exists():
        return
    damage = _damage(log.path) or log.damage()
    if damage and repair:
        aside = _aside(log.path)
        kept = log.restore(_rows(aside))
        yield Finding("history", True, f"{kept} answers kept; the damaged log is {aside.name} ({damage})")
    elif damage:
        yield Finding("history", False, f"{log.path} is damaged: {damage}", _REPAIR)
    else:
        yield Finding("history", True, f"{log.count()} answers")


def _conversations(home: Path, repair: bool) -> Iterator[Finding]:
    sessions = Sessions(home)
    ids, torn = sessions.ids(), 0
    for session_id in ids:
        cut_off, damaged = sessions.unread(session_id)
        torn += cut_off
        if damaged and repair:
            aside = _aside(sessions.path(session_id))
            kept = sessions.restore(session_id, aside)
            yield Finding("conversations", True, f"{session_id}: {kept} turns kept; the damaged file is {aside.name}")
        elif damaged:
            yield Finding("conversations", False, f"{session_id}: {damaged} lines cannot be read", _REPAIR)
    if ids:
        note = f"; {torn} turns cut off by a crash before they were shown" if torn else ""
        yield Finding("conversations", True, f"{len(ids)}{note}")


def _replies(home: Path, repair: bool) -> Iterator[Finding]:
    cache = ReplyCache.under(home)
    if not cache.path.exists():
        return
    damage = _damage(cache.path)
    if damage and repair:
        cache.clear()
        damage = _damage(cache.path) if cache.path.exists() else None
    if damage:
        hint = "run `citewell doctor --repair`, or `citewell cache clear`: replies are asked for again"
        yield Finding("replies", False, f"{cache.path} is damaged: {damage}", hint)
    else:
        yield Finding("replies", True, "the cache of a model's replies is whole")


def _damage(path: Path) -> str | None:
    """What SQLite finds wrong with a database, in its own words."""
    try:  # a killed program may have left a journal: opened to write, SQLite plays it back
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=5)) as database:
            found = str(database.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.OperationalError as error:  # locked, or not to be opened: nothing is known of what it holds
        raise OSError(0, str(error), str(path)) from error
    except sqlite3.DatabaseError as error:
        return str(error)
    return None if found == "ok" else found.splitlines()[0]


def _aside(path: Path) -> Path:
    """The file, with what SQLite keeps beside it, under a name that nothing here reads."""
    suffix = f".damaged-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"
    for beside in ("-journal", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + beside).rename(path.with_name(path.name + suffix + beside))
    return path.rename(path.with_name(path.name + suffix))


def _rows(path: Path) -> Iterator[tuple[int, str, str, str]]:
    """The rows of a damaged log that can be read: from its beginning and from its end, as far as either goes."""
    seen: set[int] = set()
    for order in ("ASC", "DESC"):
        with contextlib.suppress(sqlite3.DatabaseError), closing(sqlite3.connect(path)) as database:
            for row in database.execute(f"SELECT id, question, answer, entry FROM answers ORDER BY id {order}"):
                if row[0] in seen:
                    break
                seen.add(row[0])
                yield row
