"""What a model is to the rest: something that streams text for a prompt and says how it ended."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Literal, Protocol

from rag.errors import ModelRefused

Ending = Literal["stop", "length", "filtered", "cut", "stalled", "interrupted"]
"""`stop` alone is a success: `length` ran into a limit, `cut` ended without a finish reason, `stalled` out of time."""

MOST_CHARACTERS = 200_000
"""Beyond this a reply is no answer; reading stops there."""
LONGEST_SILENCE = 30.0
"""Seconds between two pieces after which a stream counts as stalled."""

_ENDINGS: dict[str, Ending] = {
    "stop": "stop",
    "eos": "stop",
    "eos_token": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "filtered",
    "safety": "filtered",
    "refusal": "filtered",
}


@dataclass(frozen=True, slots=True)
class Prompt:
    system: str
    user: str


@dataclass(frozen=True, slots=True)
class Finish:
    """The last event of a stream. Token counts are the server's, or None where it counts none."""

    ending: Ending
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    calls: int = 1
    """0 when the reply came from the cache."""


Stream = Generator[str | Finish, None, None]
"""Pieces of text as they come, then exactly one Finish. Closing it closes the connection."""


class TooLong(ModelRefused):
    """The prompt does not fit the model. `limit` is its context window in tokens, where the server names it."""

    def __init__(self, message: str, limit: int | None) -> None:
        super().__init__(message, "lower --top-k, or set context_window")
        self.limit = limit


class Model(Protocol):
    """Two methods. `stream` raises ModelError before the first piece; trouble after that is an ending, no error."""

    @property
    def name(self) -> str: ...

    @property
    def context_window(self) -> int | None:
        """In tokens; None where neither the server nor the settings say."""
        ...

    def stream(self, prompt: Prompt, *, max_tokens: int, seconds: float) -> Stream:
        """A reply, over within `seconds` in all. An exception thrown into it (Ctrl-C) closes it as well."""
        ...

    def identity(self) -> str:
        """What makes two replies comparable: the model's name and where it is served. Holds no secret."""
        ...


def ending_of(reason: str) -> Ending:
    """A server's finish reason in our words. One that we do not know is no success."""
    return _ENDINGS.get(reason.rpartition(".")[2].lower(), "cut")
