"""CLAPnq (Rosenthal et al. 2024, arXiv 2404.02103): long answers from one passage, half the questions without one.

PATH is a JSONL file (`input, passages, output`), or a folder of them. The gold passages of all questions become the
corpus; an unanswerable question has no answer in `output`. Where annotators wrote several answers the nearest counts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.bench.corpus import assistant_over, paper
from evals.bench.measures import f1, rouge_l, token_f1
from evals.bench.result import Result
from rag.errors import UsageError
from rag.text.normalise import content_key
from rag.types import Answer

NOT_COMPARABLE = (
    "published systems are given the gold passage or search 178,000; here the corpus is the gold passages of the file",
    "gold answers join pieces of sentences; citewell without a model shows whole ones, which lowers ROUGE-L",
)


@dataclass(frozen=True, slots=True)
class Gold:
    """One annotator's answer, and the sentences it was made of, bare of white space."""

    text: str
    sentences: frozenset[str]


def run(path: Path, limit: int | None = None) -> Result:
    examples = _examples(path)[:limit]
    passages = {content_key(each["text"]): each for example in examples for each in example["passages"]}
    with assistant_over(
        paper(f"text:{key}", each.get("title", ""), each["text"]) for key, each in passages.items()
    ) as assistant:
        answers = [assistant.ask(example["input"]) for example in examples]
    return Result("CLAPnq", len(examples), tuple(_figures(examples, answers)), (), NOT_COMPARABLE)


def _figures(examples: Sequence[dict[str, Any]], answers: Sequence[Answer]) -> list[tuple[str, float]]:
    pairs = [(_gold(example), answer) for example, answer in zip(examples, answers, strict=True)]
    with_answer = [(golds, answer) for golds, answer in pairs if golds]
    without = [answer for golds, answer in pairs if not golds]
    return [
        (
            "answerable: token F1",
            _best(with_answer, lambda gold, answer: token_f1(_shown(answer), gold.text)),
        ),
        ("answerable: ROUGE-L", _best(with_answer, lambda gold, answer: rouge_l(_shown(answer), gold.text))),
        (
            "answerable: sentence F1",
            _best(with_answer, lambda gold, answer: _sentence_f1(gold.sentences, answer)),
        ),
        ("answerable: answered", _mean([float(answer.status != "abstained") for _, answer in with_answer])),
        ("unanswerable: abstained", _mean([float(answer.status == "abstained") for answer in without])),
    ]


def _best(answered: Sequence[tuple[Sequence[Gold], Answer]], measure: Callable[[Gold, Answer], float]) -> float:
    """The mean over questions of the measure against the nearest gold answer."""
    return _mean([max(measure(gold, answer) for gold in golds) for golds, answer in answered])


def _gold(example: dict[str, Any]) -> tuple[Gold, ...]:
    return tuple(
        Gold(each["answer"], frozenset(_chosen(example, each)))
        for each in example.get("output") or ()
        if each.get("answer")
    )


def _chosen(example: dict[str, Any], output: dict[str, Any]) -> Iterator[str]:
    """Selected sentences by their text, or by their place among the passage's."""
    sentences = example["passages"][0].get("sentences") or []
    for each in output.get("selected_sentences") or ():
        text = sentences[each] if isinstance(each, int) and each < len(sentences) else str(each)
        yield "".join(text.split())


def _sentence_f1(gold: frozenset[str], answer: Answer) -> float:
    cited = {"".join(citation.quote.split()) for claim in answer.claims for citation in claim.citations}
    return f1(len(gold & cited), len(cited), len(gold))["f1"]


def _shown(answer: Answer) -> str:
    return " ".join(claim.text for claim in answer.claims)


def _examples(path: Path) -> list[dict[str, Any]]:
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    try:
        found = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {path} as CLAPnq: {error}") from None
    if not found or not all(isinstance(each, dict) and {"input", "passages"} <= each.keys() for each in found):
        raise UsageError(f"{path} holds no CLAPnq examples", "every line needs `input` and `passages`")
    return found


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
