"""Rounds of a model that answers differently each time: what is told of them, and when a gate on them is steady."""

from __future__ import annotations

from typing import Any

from evals import repeats
from evals.gate import gates
from evals.gate.gates import Gates

MUST = Gates({}, {}, {}, {"citation_recall": 1.0}, all_pass=0.9)


def entry(name: str, number: int, supported: float, reply: str) -> dict[str, Any]:
    return {
        "id": name,
        "kind": "fact",
        "split": "report",
        "answerable": True,
        "answer": {"claims": [], "status": "answered"},
        "repeat": number,
        "papers": ["p"],
        "passed": supported == 1.0,
        "error": None,
        "calls": [{"reply": reply}],
        "scores": {"citation_recall": {"value": supported, "hits": supported, "of": 1.0}},
    }


def rounds(*supported: float) -> list[dict[str, Any]]:
    return [
        entry(name, number, value if name == "b" else 1.0, f"{value}" if name == "b" else "the same")
        for number, value in enumerate(supported, 1)
        for name in ("a", "b")
    ]


def test_a_gate_is_steady_where_every_round_agrees() -> None:
    found = list(repeats.choices(rounds(1.0, 1.0, 1.0, 1.0, 1.0), 5, MUST))
    assert len(found) == 1 + 5 + 10
    assert {each.failed for each in found} == {()}


def test_one_bad_round_of_five_is_a_gate_that_flaps() -> None:
    whole, *fewer = repeats.choices(rounds(1.0, 1.0, 1.0, 1.0, 0.0), 5, MUST)
    assert whole.failed == ("citation_recall must hold", "all repeats pass")
    assert {each.failed == () for each in fewer} == {True, False}
    assert all((5 in each.rounds) == bool(each.failed) for each in fewer)


def test_rounds_are_told_by_their_mean_and_spread() -> None:
    entries = rounds(1.0, 0.0)
    header, *rows = repeats.spread(entries, 2)
    assert header[:3] == ("metric", "mean", "spread")
    assert rows == [("citation_recall", "0.750", "0.250", "0.500", "1.000", "4")]
    log = {**repeats.rounds_of(entries, (1, 2)), "cases": entries}
    said = "\n".join(repeats.told(log, MUST))
    assert "1 pass always, 1 sometimes, 0 never" in said
    assert "questions whose replies differ between rounds: 1" in said


def test_the_gate_on_the_small_model_reads() -> None:
    assert gates.load(repeats.GATES).must["citation_recall"] == 1.0
