"""Any LlamaIndex embedding by import path: `package.module:Class`, its arguments as JSON after a question mark.

    llama_index.embeddings.huggingface:HuggingFaceEmbedding?{"model_name": "BAAI/bge-small-en-v1.5"}

The class decides about addresses, keys and retries; there is no second layer here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rag.embed.contract import Vectors, unit_rows
from rag.errors import ModelRefused
from rag.model.imported import Imported


class LlamaIndexEmbedder:
    """The class is imported and made when the spec is loaded. Questions go through the model's own question path."""

    def __init__(self, spec: str) -> None:
        """Raises ConfigError where the class cannot be found or made."""
        self._imported = Imported("embedder", spec, "get_text_embedding_batch")
        self._path, self._model = self._imported.path, self._imported.made
        self._dimension: int | None = None

    @property
    def identity(self) -> str:
        """Class, model name and a digest of the arguments, secrets left out."""
        return f"{self._path}/{getattr(self._model, 'model_name', 'unknown')}/{self._imported.digest}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, d) float32 rows of length 1. Raises NoCredential, ModelRefused, ModelUnreachable."""
        if not texts:
            return np.zeros((0, self._dimension or 0), dtype=np.float32)
        try:
            rows = self._model.get_text_embedding_batch(list(texts))
        except Exception as error:  # a provider's SDK may raise anything
            raise self._imported.failed(error) from None
        vectors = self._checked(rows, len(texts))
        vectors[[not text.strip() for text in texts]] = 0
        return unit_rows(vectors)

    def embed_query(self, text: str) -> Vectors:
        """(d,), through `get_query_embedding`: some models put an instruction before a question."""
        try:
            row = self._model.get_query_embedding(text)
        except Exception as error:
            raise self._imported.failed(error) from None
        found: Vectors = unit_rows(self._checked([row], 1))[0]
        return found

    def _checked(self, rows: Any, count: int) -> Vectors:
        try:
            vectors = np.array(rows, dtype=np.float32)
        except (TypeError, ValueError):
            raise ModelRefused(f"{self._path} gave vectors of different lengths", "choose another embedder") from None
        if vectors.ndim != 2 or len(vectors) != count or not np.isfinite(vectors).all():
            raise ModelRefused(f"{self._path} gave no vector for each of {count} texts", "choose another embedder")
        if self._dimension not in (None, vectors.shape[1]):
            raise ModelRefused(
                f"{self._path} gave vectors of length {vectors.shape[1]} after {self._dimension}",
                "choose another embedder",
            )
        self._dimension = vectors.shape[1]
        return vectors
