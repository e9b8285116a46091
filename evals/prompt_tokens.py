"""Prompt tokens of a plain question, next to those of LlamaIndex's CitationQueryEngine on the same questions.

    python -m evals.prompt_tokens [--limit N]

The evidence budget is the same: as many abstracts as citewell gives, in whole. Their engine asks once where they fit
its window, and again for every window more; ours leaves whole sentences out. One tokeniser counts for both.
"""

from __future__ import annotations

import argparse
import functools
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from evals.material import cases
from evals.material.cases import Question
from evals.material.sample import in_turn
from evals.others.their_engine import citation_query_engine
from evals.report.table import columns
from rag.assistant import Assistant
from rag.model.contract import Finish, Prompt, Stream
from rag.settings import Settings
from rag.types import Paper

FILES = tuple(cases.QUESTIONS / name for name in ("seeds_a.jsonl", "seeds_b.jsonl"))
QUESTIONS = 30


class Counting:
    """A good `Model` in this process: it copies the first evidence sentence, and keeps its prompts."""

    name = "counting"
    context_window: int | None = 16_000

    def __init__(self) -> None:
        self.prompts: list[Prompt] = []

    def identity(self) -> str:
        return self.name

    def stream(self, prompt: Prompt, *, max_tokens: int, seconds: float) -> Stream:
        self.prompts.append(prompt)
        first = next(line for line in prompt.user.splitlines() if line.startswith("["))
        key, _, sentence = first.partition("] ")
        yield f"{sentence.rstrip('.')} {key}]."
        yield Finish("stop")


@dataclass(frozen=True, slots=True)
class Counted:
    """One question: calls and prompt tokens, ours and theirs, over `papers` abstracts."""

    question: Question
    papers: int
    calls: int
    tokens: int
    their_calls: int
    their_tokens: int


def ours(assistant: Assistant, model: Counting, question: str, tokenise: Any) -> tuple[int, int, int]:
    """Papers given, calls, prompt tokens."""
    model.prompts.clear()
    assistant.ask(question)
    papers = sum(line.startswith("Paper: ") for each in model.prompts[:1] for line in each.user.splitlines())
    return papers, len(model.prompts), sum(len(tokenise(each.system + each.user)) for each in model.prompts)


def their_engines(papers: Mapping[str, Paper], heard: list[str]) -> Callable[[int], Any]:
    """Their engine for a number of papers; every prompt that its model gets is put into `heard`."""
    from llama_index.core.llms import CompletionResponse

    from evals.models.scripted import Scripted

    class Listening(Scripted):
        def complete(self, prompt: str, formatted: bool = False, **more: Any) -> CompletionResponse:
            heard.append(prompt)
            return super().complete(prompt, formatted, **more)

    return functools.cache(lambda top_k: citation_query_engine(papers, Listening(), top_k))


def counted(questions: Sequence[Question], home: Path) -> Iterator[Counted]:
    from llama_index.core.utils import get_tokenizer

    tokenise, heard, model = get_tokenizer(), [], Counting()
    assistant = Assistant(Settings(home=home, model=model.name, log=False, cache=False))
    assistant.model = model
    engine = their_engines({paper.id: paper for paper in assistant.papers()}, heard)
    for question in questions:
        given, calls, tokens = ours(assistant, model, question.question, tokenise)
        if calls:
            heard.clear()
            engine(given).query(question.question)
            yield Counted(question, given, calls, tokens, len(heard), sum(len(tokenise(each)) for each in heard))


def report(found: Sequence[Counted]) -> Iterator[str]:
    yield f"{len(found)} questions, {mean(each.papers for each in found):.1f} abstracts each"
    rows = [("per question", "citewell", "CitationQueryEngine")]
    rows.append(
        (
            "calls",
            *(f"{mean(each):.2f}" for each in ([c.calls for c in found], [c.their_calls for c in found])),
        )
    )
    rows.append(("most calls", str(max(c.calls for c in found)), str(max(c.their_calls for c in found))))
    rows.append(
        (
            "prompt tokens",
            *(f"{mean(each):.0f}" for each in ([c.tokens for c in found], [c.their_tokens for c in found])),
        )
    )
    yield from columns(rows)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m evals.prompt_tokens", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--limit", type=int, default=QUESTIONS, help=f"so many questions [{QUESTIONS}]")
    asked = parser.parse_args(arguments)
    questions = in_turn([each for each in cases.load_questions(FILES) if each.answerable and not each.history])
    with tempfile.TemporaryDirectory(prefix="citewell-tokens-", ignore_cleanup_errors=True) as folder:
        found = list(counted([each for each in questions if each.kind != "metadata"][: asked.limit], Path(folder)))
    print("\n".join(report(found)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
