"""Texts to vectors behind a two-method contract.

`load` takes a spec: `wordllama` (the default: a static model inside a wheel, no network), `openai:MODEL` (any
OpenAI-compatible endpoint), or `package.module:Class` (any LlamaIndex embedding). Nothing of a provider is imported
until its spec is loaded.
"""

from __future__ import annotations

import re

from rag.embed.contract import Embedder, embed_query
from rag.embed.static import StaticEmbedder
from rag.errors import ConfigError
from rag.settings import Settings, without_arguments
from rag.settings import load as load_settings

DEFAULT = "wordllama"
_STATIC = StaticEmbedder()
"""One for the process: it reads its model once, at the first call."""
_IMPORT_PATH = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(\?.*)?", re.ASCII | re.DOTALL)

__all__ = ["DEFAULT", "Embedder", "embed_query", "load"]


def load(spec: str = DEFAULT, settings: Settings | None = None) -> Embedder:
    """The embedder a spec names. `settings` (base URL, key, timeout) default to those of this run.

    `openai:MODEL` asks OPENAI_BASE_URL with OPENAI_API_KEY; arguments of a LlamaIndex class follow a question mark, as
    JSON. Raises ConfigError for a spec that names none, NoCredential where a key is needed.
    """
    kind, _, rest = spec.partition(":")
    if spec == DEFAULT:
        return _STATIC
    if kind == "openai" and rest:
        from rag.embed.openai_endpoint import OpenAIEmbedder

        return OpenAIEmbedder(rest, settings or load_settings())
    if _IMPORT_PATH.fullmatch(spec):
        from rag.embed.llamaindex import LlamaIndexEmbedder

        return LlamaIndexEmbedder(spec)
    raise ConfigError(
        f"no embedder is called {without_arguments(spec)!r}", "use wordllama, openai:MODEL or package.module:Class"
    )
