"""ScholarQABench (Asai et al. 2024, arXiv 2411.14199): answers with citations into the contexts given.

PATH is a file of its single-paper tasks (`scifact_test`, `pubmed_test`: `input, answer, gold_ctx`; `qasa_test`: `input,
answer, ctxs, gold_ctxs`) or of answers (`input, output, ctxs`, for its single- and multi-paper tasks alike), as JSON or
JSONL. Answers that stand in the file are scored as they are. Without them a claim or yes-no question is checked against
its own gold contexts, and any other question is asked of a corpus of the contexts of all.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.bench import pubmedqa
from evals.bench.corpus import assistant_over, paper
from evals.bench.measures import rouge_l
from evals.bench.result import Published, Result
from evals.others import outside
from evals.running.engine import record_of
from evals.scorers import score
from evals.scorers.judge import Judge
from evals.scorers.record import Record
from rag.errors import UsageError
from rag.text.normalise import content_key, fold

_LABELS = {"true": "yes", "yes": "yes", "false": "no", "no": "no"}
_MEASURES = ("citation_recall", "citation_precision", "citation_f1", "citation_validity", "quote_fidelity")
PUBLISHED = (Published("citation_f1", 0.63, "best, multi-paper", "Asai et al. 2024, the range over sets is 0.48-0.63"),)
NOT_COMPARABLE = (
    "support is judged there by a language model (osunlp/attrscore), here by a deterministic check, which is stricter",
    "published systems search 45 million papers; here the contexts of the file are the corpus",
)


def run(path: Path, limit: int | None = None) -> Result:
    examples = _examples(path)[:limit]
    if examples and "output" not in examples[0] and all(_label(each) for each in examples):
        figures = _labelled(examples)
    else:
        figures = _written(examples)
    return Result(f"ScholarQABench {path.stem}", len(examples), tuple(figures), PUBLISHED, NOT_COMPARABLE)


def _written(examples: Sequence[Mapping[str, Any]]) -> list[tuple[str, float]]:
    """Measures of answers in prose: those of the file, or ours."""
    if examples and "output" in examples[0]:
        records = [outside.record(_line(each)) for each in examples]
    else:
        records = _answered(examples)
    judge = Judge()
    scored = [score(None, record, judge) for record in records]
    figures = [(name, _mean([each[name].value for each in scored])) for name in _MEASURES]
    answered = [not record.abstained for record in records]
    figures.append(("share answered", sum(answered) / max(len(answered), 1)))
    return figures + _string_measures(examples, records)


def _label(example: Mapping[str, Any]) -> str | None:
    """yes or no, where that is the gold answer."""
    return _LABELS.get(str(example.get("answer", "")).strip().casefold())


def _labelled(examples: Sequence[Mapping[str, Any]]) -> list[tuple[str, float]]:
    """Claims and yes-no questions held against their gold contexts; one that is neither supported nor contradicted
    stays undecided, which is never right."""
    said = [pubmedqa.answer(example["input"], [each["text"] for each in _contexts(example)]) for example in examples]
    decided = [(_label(example), found) for example, found in zip(examples, said, strict=True) if found != "maybe"]
    right = sum(gold == found for gold, found in decided)
    return [
        ("label accuracy", right / len(examples)),
        ("share decided", len(decided) / len(examples)),
        ("label accuracy where decided", right / max(len(decided), 1)),
    ]


def _line(example: Mapping[str, Any]) -> dict[str, Any]:
    """Contexts are cited by their place, from 0."""
    passages = [
        {"id": str(place), "title": each.get("title"), "text": each["text"]}
        for place, each in enumerate(example["ctxs"])
    ]
    return {"question": example["input"], "answer": example["output"], "passages": passages}


def _answered(examples: Sequence[Mapping[str, Any]]) -> list[Record]:
    papers = {content_key(each["text"]): each for example in examples for each in _contexts(example)}
    with assistant_over(
        paper(f"text:{key}", each.get("title", ""), each["text"]) for key, each in papers.items()
    ) as assistant:
        return [record_of(assistant.ask(example["input"])) for example in examples]


def _contexts(example: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [each for name in ("gold_ctx", "gold_ctxs", "ctxs") for each in example.get(name) or ()]


def _string_measures(examples: Sequence[Mapping[str, Any]], records: Sequence[Record]) -> list[tuple[str, float]]:
    """ROUGE-L where the gold is an answer in prose; a match of the label where it is one word."""
    pairs = [
        (str(example["answer"]), record)
        for example, record in zip(examples, records, strict=True)
        if example.get("answer")
    ]
    prose = [rouge_l(record.shown, gold) for gold, record in pairs if len(gold.split()) > 2]
    labels = [fold(gold) in fold(record.shown).split() for gold, record in pairs if len(gold.split()) <= 2]
    found = [("rouge_l", _mean(prose))] if prose else []
    return [*found, ("label matched", _mean([float(each) for each in labels]))] if labels else found


def _examples(path: Path) -> list[dict[str, Any]]:
    try:
        text = path.read_text("utf-8")
        found = (
            json.loads(text)
            if text.lstrip().startswith("[")
            else [json.loads(line) for line in text.splitlines() if line.strip()]
        )
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {path} as ScholarQABench: {error}") from None
    if not all(isinstance(each, dict) and "input" in each for each in found):
        raise UsageError(
            f"{path}: every example needs an `input`",
            "give a file of ScholarQABench's data or of answers to it",
        )
    return found


def _mean(values: Sequence[float | None]) -> float:
    kept = [value for value in values if value is not None]
    return sum(kept) / len(kept) if kept else 0.0
