"""Summaries and comparisons as text, Markdown, CSV, JSON and HTML: the same claims, and documents that stay data."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser

import octopus
import pytest

from rag.compare import compare
from rag.embed import load
from rag.library import Library
from rag.render import comparison, jsonable, summary, summary_forms
from rag.render.lines import to_text
from rag.summarise import NOT_STATED, Comparison, Summary, summarise
from rag.text.normalise import plain

EVIL_TITLE = '<script>alert(1)</script> "Octopus" | robots & \x1b[31m[tactile](javascript:x)'
EVIL = (
    "Octopus robots <img src=x onerror=alert(1)> lose touch | and `code` with *stars* in [links](http://x). "
    "=We propose <b>Evil</b> tactile suckers for octopus robots & co. Octopus robots with it grip "
    "17% better on WetGrasp."
)


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    evil = octopus.made("doi:10.8/50", EVIL_TITLE, EVIL, url="javascript:alert(1)")
    with octopus.library(tmp_path_factory.mktemp("sea"), [evil]) as library:
        yield library


@pytest.fixture(scope="module")
def found(held: Library) -> Summary:
    return summarise("tactile octopus robots", held, octopus.retriever(held), load())


@pytest.fixture(scope="module")
def side_by_side(held: Library) -> Comparison:
    return compare(["doi:10.8/50", "SuckNet"], held, octopus.retriever(held), load())


class Tags(HTMLParser):
    """Every tag and attribute of a page, and the text between."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.ids: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.ids += [value for name, value in attrs if name == "id" and value]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_text_holds_every_claim_and_the_coverage(found: Summary) -> None:
    text = to_text(summary.summary(found))
    for claim in (*found.overview, *(claim for theme in found.themes for claim in theme.claims)):
        assert plain(claim.text) in text
    assert f"{found.coverage.considered} papers considered, {len(found.coverage.used)} used" in text
    assert NOT_STATED in text
    assert "\x1b" not in text
    assert all(f"\n[{source.number}] " in text for source in found.sources)


def test_json_is_as_the_design_says(found: Summary) -> None:
    value = json.loads(jsonable.dumps(summary_forms.json(found)))
    assert {
        "topic",
        "status",
        "overview",
        "themes",
        "agreements",
        "differences",
        "table",
        "coverage",
        "sources",
    } <= set(value)
    numbers = {source["paper_id"]: source["number"] for source in value["sources"]}
    assert list(numbers.values()) == list(range(1, len(numbers) + 1))
    for theme in value["themes"]:
        assert set(theme["papers"]) <= set(numbers)
        for claim in theme["claims"]:
            assert claim["citations"]
            assert all(numbers[each["paper_id"]] == each["source"] for each in claim["citations"])
    assert value["coverage"]["considered"] == len(value["coverage"]["used"]) + len(value["coverage"]["left_out"])
    assert all(set(row["cells"]) == {"problem", "method", "data", "result"} for row in value["table"])


@pytest.mark.parametrize("face", ["summary", "comparison"])
def test_html_runs_nothing_and_loads_nothing(found: Summary, side_by_side: Comparison, face: str) -> None:
    page = summary_forms.html(found) if face == "summary" else comparison.html(side_by_side)
    read = Tags(page)
    allowed = {
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "h1",
        "h2",
        "p",
        "ul",
        "li",
        "a",
        "span",
        "br",
        "div",
        "table",
    }
    assert {tag for tag, _ in read.tags} <= allowed | {
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "details",
        "summary",
        "blockquote",
    }
    for _, attributes in read.tags:
        assert not any(name.startswith("on") or name == "src" for name in attributes)
        assert re.match(r"https?://|#source-\d+$", attributes.get("href") or "#source-0")
    policies = [attributes["content"] for tag, attributes in read.tags if attributes.get("http-equiv")]
    assert policies
    assert policies[0] is not None
    assert policies[0].startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policies[0]
    # A title that hides a script keeps its paper out of a topic; who compares it by its id sees it as text.
    assert ("<script>alert(1)</script>" in read.text) == (face == "comparison")
    assert "\x1b" not in page
    assert len(read.ids) == len(set(read.ids))
    assert {
        attributes["href"] for tag, attributes in read.tags if tag == "a" and (attributes["href"] or "")[0] == "#"
    } <= {f"#{id_}" for id_ in read.ids}


def test_markdown_keeps_a_paper_from_being_markup(found: Summary, side_by_side: Comparison) -> None:
    for text in (summary_forms.markdown(found), comparison.markdown(side_by_side)):
        assert "<script>" not in text
        assert not re.search(r"(?<!\\)\]\(javascript", text)
        rows = [line for line in text.splitlines() if line.startswith("| <a id=")]
        assert rows
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in rows}
        assert len(widths) == 1


def test_csv_runs_no_formula_and_reads_back(side_by_side: Comparison) -> None:
    rows = list(csv.reader(io.StringIO(comparison.csv_table(side_by_side))))
    assert rows[0] == ["paper_id", "title", *side_by_side.columns]
    assert [row[0] for row in rows[1:]] == ["doi:10.8/50", "doi:10.8/1"]
    assert not any(cell[:1] in "=+-@" for row in rows for cell in row if cell)
    assert rows[1][6] == NOT_STATED


def test_a_comparison_names_each_paper_under_each_column(side_by_side: Comparison) -> None:
    text = to_text(comparison.comparison(side_by_side))
    assert "[2] SuckNet: Tactile Sensing for Octopus Suckers" in text
    for column in side_by_side.columns:
        assert f"\n{column}\n  [1] " in text
    value = json.loads(jsonable.dumps(comparison.json(side_by_side)))
    assert [row["source"] for row in value["rows"]] == [1, 2]
    assert value["rows"][0]["cells"]["code"] is None


def test_json_stays_on_one_line_whatever_a_text_holds() -> None:
    assert jsonable.dumps("a\u2028b\u202ec\x9bd\ne") == r'"a\u2028b\u202ec\u009bd\ne"'
