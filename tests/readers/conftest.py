"""Files written, read, and their papers and problems told apart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rag.readers import read
from rag.types import Paper, Problem

Outcome = tuple[list[Paper], list[Problem]]


@pytest.fixture
def reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    """`reading("a.bib", content)` writes the file into an empty working folder and reads it by its name."""
    monkeypatch.chdir(tmp_path)

    def run(name: str, content: str | bytes) -> Outcome:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return outcome(name)

    return run


def outcome(*paths: str | Path) -> Outcome:
    items = list(read(paths))
    return [item for item in items if isinstance(item, Paper)], [item for item in items if isinstance(item, Problem)]
