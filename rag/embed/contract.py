"""What an embedder is: an identity, and texts in, unit vectors out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Texts to vectors. Safe to call from one thread while another writes earlier vectors."""

    @property
    def identity(self) -> str:
        """Model, version and settings: vectors are comparable only when these are equal."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, d) float32; rows have length 1, or are zero for a text without any token. Raises ModelError."""
        ...


@runtime_checkable
class QueryEmbedder(Protocol):
    """An embedder whose model treats questions differently from passages (instructions, other towers)."""

    def embed_query(self, text: str) -> Vectors:
        """(d,) float32, as `embed` otherwise."""
        ...


def computes_under_lock(embedder: Embedder) -> bool:
    """Whether `embed` holds Python's lock most of the time, so that a thread of its own gains nothing."""
    return bool(getattr(embedder, "under_lock", False))


def embed_query(embedder: Embedder, text: str) -> Vectors:
    """The question's vector, (d,): through the model's own question path where it has one."""
    if isinstance(embedder, QueryEmbedder):
        return embedder.embed_query(text)
    row: Vectors = embedder.embed([text])[0]
    return row


def unit_rows(rows: Vectors) -> Vectors:
    """Rows scaled to length 1; zero rows stay zero."""
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Vectors = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)
    return unit
