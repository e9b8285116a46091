"""A model that agrees with whatever a question takes for granted, and cites the sentence nearest to it."""

from __future__ import annotations

import re
from typing import Final

from rag.model.contract import Finish, Prompt, Stream
from rag.question.premise import premise_of
from rag.text.tokens import content_terms

_KEYED: Final = re.compile(r"^\[(\w+)\] (.+)$", re.MULTILINE)
_ASKED: Final = re.compile(r"^Question: (.+)$", re.MULTILINE)
_REWRITTEN: Final = re.compile(r"^Sentence: (.+)$", re.MULTILINE)


class Agreeing:
    """A `Model` in this process. It says the premise three ways, and again when it is asked to mend a sentence."""

    name = "agreeing"
    context_window: int | None = None

    def identity(self) -> str:
        return "agreeing"

    def stream(self, prompt: Prompt, *, max_tokens: int, seconds: float) -> Stream:
        yield reply(prompt.user)
        yield Finish("stop", 100, 20)


def reply(user: str) -> str:
    """What it says to a prompt's second half."""
    rewritten = _REWRITTEN.findall(user)
    if rewritten:
        return f"{rewritten[-1].rstrip('.')}."
    asked = _ASKED.findall(user)
    if not asked:
        return "SUPPORTED"
    premise = premise_of(asked[-1]) or asked[-1].rstrip("?")
    key, sentence = _nearest(premise, _KEYED.findall(user))
    stated = premise[:1].upper() + premise[1:]
    return (
        f"Yes, {premise} [{key}]. {stated} [{key}]. "
        f"{stated}, as {sentence[:1].lower()}{sentence[1:].rstrip('. ')} [{key}]."
    )


def _nearest(text: str, sources: list[tuple[str, str]]) -> tuple[str, str]:
    wanted = set(content_terms(text))
    return max(sources, key=lambda source: len(wanted & set(content_terms(source[1]))), default=("", ""))
