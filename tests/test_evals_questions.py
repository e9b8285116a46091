"""The question schema, the lint on planted faults, and the questions that ship."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evals.command import session
from evals.gate.gates import load
from evals.material import cases
from evals.material.lint import lint
from evals.material.matching import holds, spaced
from rag.errors import UsageError
from rag.types import Paper

PAPER = Paper(
    "p1",
    "Foo: A Sampler",
    "given",
    "We propose Foo. It is 2.5$\\times$ faster than Bar.",
    authors=("Ann Lee",),
)
GOOD = {
    "id": "a",
    "kind": "fact",
    "question": "How much faster is Foo?",
    "answerable": True,
    "papers": ["p1"],
    "sentences": ["It is 2.5$\\times$ faster than Bar."],
    "must": [["2.5x", "2.5$\\times$"]],
}


def rules(tmp_path: Path, *lines: dict[str, Any] | str) -> list[str]:
    path = tmp_path / "q.jsonl"
    path.write_text("\n".join(each if isinstance(each, str) else json.dumps(each) for each in lines), "utf-8")
    placed, misread = cases.read_questions([path])
    return [f"{each.rule}/{each.weight}" for each in lint(placed, misread, {"p1": PAPER})]


def test_a_good_question_has_nothing_wrong(tmp_path: Path) -> None:
    assert rules(tmp_path, GOOD) == []


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"papers": ["p9"]}, "unknown paper/error"),
        ({"sentences": ["It is 2.6 faster."]}, "gold sentence/error"),
        ({"must": [["2.5x"]], "question": "Is Foo 2.5x faster?"}, "leak/error"),
        ({"must": [["2.5"], ["Foo"]]}, "leak/warning"),
        ({"must": [["7.5"]]}, "fact not in gold/warning"),
        ({"must": [["2.5"]], "must_not": ["2.5"]}, "inconsistent/error"),
        ({"must": [[]]}, "empty fact/error"),
        ({"answerable": False}, "gold of nothing/error"),
        ({"papers": [], "sentences": [], "must": []}, "no gold/error"),
        ({"kind": "riddle"}, "kind/warning"),
        ({"question": "  "}, "empty/error"),
        ({"answerable": "maybe"}, "schema/error"),
        ({"mustnot": []}, "schema/error"),
    ],
)
def test_planted_faults_are_found(change: dict[str, Any], rule: str, tmp_path: Path) -> None:
    assert rule in rules(tmp_path, {**GOOD, **change})


def test_a_title_where_an_id_belongs_is_told_the_id(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(json.dumps({**GOOD, "papers": ["foo: a Sampler"]}), "utf-8")
    placed, misread = cases.read_questions([path])
    (found,) = (each for each in lint(placed, misread, {"p1": PAPER}) if each.rule == "unknown paper")
    assert found.reason.endswith("by that title it is 'p1'")


def test_duplicates_by_id_and_by_words(tmp_path: Path) -> None:
    again = {**GOOD, "question": "Something else about speed?"}
    reworded = {**GOOD, "id": "b", "question": "how much FASTER is foo?"}
    assert rules(tmp_path, GOOD, again, reworded) == ["duplicate/error", "duplicate/error"]
    followup = {**GOOD, "id": "c", "history": ["What is Foo?"]}
    assert rules(tmp_path, GOOD, followup) == []  # the same words after another question are another question


def test_a_line_that_is_no_json_is_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    assert rules(tmp_path, GOOD, "{oops", "[1]") == ["schema/error", "schema/error"]
    with pytest.raises(UsageError, match=r"q\.jsonl:2: not JSON"):
        cases.load_questions([tmp_path / "q.jsonl"])


def test_the_schema_that_ships_is_that_of_the_code() -> None:
    kept = json.loads((cases.QUESTIONS / "schema.json").read_text("utf-8"))
    assert kept == cases.schema()


def test_the_fingerprint_knows_content_and_not_order() -> None:
    first = cases.Question("a", "fact", "q", True)
    second = cases.Question("b", "fact", "q", True)
    assert cases.fingerprint((first, second)) == cases.fingerprint((second, first))
    assert cases.fingerprint((first,)) != cases.fingerprint((cases.Question("a", "fact", "q?", True),))


def test_the_questions_that_ship_are_clean() -> None:
    found, count = session.linted((), (), load(session.OWN))
    assert count >= 250
    assert [str(each) for each in found if each.weight == "error"] == []


@pytest.mark.parametrize(
    ("text", "spelling", "there"),
    [
        ("up to 2.5$\\times$ faster", "2.5", True),
        ("12.5 and 2.57 and 2.5.1", "2.5", False),
        ("gains 75% here", "75", True),
        ("about 1,750 of them", "750", False),
        ("uses BART's trees", "bart", True),
        ("uses Bartok", "BART", False),
        ("a bound of Ω(s/√N)", "Ω(s/√N)", True),
        ("谷歌的模型很快", "模型", True),
        ("anything", " ", False),
    ],
)
def test_facts_are_matched_as_whole_words_and_numbers(text: str, spelling: str, there: bool) -> None:
    assert holds(spaced(text), spelling) is there
