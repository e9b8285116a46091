"""The scorers' own test passes, and fails when a scorer is broken."""

from __future__ import annotations

import random
from typing import Any

import pytest

from evals import scorers
from evals.command import session
from evals.gate import gates
from evals.material import cases
from evals.scorers import Score, selftest
from evals.scorers.corruptions import CORRUPTIONS
from evals.scorers.judge import Judge

pytestmark = pytest.mark.timeout(1200)


@pytest.fixture(scope="module")
def good() -> list[Any]:
    questions = cases.load_questions((cases.QUESTIONS,))
    return selftest.good_answers(questions, session.papers_of((), gates.load(session.OWN)), random.Random(0))


@pytest.mark.slow  # CI runs `citewell eval selftest`, which is this
def test_every_harm_moves_what_it_should_and_nothing_else() -> None:
    found = session.self_tested()
    assert [(each.name, each.faults) for each in found if each.faults] == []
    assert {each.name for each in found} == {"none", *(each.name for each in CORRUPTIONS)}


@pytest.mark.parametrize(
    ("harm", "broken", "fault"),
    [
        ("invent_id", "citation_validity", "citation_validity should worsen"),
        ("move_quote", "quote_fidelity", "quote_fidelity should worsen"),
        ("abstain", "false_refusal", "false_refusal should worsen"),
        ("swap_citation", "misattribution", "misattribution should worsen"),
    ],
)
def test_a_blind_scorer_is_found(
    harm: str, broken: str, fault: str, good: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = scorers.score

    def blind(*given: Any) -> dict[str, Score]:
        best = 1.0 if scorers.BY_NAME[broken].better == "higher" else 0.0
        return {**whole(*given), broken: Score(best, "always fine")}

    monkeypatch.setattr(selftest, "score", blind)
    corruption = next(each for each in CORRUPTIONS if each.name == harm)
    found = selftest._try(corruption, good[:14], Judge(), 0)
    assert any(each.startswith(fault) for each in found.faults)


def test_a_scorer_that_moves_with_everything_is_found(good: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = scorers.score

    def nervous(*given: Any) -> dict[str, Score]:
        found = whole(*given)
        return {**found, "mrr": Score(found["quote_fidelity"].value, "moves with the quotes")}

    monkeypatch.setattr(selftest, "score", nervous)
    corruption = next(each for each in CORRUPTIONS if each.name == "move_quote")
    assert any("mrr should stay" in each for each in selftest._try(corruption, good[:14], Judge(), 0).faults)
