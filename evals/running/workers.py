"""One worker of a run: an engine, a judge, and cases one at a time to log entries."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from evals.gate.log import Entry, score_json
from evals.material.cases import Case, ClaimCase, Question
from evals.running.engine import Engine
from evals.running.recording import Replay, Watched
from evals.scorers import score, score_claim, verdicts
from evals.scorers.judge import Judge
from evals.scorers.record import Statement
from rag.errors import CitewellError
from rag.model.contract import Model
from rag.settings import Settings


@dataclass(frozen=True, slots=True)
class Job:
    """What every worker of a run shares."""

    settings: Settings
    replay: Path | None = None


@dataclass(frozen=True, slots=True)
class Work:
    case: Case
    repeat: int = 1

    @property
    def key(self) -> str:
        return f"{self.case.id}#{self.repeat}"


class Worker:
    def __init__(self, job: Job) -> None:
        self.judge = Judge()
        self.model: Watched | None = Watched(model_of(job)) if job.settings.uses_model or job.replay else None
        settings = replace(job.settings, model=self.model.name) if self.model else job.settings
        self.engine = Engine(settings)
        if self.model:
            self.engine.use_model(self.model)

    def entry(self, work: Work) -> Entry:
        """Never raises but for KeyboardInterrupt: what goes wrong is told in the entry."""
        try:
            return self._claim(work.case, work) if isinstance(work.case, ClaimCase) else self._question(work.case, work)
        except CitewellError as error:
            return _failed(work, type(error).__name__, error.message)
        except Exception as error:
            return _failed(work, type(error).__name__, str(error))

    def _question(self, question: Question, work: Work) -> Entry:
        if self.model:
            self.model.begin(question.id, work.repeat)
        answered = self.engine.ask(question, work.repeat)
        if self.model and self.model.missed:
            return _failed(work, "Unrecorded", self.model.missed[0])
        if answered.shown.get("fallback"):  # answered without the model: that is not what was to be measured
            return _failed(work, "ModelFailed", answered.shown["fallback"])
        scores = score(question, answered.record, self.judge)
        failures = verdicts.failures(question, scores)
        answer = answered.shown
        answer["usage"].pop("seconds", None)
        return {
            **_facts(work),
            "answer": answer,
            "retrieved": list(answered.record.ranked or ()),
            "verdicts": [_verdict(each, self.judge) for each in answered.record.statements],
            "calls": [asdict(call) for call in self.model.calls] if self.model else [],
            "scores": {name: score_json(each) for name, each in scores.items() if name != "latency"},
            "failures": list(failures),
            "passed": not failures,
            "error": None,
        }

    def _claim(self, claim: ClaimCase, work: Work) -> Entry:
        checked = self.engine.check(claim)
        scores = score_claim(claim, checked)
        failures = verdicts.claim_failures(claim, scores)
        return {
            **_facts(work),
            "answer": {**asdict(checked), "reasons": list(checked.reasons)},
            "scores": {name: score_json(each) for name, each in scores.items()},
            "failures": list(failures),
            "passed": not failures,
            "error": None,
        }


def _verdict(statement: Statement, judge: Judge) -> str:
    """What the judge says of a shown claim; a field of the catalogue is not for it to judge."""
    return judge(statement.text, statement.passages).outcome if statement.needs_support else "supported"


def model_of(job: Job) -> Model:
    """The model the settings name, or the recording."""
    if job.replay:
        return Replay(job.replay)
    from rag import model

    return model.load(job.settings)


_worker: Worker | None = None


def start(job: Job) -> None:
    """Makes this process a worker."""
    global _worker
    _worker = Worker(job)


def work(each: Work) -> tuple[Entry, float]:
    """One case in this process, and its seconds."""
    assert _worker is not None
    began = time.perf_counter()
    return _worker.entry(each), time.perf_counter() - began


def _facts(work: Work) -> dict[str, Any]:
    """The case itself, as it was asked."""
    case = work.case
    facts: dict[str, Any] = {"id": case.id, "kind": case.kind, "split": case.split, "repeat": work.repeat}
    facts |= {"papers": list(case.papers), "gold_sentences": list(case.sentences), "note": case.note}
    if isinstance(case, ClaimCase):
        return {**facts, "question": case.text, "label": case.label, "edit": case.edit, "answerable": True}
    return {
        **facts,
        "question": case.question,
        "answerable": case.answerable,
        "history": list(case.history),
        "must": [list(each) for each in case.must],
        "must_not": list(case.must_not),
    }


def _failed(work: Work, kind: str, message: str) -> Entry:
    """An error is no pass, no fail and no score."""
    error = {"type": kind, "message": message}
    return {**_facts(work), "answer": None, "scores": {}, "failures": [], "passed": False, "error": error}
