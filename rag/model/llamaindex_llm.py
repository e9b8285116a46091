"""Any LlamaIndex LLM by import path, e.g. `llama_index.llms.anthropic:Anthropic?{"model": "claude-sonnet-4-5"}`."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from typing import Any

from rag.errors import ConfigError, ModelError, ModelUnreachable
from rag.model.contract import Ending, Finish, Prompt
from rag.model.retry import Budget
from rag.settings import Settings

_ENDINGS: dict[str, Ending] = {
    "stop": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "eos": "stop",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "filtered",
    "safety": "filtered",
}


class LlamaIndexModel:
    """Streams a LlamaIndex chat model. Its own class decides addresses, keys and retries."""

    def __init__(self, settings: Settings) -> None:
        self._path, _, arguments = settings.model.partition("?")
        self._llm = _construct(self._path, arguments)
        metadata = self._llm.metadata
        self.name = f"{self._path.rpartition(':')[2]} {getattr(metadata, 'model_name', '')}".strip()
        self.context_window = settings.context_window or getattr(metadata, "context_window", None)

    def identity(self) -> str:
        return f"{self._path} {self.name}"

    def stream(self, prompt: Prompt, *, max_tokens: int, seconds: float) -> Iterator[str | Finish]:
        from llama_index.core.llms import ChatMessage

        budget = Budget.of(seconds)
        messages = [ChatMessage(role="system", content=prompt.system), ChatMessage(role="user", content=prompt.user)]
        begun = False
        try:
            ending: Ending = "stop"
            for reply in self._llm.stream_chat(messages):
                begun = True
                if reply.delta:
                    yield str(reply.delta)
                ending = _ending(reply.raw) or ending
                if budget.left <= 0:
                    ending = "stalled"
                    break
            yield Finish(ending if begun else "cut")
        except ModelError:
            raise
        except Exception as error:
            # A provider's SDK may raise anything; before the first piece it is an error, after it an ending.
            if not begun:
                message = f"{self._path} failed: {type(error).__name__}"
                raise ModelUnreachable(
                    message, "see `citewell doctor`; keys come from the provider's own variables"
                ) from error
            yield Finish("cut")


def _construct(path: str, arguments: str) -> Any:
    module_name, _, class_name = path.partition(":")
    try:
        made = getattr(importlib.import_module(module_name), class_name)(**json.loads(arguments or "{}"))
    except ImportError as error:
        raise ConfigError(f"model {path}: {error}", f"install the package that holds {module_name}") from error
    except AttributeError as error:
        raise ConfigError(f"model {path}: {module_name} has no class {class_name}", "check its spelling") from error
    except json.JSONDecodeError as error:
        raise ConfigError(f"model {path}: the arguments after ? are not JSON", 'write ?{"model": "..."}') from error
    except Exception as error:
        raise ConfigError(
            f"model {path} could not be made: {type(error).__name__}", "check its arguments and key"
        ) from error
    if not hasattr(made, "stream_chat"):
        raise ConfigError(f"model {path} is no LlamaIndex LLM", "name a class with stream_chat")
    return made


def _ending(raw: Any) -> Ending | None:
    """The finish reason in a provider's own reply, where it names one we know."""
    for holder in (raw, _first(raw, "choices"), _first(raw, "candidates")):
        for name in ("finish_reason", "stop_reason", "done_reason"):
            value = holder.get(name) if isinstance(holder, dict) else getattr(holder, name, None)
            if value is not None:
                return _ENDINGS.get(str(value).rpartition(".")[2].lower(), "cut")
    return None


def _first(raw: Any, name: str) -> Any:
    many = raw.get(name) if isinstance(raw, dict) else getattr(raw, name, None)
    return many[0] if isinstance(many, list) and many else None
