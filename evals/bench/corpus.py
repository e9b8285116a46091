"""Papers of a benchmark indexed in a folder of their own, and an assistant over them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from evals.running.engine import settings_for
from rag.assistant import Assistant
from rag.types import Paper


@contextmanager
def assistant_over(papers: Iterable[Paper]) -> Iterator[Assistant]:
    with tempfile.TemporaryDirectory(prefix="citewell-bench-", ignore_cleanup_errors=True) as home:
        assistant = Assistant(settings_for(Path(home)))
        assistant.sync_records(papers)
        yield assistant


def paper(key: str, title: str, text: str) -> Paper:
    return Paper(key, title or key, "given" if title else "derived", text)
