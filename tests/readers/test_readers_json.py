# ruff: noqa: E501 - records stand as files hold them
"""JSON lines and documents, and the names people really use."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from rag.types import Paper, Problem

Reading = Callable[..., tuple[list[Paper], list[Problem]]]
ABSTRACT = "We propose Foo, a way to read files. It is 3.1\\% better; see $x_{i}$."

OPENREVIEW = {
    "id": "Oz335dV48X", "forum": "Oz335dV48X", "pdate": 1714521600000,
    "content": {
        "title": {"value": "DFlash"}, "abstract": {"value": ABSTRACT}, "authors": {"value": ["Jian Chen", "Bo Li"]},
        "venue": {"value": "ICML 2026 poster"},
    },
}  # fmt: skip
OPENREVIEW_V1 = {"forum": "abcDEF12345", "content": {"title": "Old", "abstract": ABSTRACT, "authors": ["A B"]}}
KAGGLE = {
    "id": "0704.0001", "submitter": "Pavel", "authors": "C. Bal, E. L. Berger, C.-P. Yuan", "title": "Calculation of\n  it",
    "abstract": "  A fully differential calculation.\n", "journal-ref": "Phys.Rev.D76:013009,2007", "doi": None,
    "versions": [{"version": "v1", "created": "Mon, 2 Apr 2007 19:18:42 GMT"}], "update_date": "2008-11-26",
    "authors_parsed": [["Bal", "C.", ""], ["Berger", "E. L.", ""]],
}  # fmt: skip
SEMANTIC_SCHOLAR = {
    "paperId": "649def34f8be52c8b66281af98ae884c09aef38b", "externalIds": {"DOI": "10.1145/ABC.1", "ArXiv": "2304.09848"},
    "title": "Eval", "abstract": ABSTRACT, "year": 2023, "venue": "EMNLP", "journal": {"name": "ArXiv", "volume": "abs/2"},
    "authors": [{"authorId": "1", "name": "Nelson Liu"}], "url": "https://www.semanticscholar.org/paper/649def",
}  # fmt: skip
OPENALEX = {
    "id": "https://openalex.org/W2741809807", "doi": "https://doi.org/10.7717/PeerJ.4375", "display_name": "State of OA",
    "publication_year": 2018, "publication_date": "2018-02-13",
    "authorships": [{"author": {"display_name": "Heather Piwowar"}}, {"author": {"display_name": "Jason Priem"}}],
    "primary_location": {"landing_page_url": "https://doi.org/10.7717/peerj.4375", "source": {"display_name": "PeerJ"}},
    "abstract_inverted_index": {"Despite": [0], "growing": [1, 4], "interest,": [2], "no": [3]},
}  # fmt: skip
CROSSREF = {
    "DOI": "10.1000/xyz", "title": ["A title"], "abstract": "<jats:p>We show <b>it</b> &amp; more.</jats:p>",
    "author": [{"given": "Ann", "family": "Lee"}, {"literal": "The Team"}], "container-title": ["Nature"],
    "issued": {"date-parts": [[2019, 5, 1]]}, "URL": "http://dx.doi.org/10.1000/xyz",
}  # fmt: skip
SCIFACT = {
    "doc_id": 4983,
    "title": "White matter.",
    "abstract": ["First sentence.", "Second one."],
    "structured": False,
}
BEIR = {
    "_id": "MED-10",
    "title": "Statins",
    "text": "Recent studies suggest statins.",
    "metadata": {"url": "http://x.org/1"},
}
ACL = {
    "title": "W",
    "abstract": ABSTRACT,
    "url": "https://aclanthology.org/2021.acl-long.24/",
    "authors": "Lee, Ann; Chen, Bo",
}


@pytest.mark.parametrize(
    ("record", "id_", "title", "authors", "year", "venue"),
    [
        (OPENREVIEW, "openreview:Oz335dV48X", "DFlash", ("Jian Chen", "Bo Li"), 2026, "ICML 2026 poster"),
        (OPENREVIEW_V1, "openreview:abcDEF12345", "Old", ("A B",), None, None),
        (KAGGLE, "arxiv:0704.0001", "Calculation of it", ("C. Bal", "E. L. Berger", "C.-P. Yuan"), 2007, "Phys.Rev.D76:013009,2007"),
        (SEMANTIC_SCHOLAR, "doi:10.1145/abc.1", "Eval", ("Nelson Liu",), 2023, "EMNLP"),
        (OPENALEX, "doi:10.7717/peerj.4375", "State of OA", ("Heather Piwowar", "Jason Priem"), 2018, "PeerJ"),
        (CROSSREF, "doi:10.1000/xyz", "A title", ("Ann Lee", "The Team"), 2019, "Nature"),
        (SCIFACT, None, "White matter.", (), None, None),
        (BEIR, None, "Statins", (), None, None),
        (ACL, "acl:2021.acl-long.24", "W", ("Ann Lee", "Bo Chen"), None, None),
    ],
)  # fmt: skip
def test_real_exports(
    reading: Reading, record: dict, id_: str, title: str, authors: tuple, year: int, venue: str
) -> None:
    (paper,), problems = reading("a.jsonl", json.dumps(record) + "\n")
    assert not problems
    assert paper.id == id_ if id_ else paper.id.startswith("text:")
    assert (paper.title, paper.authors, paper.year, paper.venue) == (title, authors, year, venue)
    assert reading("b.json", json.dumps([record], indent=1))[0][0].id == paper.id


def test_abstracts_are_kept_as_the_record_holds_them(reading: Reading) -> None:
    wild = "  \u202eWe\tshow\r\nthat β ≥ 2\xa0<b>&amp;</b> [sic] \x1b[31m{{7*7}} 😀 \n"
    (paper,), _ = reading("a.jsonl", json.dumps({"title": "t", "abstract": wild}))
    assert paper.abstract == wild
    assert reading("a.jsonl", json.dumps(KAGGLE))[0][0].abstract == KAGGLE["abstract"]
    assert reading("a.jsonl", json.dumps(SCIFACT))[0][0].abstract == "First sentence. Second one."
    assert reading("a.jsonl", json.dumps(OPENALEX))[0][0].abstract == "Despite growing interest, no growing"
    assert reading("a.jsonl", json.dumps(CROSSREF))[0][0].abstract == CROSSREF["abstract"]


def test_what_cannot_be_stored_becomes_a_replacement_character(reading: Reading) -> None:
    (paper,), _ = reading(
        "a.jsonl", '{"title": "a\\ud800", "abstract": "We \\u0000 show \\udfff it", "authors": ["\\ud800x"]}'
    )
    assert (paper.title, paper.abstract, paper.authors) == ("a\ufffd", "We \ufffd show \ufffd it", ("\ufffdx",))


def test_a_bare_id_is_no_identity(reading: Reading) -> None:
    papers, _ = reading("a.jsonl", '{"id": "1", "abstract": "One thing."}\n{"id": "1", "abstract": "Another thing."}')
    assert len({paper.id for paper in papers}) == 2
    assert all(paper.id.startswith("text:") for paper in papers)


def test_broken_lines_cost_only_themselves(reading: Reading) -> None:
    good = json.dumps({"title": "T", "abstract": "Fine."})
    lines = [
        good,
        "{oops",
        "[1, 2]",
        '"text"',
        "null",
        "",
        '{"title": "no abstract"}',
        '{"abstract": "N/A"}',
        "[" * 100_000,
        good,
    ]
    papers, problems = reading("a.jsonl", "\r\n".join(lines))
    assert [paper.files for paper in papers] == [("a.jsonl:1",), ("a.jsonl:10",)]
    assert [problem.line for problem in problems] == [2, 3, 4, 5, 7, 8, 9]
    assert all(problem.file == "a.jsonl" and len(problem.reason) < 200 for problem in problems)


@pytest.mark.parametrize(
    "document",
    [
        [{"abstract": "One."}, {"abstract": "Two."}],
        {"results": [{"abstract": "One."}, {"abstract": "Two."}], "meta": {"count": 2}},
        {"search": {"data": [{"abstract": "One."}, {"abstract": "Two."}]}},
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a"])
def test_documents_however_they_wrap_their_records(
    reading: Reading, document: object, indent: int | None, name: str
) -> None:
    papers, problems = reading(name, json.dumps(document, indent=indent))
    assert [paper.abstract for paper in papers] == ["One.", "Two."]
    assert not problems


def test_a_single_object_over_many_lines(reading: Reading) -> None:
    papers, problems = reading(
        "a.json", json.dumps({"title": "T", "abstract": "One.", "authors": [{"name": "A B"}]}, indent=4)
    )
    assert [(paper.title, paper.authors) for paper in papers] == [("T", ("A B",))]
    assert not problems


def test_a_broken_record_in_an_array_costs_only_itself(reading: Reading) -> None:
    text = '[{"abstract": "One."},\n {"abstract": "a "bad" one"},\n {"abstract": "Three."}, 7, {"abstract": "Five."}]'
    papers, problems = reading("a.json", text)
    assert [paper.files for paper in papers] == [(f"a.json:record {number}",) for number in (1, 3, 5)]
    assert [problem.reason.split(":")[0] for problem in problems] == ["record 2", "record 4"]


def test_a_long_array_is_streamed(reading: Reading) -> None:
    """Records larger and smaller than the window, cut at every kind of place."""
    records = [
        {"n": number * 1.5, "abstract": f"Number {number}. " + "x" * (number * 37 % 5000)} for number in range(900)
    ]
    papers, problems = reading("a.json", json.dumps(records))
    assert [paper.abstract for paper in papers] == [record["abstract"] for record in records]
    assert not problems


@pytest.mark.parametrize("text", ['[{"abstract": "One."},', '[{"abstract": "One."}, {"abst', '[{"abstract": "One."}'])
def test_an_array_that_was_cut(reading: Reading, text: str) -> None:
    papers, problems = reading("a.json", text)
    assert [paper.abstract for paper in papers] == ["One."]
    assert problems


@pytest.mark.parametrize("text", ["{", '{"a": ', "[", "[[[[", '{"a": 1}', "[]", "[1, 2, 3]", '{"a": ' * 50_000])
def test_documents_without_a_paper_are_told_not_raised(reading: Reading, text: str) -> None:
    papers, problems = reading("a.json", text)
    assert not papers
    assert problems or text == "[]"


def test_what_the_record_itself_says_counts_before_its_inner_objects(reading: Reading) -> None:
    record = {"title": "Outer", "abstract": "We study moss.", "content": {"title": {"value": "Inner"}, "year": 2021}}
    (paper,), problems = reading("one.jsonl", json.dumps(record))
    assert (paper.title, paper.year, problems) == ("Outer", 2021, [])


def test_a_year_of_its_own_counts_before_that_of_the_venue(reading: Reading) -> None:
    record = {"title": "Moss", "abstract": "We study moss.", "year": 2020, "venue": "ICML 2026", "date": "2019-01-01"}
    (paper,), _ = reading("one.jsonl", json.dumps(record))
    assert paper.year == 2020
