"""Papers and a tiny embedder for the library's tests: the real SQLite, the real Chroma, no model."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rag.library import Library
from rag.library.layout import Layout
from rag.types import Paper

WORDS = "graph risk draft token vision robot protein claim audio memory kernel policy reward sparse bound proof".split()


class WordEmbedder:
    """Sums one fixed random direction a word. Counts what it is given."""

    def __init__(self, dimension: int = 16, identity: str = "words") -> None:
        self.dimension = dimension
        self.identity = f"{identity}/{dimension}"
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.seen.extend(texts)
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                seed = zlib.crc32(word.encode("utf-8", "replace"))
                row += np.random.default_rng(seed).standard_normal(self.dimension)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.divide(rows, norms, out=rows, where=norms > 0)


def paper(number: int, abstract: str | None = None, **fields: object) -> Paper:
    """Paper `number`: every one has words of its own in title and abstract."""
    word = WORDS[number % len(WORDS)]
    own = (
        f"We study {word} number{number} in depth. It has a property{number} that matters. "
        f"Our {word} method gains {number % 90}.5% over others, runs in seconds and has code{number}."
    )
    made = Paper(
        id=f"openreview:paper{number:05d}",
        title=f"Topic{number} and {word}",
        title_source="given",
        abstract=own if abstract is None else abstract,
        authors=(f"Ada Author{number % 7}", "Bo Zhang"),
        year=2000 + number % 30,
        venue="ICML 2026" if number % 2 else "NeurIPS",
        url=f"https://openreview.net/forum?id=paper{number:05d}",
        files=(f"papers.jsonl:{number + 1}",),
    )
    return replace(made, **fields)  # type: ignore[arg-type]


def many(count: int, first: int = 0) -> list[Paper]:
    return [paper(number) for number in range(first, first + count)]


def folders(home: Path, name: str = "c") -> list[str]:
    return sorted(path.name for path in (home / "corpora" / name).glob("vectors-*"))


EMBEDDER = WordEmbedder()


def folder(home: Path, name: str = "c") -> Path:
    return Layout.of(home, name).folder


def nearest(home: Path) -> str:
    """The paper whose text is nearest to that of paper 7."""
    seventh = paper(7)
    with Library.open(home, "c", embedder_identity=EMBEDDER.identity) as library:
        vector = EMBEDDER.embed([f"{seventh.title}. {seventh.abstract}"])[0]
        return library.search_vectors(vector, 1)[0][0]
