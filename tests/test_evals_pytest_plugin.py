"""The plugin in a pytest of its own: assert_grounded, the corpus fixture, one test a question, xdist, --junitxml."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest_plugins = ("pytester",)
# As installed; from a checkout that was installed before there was an entry point, by its module's name.
INSTALLED = bool(entry_points(group="pytest11", name="citewell"))
LOAD = ("-p", "no:cacheprovider", "-W", "error", *(() if INSTALLED else ("-p", "evals.pytest_plugin")))
ABSTRACT = "We propose Foo, a sampler. Foo reaches an accuracy of 93.1% on the Bar benchmark."


@pytest.fixture
def theirs(pytester: pytest.Pytester) -> pytest.Pytester:
    """Someone's tests: a corpus, two questions (one of them with a wrong answer), a test of their own."""
    line = {"title": "Foo: A Sampler", "doi": "10.1/foo", "abstract": ABSTRACT}
    (pytester.path / "papers.jsonl").write_text(json.dumps(line), "utf-8")
    right = {
        "id": "right",
        "kind": "fact",
        "question": "Which accuracy does Foo reach?",
        "answerable": True,
        "papers": ["doi:10.1/foo"],
        "must": [["93.1%"]],
    }
    (pytester.path / "q.jsonl").write_text(
        f"{json.dumps(right)}\n{json.dumps({**right, 'id': 'wrong', 'must': [['39.1%']]})}\n", "utf-8"
    )
    pytester.makeini("[pytest]\ncitewell_corpus = papers.jsonl\ncitewell_questions = q.jsonl\n")
    pytester.makepyfile(
        """
        from evals.pytest_plugin import assert_grounded

        def test_ours(citewell_assistant):
            assert_grounded(citewell_assistant.ask("Which accuracy does Foo reach?"))

        def test_theirs():
            passages = ["Foo reaches an accuracy of 93.1% on the Bar benchmark."]
            said = "Foo reaches an accuracy of 39.1% on the Bar benchmark [1]."
            assert_grounded({"question": "q", "answer": said, "passages": passages})
        """
    )
    return pytester


def test_each_question_is_a_test_and_each_answer_can_be_asserted(theirs: pytest.Pytester) -> None:
    found = theirs.runpytest_subprocess(*LOAD, "--junitxml", "out.xml", "-v")
    found.assert_outcomes(passed=2, failed=2)
    found.stdout.fnmatch_lines(["*not grounded:*", "*citation_recall*"])
    found.stdout.fnmatch_lines(["*fact_recall: 0 of 1 facts shown, missing: 39.1%*"])
    names = {case.get("name"): case for case in ElementTree.parse(Path(theirs.path / "out.xml")).iter("testcase")}
    assert set(names) == {"right", "wrong", "test_ours", "test_theirs"}
    assert names["wrong"].find("failure") is not None
    assert {each.get("name") for each in names["right"].iter("property")} >= {"fact_recall", "quote_fidelity"}


def test_it_works_under_xdist(theirs: pytest.Pytester) -> None:
    theirs.runpytest_subprocess(*LOAD, "-n", "2").assert_outcomes(passed=2, failed=2)


def test_it_keeps_quiet_where_it_is_not_asked(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_nothing(): pass")
    pytester.runpytest_subprocess(*LOAD).assert_outcomes(passed=1)


def test_every_pytest_run_loads_it_so_it_imports_nothing_before_it_is_used() -> None:
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text("utf-8"))["project"]
    module = project["entry-points"]["pytest11"]["citewell"]
    code = f"import sys, pytest; known = set(sys.modules); import {module}; print(*sorted(set(sys.modules) - known))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["evals", module]


def test_an_abstention_is_grounded_and_an_empty_answer_is_not(theirs: pytest.Pytester) -> None:
    from evals.pytest_plugin import assert_grounded

    assert_grounded({"question": "q", "answer": "I cannot answer this.", "passages": ["x"]})
    with pytest.raises(pytest.fail.Exception, match="says nothing"):
        assert_grounded({"question": "q", "answer": "...", "passages": ["x"]})
