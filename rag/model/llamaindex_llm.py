"""Any LlamaIndex LLM by import path, e.g. `llama_index.llms.anthropic:Anthropic?{"model": "claude-sonnet-4-5"}`."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import re
from collections.abc import Iterator
from typing import Any

from rag.errors import ConfigError, ModelError, ModelRefused, ModelUnreachable, NoCredential
from rag.model.contract import Prompt, Stream
from rag.model.heard import Heard
from rag.model.refusals import without_secrets
from rag.model.retry import Budget
from rag.model.waiting import Ended, Waiting
from rag.model.wire import Event
from rag.settings import Settings

_SECRET_NAME = re.compile(r"key|token|secret|password|credential", re.IGNORECASE)
_REASONS = ("finish_reason", "stop_reason", "done_reason")


class LlamaIndexModel:
    """Streams a LlamaIndex chat model. Its own class decides addresses, keys and retries: there is no second layer."""

    def __init__(self, settings: Settings) -> None:
        self._path, _, given = settings.model.partition("?")
        arguments = _parsed(self._path, given)
        self._llm = _construct(self._path, arguments)
        metadata = self._llm.metadata
        self.name = str(getattr(metadata, "model_name", "") or self._path.rpartition(":")[2])
        self.context_window = settings.context_window or getattr(metadata, "context_window", None)
        public = {name: value for name, value in arguments.items() if not _SECRET_NAME.search(name)}
        self._digest = hashlib.sha256(json.dumps(public, sort_keys=True).encode()).hexdigest()[:8]
        self._secrets = [str(value) for name, value in arguments.items() if name not in public]

    def identity(self) -> str:
        return f"{self._path} {self.name} {self._digest}"

    def stream(self, prompt: Prompt, *, max_tokens: int, seconds: float) -> Stream:
        """As the contract says. `max_tokens` is the class's own affair: each names it differently."""
        budget, heard = Budget.of(seconds), Heard()
        with contextlib.closing(Waiting(self._events(prompt))) as waiting:
            while not heard.enough:
                try:
                    event = waiting.next(heard.patience(budget))
                except Ended:
                    break
                except Exception as trouble:  # a provider's SDK may raise anything
                    if heard.nothing:
                        raise self._failed(trouble) from None
                    heard.broken_off(trouble)
                    break
                heard.take(event)
                if event.text:
                    yield event.text
            yield heard.finish()

    def _events(self, prompt: Prompt) -> Iterator[Event]:
        """Runs in the waiting's thread. A provider that never gives finish reasons is believed when it ends."""
        from llama_index.core.llms import ChatMessage

        messages = [
            ChatMessage(role="system", content=prompt.system),
            ChatMessage(role="user", content=prompt.user),
        ]
        speaks_of_reasons, ended = False, False
        for reply in self._llm.stream_chat(messages):
            speaks, reason = _reason(reply.raw)
            speaks_of_reasons, ended = speaks_of_reasons or speaks, ended or reason is not None
            yield Event(str(reply.delta or ""), reason)
        if not (speaks_of_reasons or ended):
            yield Event(reason="stop")

    def _failed(self, trouble: Exception) -> ModelError:
        if isinstance(trouble, TimeoutError):
            return ModelUnreachable(f"{self._path} did not answer in time", "raise --timeout")
        said = " ".join(str(trouble).split())[:300]
        for secret in self._secrets:
            said = without_secrets(said, secret)
        message = f"{self._path} failed: {type(trouble).__name__}: {without_secrets(said, '')}"
        status = getattr(trouble, "status_code", None)
        if status in (401, 403):
            return NoCredential(message, "keys come from the provider's own variables")
        if isinstance(status, int):
            return ModelRefused(message, "try again later, or choose another model")
        return ModelUnreachable(message, "see `citewell doctor`; keys come from the provider's own variables")


def _parsed(path: str, given: str) -> dict[str, Any]:
    try:
        arguments = json.loads(given or "{}")
    except json.JSONDecodeError:
        arguments = None
    if not isinstance(arguments, dict):
        raise ConfigError(
            f"model {path}: the arguments after ? are no JSON object", 'write ?{"model": "..."}'
        )
    return arguments


def _construct(path: str, arguments: dict[str, Any]) -> Any:
    module_name, _, class_name = path.partition(":")
    try:
        made = getattr(importlib.import_module(module_name), class_name)(**arguments)
    except ImportError as error:
        raise ConfigError(
            f"model {path}: {error}", f"install the package that holds {module_name}"
        ) from error
    except AttributeError as error:
        raise ConfigError(
            f"model {path}: {module_name} has no class {class_name}", "check its spelling"
        ) from error
    except Exception as error:  # whatever a provider's constructor raises, e.g. for a missing key
        raise ConfigError(
            f"model {path} could not be made: {type(error).__name__}", "check its arguments and its key"
        ) from None
    if not hasattr(made, "stream_chat"):
        raise ConfigError(f"model {path} is no LlamaIndex LLM", "name a class with stream_chat")
    return made


def _reason(raw: Any) -> tuple[bool, str | None]:
    """Whether a provider's own reply has a place for a finish reason, and the reason where it stands there."""
    speaks = False
    for holder in (raw, _first(raw, "choices"), _first(raw, "candidates")):
        for name in _REASONS:
            if not (name in holder if isinstance(holder, dict) else hasattr(holder, name)):
                continue
            speaks = True
            value = holder[name] if isinstance(holder, dict) else getattr(holder, name)
            if value is not None:
                return True, str(getattr(value, "name", value))
    return speaks, None


def _first(raw: Any, name: str) -> Any:
    many = raw.get(name) if isinstance(raw, dict) else getattr(raw, name, None)
    return many[0] if isinstance(many, list) and many else None
