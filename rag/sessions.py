"""Conversations on disk: one file each, a line a turn, written as it goes, so that nothing said is lost."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rag import private
from rag.errors import NotWritable, UsageError

_FOLDER = "sessions"


@dataclass(frozen=True, slots=True)
class Turn:
    """A message, the question it was understood as, and the answer as `ask --json` prints it."""

    message: str
    understood: str
    answer: Mapping[str, Any]
    at: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """One kept conversation; turns in the order they were had."""

    id: str
    corpus: str
    turns: tuple[Turn, ...] = field(default=())

    @property
    def paper_ids(self) -> tuple[str, ...]:
        """Every paper cited, in the order of first use."""
        cited = (source["paper_id"] for turn in self.turns for source in turn.answer.get("sources", ()))
        return tuple(dict.fromkeys(cited))


class Sessions:
    """The conversations of one home."""

    def __init__(self, home: Path, *, secrets: Sequence[str | None] = ()) -> None:
        """`secrets` are blotted out of what is written."""
        self._folder, self._secrets = home / _FOLDER, secrets

    def begin(self, corpus: str) -> Session:
        """A new, empty conversation; its file is made by the first turn."""
        at = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        return Session(f"{at}-{secrets.token_hex(2)}", corpus)

    def append(self, session: Session, turn: Turn) -> Session:
        """The session with the turn, which is on disk when this returns. Raises NotWritable."""
        at = datetime.now(UTC).isoformat(timespec="seconds")
        record = {"corpus": session.corpus, "message": turn.message, "understood": turn.understood, "at": at}
        line = private.without(json.dumps({**record, "answer": turn.answer}, ensure_ascii=False), self._secrets) + "\n"
        path = self.path(session.id)
        try:
            private.folder(self._folder)
            line = "\n" + line if _cut_off(path) else line
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "ab") as file:
                file.write(line.encode("utf-8", "backslashreplace"))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise NotWritable(f"{self._folder} cannot be written: {error.strerror}", "use --no-log") from error
        return Session(session.id, session.corpus, (*session.turns, turn))

    def load(self, session_id: str) -> Session:
        """Raises UsageError when there is no such conversation. A line cut off by a crash is passed over."""
        path = self.path(session_id)
        if not path.is_file():
            raise UsageError(f"no conversation {session_id!r}", "`citewell chat --list` shows them")
        records = list(_records(path))
        turns = tuple(Turn(each["message"], each["understood"], each["answer"], each.get("at", "")) for each in records)
        return Session(session_id, records[0]["corpus"] if records else "default", turns)

    def latest(self) -> Session:
        """The conversation written to last. Raises UsageError when there is none."""
        for session_id in self.ids():
            return self.load(session_id)
        raise UsageError("there is no earlier conversation", "`citewell chat` begins one")

    def ids(self) -> tuple[str, ...]:
        """Newest first, by the last turn."""
        files = (path for path in self._folder.glob("*.jsonl") if path.is_file())
        newest = sorted(files, key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True)
        return tuple(path.stem for path in newest)

    def unread(self, session_id: str) -> tuple[int, int]:
        """Lines that hold no turn: how many a crash cut off while they were written, and how many are damaged."""
        lines = [line for line in _text(self.path(session_id)).split("\n") if line and _record(line) is None]
        damaged = sum(not line.startswith(_BEGINNING[: len(line)]) or "\0" in line for line in lines)
        return len(lines) - damaged, damaged

    def restore(self, session_id: str, damaged: Path) -> int:
        """The conversation with those lines of its damaged file that hold a turn; says how many. Raises OSError."""
        whole = [line for line in _text(damaged).split("\n") if _record(line) is not None]
        if whole:
            path = private.file(self.path(session_id))
            path.write_text("".join(f"{line}\n" for line in whole), "utf-8")
        return len(whole)

    def path(self, session_id: str) -> Path:
        """Raises UsageError for what cannot be a conversation's id."""
        if not session_id or not all(c.isalnum() or c == "-" for c in session_id):
            raise UsageError(f"{session_id!r} is no conversation's id", "`citewell chat --list` shows them")
        return self._folder / f"{session_id}.jsonl"


def _cut_off(path: Path) -> bool:
    """Whether the last line was never finished: a crash's. What follows must not be lost with it."""
    try:
        with path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read() != b"\n"
    except OSError:  # none yet, or empty
        return False


def _text(path: Path) -> str:
    return path.read_text("utf-8", errors="replace")


def _records(path: Path) -> Iterator[dict[str, Any]]:
    for line in _text(path).split("\n"):
        if (record := _record(line)) is not None:
            yield record


_BEGINNING = '{"corpus": '


def _record(line: str) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if isinstance(record, dict) and isinstance(record.get("answer"), dict) and isinstance(record.get("message"), str):
        return {"corpus": "default", "understood": record["message"], **record}
    return None
