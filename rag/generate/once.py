"""One short call: a prompt, and what the model meant to be read of its reply."""

from __future__ import annotations

import contextlib

from rag.generate.visible import Visible
from rag.model.contract import Finish, Model, Prompt

MOST_TOKENS = 1000
"""The replies wanted are a line long; models that think need the rest."""


def once(model: Model, prompt: Prompt, *, seconds: float) -> str | None:
    """The reply without its thinking; None when it is empty or did not end by itself. Raises ModelError."""
    visible = Visible()
    text = ""
    with contextlib.closing(model.stream(prompt, max_tokens=MOST_TOKENS, seconds=seconds)) as events:
        for event in events:
            if isinstance(event, Finish):
                if event.ending != "stop":
                    return None
                break
            first, *afresh = visible.feed(event)
            text = afresh[-1] if afresh else text + first
    return (text + visible.rest()).strip() or None
