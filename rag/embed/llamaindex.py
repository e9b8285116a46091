"""Any LlamaIndex embedding by import path: `package.module:Class`, its arguments as JSON after a question mark.

    llama_index.embeddings.huggingface:HuggingFaceEmbedding?{"model_name": "BAAI/bge-small-en-v1.5"}

The class decides about addresses, keys and retries; there is no second layer here.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from rag.embed.contract import Vectors, unit_rows
from rag.errors import ConfigError, ModelRefused, ModelUnreachable, NoCredential
from rag.model.refusals import without_secrets

_SECRET_NAME = re.compile(r"key|token|secret|password|credential", re.IGNORECASE)
_STATUS_NO_KEY = (401, 403)


class LlamaIndexEmbedder:
    """The class is imported and made when the spec is loaded. Questions go through the model's own question path."""

    def __init__(self, spec: str) -> None:
        """Raises ConfigError where the class cannot be found or made."""
        self._path, _, given = spec.partition("?")
        arguments = _parsed(self._path, given)
        self._model = _made(self._path, arguments)
        public = {name: value for name, value in arguments.items() if not _SECRET_NAME.search(name)}
        self._secrets = [str(value) for name, value in arguments.items() if name not in public]
        self._digest = hashlib.sha256(json.dumps(public, sort_keys=True).encode()).hexdigest()[:8]
        self._dimension: int | None = None

    @property
    def identity(self) -> str:
        """Class, model name and a digest of the arguments, secrets left out."""
        return f"{self._path}/{getattr(self._model, 'model_name', 'unknown')}/{self._digest}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, d) float32 rows of length 1. Raises NoCredential, ModelRefused, ModelUnreachable."""
        if not texts:
            return np.zeros((0, self._dimension or 0), dtype=np.float32)
        try:
            rows = self._model.get_text_embedding_batch(list(texts))
        except Exception as error:  # a provider's SDK may raise anything
            raise self._failed(error) from None
        vectors = self._checked(rows, len(texts))
        vectors[[not text.strip() for text in texts]] = 0
        return unit_rows(vectors)

    def embed_query(self, text: str) -> Vectors:
        """(d,), through `get_query_embedding`: some models put an instruction before a question."""
        try:
            row = self._model.get_query_embedding(text)
        except Exception as error:
            raise self._failed(error) from None
        found: Vectors = unit_rows(self._checked([row], 1))[0]
        return found

    def _checked(self, rows: Any, count: int) -> Vectors:
        try:
            vectors = np.array(rows, dtype=np.float32)
        except (TypeError, ValueError):
            raise ModelRefused(
                f"{self._path} gave vectors of different lengths", "choose another embedder"
            ) from None
        if vectors.ndim != 2 or len(vectors) != count or not np.isfinite(vectors).all():
            raise ModelRefused(
                f"{self._path} gave no vector for each of {count} texts", "choose another embedder"
            )
        if self._dimension not in (None, vectors.shape[1]):
            raise ModelRefused(
                f"{self._path} gave vectors of length {vectors.shape[1]} after {self._dimension}",
                "choose another embedder",
            )
        self._dimension = vectors.shape[1]
        return vectors

    def _failed(self, error: Exception) -> NoCredential | ModelRefused | ModelUnreachable:
        said = " ".join(str(error).split())[:300]
        for secret in (*self._secrets, ""):
            said = without_secrets(said, secret)
        message = f"{self._path} failed: {type(error).__name__}: {said}"
        status = getattr(error, "status_code", None)
        if status in _STATUS_NO_KEY:
            return NoCredential(message, "keys come from the provider's own variables")
        if isinstance(status, int):
            return ModelRefused(message, "try again later, or choose another embedder")
        return ModelUnreachable(message, "see the provider's own documentation for its address and key")


def _parsed(path: str, given: str) -> dict[str, Any]:
    try:
        arguments = json.loads(given or "{}")
    except json.JSONDecodeError:
        arguments = None
    if not isinstance(arguments, dict):
        raise ConfigError(
            f"embedder {path}: the arguments after ? are no JSON object", 'write ?{"model_name": "..."}'
        )
    return arguments


def _made(path: str, arguments: dict[str, Any]) -> Any:
    module, _, name = path.partition(":")
    try:
        model = getattr(importlib.import_module(module), name)(**arguments)
    except ImportError as error:
        raise ConfigError(f"embedder {path}: {error}", f"install the package that holds {module}") from None
    except AttributeError:
        raise ConfigError(f"embedder {path}: {module} has no class {name}", "check its spelling") from None
    except Exception as error:  # whatever a constructor raises; its text may quote a key
        raise ConfigError(
            f"embedder {path} could not be made: {type(error).__name__}", "check its arguments and its key"
        ) from None
    if not hasattr(model, "get_text_embedding_batch"):
        raise ConfigError(f"embedder {path} is no LlamaIndex embedding", "name a subclass of BaseEmbedding")
    return model
