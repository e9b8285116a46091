"""Answers of another assistant scored into a log, so that they are reported, compared and gated like our own."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evals.gate import log, summary
from evals.gate.log import Entry, Log
from evals.material import cases
from evals.material.cases import Question
from evals.others import outside
from evals.running import about
from evals.scorers import score, verdicts
from evals.scorers.judge import Judge
from evals.scorers.record import Record
from rag.errors import UsageError
from rag.text.normalise import fold


def score_file(path: Path, questions: Sequence[Path]) -> Log:
    """Scores every line of a file (`-` is stdin). Lines that no question fits are scored for grounding alone."""
    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text("utf-8-sig", "replace")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    known = cases.load_questions(questions) if questions else ()
    by_id = {question.id: question for question in known}
    by_words = {fold(question.question): question for question in known if not question.history}
    judge, entries, papers = Judge(), [], {}
    for number, (_, line) in enumerate(outside.read(path, text), 1):
        question = by_id.get(str(line.get("id"))) or by_words.get(fold(line["question"]))
        record = outside.record(line)
        entries.append(entry(str(line.get("id") or (question.id if question else number)), question, record, judge))
        papers.update(_papers(record))
    return _log(path, entries, papers, known)


def entry(name: str, question: Question | None, record: Record, judge: Judge) -> Entry:
    """One answer as a log's case."""
    scores = score(question, record, judge)
    failures = verdicts.failures(question, scores) if question else verdicts.grounding(scores)
    gold: dict[str, Any] = asdict(question) if question else {}
    return {
        "id": name,
        "kind": gold.get("kind", "outside"),
        "split": gold.get("split", "report"),
        "repeat": 1,
        "question": record.question,
        "answerable": gold.get("answerable"),
        "history": list(gold.get("history", ())),
        "papers": list(gold.get("papers", ())),
        "gold_sentences": list(gold.get("sentences", ())),
        "must": [list(each) for each in gold.get("must", ())],
        "must_not": list(gold.get("must_not", ())),
        "note": gold.get("note"),
        "answer": _shown(record),
        "retrieved": list(record.ranked or ()),
        "verdicts": [judge(each.text, each.passages).outcome for each in record.statements],
        "scores": {key: log.score_json(each) for key, each in scores.items() if key != "latency"},
        "failures": list(failures),
        "passed": not failures,
        "error": None,
    }


def _shown(record: Record) -> dict[str, Any]:
    claims = []
    for statement in record.statements:
        cited = [_citation(each.document or "", each.passage, record) for each in statement.citations if each.passage]
        claims.append({"text": statement.text, "verdict": "written", "risk": statement.risk, "citations": cited})
    status = "abstained" if record.abstained else "answered"
    sources = [{"paper_id": document} for document in record.cited_documents]
    return {"status": status, "reason": None, "claims": claims, "dropped": [], "sources": sources}


def _citation(document: str, passage: str, record: Record) -> dict[str, Any]:
    start = max(record.documents[document].find(passage), 0)
    return {"paper_id": document, "start": start, "end": start + len(passage), "quote": passage}


def _papers(record: Record) -> dict[str, dict[str, str]]:
    return {name: {"title": record.titles.get(name, name), "abstract": text} for name, text in record.documents.items()}


def _log(path: Path, entries: Sequence[Entry], papers: Mapping[str, Any], known: Sequence[Question]) -> Log:
    missing = {question.id for question in known} - {entry["id"] for entry in entries}
    questions = {"fingerprint": cases.fingerprint(known), "count": len(entries), "files": [path.name]}
    return {
        "schema_version": log.SCHEMA_VERSION,
        "git": about.git(),
        "versions": about.versions(),
        "corpus": {"fingerprint": "outside", "papers": len(papers), "embedder": "outside"},
        "questions": {
            **questions,
            "whole": not missing,
            "chosen": {"not answered": len(missing)} if missing else {},
        },
        "prompts": {},
        "settings": {"model": "outside"},
        "repeat": 1,
        "replayed": False,
        "model": {"model": "outside", "identity": f"answers of {path.name}", "context_window": None},
        "summary": summary.summarise(entries),
        "papers": dict(papers),
        "cases": list(entries),
        "times": {"started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "seconds": 0.0, "cases": {}},
    }
