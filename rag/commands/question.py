"""The question as typed: an argument, standard input (`-` or a pipe), or both."""

from __future__ import annotations

import os
import select
import stat
import sys

from rag.errors import UsageError

MOST_CHARACTERS = 20_000
_PIPE_PATIENCE = 0.2
"""Seconds a question that was already typed waits for a pipe to say something too: a job runner's open, silent
pipe must not hang the command."""


def question(typed: str | None) -> str:
    """The question. Raises UsageError when there is none, or far too much of it."""
    from_stdin = typed == "-" or _speaks(patient=typed is None)
    parts = [typed if typed not in (None, "-") else "", _read() if from_stdin else ""]
    text = "\n\n".join(part.strip() for part in parts if part and part.strip())
    if not text:
        raise UsageError("no question was asked", 'write it in quotes: citewell ask "What is DFlash?"')
    if len(text) > MOST_CHARACTERS:
        raise UsageError(f"the question has over {MOST_CHARACTERS:,} characters", "ask a shorter one")
    return text


def _read() -> str:
    raw = sys.stdin.buffer.read(4 * MOST_CHARACTERS + 4)
    return raw.decode("utf-8-sig", errors="replace").replace("\x00", "")


def _speaks(*, patient: bool) -> bool:
    """Whether standard input is a file or a pipe with something to say. A terminal is never waited for."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError, AttributeError):
        return False
    if stat.S_ISREG(mode):
        return True
    if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
        return False
    if patient or os.name == "nt":
        return patient
    ready, _, _ = select.select([sys.stdin], [], [], _PIPE_PATIENCE)
    return bool(ready)
