# ruff: noqa: E501 - records stand as files hold them
from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.readers.record import Flaw, Record
from rag.readers.table import records
from rag.types import Paper, Problem

Reading = Callable[..., tuple[list[Paper], list[Problem]]]


def test_zotero(reading: Reading) -> None:
    papers, problems = reading(
        "zotero.csv",
        '\ufeff"Key","Item Type","Publication Year","Author","Title","Publication Title","DOI","Url","Abstract Note","Date"\r\n'
        '"X1","journalArticle","2019","Smith, John; van der Berg, Ann","Zot, title","J. Zot","10.1000/zz","http://x.y/z",'
        '"An abstract, with\r\nlines and ""quotes"".","2019-05"\r\n'
        '"X2","book","2020","","No abstract","","","","",""\r\n',
    )
    (paper,) = papers
    assert (paper.id, paper.title, paper.venue, paper.year) == ("doi:10.1000/zz", "Zot, title", "J. Zot", 2019)
    assert paper.authors == ("John Smith", "Ann van der Berg")
    assert paper.abstract == 'An abstract, with\nlines and "quotes".'
    assert (paper.files, paper.url) == (("zotero.csv:2 (X1)",), "http://x.y/z")
    assert [(problem.file, problem.line) for problem in problems] == [("zotero.csv", 4)]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_are_told_by_the_header(reading: Reading, delimiter: str) -> None:
    rows = [["Title", "Abstract", "Authors", "Year"], ["T; 1, a|b", "We; say, a|b.", "Ann Lee and Bo Chen", "2020"]]
    sheet = io.StringIO()
    csv.writer(sheet, delimiter=delimiter).writerows(rows)
    (paper,), problems = reading("papers", sheet.getvalue())
    assert (paper.title, paper.abstract, paper.authors, paper.year) == (
        "T; 1, a|b",
        "We; say, a|b.",
        ("Ann Lee", "Bo Chen"),
        2020,
    )
    assert not problems


def test_tsv_with_quotes_that_are_only_signs(reading: Reading) -> None:
    papers, problems = reading(
        "t.tsv",
        'title\tabstract\tyear\n"Why Should I Trust You?" Explaining\tDespite "adoption", models\t2016\n'
        '"Quoted ""title"""\t"with\ttab"\t2017\nPlain\tas it is\t2018\n',
    )
    assert [(paper.title, paper.abstract) for paper in papers] == [
        ('"Why Should I Trust You?" Explaining', 'Despite "adoption", models'),
        ('Quoted "title"', "with\ttab"),
        ("Plain", "as it is"),
    ]
    assert not problems


def test_a_row_with_too_many_cells_is_a_problem_not_a_wrong_paper(reading: Reading) -> None:
    papers, problems = reading("a.csv", "title,abstract\nT,We show a, b and c\nU,Fine\n")
    assert [paper.title for paper in papers] == ["U"]
    assert [(problem.line, "quotes" in problem.reason) for problem in problems] == [(2, True)]


def test_a_quote_that_is_never_closed_costs_one_row(reading: Reading) -> None:
    rows = [f"T{number},We show {number}." for number in range(50)]
    rows[10] = '"T10,We show 10.'
    papers, problems = reading("a.csv", "\n".join(["title,abstract", *rows]))
    assert [paper.title for paper in papers] == [f"T{number}" for number in range(50) if number != 10]
    assert [problem.line for problem in problems] == [12]


def test_a_cell_over_the_limit_costs_one_row(reading: Reading) -> None:
    papers, problems = reading("a.csv", f"title,abstract\nA,One.\nB,{'x' * 200_000}\nC,Three.\n")
    assert [paper.title for paper in papers] == ["A", "C"]
    assert [problem.line for problem in problems] == [3]


def test_a_sheet_without_an_abstract_column_says_so(reading: Reading) -> None:
    papers, problems = reading("a.csv", "name,price\nA,1\nB,2\n")
    assert not papers
    assert len(problems) == 2
    assert "abstract" in problems[0].reason


def test_lists_that_went_through_a_spreadsheet(reading: Reading) -> None:
    cells = ["T", "We show.", "['Ann Lee', \"Bo O'Neil\"]"]
    sheet = io.StringIO()
    csv.writer(sheet).writerows([["title", "abstract", "authors"], cells])
    (paper,), _ = reading("a.csv", sheet.getvalue())
    assert paper.authors == ("Ann Lee", "Bo O'Neil")


@given(
    st.lists(
        st.lists(st.text(st.characters(blacklist_characters="\r\x00"), max_size=12), min_size=3, max_size=3),
        min_size=1,
        max_size=8,
    )
)
def test_what_a_csv_writer_wrote_is_read_back(rows: list[list[str]]) -> None:
    sheet = io.StringIO()
    csv.writer(sheet, quoting=csv.QUOTE_ALL).writerows([["title", "abstract", "note"], *rows])
    found = list(records(io.BytesIO(sheet.getvalue().encode("utf-8", "replace")), ","))
    kept = [row for row in rows if any(cell.strip() for cell in row)]
    expected = [[cell.encode("utf-8", "replace").decode() for cell in row] for row in kept]
    assert all(isinstance(record, Record) for record in found)
    assert [list(record.fields.values()) for record in found if isinstance(record, Record)] == expected


@given(st.binary(max_size=400), st.sampled_from(",\t;"))
def test_wild_bytes_under_a_header_end_in_records_or_flaws(body: bytes, delimiter: str) -> None:
    found = list(records(io.BytesIO(f"title{delimiter}abstract\n".encode() + body), delimiter))
    assert all(isinstance(item, Record | Flaw) for item in found)
    assert json.dumps([str(item) for item in found]) is not None
    assert len(found) <= body.count(b"\n") + body.count(b"\r") + 1


def test_web_of_science_columns(reading: Reading) -> None:
    papers, _ = reading(
        "savedrecs.txt",
        "PT\tAU\tTI\tSO\tAB\tPY\tDI\tUT\n"
        "J\tDoe, J; Smith, AB\tDeep squid tracking\tMARINE BIOLOGY\tWe track squid. Tracks last 14 days.\t2020\t10.1007/s1\tWOS:1\n",
    )
    (paper,) = papers
    assert (paper.id, paper.venue, paper.year) == ("doi:10.1007/s1", "MARINE BIOLOGY", 2020)
    assert paper.authors == ("J Doe", "AB Smith")


def test_an_endnote_export_is_told_and_not_read_as_abstracts(reading: Reading) -> None:
    papers, problems = reading("refs.enw", "%0 Journal Article\n%A Doe, Jane\n%T Notes\n%X We end notes.\n")
    assert not papers
    assert "EndNote" in problems[0].reason and "RIS" in problems[0].reason
