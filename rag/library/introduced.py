"""The names a paper introduces: how a reader calls it who does not know its title."""

from __future__ import annotations

from rag.text.names import names
from rag.types import Paper


def introduced(paper: Paper) -> tuple[str, ...]:
    """Folded names, each once."""
    return tuple(dict.fromkeys(name.norm for name in names(paper.title)))
