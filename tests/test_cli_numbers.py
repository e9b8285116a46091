"""Commands after an answer: its numbers name papers everywhere, empty searches say why, bibliographies stay bare."""

from __future__ import annotations

import pytest
from program import Citewell

from rag.commands.numbers import is_number

QUESTION = "Which papers are about reinforcement learning?"


@pytest.fixture
def asked(stocked_inside: Citewell) -> Citewell:
    assert stocked_inside("ask", QUESTION).code == 0
    return stocked_inside


def test_numbers_of_the_last_answer_name_its_papers(asked: Citewell) -> None:
    second = asked("ask", QUESTION, "--json").json["sources"][1]
    assert second["paper_id"] in asked("show", "2").out
    exported = asked("export", "[2]", "--format", "ris")
    assert exported.out.startswith("TY  - "), "no count before a record"
    assert second["title"] in exported.out
    missing = asked("show", "77")
    assert (missing.code, "the last answer has no source [77]" in missing.err) == (3, True)


@pytest.mark.parametrize(
    ("reference", "number"), [("2", True), ("[12]", True), ("33301246", False), ("DFlash", False), ("", False)]
)
def test_a_long_number_is_an_identifier(reference: str, *, number: bool) -> None:
    assert is_number(reference) is number


def test_a_question_for_papers_compares_these(asked: Citewell) -> None:
    found = asked("compare", QUESTION, "--columns", "data", "--json").json
    assert len(found["sources"]) > 2
    assert not found["unknown"]


def test_sides_that_are_no_papers_are_named_once(asked: Citewell) -> None:
    run = asked("compare", "how do gadgets and widgets differ")
    assert (run.code, run.err.count("no paper")) == (3, 2)


def test_an_empty_search_says_why(asked: Citewell) -> None:
    assert asked("search", " ").code == 2
    assert "nothing found in 2019, NeurIPS" in asked("search", "diffusion", "--year", "2019", "--venue", "NeurIPS").err


def test_a_narrow_column_of_a_page_is_not_broken_into_letters(asked: Citewell) -> None:
    page = asked("compare", "DFlash", "MuLoCo", "--format", "html").out
    assert "min-width: 5rem" in page.split("</style>")[0]
