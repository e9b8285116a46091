"""What a model is to the rest: something that streams text for a prompt and says how it ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

Ending = Literal["stop", "length", "filtered", "cut", "stalled", "interrupted"]
"""`stop` alone is a success: `length` ran into a limit, `cut` ended without a finish reason, `stalled` out of time."""


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


class Model(Protocol):
    """Two methods. `stream` raises ModelError before the first piece; trouble after that is an ending, no error."""

    name: str
    context_window: int | None
    """In tokens; None where neither the server nor the settings say."""

    def stream(self, prompt: Prompt, *, max_tokens: int, seconds: float) -> Iterator[str | Finish]:
        """Pieces of text as they come, then exactly one Finish, within `seconds` in all."""
        ...

    def identity(self) -> str:
        """What makes two replies comparable: the model's name and where it is served. Holds no secret."""
        ...
