"""A model that follows a script, for LlamaIndex: it answers from its sources and errs as models do, always the same.

It quotes the source sentence nearest to the question and cites it. By the question's hash, some answers cite another
source, name an id that was never given, change a number, or add a sentence of their own.
"""

from __future__ import annotations

import hashlib
import random
import re
from typing import Any

from llama_index.core.llms import CompletionResponse, CompletionResponseGen, CustomLLM, LLMMetadata
from llama_index.core.llms.callbacks import llm_completion_callback

from evals.material import edits
from rag.text.sentences import split
from rag.text.tokens import content_terms

_NUMBERED = re.compile(r"^Source (\d+):\s*\n(.*?)(?=^Source \d+:|^-{4,}|\Z)", re.MULTILINE | re.DOTALL)
_KEYED = re.compile(r"^\[([\w-]+)\] (.+)$", re.MULTILINE)
_QUESTION = re.compile(r"^(?:Query|Question): (.+)$", re.MULTILINE)
_FAULTS = ("", "", "", "", "", "", "wrong source", "invented id", "changed number", "own sentence")
_OWN = "It has since been adopted in most production systems"


class Scripted(CustomLLM):
    """Needs no argument, no key and no network."""

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(context_window=16_000, num_output=256, model_name="scripted", is_chat_model=False)

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        return CompletionResponse(text=reply(prompt))

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponseGen:
        def pieces() -> CompletionResponseGen:
            said = ""
            for word in re.findall(r"\S+\s*", reply(prompt)):
                said += word
                yield CompletionResponse(text=said, delta=word)

        return pieces()


def reply(prompt: str) -> str:
    """What the script says to a prompt that holds numbered or keyed sources and a question."""
    asked = _QUESTION.findall(prompt)
    sources = _sources(prompt)
    if not asked or not sources:
        return "NO ANSWER"
    question = asked[-1]
    key, sentence = _nearest(question, sources)
    fault = _FAULTS[hashlib.sha256(question.encode()).digest()[0] % len(_FAULTS)]
    return _harmed(sentence.rstrip(". "), key, sources, fault)


def _sources(prompt: str) -> list[tuple[str, str]]:
    """(key, sentence) of every source. The example in a template stands before the sources and is left out."""
    numbered = [(key, text) for key, text in _NUMBERED.findall(prompt.rpartition("numbered sources of information")[2])]
    keyed = [(key, text) for key, text in _KEYED.findall(prompt)]
    return [(key, text[a:b].strip()) for key, text in numbered or keyed for a, b in split(text) if text[a:b].strip()]


def _nearest(question: str, sources: list[tuple[str, str]]) -> tuple[str, str]:
    wanted = set(content_terms(question))
    return max(sources, key=lambda source: len(wanted & set(content_terms(source[1]))))


def _harmed(sentence: str, key: str, sources: list[tuple[str, str]], fault: str) -> str:
    if fault == "wrong source":
        others = [other for other, _ in sources if other != key]
        return f"{sentence} [{others[-1] if others else key}]."
    if fault == "invented id":
        return f"{sentence} [99]."
    if fault == "changed number":
        changed = edits.number(edits.Source(sentence, (), ()), random.Random(sentence))
        return f"{changed or sentence} [{key}]."
    if fault == "own sentence":
        return f"{sentence} [{key}]. {_OWN} [{key}]."
    return f"{sentence} [{key}]."
