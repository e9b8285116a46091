"""A newcomer with 20 abstracts on the sea and 10 questions of their own, doing what `citewell eval init` prints."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import cli

REEF = Path(__file__).parent / "reef"
ABSTRACTS, QUESTIONS = REEF / "references.bib", REEF / "questions.jsonl"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository that holds nothing but their bibliography."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CITEWELL_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    (tmp_path / "papers").mkdir()
    shutil.copy(ABSTRACTS, tmp_path / "papers")
    return tmp_path


def typed(command: str) -> Result:
    """A command as it was printed; one process, so that it can be followed here."""
    assert command.startswith("citewell ")
    words = command.split()[1:]
    return CliRunner().invoke(cli.app, [*words, "--jobs", "1"] if words[1] == "run" else words)


def printed_by(told: Result) -> list[str]:
    """The commands of the numbered steps."""
    return re.findall(r"(citewell eval \w+(?: --?\S+ \S+)*)(?:\s{2,}|\s+shows|$)", told.output, re.MULTILINE)


def test_from_init_through_a_wrong_answer_to_a_gate_that_passes(repository: Path) -> None:
    told = typed("citewell eval init papers")
    assert told.exit_code == 0, told.output
    assert "20 papers found" in told.output
    lint, run, bless, report = printed_by(told)
    assert [typed(lint).exit_code, typed(run).exit_code] == [0, 0]  # the starter's own questions pass as they are

    shutil.copy(QUESTIONS, repository / "grounding" / "questions.jsonl")  # step 1
    linted = typed(lint)
    assert linted.exit_code == 0, linted.output
    passed = typed(run)
    assert passed.exit_code == 0, passed.output
    assert "10 of 10 passed" in passed.output
    assert typed(bless).exit_code == 0

    bibliography = repository / "papers" / ABSTRACTS.name
    right = bibliography.read_text("utf-8")
    assert right.count("1,504 metres") == 1
    bibliography.write_text(right.replace("1,504 metres", "150 metres"), "utf-8")
    failed = typed(run)
    assert failed.exit_code == 10, failed.output
    assert "shark-depth [fact] How deep did basking sharks dive in winter?" in failed.output
    assert "FAILED: limit on accuracy" in failed.output
    shown = typed(report)
    assert shown.exit_code == 10
    page = (repository / report.split()[-1]).read_text("utf-8")
    assert "Winter dives reached 150 metres." in page

    bibliography.write_text(right, "utf-8")
    assert typed(run).exit_code == 0


def test_the_workflow_runs_what_was_printed(repository: Path) -> None:
    told = typed("citewell eval init papers")
    workflow = (repository / ".github" / "workflows" / "grounding.yml").read_text("utf-8")
    for command in printed_by(told)[:2]:
        assert f"run: {command}" in workflow


def test_their_gold_may_be_written_as_it_reads(repository: Path) -> None:
    questions = [json.loads(line) for line in QUESTIONS.read_text("utf-8").splitlines()]
    latex = [each["id"] for each in questions if any("%" in text for text in each.get("sentences", ()))]
    assert latex  # the bibliography has \% where they wrote %
    typed("citewell eval init papers")
    shutil.copy(QUESTIONS, repository / "grounding" / "questions.jsonl")
    found = typed(f"citewell eval run --only {latex[0]} -o log.json")
    assert found.exit_code == 0, found.output
    case = json.loads((repository / "log.json").read_text("utf-8"))["cases"][0]
    assert case["scores"]["sentence_recall"]["value"] == 1.0
