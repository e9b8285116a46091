"""The default embedder in the processes beside this one: the pipeline waits for it as for one over a network."""

from __future__ import annotations

from collections.abc import Sequence

from rag.embed import load
from rag.embed.contract import Embedder, Vectors
from rag.embed.static import StaticEmbedder
from rag.library.processes import PATIENCE, Processes


def beside(embedder: Embedder, processes: Processes) -> Embedder:
    """The embedder to sync with. Any but the default one stays as it is: only that costs another process nothing."""
    return EmbedderBeside(embedder, processes) if isinstance(embedder, StaticEmbedder) else embedder


class EmbedderBeside:
    """Computes in the processes as soon as there are any, and here until then or when they fail."""

    def __init__(self, embedder: Embedder, processes: Processes) -> None:
        self._embedder, self._processes = embedder, processes

    @property
    def identity(self) -> str:
        return self._embedder.identity

    @property
    def under_lock(self) -> bool:
        return not self._processes.started

    def embed(self, texts: Sequence[str]) -> Vectors:
        asked = self._processes.ask(embedded, list(texts))
        try:
            if asked is not None:
                return asked.result(PATIENCE)
        except Exception:  # whatever befell the process: what is wrong with the model will be raised here
            self._processes.end()
        return self._embedder.embed(texts)


def embedded(texts: list[str]) -> Vectors:
    """By the default embedder of whichever process this is called in."""
    return load().embed(texts)
