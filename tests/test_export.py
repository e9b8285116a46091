"""Bibliographies: what is written is read back by the parsers in use, and nothing in it runs."""

import csv
import io
import json
from dataclasses import replace

import bibtexparser
import pybtex.database
import pytest
import rispy
from bibtexparser.middlewares import LatexDecodingMiddleware
from hypothesis import given
from hypothesis import strategies as st

from rag.errors import UsageError
from rag.export import FORMATS, export, form_of
from rag.export.entries import keys, name
from rag.types import Paper

DFLASH = Paper(
    id="openreview:Oz335dV48X",
    title="DFlash: Block Diffusion for Flash Speculative Decoding",
    title_source="given",
    abstract="We introduce DFlash.",
    authors=("Jian Chen", "Benjamin Thérien", "Ludwig van Beethoven", "王伟", "{Data & Co} and Sons"),
    year=2026,
    venue="ICML",
    url="https://openreview.net/forum?id=Oz335dV48X&a_b=1%20",
    doi="10.1000/a_b",
)
BARE = Paper(id="text:0", title="A system with 6$\\times$ speed & 50\\% less", title_source="derived", abstract="x")


def test_bibtex_is_read_back_by_bibtexparser() -> None:
    library = bibtexparser.parse_string(export([DFLASH, BARE], "bibtex"), append_middleware=[LatexDecodingMiddleware()])
    assert not library.failed_blocks
    entry, bare = library.entries
    assert (entry.entry_type, entry.key) == ("inproceedings", "chen2026dflash")
    assert entry["title"].strip("{}") == DFLASH.title
    assert entry["booktitle"] == "ICML"
    # Address fields are verbatim in BibTeX: read without the LaTeX decoder.
    assert bibtexparser.parse_string(export([DFLASH], "bibtex")).entries[0]["url"] == DFLASH.url
    assert "Thérien, Benjamin" in entry["author"]
    assert "van Beethoven, Ludwig" in entry["author"]
    assert {"author", "year", "booktitle", "doi", "url"}.isdisjoint(bare.fields_dict)
    assert "6×" in bare["title"]


def test_no_address_ends_its_field() -> None:
    odd = replace(BARE, url="https://a.org/{x}\\y z", doi="10.1/a{b")
    entry = bibtexparser.parse_string(export([odd], "bibtex")).entries[0]
    assert (entry["url"], entry["doi"]) == ("https://a.org/%7Bx%7D%5Cy%20z", "10.1/a%7Bb")


def test_bibtex_is_read_back_by_pybtex() -> None:
    entry = pybtex.database.parse_string(export([DFLASH], "bibtex"), "bibtex").entries["chen2026dflash"]
    people = entry.persons["author"]
    assert len(people) == len(DFLASH.authors)
    assert (people[2].prelast_names, people[2].last_names) == (["van"], ["Beethoven"])


def test_ris_is_read_back() -> None:
    entry, bare = rispy.loads(export([DFLASH, BARE], "ris"))
    assert entry["title"] == DFLASH.title
    assert entry["authors"][0] == "Chen, Jian"
    assert entry["authors"][3] == "王伟"
    assert entry["year"] == "2026"
    assert "year" not in bare
    assert "authors" not in bare


def test_csl_json_parts_names_and_keeps_those_it_cannot() -> None:
    (item,) = json.loads(export([DFLASH], "csl-json"))
    assert item["author"][0] == {"family": "Chen", "given": "Jian"}
    assert item["author"][3] == {"literal": "王伟"}
    assert item["issued"] == {"date-parts": [[2026]]}
    assert item["type"] == "paper-conference"


def test_csv_cells_are_no_formulas() -> None:
    hostile = Paper("text:1", '=HYPERLINK("http://x","y")', "given", "x", authors=("@SUM(A1)",))
    (row,) = csv.DictReader(io.StringIO(export([hostile], "csv")))
    assert row["title"].startswith("'=")
    assert row["authors"].startswith("'@")


def test_markdown_is_text_not_markup() -> None:
    hostile = Paper("text:1", "[x](javascript:1) a * b <img>", "given", "x", url="javascript:alert(1)")
    text = export([hostile], "markdown")
    assert "(javascript:1)" in text
    assert "\\[x\\](javascript:1) a \\* b \\<img\\>" in text
    assert "alert" not in text


def test_keys_are_readable_unique_and_independent_of_order() -> None:
    twins = [Paper(f"text:{i}", "On Learning", "given", "x", ("Ann Li",), 2025) for i in range(30)]
    forwards = dict(zip([p.id for p in twins], keys(twins), strict=True))
    backwards = dict(zip([p.id for p in twins[::-1]], keys(twins[::-1]), strict=True))
    assert forwards == backwards
    assert len(set(forwards.values())) == 30
    assert all(key.startswith("li2025learning") for key in forwards.values())


@pytest.mark.parametrize(
    ("given", "family", "rest"),
    [
        ("Jian Chen", "Chen", "Jian"),
        ("de la Cruz, Ana", "de la Cruz", "Ana"),
        ("Plato", "", ""),
        ("The Ocean Consortium", "", ""),
        ("NASA Exoplanet Science Institute", "", ""),
        ("Ana de la Cruz", "de la Cruz", "Ana"),
    ],
)
def test_names_in_parts(given: str, family: str, rest: str) -> None:
    assert (name(given).family, name(given).given) == (family, rest)


@given(title=st.text(min_size=1), author=st.text(min_size=1), venue=st.text())
def test_no_text_breaks_any_form(title: str, author: str, venue: str) -> None:
    paper = Paper("text:1", title, "given", "x", (author,), 2020, venue or None)
    library = bibtexparser.parse_string(export([paper, DFLASH], "bibtex"))
    assert not library.failed_blocks
    assert [entry.key for entry in library.entries][-1] == "chen2026dflash"
    for form in FORMATS:
        assert export([paper], form).strip()
    assert len(rispy.loads(export([paper, DFLASH], "ris"))) == 2


def test_a_title_cannot_run_a_macro() -> None:
    hostile = Paper("text:1", r"\input{/etc/passwd} \write18{x} $\csname x$ }}", "given", "x")
    text = export([hostile], "bibtex")
    assert r"\input{" not in text
    assert r"\write18" not in text
    assert r"\csname" not in text
    assert len(bibtexparser.parse_string(text).entries) == 1


def test_the_form_follows_the_name_of_the_file() -> None:
    assert [form_of(f"x{suffix}") for suffix in (".bib", ".RIS", ".json", ".csv", ".md", "")] == [*FORMATS, "bibtex"]
    with pytest.raises(UsageError, match="unknown format 'docx'"):
        export([], "docx")


ODD = Paper(
    id="text:1",
    title="A paper",
    title_source="given",
    abstract="x",
    authors=("John Ronald Tolkien Jr.", "{The OddNet Team}", "Ada King III"),
    year=2024,
)


def test_suffixes_and_names_in_braces_are_read_back() -> None:
    (entry,) = pybtex.database.parse_string(export([ODD], "bibtex"), "bibtex").entries.values()
    people = entry.persons["author"]
    assert (people[0].last_names, people[0].lineage_names) == (["Tolkien"], ["Jr."])
    assert people[2].lineage_names == ["III"]
    (record,) = rispy.loads(export([ODD], "ris"))
    assert record["authors"] == ["Tolkien, John Ronald, Jr.", "The OddNet Team", "King, Ada, III"]
    (item,) = json.loads(export([ODD], "csl-json"))
    assert item["author"][:2] == [
        {"family": "Tolkien", "given": "John Ronald", "suffix": "Jr."},
        {"literal": "The OddNet Team"},
    ]
