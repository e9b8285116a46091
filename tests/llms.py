"""LlamaIndex LLMs for the tests, named by import path as a user names a provider's."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, ChatResponse, CompletionResponse, LLMMetadata
from llama_index.core.llms import CustomLLM


class Refused(Exception):
    def __init__(self, message: str, status_code: int) -> None:
        super().__init__(message)
        self.status_code = status_code


class Boat(CustomLLM):
    """Says what its arguments tell: pieces apart by `|`; `!` raises, `~` waits."""

    says: str = "Sail is |fast."
    reasons: str = "stop"
    status: int = 500
    api_key: str = ""

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(context_window=2048, model_name="boat-1")

    def stream_chat(self, messages: Sequence[ChatMessage], **_: Any) -> Iterator[ChatResponse]:
        assert [message.role.value for message in messages] == ["system", "user"]
        message = ChatMessage(role="assistant", content="")
        for piece in self.says.split("|"):
            if piece == "!":
                raise Refused(f"the key {self.api_key} is\nnot good", self.status)
            if piece == "~":
                time.sleep(5)
            raw = {"choices": [{"finish_reason": None}]} if self.reasons else None
            yield ChatResponse(message=message, delta=piece, raw=raw)
        if self.reasons not in ("", "none"):
            yield ChatResponse(message=message, delta="", raw={"choices": [{"finish_reason": self.reasons}]})

    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        return CompletionResponse(text=prompt)

    def stream_complete(self, prompt: str, formatted: bool = False, **_: Any) -> Iterator[CompletionResponse]:
        yield CompletionResponse(text=prompt)
