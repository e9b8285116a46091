from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from rag.readers import read
from rag.types import Paper, Problem

COLUMNS = "file,starts_with,title,authors,year,venue,url,doi\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = Path("papers")
    folder.mkdir()
    (folder / "a.txt").write_text(
        "ICML 2026 论文列表\n\nWe show one thing, at length.\n\nWe show another thing.\n\nTrees grow.\n"
    )
    return folder


def items(*paths: Path) -> tuple[list[Paper], list[str]]:
    found = list(read(paths))
    return [one for one in found if isinstance(one, Paper)], [str(one) for one in found if isinstance(one, Problem)]


def test_rows_name_abstracts_and_the_row_counts(folder: Path) -> None:
    (folder / "manifest.csv").write_text(
        COLUMNS + "a.txt,We show ONE\u00a0 thing,One,Ann Lee,2025,ICLR,https://openreview.net/forum?id=abcdefgh12,\n"
        "a.txt,Trees,Trees,,,,,10.1000/T\n"
    )
    papers, problems = items(folder)
    assert not problems
    assert [(paper.title, paper.title_source) for paper in papers] == [
        ("One", "given"), ("Another thing", "derived"), ("Trees", "given"),
    ]  # fmt: skip
    assert [(paper.id.split(":")[0], paper.year, paper.venue) for paper in papers] == [
        ("openreview", 2025, "ICLR"), ("text", 2026, "ICML"), ("doi", 2026, "ICML"),
    ]  # fmt: skip
    assert papers[0].files == ("papers/a.txt:3",)


def test_the_longest_beginning_wins(folder: Path) -> None:
    (folder / "manifest.csv").write_text(COLUMNS + "a.txt,Trees,Short,,,,,\na.txt,Trees grow,Long,,,,,\n")
    papers, problems = items(folder)
    assert papers[2].title == "Long"
    assert problems == ["papers/manifest.csv:2: no abstract in a.txt starts with 'Trees': mend starts_with or file"]


def test_rows_that_do_not_fit_are_told_and_used_for_nothing(folder: Path) -> None:
    (folder / "b.txt").write_text("Other text here.\n")
    rows = [
        "a.txt,Nothing starts so,X,,,,,",
        "a.txt,We show,Ambiguous,,,,,",
        "a.txt,Trees grow,Fine,,,,,",
        "a.txt,trees  grow,Twice,,,,,",
        "missing.txt,Trees,X,,,,,",
        "../a.txt,Trees,X,,,,,",
        "/etc/passwd,root,X,,,,,",
        "C:\\a.txt,Trees,X,,,,,",
        ",Trees,X,,,,,",
    ]
    (folder / "manifest.csv").write_text(COLUMNS + "\n".join(rows))
    papers, problems = items(folder)
    assert [paper.title for paper in papers if paper.title_source == "given"] == ["Fine"]
    assert sorted(int(problem.split(":")[1]) for problem in problems) == [2, 3, 5, 6, 7, 8, 9, 10]
    assert len(papers) == 4


def test_a_manifest_serves_a_file_given_alone_and_is_no_corpus(folder: Path) -> None:
    (folder / "manifest.csv").write_text(COLUMNS + "a.txt,Trees,Trees,,,,,\n")
    assert [paper.title for paper in items(folder / "a.txt")[0]][2] == "Trees"
    assert len(items(*sorted(folder.iterdir()))[0]) == 3
    papers, problems = items(folder / "manifest.csv")
    assert not papers
    assert "describes text files" in problems[0]


def test_packed_text_and_a_manifest(folder: Path) -> None:
    (folder / "a.txt.gz").write_bytes(gzip.compress((folder / "a.txt").read_bytes()))
    (folder / "a.txt").unlink()
    (folder / "manifest.csv").write_text(COLUMNS + "a.txt,Trees,Trees,,,,,\n")
    papers, problems = items(folder)
    assert not problems
    assert papers[2].title == "Trees"


def test_a_corpus_by_the_name_of_manifest_is_a_corpus(folder: Path) -> None:
    (folder / "manifest.csv").write_text("title,abstract\nT,We prove it.\n")
    papers, problems = items(folder)
    assert not problems
    assert "We prove it." in [paper.abstract for paper in papers]


def test_a_manifest_that_is_no_file_does_not_stop_the_reading(folder: Path) -> None:
    (folder / "manifest.csv").mkdir()
    papers, problems = items(folder)
    assert len(papers) == 3
    assert len(problems) == 1
