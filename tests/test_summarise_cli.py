"""`citewell summarise` and `compare`, the real program over the seeds: files, formats, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from program import Citewell


def test_a_topic_in_text_and_the_same_in_json(seeded: Citewell) -> None:
    run = seeded("summarise", "sampling", "methods")
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("sampling methods: ")
    value = seeded("summarize", "sampling methods", "--json", "--papers", "3").json
    assert len(value["coverage"]["used"]) == 3
    assert value["usage"]["model"] == "none"


def test_a_topic_that_is_not_covered_exits_3(seeded: Citewell) -> None:
    run = seeded("summarise", "sourdough bread baking")
    assert run.code == 3
    assert run.out.startswith("Not supported by this corpus.\n")
    assert "Nearest papers (not evidence):" in run.out


def test_a_model_that_cannot_be_reached_leaves_the_quoted_summary_and_exits_4(seeded: Citewell) -> None:
    run = seeded(
        "summarise",
        "sampling",
        "--model",
        "none-such",
        OPENAI_BASE_URL="http://127.0.0.1:9/v1",
        OPENAI_API_KEY="k",
    )
    assert run.code == 4
    assert "Quoted in part: " in run.out
    assert "everything is quoted" in run.out
    assert "[1]" in run.out


def test_files_by_their_names_and_a_bibliography(seeded: Citewell, tmp_path: Path) -> None:
    page, bib = tmp_path / "sampling.html", tmp_path / "sampling.bib"
    run = seeded("summarise", "sampling", "-o", str(page), "--bib", str(bib))
    assert (run.code, run.out) == (0, "")
    assert page.read_text("utf-8").startswith("<!doctype html>")
    assert bib.read_text("utf-8").startswith("@")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_comparison_in_json(seeded: Citewell) -> None:
    value = seeded("compare", "DFlash", "MuLoCo", "--json").json
    assert value["columns"] == ["problem", "method", "data", "result", "code"]
    assert "2.5" in value["rows"][0]["cells"]["result"]["text"]
    assert "$" not in value["rows"][0]["cells"]["result"]["text"]
    assert "$" in value["rows"][0]["cells"]["result"]["citations"][0]["quote"]


def test_an_unknown_paper_exits_3_and_the_others_are_compared(seeded: Citewell) -> None:
    run = seeded("compare", "DFlash", "MuLoCo", "NoSuchPaper", "--format", "csv", "--columns", "result")
    assert run.code == 3
    assert run.out.count("\n") == 3
    assert "no paper 'NoSuchPaper'" in run.err


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("summarise", "sampling", "-o", "."), "is a folder"),
        (("summarise", "sampling", "--format", "docx"), "unknown format 'docx'"),
        (("summarise", "sampling", "--json", "--format", "md"), "contradict"),
        (("summarise", " "), "no topic was named"),
        (("compare", "DFlash"), "that is one paper"),
        (("compare", "DFlash", "MuLoCo", "--columns", " , "), "names no column"),
    ],
)
def test_wrong_usage_is_one_line(seeded: Citewell, args: tuple[str, ...], told: str) -> None:
    run = seeded(*args)
    assert run.code == 2
    said = json.loads(run.out)["error"]["message"] if run.out else run.err
    assert told in said
    assert len((run.err or run.out).splitlines()) == 1
