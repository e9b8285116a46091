"""`citewell eval` as it is typed: exit codes, files, a newcomer's way from `init` to a failing gate and back."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import cli

PAPERS = [
    {
        "title": f"{name}: A Study",
        "doi": f"10.1/{name.lower()}",
        "abstract": f"We propose {name}, a method for {topic}. {name} reaches an accuracy of {number}% on the {bench} "
        "benchmark. It needs no labels.",
    }
    for name, topic, number, bench in (
        ("Foo", "sorting apples", "93.1", "Orchard"),
        ("Qux", "parsing old letters", "71.5", "Archive"),
        ("Zed", "tracking whales", "88.4", "Ocean"),
        ("Lum", "forecasting snow", "64.2", "Alpine"),
    )
]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Someone's repository with a few abstracts."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CITEWELL_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    (tmp_path / "abstracts").mkdir()
    _papers(tmp_path, PAPERS)
    return tmp_path


def _papers(folder: Path, papers: list[dict[str, str]]) -> None:
    (folder / "abstracts" / "papers.jsonl").write_text("\n".join(map(json.dumps, papers)), "utf-8")


def typed(*words: str) -> Result:
    return CliRunner().invoke(cli.app, ["eval", *words])


def ask(name: str, number: str) -> dict[str, Any]:
    question = f"Which accuracy does {name} reach?"
    return {
        "id": name.lower(),
        "kind": "fact",
        "question": question,
        "answerable": True,
        "papers": [f"doi:10.1/{name.lower()}"],
        "must": [[f"{number}%"]],
    }


def test_a_newcomer_goes_from_init_to_a_failing_gate_and_back(repository: Path) -> None:
    told = typed("init", "abstracts")
    assert told.exit_code == 0
    assert "citewell eval lint" in told.output
    assert (repository / ".github" / "workflows" / "grounding.yml").exists()
    assert typed("lint").exit_code == 0, typed("lint").output
    questions = repository / "grounding" / "questions.jsonl"
    mine = [ask(name, number) for name, number in (("Foo", "93.1"), ("Qux", "71.5"), ("Zed", "88.4"), ("Lum", "64.2"))]
    questions.write_text("\n".join(map(json.dumps, mine)), "utf-8")
    passed = typed("run", "--jobs", "1")
    assert passed.exit_code == 0, passed.output
    assert typed("bless").exit_code == 0
    assert (repository / "grounding" / "baseline.json").exists()

    _papers(repository, [{**paper, "abstract": paper["abstract"].replace("93.1", "39.1")} for paper in PAPERS])
    failed = typed("run", "--jobs", "1")
    assert failed.exit_code == 10
    assert re.search(r"FAILED: limit on accuracy", failed.output)
    assert "foo [fact]" in failed.output
    assert typed("run", "--jobs", "1", "--advisory").exit_code == 0

    _papers(repository, PAPERS)
    assert typed("run", "--jobs", "1").exit_code == 0
    assert typed("init", "abstracts").exit_code == 2  # nothing of theirs is written over


def test_report_writes_every_file_and_appends_the_summary(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "q.jsonl").write_text(json.dumps(ask("Foo", "93.1")), "utf-8")
    assert typed("run", "--questions", "q.jsonl", "--corpus", "abstracts", "--jobs", "1", "-o", "a.json").exit_code == 0
    summary = repository / "summary.md"
    summary.write_text("before\n", "utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    told = typed(
        "report",
        "a.json",
        "--advisory",
        "--html",
        "o/a.html",
        "--junit",
        "a.xml",
        "--csv",
        "a.csv",
        "--markdown",
        "a.md",
    )
    assert told.exit_code in (0, 11)  # citewell's own gates are not for these questions
    assert "<!DOCTYPE html>" in (repository / "o" / "a.html").read_text("utf-8")
    assert "<testsuites" in (repository / "a.xml").read_text("utf-8")
    assert summary.read_text("utf-8").startswith("before\n## Grounding evals")


def test_diff_lists_what_turned(repository: Path) -> None:
    (repository / "q.jsonl").write_text(
        "\n".join(json.dumps(ask(*each)) for each in (("Foo", "93.1"), ("Qux", "71.5"))), "utf-8"
    )
    options = ("--questions", "q.jsonl", "--corpus", "abstracts", "--jobs", "1")
    assert typed("run", *options, "-o", "a.json").exit_code == 0
    _papers(repository, [{**paper, "abstract": paper["abstract"].replace("71.5", "17.5")} for paper in PAPERS])
    assert typed("run", *options, "-o", "b.json").exit_code == 0  # no gates were named
    found = typed("diff", "a.json", "b.json")
    assert found.exit_code == 0
    assert "passed -> failed  qux#1" in found.output
    assert typed("diff", "a.json", "none.json").exit_code == 2
    told = typed("diff", "--same", "a.json", "b.json")
    assert (told.exit_code, "corpus" in told.output, "qux#1" in told.output) == (10, True, True)


def test_two_runs_are_the_same_but_for_times(repository: Path) -> None:
    (repository / "q.jsonl").write_text(json.dumps(ask("Foo", "93.1")), "utf-8")
    for name in ("a.json", "b.json"):
        typed("run", "--questions", "q.jsonl", "--corpus", "abstracts", "--jobs", "1", "-o", name)
    told = typed("diff", "--same", "a.json", "b.json")
    assert (told.exit_code, told.output) == (0, "the same but for times\n")


def test_score_gates_the_answers_of_others(repository: Path) -> None:
    passage = {"id": "1", "text": PAPERS[0]["abstract"], "document": "doi:10.1/foo"}
    good = {
        "question": "Which accuracy does Foo reach?",
        "answer": "Foo reaches an accuracy of 93.1% on the Orchard benchmark [1].",
        "passages": [passage],
    }
    bad = {**good, "answer": "Foo reaches an accuracy of 99.9% on the Orchard benchmark [1]."}
    (repository / "gates.toml").write_text("[must]\ncitation_recall = 1.0\n", "utf-8")
    for answer, code in ((good, 0), (bad, 10)):
        (repository / "answers.jsonl").write_text(json.dumps(answer), "utf-8")
        assert typed("score", "answers.jsonl", "--gates", "gates.toml").exit_code == code
    summary = json.loads(typed("score", "answers.jsonl", "--json").output)["summary"]
    assert summary["metrics"]["citation_recall"]["mean"] == 0.0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("run", "--kind", "riddle"), "no question of kind"),
        (("run", "--only", "nothing-like-it"), "no question is left"),
        (("run", "--limit", "0"), "1 or more"),
        (("run", "--corpus", "not/there.jsonl"), "no such file"),
        (("run", "--questions", "not/there.jsonl"), "no such question file"),
        (("report", "not/there.json"), "cannot read"),
        (("run", "--gates", "not/there.toml"), "cannot read"),
        (("init", "nowhere"), "no such file or folder"),
        (("score", "not/there.jsonl"), "cannot read"),
    ],
)
def test_wrong_usage_is_one_clear_line_and_exit_2(words: tuple[str, ...], told: str, repository: Path) -> None:
    found = typed(*words)
    assert found.exit_code == 2
    assert told in found.output
    assert len(found.output.strip().splitlines()) == 1


def test_the_gate_of_this_repository_reads(repository: Path) -> None:
    found = typed("lint", "-q")
    assert found.exit_code == 0
