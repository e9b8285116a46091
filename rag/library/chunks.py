"""What is embedded: windows of sentences, each under its paper's title. One pure function and one text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rag.text.normalise import plain
from rag.types import Chunk, Paper

_SENTENCES = 2.5
"""On SciFact's claims, vectors alone, windows of 1, 2, 3, 4 sentences and the whole abstract reach an nDCG@10 of 0.567,
0.572, 0.573, 0.556 and 0.548; with the title apart instead of in each, 0.537 to 0.554."""


def chunks(paper_id: str, sentences: Sequence[tuple[int, int]]) -> tuple[Chunk, ...]:
    """Windows of two or three sentences, as even as can be, in order, without overlap."""
    count = len(sentences)
    if not count:
        return ()
    windows = max(1, round(count / _SENTENCES))
    edges = [round(window * count / windows) for window in range(windows + 1)]
    return tuple(
        Chunk(paper_id, first, after - 1, sentences[first][0], sentences[after - 1][1])
        for first, after in pairwise(edges)
    )


def embedded_text(paper: Paper, chunk: Chunk) -> str:
    """What the embedder reads: title and window as plain text."""
    return plain(f"{paper.title}. {paper.abstract[chunk.start : chunk.end]}")
