"""What has been heard of one reply so far: how much, how it ended, what it cost, how long to wait for more."""

from __future__ import annotations

from dataclasses import dataclass

from rag.model.contract import LONGEST_SILENCE, MOST_CHARACTERS, Ending, Finish, ending_of
from rag.model.retry import Budget
from rag.model.wire import Event

_LAST_WORDS = 1.0
"""Seconds to wait for the token counts once the model has said that it is done."""


@dataclass(slots=True)
class Heard:
    """What has come of a reply so far, in characters and tokens. `enough`: what comes after is not waited for."""

    characters: int = 0
    ending: Ending | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    enough: bool = False

    @property
    def nothing(self) -> bool:
        return not self.characters and self.ending is None

    def take(self, event: Event) -> None:
        if event.error is not None:
            self.ending = self.ending or "cut"
            self.enough = True
            return
        self.characters += len(event.text)
        if event.reason is not None:
            self.ending = ending_of(event.reason)
        if event.prompt_tokens is not None:
            self.prompt_tokens = event.prompt_tokens
        if event.completion_tokens is not None:
            self.completion_tokens = event.completion_tokens
        if self.characters > MOST_CHARACTERS:
            self.ending = "length"
            self.enough = True

    def broken_off(self, trouble: Exception) -> None:
        """No more came. A reply that had said its ending before is whole."""
        if self.ending is None:
            self.ending = "stalled" if isinstance(trouble, TimeoutError) else "cut"

    def patience(self, budget: Budget) -> float:
        """Seconds to wait for the next event. The first may take all there is: slow machines read the prompt."""
        if self.ending is not None:
            return min(_LAST_WORDS, budget.left)
        return min(LONGEST_SILENCE, budget.left) if self.characters else budget.left

    def finish(self) -> Finish:
        return Finish(self.ending or "cut", self.prompt_tokens, self.completion_tokens)
