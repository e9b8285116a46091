"""Summaries, intervals, paired differences, gates and the baseline, on logs made by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evals.gate import baseline, gates, stats, summary
from evals.gate.compare import compare, same_questions
from rag.errors import UsageError


def entry(
    number: int, *, passed: bool = True, error: bool = False, repeat: int = 1, **scores: float | None
) -> dict[str, Any]:
    told = {"type": "ModelUnreachable", "message": "gone"} if error else None
    return {
        "id": f"q{number}",
        "kind": "fact",
        "split": "report",
        "repeat": repeat,
        "question": f"Question {number}?",
        "answerable": True,
        "must": [["x"]],
        "must_not": [],
        "gold_sentences": ["x"],
        "papers": [f"p{number % 20}"],
        "answer": None if error else {"status": "answered"},
        "scores": {}
        if error
        else {name: {"value": value, "why": "", "hits": value or 0, "of": 1} for name, value in scores.items()},
        "failures": [] if passed else ["fact_recall: missing"],
        "passed": passed and not error,
        "error": told,
    }


def log(
    entries: list[dict[str, Any]], *, repeat: int = 1, whole: bool = True, fingerprint: str = "f"
) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "questions": {
            "fingerprint": fingerprint,
            "whole": whole,
            "chosen": {},
            "count": len(entries),
            "files": [],
        },
        "git": {"commit": "abc", "dirty": False},
        "repeat": repeat,
        "summary": summary.summarise(entries),
        "cases": entries,
        "times": {"cases": {}},
    }


def judged(found: dict[str, Any], table: str, tmp_path: Path, blessed: dict[str, Any] | None = None) -> dict[str, str]:
    path = tmp_path / "gates.toml"
    path.write_text(table, "utf-8")
    return {gate.name: gate.state for gate in gates.judge(found, gates.load(path), blessed)}


def test_the_interval_is_that_of_a_plain_cluster_bootstrap() -> None:
    rng = np.random.default_rng(1)
    clusters = [f"c{number // 4}" for number in range(200)]
    lifts = {name: rng.normal() for name in set(clusters)}
    values = [float(lifts[name] > 0.3) for name in clusters]
    found = stats.interval(values, clusters)
    means = []
    names = sorted(set(clusters))
    for _ in range(1500):
        drawn = rng.choice(names, len(names))
        means.append(
            np.mean([value for name in drawn for value, own in zip(values, clusters, strict=True) if own == name])
        )
    assert found.mean == pytest.approx(np.mean(values))
    assert found.low == pytest.approx(np.quantile(means, 0.025), abs=0.03)
    assert found.high == pytest.approx(np.quantile(means, 0.975), abs=0.03)
    alone = stats.interval(values, [str(number) for number in range(200)])
    assert found.high - found.low > 1.5 * (alone.high - alone.low)  # what hangs together says less


def test_undefined_is_counted_and_never_averaged_and_errors_stay_in_the_denominator() -> None:
    entries = [
        entry(1, fact_recall=1.0),
        entry(2, fact_recall=None),
        entry(3, error=True),
        entry(4, fact_recall=1.0),
    ]
    found = summary.summarise(entries)["metrics"]["fact_recall"]
    assert (found["scored"], found["undefined"], found["error"]) == (2, 1, 1)
    assert found["mean"] == pytest.approx(2 / 3)
    assert summary.summarise(entries)["cases"] == {"total": 4, "passed": 3, "failed": 0, "errors": 1}


def test_an_error_is_the_worst_where_lower_is_better() -> None:
    entries = [entry(1, misattribution=0.0), entry(2, error=True)]
    assert summary.summarise(entries)["metrics"]["misattribution"]["mean"] == 0.5


def test_macro_and_micro_differ_where_answers_differ_in_length() -> None:
    short, long = entry(1, citation_recall=1.0), entry(2, citation_recall=0.5)
    long["scores"]["citation_recall"].update(hits=5, of=10)
    found = summary.summarise([short, long])["metrics"]["citation_recall"]
    assert found["mean"] == 0.75
    assert found["micro"] == pytest.approx(6 / 11)


def test_one_case_that_turned_is_listed_and_is_noise() -> None:
    before = log([entry(number, fact_recall=1.0) for number in range(100)])
    after = log([entry(number, passed=number != 7, fact_recall=float(number != 7)) for number in range(100)])
    found = compare(before, after)
    assert [(each.key, each.before, each.after) for each in found.turned] == [("q7#1", "passed", "failed")]
    moved = next(each for each in found.moved if each.metric == "fact_recall")
    assert moved.worsened == pytest.approx(0.01)
    assert not moved.beyond_noise


def test_a_drop_beyond_the_noise_fails_its_gate_and_one_inside_does_not(tmp_path: Path) -> None:
    before = log([entry(number, fact_recall=1.0) for number in range(100)])
    few = log([entry(number, fact_recall=float(number != 7)) for number in range(100)])
    many = log([entry(number, fact_recall=float(number % 5 != 0)) for number in range(100)])
    table = "[drops]\nfact_recall = 0.005\n"
    assert judged(few, table, tmp_path, before)["no drop of fact_recall"] == "passed"
    assert judged(many, table, tmp_path, before)["no drop of fact_recall"] == "failed"
    assert judged(before, table, tmp_path, many)["no drop of fact_recall"] == "passed"  # better is no drop


def test_limits_are_floors_or_ceilings_by_the_metric(tmp_path: Path) -> None:
    found = log([entry(1, fact_recall=0.9, false_refusal=0.1), entry(2, fact_recall=0.7, false_refusal=0.1)])
    states = judged(
        found,
        "[limits]\nfact_recall = 0.81\nfalse_refusal = 0.1\n[kinds.fact]\nfact_recall = 0.8\n",
        tmp_path,
    )
    assert states["limit on fact_recall"] == "failed"
    assert states["limit on false_refusal"] == "passed"
    assert states["fact: limit on fact_recall"] == "passed"


def test_a_limit_on_a_kind_that_nobody_asked_is_no_pass(tmp_path: Path) -> None:
    found = log([entry(1, fact_recall=1.0)])
    assert judged(found, "[kinds.fcat]\nfact_recall = 0.5\n", tmp_path)["fcat: limit on fact_recall"] == "unmeasured"


def test_what_must_hold_has_no_tolerance(tmp_path: Path) -> None:
    entries = [entry(number, quote_fidelity=1.0) for number in range(500)]
    assert judged(log(entries), "[must]\nquote_fidelity = 1.0\n", tmp_path)["quote_fidelity must hold"] == "passed"
    entries.append(entry(500, quote_fidelity=0.99))
    assert judged(log(entries), "[must]\nquote_fidelity = 1.0\n", tmp_path)["quote_fidelity must hold"] == "failed"


def test_a_run_that_measured_nothing_is_no_pass(tmp_path: Path) -> None:
    empty = gates.judge(log([]), gates.load(_file(tmp_path, "[limits]\nfact_recall = 0.5\n")), None)
    assert gates.exit_code(empty) == 11
    broken = log([entry(1, fact_recall=1.0), entry(2, error=True)])
    assert gates.exit_code(gates.judge(broken, gates.load(_file(tmp_path, "")), None)) == 11
    allowed = gates.judge(broken, gates.load(_file(tmp_path, "[run]\nmost_errors = 0.5\n")), None)
    assert gates.exit_code(allowed) == 0


def test_repeats_all_pass_and_their_noise(tmp_path: Path) -> None:
    entries = [
        entry(number, passed=number > 1 or turn == 1, repeat=turn, fact_recall=0.8 + 0.02 * turn)
        for turn in (1, 2, 3)
        for number in range(10)
    ]
    found = log(entries, repeat=3)
    assert found["summary"]["repeats"] == {
        "rounds": 3,
        "pass_rates": [1.0, 0.8, 0.8],
        "always": 8,
        "sometimes": 2,
        "never": 0,
    }
    states = judged(found, "[run]\nall_pass = 0.9\n[limits]\nfact_recall = 0.85\n", tmp_path)
    assert states["all 3 repeats pass"] == "failed"
    assert states["limit on fact_recall"] == "passed"  # 0.84, and twice the standard error of the means is 0.023
    assert judged(found, "[limits]\nfact_recall = 0.88\n", tmp_path)["limit on fact_recall"] == "failed"


def test_a_baseline_of_other_questions_is_not_measured(tmp_path: Path) -> None:
    found = gates.judge(
        log([entry(1, fact_recall=1.0)]),
        gates.load(_file(tmp_path, "[drops]\nfact_recall = 0.1\n")),
        log([entry(1, fact_recall=1.0)], fingerprint="other"),
    )
    assert gates.exit_code(found) == 11
    with pytest.raises(UsageError, match="different questions"):
        same_questions(log([], fingerprint="a"), log([], fingerprint="b"))


def test_bless_refuses_what_is_no_baseline_and_keeps_what_is(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    good = [entry(1, fact_recall=1.0), entry(2, fact_recall=None)]
    with pytest.raises(UsageError, match="left out"):
        baseline.bless(log(good, whole=False), path, "f")
    with pytest.raises(UsageError, match="error"):
        baseline.bless(log([*good, entry(3, error=True)]), path, "f")
    with pytest.raises(UsageError, match="changed since"):
        baseline.bless(log(good), path, "another")
    with pytest.raises(UsageError, match="measured nothing"):
        baseline.bless(log([]), path, "f")
    assert baseline.load(path) is None
    baseline.bless(log(good), path, "f")
    kept = baseline.load(path)
    assert kept is not None
    assert compare(kept, log(good)).turned == ()
    assert next(each for each in compare(kept, log(good)).moved if each.metric == "fact_recall").change == 0.0
    assert len(json.dumps(kept)) < 4000


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("[limits]\nfact_recal = 1\n", "fact_recal"),
        ("[floors]\nfact_recall = 1\n", "floors"),
        ("[limits]\nfact_recall = true\n", "must be a number"),
        ("[run]\nmost_errors = 7\n", "most_errors"),
        ("[run]\nquestion = 'x'\n", "question"),
        ("[limits\n", "gates.toml"),
    ],
)
def test_gates_files_that_are_wrong_say_where(table: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=told):
        gates.load(_file(tmp_path, table))


def _file(folder: Path, text: str) -> Path:
    path = folder / "gates.toml"
    path.write_text(text, "utf-8")
    return path
