"""LlamaIndex's CitationQueryEngine beside citewell: the same questions, papers, embedder, and scripted model.

    python -m evals.peers [--limit N] [--keep answers.jsonl] [--papers FILE] [--paper-qa PYTHON]

The model (`evals.models.scripted`) errs in a known share of its answers, always in the same ones: what is compared is
what each lets through to the reader, and what it costs. Their answers are scored by `citewell eval score`. `--papers`
are what the ingest rate is measured on (else the seeds, of which there are few); `--paper-qa` is a Python that has
paper-qa, for its cold start alone. Cold starts are in processor time, answers in wall time: compare the columns.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import mean, median
from typing import Any

from evals.command import session
from evals.gate import gates, summary
from evals.material import cases
from evals.material.cases import Question
from evals.material.places import ROOT
from evals.others import outside, scoring, their_engine
from evals.report.figures import number
from evals.report.table import columns
from evals.running.engine import index, settings_for
from evals.running.workers import Job, Work, Worker
from rag.types import Paper

MODEL = "evals.models.scripted:Scripted"
QUESTIONS = 200
MOST_PAPERS = 2000
_SHOWN = (
    *("citation_recall", "citation_precision", "citation_f1", "citation_validity", "misattribution"),
    *("faithfulness", "contradiction", "fact_recall", "accuracy", "precision"),
    *("false_refusal", "unsupported_answer", "premise_confirmed"),
)
_COLD_STARTS = 2


@dataclass(frozen=True, slots=True)
class Spent:
    """What answering took: seconds a question, and what the model heard and said, in calls of (prompt, reply)."""

    seconds: tuple[float, ...]
    calls: tuple[tuple[str, str], ...]


def theirs(engine: Any, heard: list[tuple[str, str]], questions: Sequence[Question], keep: Path) -> Spent:
    """Their answers, written to `keep` as lines for `citewell eval score`."""
    seconds = []
    with keep.open("w", encoding="utf-8") as file:
        for question in questions:
            began = time.perf_counter()
            response = engine.query(question.question)
            seconds.append(time.perf_counter() - began)
            line = {"id": question.id, **outside.from_llamaindex(question.question, response)}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return Spent(tuple(seconds), tuple(heard))


def listening() -> tuple[Any, list[tuple[str, str]]]:
    """The scripted model, and what it will have heard and said."""
    from llama_index.core.llms import CompletionResponse

    from evals.models.scripted import Scripted

    heard: list[tuple[str, str]] = []

    class Listening(Scripted):
        def complete(self, prompt: str, formatted: bool = False, **more: Any) -> CompletionResponse:
            said = super().complete(prompt, formatted, **more)
            heard.append((prompt, said.text))
            return said

    return Listening(), heard


def ours(questions: Sequence[Question], home: Path) -> tuple[dict[str, Any], Spent]:
    """The summary of our answers with the same model, and what they took."""
    worker = Worker(Job(settings_for(home, model=MODEL)))
    ask, seconds = worker.engine.assistant.ask, []

    def timed(*given: Any, **named: Any) -> Any:
        began = time.perf_counter()
        try:
            return ask(*given, **named)
        finally:
            seconds.append(time.perf_counter() - began)

    worker.engine.assistant.ask = timed  # type: ignore[method-assign]
    entries = [worker.entry(Work(question)) for question in questions]
    failed = [entry for entry in entries if entry["error"]]
    if failed:
        raise SystemExit(f"{failed[0]['id']}: {failed[0]['error']['message']}")
    calls = tuple((call["system"] + call["user"], call["reply"]) for each in entries for call in each["calls"])
    return summary.summarise(entries), Spent(tuple(seconds), calls)


def ingest_rates(papers: Mapping[str, Paper], folder: Path) -> tuple[float, float]:
    """Papers a second into their index and into ours, read already."""
    from rag.assistant import Assistant

    began = time.perf_counter()
    their_engine.ingest(papers, folder / "their-ingest")
    between = time.perf_counter()
    Assistant(settings_for(folder / "our-ingest")).sync_records(iter(papers.values()))
    return len(papers) / (between - began), len(papers) / (time.perf_counter() - between)


def cold_starts(kept: Path, home: Path, question: str) -> tuple[float, float]:
    """From nothing to an answer, in a process of its own over an index that is there."""
    their_script = (
        "from pathlib import Path; from evals import their_engine; "
        f"print(their_engine.opened(Path({str(kept)!r})).query({question!r}))"
    )
    our_script = (
        "from pathlib import Path; from evals.running.engine import settings_for; from rag.assistant import Assistant; "
        f"print(Assistant(settings_for(Path({str(home)!r}), model={MODEL!r})).ask({question!r}).claims)"
    )
    return best_of(sys.executable, their_script), best_of(sys.executable, our_script)


def best_of(python: str, script: str) -> float:
    """Seconds of processor time, the least of a few runs: what else the machine does only ever adds."""

    def once() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([python, "-c", script], cwd=ROOT, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return min(once() for _ in range(_COLD_STARTS))


def compared(limit: int, keep: Path | None, papers: Path | None) -> Iterator[str]:
    """Both, their figures side by side."""
    judged = gates.load(session.OWN)
    questions = [each for each in cases.load_questions((cases.QUESTIONS,)) if not each.history][:limit]
    seeds = session.papers_of((), judged)
    with tempfile.TemporaryDirectory(prefix="citewell-peers-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        home, answers = folder / "home", keep or folder / "answers.jsonl"
        index(settings_for(home), judged.inputs["corpus"])
        llm, heard = listening()
        engine = their_engine.citation_query_engine(seeds, llm, folder=folder / "theirs")
        spent = theirs(engine, heard, questions, answers)
        scored = scoring.score_file(answers, (cases.QUESTIONS,))["summary"]
        mine, spent_by_us = ours(questions, home)
        many = session.papers_of((str(papers),), judged) if papers else seeds
        many = dict(islice(many.items(), MOST_PAPERS))
        rates = ingest_rates(many, folder)
        cold = cold_starts(folder / "theirs", home, questions[0].question) if their_engine.has_chroma() else None
    yield f"{len(questions)} questions over {len(seeds)} papers; the same scripted model and embedder"
    yield ""
    costs = [("cold start to answer, processor s", *cold)] if cold else []
    costs.append((f"papers ingested a second, of {len(many)}", *rates))
    costs += list(_spent(spent, spent_by_us, len(questions)))
    rows = [(what, f"{a:.4g}", f"{b:.4g}", f"{a / b:.2f}" if b else "–") for what, a, b in costs]
    yield from columns([("cost", "CitationQueryEngine", "citewell", "theirs / ours"), *rows])
    yield ""
    if not cold:
        yield "cold start needs llama-index-vector-stores-chroma, which is not installed; their index was in memory"
    yield from columns([("shown to the reader", "CitationQueryEngine", "citewell"), *_metrics(scored, mine)])


def _spent(their: Spent, our: Spent, questions: int) -> Iterator[tuple[str, float, float]]:
    from llama_index.core.utils import get_tokenizer

    tokenise = get_tokenizer()
    both = (their, our)
    yield "time to answer, median s", *(median(each.seconds) for each in both)
    yield "time to answer, mean s", *(mean(each.seconds) for each in both)
    yield "model calls a question", *(len(each.calls) / questions for each in both)
    for place, what in enumerate(("prompt", "reply")):
        counted = (sum(len(tokenise(call[place])) for call in each.calls) for each in both)
        yield f"{what} tokens a question", *(total / questions for total in counted)


def _metrics(scored: Mapping[str, Any], mine: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for name in _SHOWN:
        found = [each["metrics"].get(name, {}).get("mean") for each in (scored, mine)]
        yield name, number(found[0], name), number(found[1], name)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m evals.peers", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--limit", type=int, default=QUESTIONS, help=f"so many questions [{QUESTIONS}]")
    parser.add_argument("--keep", type=Path, help="keep their answers here, for `citewell eval score`")
    parser.add_argument("--papers", type=Path, help=f"ingest up to {MOST_PAPERS} of these instead of the seeds")
    parser.add_argument("--paper-qa", metavar="PYTHON", help="an interpreter that has paper-qa")
    asked = parser.parse_args(arguments)
    for line in compared(asked.limit, asked.keep, asked.papers):
        print(line, flush=True)
    if asked.paper_qa:
        print(f"\npaper-qa, its import alone: {best_of(asked.paper_qa, 'import paperqa'):.2f} s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
