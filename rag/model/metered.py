"""A model with its purse: replies come from the cache where they are there, calls are counted and priced, and one that
would cost too much is not made."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping

from rag.errors import TooExpensive
from rag.model.cache import ReplyCache, key_of
from rag.model.contract import Finish, Model, Prompt, Stream
from rag.model.prices import cost
from rag.model.tokens import estimate
from rag.types import Usage

_FRAME = 16
"""Tokens that a chat template adds around the messages."""


class Metered:
    """Is a Model itself. Made anew for each answer: `usage` and `max_cost` (dollars) are the answer's."""

    def __init__(
        self,
        model: Model,
        *,
        prices: Mapping[str, tuple[float, float]] | None = None,
        max_cost: float | None = None,
        cache: ReplyCache | None = None,
        repeat: int = 0,
        secret: str | None = None,
    ) -> None:
        self.name = model.name
        self._model = model
        self._prices = prices or {}
        self._max_cost = max_cost
        self._cache = cache
        self._repeat = repeat
        self._secret = secret
        self._calls = self._prompt_tokens = self._completion_tokens = 0
        self._seconds = 0.0

    @property
    def context_window(self) -> int | None:
        return self._model.context_window

    def identity(self) -> str:
        return self._model.identity()

    @property
    def usage(self) -> Usage:
        """What was spent so far. `cost_usd` is None when the model's price is unknown; `seconds` is time in calls."""
        spent = cost(self.name, self._prompt_tokens, self._completion_tokens, self._prices) if self._calls else 0.0
        return Usage(
            self.name,
            self._calls,
            self._prompt_tokens,
            self._completion_tokens,
            spent,
            round(self._seconds, 3),
        )

    def stream(self, prompt: Prompt, *, max_tokens: int, seconds: float) -> Stream:
        """As the model's, and TooExpensive before a call that might go beyond `max_cost`."""
        key = key_of(self.identity(), prompt, max_tokens, self._repeat)
        kept = self._cache.get(key) if self._cache else None
        if kept is not None:
            yield kept
            yield Finish("stop", calls=0)
            return
        self._afford(prompt, max_tokens)
        reply, finish = [], None
        started = time.monotonic()
        try:
            with contextlib.closing(self._model.stream(prompt, max_tokens=max_tokens, seconds=seconds)) as events:
                for event in events:
                    if isinstance(event, Finish):
                        finish = event
                    else:
                        reply.append(event)
                        yield event
        finally:
            self._seconds += time.monotonic() - started
            if reply or finish:
                self._count(prompt, "".join(reply), finish)
        if finish is None:
            finish = Finish("cut")
        if self._cache and finish.ending == "stop" and reply:
            self._keep(key, "".join(reply))
        yield finish

    def _keep(self, key: str, reply: str) -> None:
        """In the cache, unless the reply repeats the server's own key: that is written nowhere."""
        if self._cache and not (self._secret and self._secret in reply):
            self._cache.put(key, self.identity(), reply)

    def _count(self, prompt: Prompt, reply: str, finish: Finish | None) -> None:
        """The server's counts where it gave any, else estimates; a reply broken off was paid for all the same."""
        self._calls += 1
        counted = finish or Finish("interrupted")
        self._prompt_tokens += _tokens(prompt) if counted.prompt_tokens is None else counted.prompt_tokens
        self._completion_tokens += estimate(reply) if counted.completion_tokens is None else counted.completion_tokens

    def _afford(self, prompt: Prompt, max_tokens: int) -> None:
        """Counts the longest reply there may be, so that the refusal comes before the bill."""
        if self._max_cost is None:
            return
        most = cost(
            self.name,
            self._prompt_tokens + _tokens(prompt),
            self._completion_tokens + max_tokens,
            self._prices,
        )
        if most is None:
            raise TooExpensive(
                f"the price of {self.name} is unknown, so --max-cost cannot be kept",
                f'give its dollars per million tokens in config.toml: [prices] "{self.name}" = [0.15, 0.60]',
            )
        if most > self._max_cost:
            raise TooExpensive(
                f"this may cost up to ${most:.4f}, more than --max-cost ${self._max_cost:.4f}",
                "raise --max-cost, lower --top-k, or use `--model none`",
            )


def _tokens(prompt: Prompt) -> int:
    return estimate(prompt.system) + estimate(prompt.user) + _FRAME
