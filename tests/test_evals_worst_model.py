"""The worst model, small: three questions and one without an answer, over HTTP. Skipped where its weights are not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evals import prompt_tokens, worst_model
from evals.material import sample
from evals.models.shown import unsupported
from evals.models.small import NoSmallModel, small_model
from rag.assistant import Assistant
from rag.settings import Settings
from rag.types import Citation, Claim, Paper

PAPER = Paper("text:1", "Sail", "given", "Sail drafts blocks. It is 3.1x faster than Rudder.")


def claim(text: str, verdict: str = "supported", start: int = 20, end: int = 51) -> Claim:
    return Claim(
        text, (Citation(PAPER.id, start, end, PAPER.abstract[20:51]),), verdict, 0.01  # type: ignore[arg-type]
    )  # fmt: skip


def test_the_questions_are_fixed_and_a_quarter_has_no_answer() -> None:
    chosen = sample.chosen()
    assert chosen == sample.chosen()
    assert len(chosen) == len({each.id for each in chosen}) == 40
    assert sum(not each.answerable for each in chosen) == 10
    assert len({each.kind for each in chosen}) >= 8


@pytest.mark.parametrize(
    ("shown", "fault"),
    [
        (claim("Sail is 3.1x faster than Rudder."), None),
        (claim("It is 3.1x faster than Rudder.", "quoted"), None),
        (claim("It is slower.", "quoted"), "unsupported, not what it quotes"),
        (claim("Sail is 9x faster than Rudder."), "unsupported, a number that is not cited"),
        (claim("Sail is 3.1x faster than EAGLE-3."), "unsupported, a name that is not cited"),
        (claim("It is 3.1x faster than Rudder.", "quoted", 21), "no slice of its abstract"),
    ],
)
def test_what_a_program_can_see_is_seen(shown: Claim, fault: str | None) -> None:
    assert list(unsupported(shown, {PAPER.id: PAPER})) == ([fault] if fault else [])


def test_a_fact_that_got_lost_is_a_fault(tmp_path: Path) -> None:
    assistant = Assistant(Settings(home=tmp_path, log=False))
    question = next(each for each in sample.chosen() if each.must and each.kind == "fact")
    bare = assistant.ask(question.question)
    assert list(worst_model.faults(question, bare, bare, assistant)) == []
    poorer = replace(bare, claims=())
    assert any("incomplete" in fault for fault in worst_model.faults(question, poorer, bare, assistant))


def test_prompt_tokens_are_counted_for_one_call_each(tmp_path: Path) -> None:
    questions = [each for each in sample.chosen() if each.kind == "fact" and each.answerable][:2]
    found = list(prompt_tokens.counted(questions, tmp_path))
    assert len(found) == 2
    assert all((each.calls, each.their_calls) == (1, 1) for each in found)
    assert all(0 < each.tokens < 2 * each.their_tokens for each in found)
    assert "CitationQueryEngine" in "\n".join(prompt_tokens.report(found))


@pytest.mark.timeout(1200)
def test_nothing_unsupported_of_what_it_writes_is_shown(tmp_path: Path) -> None:
    try:
        with small_model() as model:
            found = list(worst_model.trials(sample.chosen(4), model, tmp_path, seconds=60))
    except NoSmallModel as missing:
        pytest.skip(str(missing))
    assert [trial.faults for trial in found] == [()] * 4
    assert any(trial.answer.usage.model == model.name for trial in found)
