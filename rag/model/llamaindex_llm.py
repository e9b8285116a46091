"""Any LlamaIndex LLM by import path, e.g. `llama_index.llms.anthropic:Anthropic?{"model": "claude-sonnet-4-5"}`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from rag.errors import ModelError, ModelUnreachable
from rag.model.contract import Prompt, Stream
from rag.model.heard import Heard
from rag.model.imported import Imported
from rag.model.retry import Budget
from rag.model.waiting import Ended, Waiting
from rag.model.wire import Event
from rag.settings import Settings

_REASONS = ("finish_reason", "stop_reason", "done_reason")


class LlamaIndexModel:
    """Streams a LlamaIndex chat model. Its own class decides addresses, keys and retries: there is no second layer."""

    def __init__(self, settings: Settings) -> None:
        self._imported = Imported("model", settings.model, "stream_chat")
        self._path, self._llm = self._imported.path, self._imported.made
        metadata = self._llm.metadata
        self.name = str(getattr(metadata, "model_name", "") or self._path.rpartition(":")[2])
        self.context_window = settings.context_window or getattr(metadata, "context_window", None)

    def identity(self) -> str:
        return f"{self._path} {self.name} {self._imported.digest}"

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
        return self._imported.failed(trouble)


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
