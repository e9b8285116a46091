"""Embeddings from any OpenAI-compatible endpoint, through the openai SDK with its own retries off.

One retry layer, the one that chat models use too; replies are believed only when they hold every text's vector, each
under its own index and all of one length. The SDK is imported at the first call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rag.embed.contract import Vectors, unit_rows
from rag.errors import ModelRefused, ModelUnreachable, NoCredential
from rag.model.refusals import Refusal, meaning, plain_address
from rag.model.retry import Budget, Passing, attempt
from rag.settings import Settings

if TYPE_CHECKING:
    import openai

_MOST_TEXTS, _MOST_CHARACTERS = 256, 200_000
"""A request's size: servers allow 2,048 texts and about 300,000 tokens."""
_DEFAULT_URL = "https://api.openai.com/v1"
_EMPTY = " "
"""Servers refuse an empty text: a blank is sent, and a zero row returned."""


class OpenAIEmbedder:
    """`openai:MODEL`. Base URL and key come from the settings, and so from OPENAI_BASE_URL and OPENAI_API_KEY."""

    def __init__(self, model: str, settings: Settings) -> None:
        """Raises NoCredential where the address is OpenAI's own and there is no key."""
        if settings.api_key is None and settings.base_url is None:
            raise NoCredential("no key for the OpenAI API", "set OPENAI_API_KEY, or OPENAI_BASE_URL for a local server")
        self._model, self._url = model, settings.base_url or _DEFAULT_URL
        self._key, self._seconds = settings.api_key or "none", settings.timeout
        self._where = f"the embedding server at {plain_address(settings.base_url)}"
        self._client: openai.OpenAI | None = None
        self._dimension: int | None = None

    @property
    def identity(self) -> str:
        """The model alone: the same model behind another address gives comparable vectors."""
        return f"openai/{self._model}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, d) float32 rows of length 1. Raises ModelUnreachable, ModelRefused, NoCredential."""
        rows = [self._requested(batch) for batch in _batches(texts)]
        if not rows:
            return np.zeros((0, self._dimension or 0), dtype=np.float32)
        vectors = np.concatenate(rows)
        vectors[[not text.strip() for text in texts]] = 0
        return unit_rows(vectors)

    def _requested(self, batch: list[str]) -> Vectors:
        budget = Budget.of(self._seconds)
        return attempt(lambda: self._checked(self._reply(batch, budget), len(batch)), budget)

    def _reply(self, batch: list[str], budget: Budget) -> Any:
        import openai

        try:
            client = self._connected().with_options(timeout=budget.left + 1.0)
            return client.embeddings.with_raw_response.create(
                model=self._model, input=batch, encoding_format="float"
            ).http_response.json()
        except openai.APIStatusError as error:
            # Not chained: the SDK's own error may quote the key.
            refusal = Refusal(error.status_code, error.body, error.response.headers)
            raise meaning(refusal, self._where, self._key) from None
        except openai.APIConnectionError:
            unreachable = ModelUnreachable(f"{self._where} is not reachable", "start it, or check OPENAI_BASE_URL")
            raise Passing(unreachable) from None
        except ValueError:
            raise self._wrong("something else than JSON") from None

    def _checked(self, reply: Any, count: int) -> Vectors:
        """The vectors in the order of the texts. Raises ModelRefused for a reply that does not hold them all."""
        data = reply.get("data") if isinstance(reply, dict) else None
        if not isinstance(data, list) or not all(isinstance(entry, dict) for entry in data):
            raise self._wrong("something else than embeddings")
        by_index = {entry.get("index"): entry.get("embedding") for entry in data}
        if len(data) != count or set(by_index) != set(range(count)):
            raise self._wrong(f"{len(data)} vectors, not one for each of {count} texts")
        try:
            vectors = np.array([by_index[place] for place in range(count)], dtype=np.float32)
        except (TypeError, ValueError):
            raise self._wrong("vectors of different lengths") from None
        if vectors.ndim != 2 or not vectors.shape[1] or not np.isfinite(vectors).all():
            raise self._wrong("something else than vectors of numbers")
        if self._dimension not in (None, vectors.shape[1]):
            raise self._wrong(f"vectors of length {vectors.shape[1]} after {self._dimension}")
        self._dimension = vectors.shape[1]
        return vectors

    def _wrong(self, answered: str) -> ModelRefused:
        return ModelRefused(
            f"{self._where} answered with {answered}",
            f"is {self._model!r} an embedding model, and the URL right?",
        )

    def _connected(self) -> openai.OpenAI:
        import openai

        if self._client is None:
            self._client = openai.OpenAI(api_key=self._key, base_url=self._url, max_retries=0)
        return self._client


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """In order, each within what a server takes in one request; a longer text stands alone."""
    batch: list[str] = []
    room = _MOST_CHARACTERS
    for text in texts:
        if batch and (len(batch) == _MOST_TEXTS or len(text) > room):
            yield batch
            batch, room = [], _MOST_CHARACTERS
        batch.append(text.encode("utf-8", "replace").decode() if text.strip() else _EMPTY)
        room -= len(text)
    if batch:
        yield batch
