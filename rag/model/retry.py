"""The one retry layer: what may be tried again, after how long, within one time budget."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from rag.errors import ModelError

T = TypeVar("T")
MOST_TRIES = 4
_FIRST_WAIT = 0.5
_LONGEST_WAIT = 20.0


class Passing(Exception):
    """Trouble that may pass: `error` is what to say when it does not, `wait` what the server asked for (seconds)."""

    def __init__(self, error: ModelError, wait: float | None = None) -> None:
        super().__init__(error.message)
        self.error = error
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Budget:
    """A deadline on the monotonic clock, which does not jump."""

    deadline: float

    @classmethod
    def of(cls, seconds: float) -> Budget:
        return cls(time.monotonic() + seconds)

    @property
    def left(self) -> float:
        return max(0.0, self.deadline - time.monotonic())


def attempt(call: Callable[[], T], budget: Budget) -> T:
    """`call`'s result, tried again while its trouble is Passing and the budget allows the wait.

    Raises the ModelError of the last trouble; anything else `call` raises comes through at once. A server that asks for
    a longer wait than the budget allows is not waited for.
    """
    for tried in range(1, MOST_TRIES + 1):
        try:
            return call()
        except Passing as trouble:
            wait = trouble.wait if trouble.wait is not None else _backoff(tried)
            if tried == MOST_TRIES or wait >= budget.left:
                raise trouble.error from trouble
            time.sleep(wait)
    raise AssertionError("unreachable: the last try returns or raises")


def _backoff(tried: int) -> float:
    """Exponential, with jitter, so that many clients do not knock at once."""
    return min(_LONGEST_WAIT, _FIRST_WAIT * 2.0 ** (tried - 1)) * random.uniform(0.75, 1.25)
