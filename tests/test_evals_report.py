"""Abstracts cut for highlighting, series behind the plots, JUnit that keeps its three states apart, escaping."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import re
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.gate import summary
from evals.gate.gates import Gate
from evals.report import abstracts, junit, markdown, page, plots, series, sheet, table
from evals.report.figures import Figures


def case(number: int, state: str = "passed", **changes: Any) -> dict[str, Any]:
    quote = {"source": 1, "paper_id": "p1", "start": 0, "end": 15, "quote": "We propose Foo."}
    claim = {"text": "We propose Foo.", "verdict": "quoted", "risk": 0.0, "citations": [quote]}
    score = {"value": float(state == "passed"), "why": "told", "hits": float(state == "passed"), "of": 1.0}
    entry: dict[str, Any] = {
        "id": f"q{number}",
        "kind": "fact",
        "split": "report",
        "repeat": 1,
        "question": f"What is question {number}?",
        "answerable": True,
        "history": [],
        "note": None,
        "papers": ["p1"],
        "gold_sentences": ["It is fast."],
        "must": [["fast", "quick"]],
        "must_not": ["slow"],
        "answer": {
            "status": "answered",
            "reason": None,
            "claims": [claim],
            "dropped": [{"text": "x", "reason": "y"}],
            "sources": [],
        },
        "verdicts": ["supported"],
        "retrieved": ["p1", "p2"],
        "calls": [{"prompt": "abc", "system": "s", "user": "u", "reply": "r", "ending": "stop"}],
        "scores": {"fact_recall": score, "mrr": {"value": None, "why": "no gold"}},
        "failures": [] if state == "passed" else ["fact_recall: told"],
        "passed": state == "passed",
        "error": None,
    }
    if state == "error":
        entry.update(answer=None, scores={}, failures=[], error={"type": "ModelUnreachable", "message": "gone"})
    return {**entry, **changes}


def figures(*entries: dict[str, Any], gates: tuple[Gate, ...] = ()) -> Figures:
    log = {
        "schema_version": 1,
        "git": {"commit": "abcdef", "dirty": True},
        "versions": {"python": "3.11"},
        "corpus": {"fingerprint": "c", "papers": 2, "embedder": "wordllama"},
        "questions": {"fingerprint": "f", "count": len(entries), "files": [], "whole": True, "chosen": {}},
        "prompts": {},
        "settings": {"model": "none"},
        "repeat": 1,
        "replayed": False,
        "model": {"identity": "none"},
        "summary": summary.summarise(entries),
        "papers": {"p1": {"title": "Foo", "abstract": "We propose Foo. It is\nfast. The end."}},
        "cases": list(entries),
        "times": {
            "started": "2026-01-01T00:00:00Z",
            "seconds": 1.0,
            "cases": {f"q{n}#1": 0.1 for n in range(9)},
        },
    }
    return Figures(log, gates)


ALL = (case(1), case(2, "failed"), case(3, "error"))


@given(st.text(max_size=60), st.lists(st.tuples(st.integers(0, 70), st.integers(0, 70)), max_size=4))
def test_runs_make_the_abstract_whole(text: str, spans: list[tuple[int, int]]) -> None:
    ordered = [(min(span), max(span)) for span in spans]
    runs = abstracts.cut(text, ordered[:2], ordered[2:])
    assert "".join(run.text for run in runs) == text
    cited = {place for start, end in ordered[:2] for place in range(start, min(end, len(text)))}
    at = 0
    for run in runs:
        assert all((place in cited) == run.cited for place in range(at, at + len(run.text)))
        at += len(run.text)


def test_gold_is_found_across_line_breaks() -> None:
    shown = abstracts.shown(case(1), figures().log["papers"])
    assert [(run.text, run.cited, run.gold) for run in shown[0].runs if run.cited or run.gold] == [
        ("We propose Foo.", True, False),
        ("It is\nfast.", False, True),
    ]


def test_junit_keeps_failure_error_and_skipped_apart() -> None:
    gates = (
        Gate("a", "mrr", "failed", "w"),
        Gate("b", "mrr", "skipped", "w"),
        Gate("c", "", "unmeasured", "w"),
    )
    root = ElementTree.fromstring(junit.render(figures(*ALL, gates=gates)))
    counted = {
        suite.get("name"): [suite.get(name) for name in ("tests", "failures", "errors", "skipped")] for suite in root
    }
    assert counted == {"fact": ["3", "1", "1", "0"], "gates": ["3", "1", "1", "1"]}


def test_csv_leaves_undefined_empty() -> None:
    rows = list(csv.DictReader(io.StringIO(sheet.render(figures(*ALL)))))
    assert [row["state"] for row in rows] == ["passed", "failed", "error"]
    assert [row["fact_recall"] for row in rows] == ["1.0", "0.0", ""]


def test_the_terminal_and_markdown_say_scored_undefined_error() -> None:
    report = figures(*ALL, gates=(Gate("floor", "mrr", "failed", "0.1, at least 0.9 wanted"),))
    told = "\n".join(table.lines(report))
    assert re.search(r"fact_recall +0\.333 .* 2/0/1", told)
    assert "FAILED: floor" in told
    assert "1 of 3 passed, 1 failed, 1 errors" in told
    assert "2 scored, 0 undefined, 1 error" in markdown.render(report)


def test_the_page_opens_on_what_failed_and_its_policy_fits_its_contents() -> None:
    html = page.render(figures(*ALL))
    states = re.findall(r'<article class="case (\w+)"', html)
    assert states == ["error", "failed", "passed"]
    assert re.findall(r"<details( open)?>\s*<summary>\s*<span class=\"badge", html) == [" open", " open", ""]
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)
    assert policy is not None
    for tag in ("style", "script"):
        body = re.search(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        assert body is not None
        digest = base64.b64encode(hashlib.sha256(body[1].encode()).digest()).decode()
        assert f"{tag}-src &#39;sha256-{digest}&#39;" in policy[1] or f"{tag}-src 'sha256-{digest}'" in policy[1]
    assert not re.search(r"\sstyle=|\son\w+=|https?://(?!www\.w3\.org)", html)
    assert '<mark class=" gold">It is\nfast.</mark>' in html


@pytest.mark.skipif(not plots.available(), reason="matplotlib (the report extra) is not installed")
def test_plots_are_the_same_each_time_and_have_their_table_beside_them() -> None:
    report = figures(*ALL)
    for each in series.all_series(report):
        drawn = plots.draw(each)
        assert drawn == plots.draw(each)
        assert drawn.startswith("<svg")
        assert "style=" not in drawn
        assert "#010203" not in drawn
        ElementTree.fromstring(drawn)
    assert page.render(report).count("<figure>") == len(series.all_series(report))


def test_the_rank_of_the_gold_paper_and_the_reliability_are_counted() -> None:
    claim = case(
        4,
        kind="claim",
        label="contradicted",
        answer={"risk": 0.2, "outcome": "supported", "shown": True, "reasons": [], "probability": 0.9},
    )
    report = figures(*ALL, claim)
    ranks = dict(series.ranks(report).rows)
    assert (ranks["1"], ranks["none"]) == (2.0, 0.0)
    assert ("0.1–0.25", 0.2, 1.0, 1.0) in series.reliability(report).rows
