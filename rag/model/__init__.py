"""A language model behind one contract: OpenAI-compatible servers, and any LlamaIndex LLM by import path."""

from __future__ import annotations

import re

from rag.model.contract import Model
from rag.settings import Settings

_IMPORT_PATH = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Z]\w*(\?.*)?", re.ASCII)


def load(settings: Settings) -> Model:
    """The model the settings name; its SDK is imported only here.

    `package.module:Class` (optionally `?{"json": "arguments"}`) is a LlamaIndex LLM, anything else the name of a model
    on an OpenAI-compatible server. Raises NoCredential, ConfigError.
    """
    if _IMPORT_PATH.fullmatch(settings.model):
        from rag.model.llamaindex_llm import LlamaIndexModel

        return LlamaIndexModel(settings)
    from rag.model.openai_server import OpenAIServer

    return OpenAIServer(settings)
