"""Files, folders, globs, standard input, packing, and names."""

from __future__ import annotations

import gzip
import io
import os
from pathlib import Path

import pytest

from rag.readers import read
from rag.types import Paper, Problem

LINE = '{"abstract": "Abstract %s."}\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(name: str, content: str | bytes | None = None) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    content = LINE % name if content is None else content
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def places(*paths: str | Path, stdin: io.BytesIO | None = None) -> tuple[list[str], list[str]]:
    found = list(read(paths, stdin=stdin))
    return [one.files[0] for one in found if isinstance(one, Paper)], [
        str(one) for one in found if isinstance(one, Problem)
    ]


def test_folders_are_read_in_order_without_what_is_no_corpus() -> None:
    for name in (
        "in/b.jsonl",
        "in/a.jsonl",
        "in/sub/c.jsonl",
        "in/none",
        "in/.hidden.jsonl",
        "in/.git/x.jsonl",
        "in/x.py",
    ):
        put(name)
    put("in/README.md", "# A readme\n\nIt says things about the corpus.")
    put("in/paper.pdf", b"%PDF-1.7")
    put("in/picture", b"\x89PNG\r\n\x1a\n\0\0\0")
    assert places("in") == (["in/a.jsonl:1", "in/b.jsonl:1", "in/none:1", "in/sub/c.jsonl:1"], [])


def test_names_do_not_hold_the_machine(folder: Path) -> None:
    put("in/a.jsonl")
    assert places(folder / "in")[0] == places("in")[0] == places("./in/")[0] == ["in/a.jsonl:1"]
    assert places(folder / "in" / "a.jsonl")[0] == ["a.jsonl:1"]
    os.chdir("in")
    assert places(".")[0] == ["a.jsonl:1"]


def test_globs_and_several_paths_read_each_file_once() -> None:
    put("in/b.jsonl"), put("in/a.jsonl"), put("in/deep/c.jsonl")
    assert places("in/*.jsonl")[0] == ["in/a.jsonl:1", "in/b.jsonl:1"]
    assert places("in/**/*.jsonl")[0] == ["in/a.jsonl:1", "in/b.jsonl:1", "in/deep/c.jsonl:1"]
    assert places("in/b.jsonl", "in", "in/*.jsonl")[0] == ["in/b.jsonl:1", "in/a.jsonl:1", "in/deep/c.jsonl:1"]


def test_names_with_magic_signs_and_dashes_are_names() -> None:
    put("a[1].jsonl"), put("-rf"), put("con.jsonl")
    assert places("a[1].jsonl", "./-rf", "-rf", "con.jsonl")[0] == ["a[1].jsonl:1", "-rf:1", "con.jsonl:1"]


def test_standard_input_of_any_format() -> None:
    assert places("-", stdin=io.BytesIO(b"ICML 2026\n\nWe show it at length."))[0] == ["stdin:3"]
    assert places("-", stdin=io.BytesIO(gzip.compress((LINE % 1).encode())))[0] == ["stdin:1"]
    assert "no standard input" in places("-")[1][0]
    assert places("-", stdin=io.BytesIO(b"")) == ([], [])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", "We show it at length."),
        ("a.json", '[{"abstract": "We show it."}]'),
        ("a.csv", "title,abstract\nT,We show it.\n"),
        ("a.bib", "@article{k, abstract={We show it.}}"),
        ("a.ris", "TY  - JOUR\nAB  - We show it.\nER  - \n"),
        ("a.ciw", "PT J\nTI A\nAB We show it.\nER\n"),
        ("a.nbib", "PMID- 1\nOWN - NLM\nAB  - We show it.\n"),
        ("a.atom", '<feed xmlns="http://www.w3.org/2005/Atom"><entry><summary>We show it.</summary></entry></feed>'),
    ],
)
def test_each_format_packed_and_under_another_name(name: str, content: str) -> None:
    put(name, content)
    put(f"{name}.gz", gzip.compress(content.encode()))
    put("twice.gz", gzip.compress(gzip.compress(content.encode())))
    half = len(content) // 2
    put("members", gzip.compress(content[:half].encode()) + gzip.compress(content[half:].encode()) + b"\0" * 512)
    put("wrong.py", content)
    for given in (name, f"{name}.gz", "twice.gz", "members", "wrong.py"):
        papers, problems = places(given)
        assert len(papers) == 1, (given, problems)
        assert not problems


def test_paths_that_lead_nowhere_are_problems_and_the_rest_goes_on() -> None:
    put("a.jsonl")
    os.mkfifo("pipe")
    Path("dangling").symlink_to("nowhere")
    papers, problems = places(
        "missing", "no*match", "pipe", "dangling", "/dev/zero", "", "nul\0", "x" * 5000, "a.jsonl"
    )
    assert papers == ["a.jsonl:1"]
    assert len(problems) == 8
    assert all(len(problem) < 200 or "xxx" in problem for problem in problems)


def test_links_neither_loop_nor_climb_out(folder: Path) -> None:
    put("in/sub/a.jsonl"), put("secret.jsonl"), put("other/b.jsonl")
    Path("in/sub/up").symlink_to(folder / "in")
    Path("in/out").symlink_to(folder / "other")
    Path("in/stolen.jsonl").symlink_to(folder / "secret.jsonl")
    Path("in/twin.jsonl").symlink_to("sub/a.jsonl")
    os.mkfifo("in/pipe")
    papers, problems = places("in")
    assert papers == ["in/sub/a.jsonl:1"]
    assert [problem.split(":")[0] for problem in problems] == ["in/out", "in/pipe", "in/stolen.jsonl", "in/sub/up"]


def test_a_file_that_may_not_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    put("in/a.jsonl"), put("in/b.jsonl")
    opened = Path.open

    def refuse(self: Path, *args: object, **kwargs: object) -> object:
        if self.name == "a.jsonl":
            raise PermissionError(13, "Permission denied")
        return opened(self, *args, **kwargs)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", refuse)  # the tests may run as root, who may read everything
    assert places("in") == (
        ["in/b.jsonl:1"],
        ["in/a.jsonl: no permission to read it: change its permissions, or leave it out"],
    )


def test_a_folder_that_vanishes_while_it_is_read() -> None:
    put("in/a.jsonl"), put("in/b/c.jsonl")
    found = read(["in"])
    assert isinstance(next(found), Paper)
    Path("in/b/c.jsonl").unlink()
    Path("in/b").rmdir()
    (problem,) = found
    assert isinstance(problem, Problem)
    assert problem.file == "in/b"


def test_what_is_asked_for_and_is_no_list_is_told() -> None:
    put("a.pdf", b"%PDF-1.7 ..."), put("b.zip", b"PK\3\4..."), put("c.html", "<html><body>Hello</body></html>")
    _, problems = places("a.pdf", "b.zip", "c.html")
    assert len(problems) == 3
    assert "a PDF" in problems[0]


def test_names_that_are_no_text_can_be_printed(folder: Path) -> None:
    (folder / "in").mkdir()
    Path(os.fsdecode(os.fsencode(folder / "in") + b"/\xff.jsonl")).write_text(LINE % 1)
    (place,), _ = places("in")
    assert place.encode("utf-8").decode() == "in/\ufffd.jsonl:1"
