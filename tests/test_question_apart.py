"""Careless questions: two in one, words typed wrongly, a capitalised thing that is no author."""

from __future__ import annotations

from pathlib import Path

import pytest
from extract_corpus import EMBEDDER, PAPERS

from rag.assistant import Assistant
from rag.library.sync import sync
from rag.question import understand
from rag.question.apart import questions_in
from rag.question.misspelt import corrected
from rag.settings import Settings
from rag.types import Paper


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("How many are there, and where do they come from?", 2),
        ("What is KelpNet? How fast is it?", 2),
        ("By how much does it cut cost and on which reefs was it tested?", 2),
        ("Explain what KelpNet is and how it works", 1),
        ("Does it say what KelpNet is and why it fails?", 1),
        ("How do KelpNet and MossNet differ?", 1),
        ("What are the depth and the pressure?", 1),
        ("Which papers use tides and which ones use waves?", 1),
    ],
)
def test_a_question_of_its_own_has_its_verb_before_its_subject(text: str, parts: int) -> None:
    assert len(questions_in(text)) == parts


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("how many vulnerabilites", "how many vulnerabilities"),
        ("the acuracy of papers", "the accuracy of papers"),
        ("colour and behaviour", "colour and behaviour"),
        ("muloko beekeeping", "muloko beekeeping"),
    ],
)
def test_a_slip_is_read_as_the_word_that_is_meant_and_a_name_is_left(typed: str, meant: str) -> None:
    assert corrected(typed, None) == meant


@pytest.fixture(scope="module")
def assistant(tmp_path_factory: pytest.TempPathFactory) -> Assistant:
    home: Path = tmp_path_factory.mktemp("apart")
    sync(home, "texts", PAPERS, EMBEDDER)
    return Assistant(Settings(home=home, corpus="texts"))


def test_both_questions_of_a_message_are_answered(assistant: Assistant) -> None:
    told = " ".join(claim.text for claim in assistant.ask("What is TidePool, and how does it evict entries?").claims)
    assert "a cache that keeps attention states" in told
    assert "learned estimate of their next use" in told


def test_of_two_questions_the_one_without_an_answer_is_named(assistant: Assistant) -> None:
    answer = assistant.ask("What is TidePool, and who funded it?")
    assert answer.status == "answered"
    assert answer.note is not None and "no answer to “who funded it?”" in answer.note


def test_a_capitalised_thing_is_by_nobody_of_its_first_word(tmp_path: Path) -> None:
    sync(tmp_path, "texts", [Paper("x", "Bees", "given", "Bees fly.", ("Ana Deep",))], EMBEDDER)
    library = Assistant(Settings(home=tmp_path, corpus="texts")).library
    assert understand("By how much does the Deep Hierarchical Agent cut its context?", library).filters.authors == ()
    assert understand("Which papers are by Deep?", library).filters.authors == ("Deep",)
