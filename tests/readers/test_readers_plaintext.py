# ruff: noqa: E501 - records stand as files hold them
from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.readers.headers import header_of
from rag.readers.plaintext import records
from rag.readers.record import Record

LONG = "We study a thing at length and find that it holds in many cases, though by no means in all of them."


def fields(text: str) -> list[dict[str, object]]:
    found = list(records(io.BytesIO(text.encode("utf-8", "surrogatepass"))))
    assert all(isinstance(record, Record) for record in found)
    return [dict(record.fields) for record in found if isinstance(record, Record)]


@pytest.mark.parametrize(
    ("line", "venue", "year"),
    [
        ("ICML 2026 论文列表", "ICML", "2026"),
        ("\ufeffICLR 2025 论文列表", "ICLR", "2025"),
        ("# NeurIPS 2024 accepted papers", "NeurIPS", "2024"),
        ("Accepted Papers of CVPR 2023", "CVPR", "2023"),
        ("论文列表：AAAI 2025", "AAAI", "2025"),
        ("Proceedings of the 41st International Conference on Machine Learning, 2024", None, "2024"),
        ("ACL 2024", "ACL", "2024"),
        ("ICML'25 papers (120 papers)", "ICML", "2025"),
        ("2026 论文列表", None, "2026"),
        ("KDD 论文列表", "KDD", None),
        ("Interspeech 2024", "Interspeech", "2024"),
    ],
)
def test_header_lines(line: str, venue: str | None, year: str | None) -> None:
    said = header_of(line)
    assert said is not None
    if venue:
        assert said.get("venue") == venue
    assert said.get("year") == year


@pytest.mark.parametrize(
    "line",
    [
        "A Survey of Deep Learning in 2024",
        "Generating Scientific Papers with Language Models",
        "Reviewing papers",
        "We propose a method that reached 2026 tokens per second on ICML 2026 papers.",
        "Attention Is All You Need",
        "Lessons from the BabyLM challenge 2023 and what they mean for small models",
        "",
    ],
)
def test_lines_that_are_no_header(line: str) -> None:
    assert header_of(line) is None


def test_a_header_counts_until_the_next() -> None:
    found = fields(f"ICML 2026 论文列表\n\nOne. {LONG}\n\nTwo. {LONG}\n\nICLR 2025 论文列表\n\nThree. {LONG}\n")
    assert [(record["venue"], record["year"]) for record in found] == [("ICML", "2026")] * 2 + [("ICLR", "2025")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("gap", ["", "  ", "\t", "\xa0", "\u3000", "\u200b", "---", "***"])
def test_whatever_stands_between_abstracts(end: str, gap: str) -> None:
    text = end.join(["\ufeffICML 2026 论文列表", "", f"First. {LONG}", gap, gap, f"Second. {LONG}", gap])
    assert [record["abstract"] for record in fields(text)] == [f"First. {LONG}", f"Second. {LONG}"]


def test_inner_marks_are_kept_and_outer_space_is_not() -> None:
    abstract = r"We introduce *Flow* with $\frac{a}{b}$,\xa0**2.5$\times$** faster | <b>x</b> [/b] {{7*7}}"
    assert fields(f"  {abstract} \n\n{LONG}")[0]["abstract"] == abstract


def test_a_wrapped_abstract_keeps_its_line_ends() -> None:
    wrapped = "We study a thing at length and find that it\nholds in many cases, though by no means in all\nof them."
    assert fields(f"{wrapped}\n\n{LONG}") == [{"abstract": wrapped}, {"abstract": LONG}]


def test_a_title_line_then_the_abstract() -> None:
    assert fields(f"Deep Nets: Are They Deep?\n{LONG}\n\n**Bold Title**\n{LONG}\n\n## Marked Title\n{LONG}") == [
        {"title": "Deep Nets: Are They Deep?", "abstract": LONG},
        {"title": "Bold Title", "abstract": LONG},
        {"title": "Marked Title", "abstract": LONG},
    ]


def test_titles_between_blank_lines_when_all_are() -> None:
    text = f"ICML 2026 论文列表\n\nFirst Title\n\nOne. {LONG}\n\nSecond Title\n\nTwo. {LONG}\n"
    assert [record["title"] for record in fields(text)] == ["First Title", "Second Title"]


def test_a_short_abstract_among_long_ones_is_no_title() -> None:
    found = fields(f"One. {LONG}\n\nToo short really\n\nTwo. {LONG}\n\nThree. {LONG}")
    assert [record["abstract"] for record in found] == [
        f"One. {LONG}",
        "Too short really",
        f"Two. {LONG}",
        f"Three. {LONG}",
    ]


def test_markdown_headings_and_sections() -> None:
    found = fields(
        f"# ICML 2026 papers\n\n## Oral\n\n### First Title\n\n{LONG}\n\n## Posters\n\n### Second Title\n\n{LONG}"
    )
    assert [(record["title"], record["abstract"]) for record in found] == [
        ("First Title", LONG),
        ("Second Title", LONG),
    ]


def test_labelled_fields() -> None:
    text = (
        f"Title: One\nAuthors: Ann Lee, Bo Chen\nYear: 2024\nAbstract: {LONG}\nIt goes on.\n\n"
        f"**Title:** Two\n\n**Abstract:** {LONG}\n\nTitle: Three\n\n{LONG}\n\n标题：四\n摘要：{LONG}\n\nAbstract: {LONG}\n"
    )
    found = fields(text)
    assert [record.get("title") for record in found] == ["One", "Two", "Three", "四", None]
    assert found[0] == {
        "title": "One",
        "authors": "Ann Lee, Bo Chen",
        "year": "2024",
        "abstract": f"{LONG}\nIt goes on.",
    }
    assert all(record["abstract"] == LONG for record in found[1:])


def test_a_label_without_an_abstract_is_a_problem(reading: Callable[..., tuple[list, list]]) -> None:
    papers, problems = reading("a.txt", f"Title: Lonely\n\nTitle: Fine\nAbstract: {LONG}\n")
    assert [paper.title for paper in papers] == ["Fine"]
    assert [(problem.line, "no abstract" in problem.reason) for problem in problems] == [(1, True)]


def test_places_are_line_numbers(reading: Callable[..., tuple[list, list]]) -> None:
    papers, _ = reading("list.txt", f"ICML 2026 论文列表\n\n\n{LONG} One.\n\nA Title\n{LONG} Two.\n")
    assert [paper.files for paper in papers] == [("list.txt:4",), ("list.txt:6",)]


@given(st.lists(st.text(alphabet=st.characters(blacklist_characters="\n\r\x00"), min_size=1), max_size=12))
def test_every_word_of_wild_text_comes_back(lines: list[str]) -> None:
    text = "\n".join(lines)
    found = fields(text)
    kept = "".join(str(value) for record in found for value in record.values())
    words = {
        word for line in lines if header_of(line) is None for word in line.split() if word.isalpha() and len(word) > 3
    }
    assert all(word in kept for word in words if word.lower() not in _LABELS)


_LABELS = {
    "title",
    "author",
    "authors",
    "year",
    "date",
    "venue",
    "conference",
    "journal",
    "link",
    "abstract",
    "summary",
}


def test_a_first_line_that_the_next_goes_on_with_is_no_title() -> None:
    text = "Learning with graphs\nis hard because so many lines follow, each longer than the one before it."
    assert fields(text) == [{"abstract": text}]
