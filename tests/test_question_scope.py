"""Where an answer is to be looked for: years, venues and people said in words, and the sides of a comparison."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rag.embed import load
from rag.library import Library
from rag.library.sync import sync
from rag.question import understand
from rag.question.scope import author_said, filters_said, sides
from rag.text.normalise import fold
from rag.types import Filters, Paper

PAPERS = tuple(
    Paper(f"openreview:s{number}", title, "given", f"We study {title}.", authors, 2020 + number, venue)
    for number, (title, authors, venue) in enumerate(
        (
            ("tides", ("Ada Lund", "Tom van der Berg"), "ICML 2020"),
            ("moss", ("Mei Tom",), "NeurIPS 2021"),
            ("bees", ("Berg Hansen",), "ICML 2022"),
        )
    )
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    home: Path = tmp_path_factory.mktemp("scope")
    sync(home, "c", PAPERS, load())
    with Library.open(home, "c") as found:
        yield found


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("Which papers since 2020 study bees?", (2020, None)),
        ("papers from 2020 onwards on bees", (2020, None)),
        ("Which papers after 2020 study bees?", (2021, None)),
        ("Which papers until 2020 study bees?", (None, 2020)),
        ("Which papers before 2020 study bees?", (None, 2019)),
        ("Which papers between 2018 and 2020 study bees?", (2018, 2020)),
        ("work from 2020 to 2018 on bees", (2018, 2020)),
        ("Which papers of 2020 study bees?", (2020, 2020)),
        ("2020年的论文", (2020, 2020)),
        ("How many bees were there in 2020?", (None, None)),
        ("Which papers count 2020 bees?", (None, None)),
    ],
)
def test_years_that_hold_the_search_to_papers(text: str, years: tuple[int | None, int | None]) -> None:
    filters = understand(text).filters
    assert (filters.year_from, filters.year_to) == years


@pytest.mark.parametrize(
    ("text", "author"),
    [
        ("papers by Ada Lund", ("Ada Lund",)),
        ("Which papers did Lund write?", ("Lund",)),
        ("papers by Tom van der Berg", ("Tom van der Berg",)),
        ("papers by Berg", ("Berg",)),
        ("papers by Ada", ()),
        ("papers by Nobody Known", ()),
        ("papers by Ada Hansen", ()),
    ],
)
def test_a_person_is_named_by_a_family_name(library: Library, text: str, author: tuple[str, ...]) -> None:
    assert author_said(text, library) == author


def test_a_venue_is_one_that_the_corpus_has(library: Library) -> None:
    def said(text: str) -> Filters:
        return filters_said(fold(text), text, library)

    assert said("Which papers at ICML study bees?").venues == ("ICML",)
    assert said("Which papers at KDD study bees?").venues == ()
    assert said("What is done at ICML?").venues == ()


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("Compare A-Net with B-Net in terms of cost", ("A-Net", "B-Net")),
        ("What is the difference between A-Net and B-Net?", ("A-Net", "B-Net")),
        ("How does A-Net differ from B-Net?", ("A-Net", "B-Net")),
        ("What do A-Net and B-Net have in common?", ("A-Net", "B-Net")),
        ("比较A-Net和B-Net", ("A-Net", "B-Net")),
        ("What does A-Net do?", ()),
    ],
)
def test_the_sides_of_a_comparison(text: str, both: tuple[str, ...]) -> None:
    assert sides(text) == both
