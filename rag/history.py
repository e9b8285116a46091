"""The local log of answers: what was asked, of what, with what, and what came out; enough to run it again.

One SQLite file in the home, readable by its owner only, safe with several processes. It holds no secret: settings are
written from a list of names, and the key is blotted out wherever it may have slipped into a text.
"""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rag import private
from rag.errors import CorpusError, NotWritable, Unreadable, UsageError
from rag.model.refusals import plain_address
from rag.settings import Settings
from rag.types import Filters

FILE_NAME = "history.sqlite3"
_KEPT_SETTINGS = ("corpus", "embedder", "top_k", "max_risk", "timeout", "max_cost", "judge", "context_window")
_BUSY = 5.0
_SCHEMA = """CREATE TABLE IF NOT EXISTS answers (
    id INTEGER PRIMARY KEY AUTOINCREMENT, question TEXT NOT NULL, answer TEXT NOT NULL, entry TEXT NOT NULL)"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One logged answer. `model` is its identity ("none" without one); `prompt` tells the prompt's wording apart."""

    question: str
    answer: Mapping[str, Any]
    """As `ask --json` prints it."""
    filters: Filters = field(default_factory=Filters)
    settings: Mapping[str, Any] = field(default_factory=dict)
    """See `public`."""
    fingerprint: str = ""
    """Of the corpus that was asked."""
    model: str = "none"
    prompt: str = ""
    raw: str = ""
    """What the model wrote, unchecked: for replay, never to be shown as an answer."""
    turns: tuple[str, ...] = ()
    """The questions before it, when it was asked in a conversation."""
    id: int = 0
    at: str = ""
    """UTC, ISO 8601, to the second."""

    @property
    def status(self) -> str:
        return str(self.answer.get("status", ""))


def public(settings: Settings) -> dict[str, Any]:
    """The settings that shape an answer, without the key, without a model's arguments, without a URL's password."""
    kept = {name: getattr(settings, name) for name in _KEPT_SETTINGS}
    base_url = plain_address(settings.base_url) if settings.base_url else None
    spoken = {name: getattr(settings, name).partition("?")[0] for name in ("model", "embedder")}
    return {**kept, **spoken, "base_url": base_url}


class History:
    """Opened for each operation: nothing is held between them, and nothing is created before the first `add`."""

    def __init__(self, home: Path) -> None:
        self.path = home / FILE_NAME

    def add(self, entry: Entry, *, secrets: Sequence[str | None] = ()) -> Entry:
        """The entry as logged, with its id. `secrets` are blotted out of every text. Raises NotWritable."""
        at = datetime.now(UTC).isoformat(timespec="seconds")
        texts = [
            entry.question,
            str(entry.answer.get("answer") or ""),
            json.dumps(_plain(replace(entry, at=at)), ensure_ascii=False),
        ]
        texts = [private.without(text, secrets) for text in texts]
        # Half of a surrogate pair cannot be stored.
        row = [text.encode("utf-8", "replace").decode() for text in texts]
        with self._open() as database:
            added = database.execute("INSERT INTO answers (question, answer, entry) VALUES (?, ?, ?)", row)
            return replace(_read(row[-1]), id=int(added.lastrowid or 0))

    def latest(self, count: int = 20, *, words: str = "") -> tuple[Entry, ...]:
        """The newest first; with `words`, those whose question or answer holds each of them. Raises Unreadable."""
        if not self.path.exists():
            return ()
        like = [f"%{_escaped(word)}%" for word in words.split()]
        where = " AND ".join(["question || char(10) || answer LIKE ? ESCAPE '\\'"] * len(like)) or "1"
        select = f"SELECT id, entry FROM answers WHERE {where} ORDER BY id DESC LIMIT ?"
        with self._open(reading=True) as database:
            rows = database.execute(select, (*like, count)).fetchall()
        return tuple(replace(_read(text), id=number) for number, text in rows)

    def get(self, reference: str | int) -> Entry:
        """The entry with this id. Raises UsageError when there is none, Unreadable."""
        text = str(reference).strip().lstrip("#")
        found = None
        if text.isascii() and text.isdigit() and len(text) < 19 and self.path.exists():
            with self._open(reading=True) as database:
                found = database.execute("SELECT entry FROM answers WHERE id = ?", (int(text),)).fetchone()
        if found is None:
            raise UsageError(f"no answer {reference!r} in the history", "`citewell history` lists them")
        return replace(_read(found[0]), id=int(text))

    def count(self) -> int:
        """Raises Unreadable."""
        with self._open(reading=True) as database:
            return int(database.execute("SELECT count(*) FROM answers").fetchone()[0])

    def damage(self) -> str | None:
        """What is wrong with the first entry that cannot be read, though SQLite finds the file whole."""
        with self._open(reading=True) as database:
            for (text,) in database.execute("SELECT entry FROM answers"):
                try:
                    _read(text)
                except Unreadable as error:
                    return error.message
        return None

    def restore(self, rows: Iterable[tuple[int, str, str, str]]) -> int:
        """Takes rows of an earlier file that hold an entry, with their ids; says how many. Raises NotWritable."""
        kept = 0
        with self._open() as database:
            for row in rows:
                with contextlib.suppress(Unreadable, sqlite3.IntegrityError):
                    _read(row[-1])
                    kept += database.execute("INSERT INTO answers VALUES (?, ?, ?, ?)", row).rowcount
        return kept

    def clear(self) -> int:
        """Forgets everything and says how many answers that were. Raises NotWritable."""
        if not self.path.exists():
            return 0
        with self._open() as database:
            return database.execute("DELETE FROM answers").rowcount

    @contextlib.contextmanager
    def _open(self, *, reading: bool = False) -> Iterator[sqlite3.Connection]:
        """One transaction. `reading` works where the home cannot be written."""
        try:
            if not reading:
                private.file(self.path)
            address = f"{self.path.absolute().as_uri()}?mode=rw"
            with contextlib.closing(sqlite3.connect(address, uri=True, timeout=_BUSY)) as database, database:
                database.execute("PRAGMA secure_delete = ON")
                database.execute(_SCHEMA)
                yield database
        except (sqlite3.Error, OSError) as error:
            raise self._trouble(error) from error

    def _trouble(self, error: Exception) -> CorpusError:
        reason = getattr(error, "strerror", None) or str(error)
        if isinstance(error, OSError | sqlite3.OperationalError):
            return NotWritable(f"the history {self.path}: {reason}", "mend its permissions, or use --no-log")
        return Unreadable(
            f"the history {self.path} is damaged: {reason}", "`citewell doctor --repair` keeps what can be read"
        )


def _plain(entry: Entry) -> dict[str, Any]:
    return {name: value for name, value in asdict(entry).items() if name != "id"}


def _read(text: str) -> Entry:
    """Raises Unreadable. Fields of a later citewell are passed over."""
    try:
        value = json.loads(text)
        filters: dict[str, Any] = {
            name: tuple(v) if isinstance(v, list) else v for name, v in value.pop("filters", {}).items()
        }
        value["turns"] = tuple(value.get("turns", ()))
        known = {name: part for name, part in value.items() if name in Entry.__slots__}
        return Entry(**known, filters=Filters(**filters))
    except (ValueError, TypeError, AttributeError) as error:
        raise Unreadable(f"an entry of the history is damaged: {error}", "`citewell doctor --repair`") from error


def _escaped(word: str) -> str:
    """For LIKE, where `%` and `_` stand for anything."""
    return re.sub(r"([\\%_])", r"\\\1", word)
