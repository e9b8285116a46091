"""One writer at a time: a lock the operating system drops when its holder dies, and a note beside it saying who."""

from __future__ import annotations

import json
import os
import re
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from rag import private
from rag.errors import CorpusBusy, NotWritable
from rag.library.layout import Layout

_ARGUMENTS = re.compile(r"\?.*", re.DOTALL)
"""What follows a model's import path or an address: it may hold a key."""
_PATIENCE = 1.0  # seconds before a second writer is told


@contextmanager
def writing(layout: Layout) -> Iterator[None]:
    """Hold the corpus's write lock. Raises CorpusBusy (who, since when) within two seconds, NotWritable."""
    try:
        private.folder(layout.folder)
        lock = FileLock(layout.lock, is_singleton=False, thread_local=False)
        lock.acquire(timeout=_PATIENCE)
    except Timeout:
        raise CorpusBusy(
            f"corpus {layout.name!r} is being written by {_holder(layout)}", "try again when it is done"
        ) from None
    except OSError as error:
        raise NotWritable(
            f"{layout.folder} cannot be written: {error.strerror or error}",
            "use another folder (CITEWELL_HOME), or mend its permissions",
        ) from error
    try:
        _sign(layout)
        yield
    finally:
        with suppress(OSError):
            layout.writer.unlink()
        lock.release()


def _sign(layout: Layout) -> None:
    words = (_ARGUMENTS.sub("?...", word) for word in sys.argv[1:])
    command = " ".join([Path(sys.argv[0]).name or "python", *words])[:200]
    since = datetime.now().astimezone().isoformat(timespec="seconds")
    note = {"pid": os.getpid(), "host": socket.gethostname(), "since": since, "command": command}
    with suppress(OSError):  # a courtesy: the lock itself is held
        layout.writer.write_text(json.dumps(note), encoding="utf-8")


def holder(layout: Layout) -> str | None:
    """Who is writing now; None when nobody is, or where that cannot be told."""
    lock = FileLock(layout.lock, is_singleton=False, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return _holder(layout)
    except OSError:
        return None
    lock.release()
    return None


def _holder(layout: Layout) -> str:
    try:
        note = json.loads(layout.writer.read_text(encoding="utf-8"))
        return f"process {note['pid']} on {note['host']} since {note['since']} ({note['command']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
