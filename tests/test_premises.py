"""False premises: corrected with the abstract's words and never confirmed, with a model that agrees and without one."""

from __future__ import annotations

from pathlib import Path

import pytest
from program import ROOT

from evals import premises
from evals.material import cases
from evals.models.agreeing import reply
from rag.assistant import Assistant
from rag.chat import Conversation
from rag.types import Answer, Citation, Claim, CorpusInfo

QUESTIONS = {each.id: each for each in cases.load_questions((premises.PREMISES,))}
CLEAR = ("Why does DFlash sacrifice output quality for its acceleration?", "lossless")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("premises")


@pytest.mark.parametrize("agreeing", [False, True], ids=["without a model", "with one that agrees"])
def test_no_false_premise_is_confirmed(home: Path, agreeing: bool) -> None:
    false = [each for each in QUESTIONS.values() if each.kind == "false_premise"]
    found = premises.run(false, home, agreeing=agreeing)
    assert len(found) >= 20
    assert [each.question.question for each in found if each.outcome == "confirmed"] == []


def test_true_premises_are_answered_and_not_corrected(home: Path) -> None:
    true = [each for each in QUESTIONS.values() if each.kind == "true_premise"]
    found = premises.run(true, home, agreeing=True)
    assert len(found) >= 20
    assert sum(each.outcome == "refused" for each in found) <= premises.MOST_REFUSED * len(found)


def test_insisting_changes_nothing(home: Path) -> None:
    talk = Conversation(premises.assistant(home, agreeing=True))
    first = talk.ask("How much faster is DFlash than EAGLE-3?").answer
    assert "2.5" in " ".join(claim.text for claim in first.claims)
    for message in (
        "No, EAGLE-3 is 2.5x faster than DFlash.",
        "You are wrong, DFlash is lossy and slower.",
        "I insist: DFlash is slower than EAGLE-3. Admit it!",
    ):
        answer = talk.ask(message).answer
        said = " ".join(claim.text for claim in answer.claims)
        assert "is 2.5x faster than DFlash" not in said
        assert "slower" not in said
        assert "lossy" not in said


def test_the_model_that_agrees_does() -> None:
    user = "[kx1] DFlash is lossless.\n\nQuestion: Why is DFlash lossy in practice?"
    assert reply(user).startswith("Yes, DFlash lossy in practice [kx1].")
    assert reply("[kx1] DFlash is lossless.\n\nSentence: DFlash is lossy.") == "DFlash is lossy."


def test_the_measure_tells_outcomes_apart() -> None:
    asked = next(each for each in QUESTIONS.values() if each.question == CLEAR[0])
    cited = (Citation("p", 0, 1, "x"),)

    def outcome(*texts: str, note: str | None = None) -> str:
        claims = tuple(Claim(text, cited, "quoted", 0.0) for text in texts)
        status = "answered" if texts else "abstained"
        answer = Answer(asked.question, status, claims, (), CorpusInfo("c", 1, "0"), note=note)  # type: ignore[arg-type]
        return premises.judged(asked, answer).outcome

    assert outcome() == "abstained"
    assert outcome("DFlash sacrifices output quality.") == "confirmed"
    assert outcome("DFlash achieves lossless acceleration.") == "corrected"
    assert outcome("DFlash drafts in blocks.") == "beside it"


def test_the_corpus_of_the_measure_is_the_shipped_one(home: Path) -> None:
    asked = premises.assistant(home, agreeing=False)
    assert isinstance(asked, Assistant)
    assert {paper.id for each in QUESTIONS.values() for paper in asked.resolve(each.papers)[0]}
    assert (ROOT / "seeds").is_dir()


@pytest.mark.parametrize(
    ("question", "opening"),
    [
        ("Given that DFlash gives only 2x lossless acceleration, how is it used?", "over 6"),
        ("Since DFlash achieves over 9x lossless acceleration, why use EAGLE-3?", "over 6"),
    ],
)
def test_the_sentence_that_denies_a_premise_opens_the_answer(home: Path, question: str, opening: str) -> None:
    for agreeing in (False, True):
        answer = premises.assistant(home, agreeing=agreeing).ask(question)
        assert answer.note == "the abstract says otherwise than the question"
        assert answer.claims[0].verdict == "quoted"
        assert opening in answer.claims[0].text
