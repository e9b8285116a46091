"""One tiny call, to say what works: for `citewell doctor`."""

from __future__ import annotations

import time
from dataclasses import dataclass

from rag.model.contract import Finish, Model, Prompt

_PROMPT = Prompt("You are asked whether you work.", "Answer with the one word: yes")
_MOST_TOKENS = 16


@dataclass(frozen=True, slots=True)
class Probe:
    """`ending` "length" is fine here: models that think use up the few tokens asked for."""

    finish: Finish
    characters: int
    seconds: float

    @property
    def works(self) -> bool:
        return self.finish.ending in ("stop", "length")

    def __str__(self) -> str:
        said = f"{self.characters} characters" if self.characters else "no text yet"
        counted = "counts tokens" if self.finish.prompt_tokens is not None else "counts no tokens"
        trouble = "" if self.works else f", its reply ended as {self.finish.ending}"
        return f"answers in {self.seconds:.1f} s ({said}), {counted}{trouble}"


def probe(model: Model, *, seconds: float) -> Probe:
    """Raises ModelError when the model cannot be reached or refuses."""
    started = time.monotonic()
    characters, finish = 0, Finish("cut")
    for event in model.stream(_PROMPT, max_tokens=_MOST_TOKENS, seconds=seconds):
        if isinstance(event, Finish):
            finish = event
        else:
            characters += len(event)
    return Probe(finish, characters, time.monotonic() - started)
