"""What is embedded: windows of sentences, each under its paper's title. One pure function and one text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rag.text.normalise import plain
from rag.types import Chunk, Paper

_SENTENCES = 3


def chunks(paper_id: str, sentences: Sequence[tuple[int, int]]) -> tuple[Chunk, ...]:
    """Windows of about three sentences, in order, without overlap; none longer than five.

    The rest of a division goes to the windows, so that no last window of a single sentence stands alone.
    """
    count = len(sentences)
    if not count:
        return ()
    windows = max(1, count // _SENTENCES)
    edges = [round(window * count / windows) for window in range(windows + 1)]
    return tuple(
        Chunk(paper_id, first, after - 1, sentences[first][0], sentences[after - 1][1])
        for first, after in pairwise(edges)
    )


def embedded_text(paper: Paper, chunk: Chunk) -> str:
    """What the embedder reads: title and window as plain text."""
    return plain(f"{paper.title}. {paper.abstract[chunk.start : chunk.end]}")
