"""Both engines over the same questions with the same model: what is counted of each, and how it is told."""

from __future__ import annotations

import json
from pathlib import Path

from evals import peers
from evals.command import session
from evals.gate import gates
from evals.material import cases
from evals.others import their_engine
from evals.running.engine import index, settings_for


def test_both_are_asked_the_same_and_what_they_took_is_counted(tmp_path: Path) -> None:
    judged = gates.load(session.OWN)
    wanted = ("dflash-wordy", "me-code-fact")
    questions = [each for each in cases.load_questions((cases.QUESTIONS,)) if each.id in wanted]
    index(settings_for(tmp_path / "home"), judged.inputs["corpus"])
    papers = dict(list(session.papers_of((), judged).items())[:12])

    llm, heard = peers.listening()
    engine = their_engine.citation_query_engine(papers, llm)
    their = peers.theirs(engine, heard, questions, tmp_path / "theirs.jsonl")
    found, our = peers.ours(questions, tmp_path / "home")

    lines = [json.loads(line) for line in (tmp_path / "theirs.jsonl").read_text("utf-8").splitlines()]
    assert [line["id"] for line in lines] == [each.id for each in questions]
    assert all(line["response"] and line["source_nodes"] for line in lines)
    assert len(their.calls) == len(their.seconds) == len(our.seconds) == len(questions)
    assert found["metrics"]["citation_recall"]["mean"] == 1.0
    told = {name: (theirs, ours) for name, theirs, ours in peers._spent(their, our, len(questions))}
    assert told["model calls a question"][0] == 1.0
    assert all(tokens > 100 for tokens in told["prompt tokens a question"])


def test_a_cold_start_is_a_process_of_its_own() -> None:
    import sys

    assert 0 < peers.best_of(sys.executable, "sum(range(10**6))") < 10
