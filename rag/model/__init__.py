"""A language model behind one contract: OpenAI-compatible servers, and any LlamaIndex LLM by import path."""

from __future__ import annotations

import re

from rag.errors import ConfigError
from rag.model.cache import ReplyCache
from rag.model.contract import Finish, Model, Prompt, TooLong
from rag.model.metered import Metered
from rag.settings import Settings, without_arguments

__all__ = ["Finish", "Metered", "Model", "Prompt", "ReplyCache", "TooLong", "load", "metered"]

_IMPORT_PATH = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Z]\w*(\?.*)?", re.ASCII | re.DOTALL)


def load(settings: Settings) -> Model:
    """The model the settings name, for the whole process; its SDK is imported at the first call.

    `package.module:Class` (optionally `?{"json": "arguments"}`) is a LlamaIndex LLM, anything else the name of a model
    on an OpenAI-compatible server. Raises ConfigError; a missing key is said at the first call.
    """
    if _IMPORT_PATH.fullmatch(settings.model):
        from rag.model.llamaindex_llm import LlamaIndexModel

        return LlamaIndexModel(settings)
    if "?{" in settings.model:  # arguments, perhaps a key: never to be sent somewhere as a model's name
        raise ConfigError(
            f"{without_arguments(settings.model)!r} is no import path",
            "write package.module:Class?{...}, with a colon before the class",
        )
    from rag.model.openai_server import OpenAIServer

    return OpenAIServer(settings)


def metered(model: Model, settings: Settings, *, repeat: int = 0) -> Metered:
    """`model` for one answer: cached, counted, and held to `max_cost`."""
    cache = ReplyCache.under(settings.home) if settings.cache else None
    return Metered(
        model,
        prices=settings.prices,
        max_cost=settings.max_cost,
        cache=cache,
        repeat=repeat,
        secret=settings.api_key,
    )
