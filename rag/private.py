"""For their owner only: what is asked, answered and indexed here is nobody else's to read, and a key is never kept."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

_FOLDER, _FILE = 0o700, 0o600


def folder(path: Path) -> Path:
    """The folder, made with whatever lacks above it (as the XDG specification asks). One that is there stays as it is.

    Raises OSError.
    """
    for each in (*reversed(path.parents), path):
        if not each.exists():
            each.mkdir(_FOLDER, exist_ok=True)
    path.mkdir(_FOLDER, exist_ok=True)  # a file in its place is an error
    return path


def file(path: Path) -> Path:
    """The file, made empty where there is none, in a folder as above. SQLite gives its side files the same rights."""
    folder(path.parent)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, _FILE))
    return path


def without(text: str, secrets: Iterable[str | None]) -> str:
    """The text with each secret blotted out, as it is and as JSON spells it."""
    for secret in secrets:
        if secret and len(secret) > 4:
            text = text.replace(secret, "***").replace(json.dumps(secret, ensure_ascii=False)[1:-1], "***")
    return text
