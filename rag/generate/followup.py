"""A follow-up in a conversation -> a question that stands alone, with the model's help."""

from __future__ import annotations

from collections.abc import Sequence

from rag.generate.compose import one_line
from rag.generate.once import once
from rag.generate.prompts import fill
from rag.model.contract import Model

_MOST_TURNS = 4
_MOST_CHARACTERS = 600
_LONGEST = 500


def standalone(model: Model, turns: Sequence[tuple[str, str]], message: str, *, seconds: float) -> str | None:
    """`turns` are (question, answer) pairs, oldest first. One call; None when its reply is no single question.

    Raises ModelError. The result is untrusted: it is searched with, and shown as what was understood.
    """
    lines = []
    for question, answer in turns[-_MOST_TURNS:]:
        lines.append(f"Question: {one_line(question)[:_MOST_CHARACTERS]}")
        lines.append(f"Answer: {one_line(answer)[:_MOST_CHARACTERS]}")
    values = {"conversation": "\n".join(lines), "message": one_line(message)}
    reply = once(model, fill("standalone", values), seconds=seconds)
    if reply is None:
        return None
    text = reply.strip().strip("\"'`*").removeprefix("Question:").strip()
    return text if 0 < len(text) <= _LONGEST and "\n" not in text else None
