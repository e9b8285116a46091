"""How alike words are by their static vectors: what no list of synonyms holds (`drafter` ~ `draft model`).

Opposites and rivals stand close in such a space too, so likeness only ever fills in for words that nothing else
answers, and only as a feature of the fitted model: the guards on numbers, names, negation and direction never read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag.embed import load
from rag.embed.static import DIMENSION

Row = NDArray[np.float32]


@lru_cache(maxsize=65536)
def vector(word: str) -> Row:
    """(256,) of length 1; zeros where a word has no token."""
    row: Row = load().embed([word])[0]
    return row


def closest(words: Sequence[str], others: Iterable[str]) -> list[float]:
    """For each word, the cosine of the most alike of the others, in [0, 1]; 0 where there are none."""
    rows = [vector(other) for other in dict.fromkeys(others)]
    if not rows or not words:
        return [0.0] * len(words)
    found: Any = np.stack([vector(word) for word in words]) @ np.stack(rows).T
    return [min(1.0, max(0.0, float(best))) for best in found.max(axis=1)]


def cosine(words: Sequence[tuple[str, float]], others: Sequence[tuple[str, float]]) -> float:
    """Of two bags of weighted words, in [-1, 1]; 0 where one is empty."""
    first, second = _sum(words), _sum(others)
    norm = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second) / norm if norm else 0.0


def _sum(words: Sequence[tuple[str, float]]) -> Row:
    total = np.zeros(DIMENSION, dtype=np.float32)
    for word, weight in words:
        total += np.float32(weight) * vector(word)
    return total
