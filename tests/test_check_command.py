"""`citewell check`, the real program: verdicts, exit codes, formats, files that are none."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from program import Citewell

FINE = (
    "Experiments show that DFlash achieves over 6$\\times$ lossless acceleration across a range of models and tasks, "
    "delivering up to 2.5$\\times$ higher speedup than the state-of-the-art speculative decoding method EAGLE-3."
)
WRONG = "DFlash is up to 4.5 times faster than EAGLE-3 at speculative decoding."
ABSENT = "Statins reduce the risk of a second myocardial infarction by about a quarter."


def test_a_text_that_the_corpus_supports_is_fine(seeded: Citewell) -> None:
    run = seeded("check", "-", input=f"# Related work\n\n{FINE}\n\nWhat comes next?\n")
    assert run.code == 0, run.err
    assert re.search(r"^ +3 supported +Experiments show that DFlash", run.out, re.MULTILINE)
    assert re.search(r"^ +5 not checkable +What comes next\?", run.out, re.MULTILINE)
    assert "(word for word)" in run.out
    assert "[1] DFlash: Block Diffusion for Flash Speculative Decoding" in run.out
    assert run.out.endswith("standard input: 2 sentences: 1 supported, 1 not checkable\n")
    assert "\x1b" not in run.out


def test_json_says_it_all_and_exits_3(seeded: Citewell) -> None:
    text = f"{FINE[:-1]} (Thérien et al., 2026). {WRONG} {ABSENT} I think this is exciting."
    run = seeded("check", "-", "--json", input=text)
    assert run.code == 3
    found = run.json
    assert found["schema_version"] == 1
    assert [each["verdict"] for each in found["sentences"]] == [
        "supported",
        "contradicted",
        "not_found",
        "not_checkable",
    ]
    assert [text[each["start"] : each["end"]] for each in found["sentences"]] == [
        each["text"] for each in found["sentences"]
    ]
    first, second, third, _ = found["sentences"]
    assert first["cited"] == [
        {
            "key": "Thérien et al., 2026",
            "paper_id": "openreview:OBXBXSgwcD",
            "verdict": "wrong_paper",
            "matched_by": None,
        }
    ]
    assert first["risk"] == 0.0
    assert second["citations"][0]["paper_id"] == "openreview:Oz335dV48X"
    assert "2.5$\\times$" in second["citations"][0]["quote"]
    assert "4.5" in second["reason"]
    assert third["citations"] == []
    assert found["counts"] == {
        "supported": 1, "contradicted": 1, "not_found": 1, "not_checkable": 1, "wrong_paper": 1
    }  # fmt: skip
    assert found["flagged"] == 3
    for each in found["sentences"]:
        for citation in each["citations"]:
            assert found["sources"][citation["source"] - 1]["paper_id"] == citation["paper_id"]


def test_files_come_back_with_nothing_but_comments_added(seeded: Citewell, tmp_path: Path) -> None:
    latex = f"\\section{{Work}}\r\n{FINE.rstrip('.')}~\\citep{{chen2026dflash}}.\r\n{WRONG} % why?\r\n".encode()
    markdown = f"\ufeff# Work\n\n{FINE} {ABSENT}\n".encode()
    for name, raw, comment in (
        ("a.tex", latex, rb"(?m)^% citewell: [^\r\n]*\r\n"),
        ("a.md", markdown, rb"<!-- citewell: .*? -->"),
    ):
        file = tmp_path / name
        file.write_bytes(raw)
        run = seeded("check", str(file), "-o", str(file))
        assert (run.code, run.out) == (3, ""), run.err
        made = file.read_bytes()
        assert len(re.findall(comment, made)) == 2
        assert re.sub(comment, b"", made) == raw
        assert seeded("check", str(file), "-o", str(file)).code == 3
        assert file.read_bytes() == made
    assert b"chen2026dflash: right (openreview:Oz335dV48X)" in (tmp_path / "a.tex").read_bytes()
    printed = seeded("check", str(tmp_path / "a.tex"), "--format", "tex")
    assert printed.out.encode() == (tmp_path / "a.tex").read_bytes()


def test_the_bibliography_that_a_manuscript_names_is_read(seeded: Citewell, tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text("@misc{x, title={DFlash: Block Diffusion for Flash Speculative Decoding}}\n")
    file = tmp_path / "paper.tex"
    file.write_text(f"{FINE.rstrip('.')}~\\cite{{x}}.\n\\bibliography{{refs,absent}}\n")
    run = seeded("check", str(file), "--json")
    assert run.code == 0, run.err
    assert run.json["sentences"][0]["cited"][0]["verdict"] == "right"
    assert "absent.bib cannot be read" in run.err
    bare = tmp_path / "bare.tex"
    bare.write_text(f"{FINE.rstrip('.')}~\\cite{{x}}.\n")
    assert seeded("check", str(bare), "--json").json["sentences"][0]["cited"][0]["verdict"] == "unknown"
    given = seeded("check", str(bare), "--json", "--bib", str(tmp_path / "refs.bib"))
    assert given.json["sentences"][0]["cited"][0]["verdict"] == "right"


def test_several_files_one_of_which_cannot_be_read(seeded: Citewell, tmp_path: Path) -> None:
    good, binary = tmp_path / "good.md", tmp_path / "picture.md"
    good.write_text(FINE)
    binary.write_bytes(b"\x89PNG\x00\x00")
    run = seeded("check", str(binary), str(good), str(tmp_path / "gone.md"), "--json")
    assert run.code == 5
    assert [json.loads(line)["file"] for line in run.out.splitlines()] == [str(good)]
    lines = run.err.splitlines()
    assert [line.partition(" — ")[0] for line in lines] == [
        f"citewell: {binary} is a binary file",
        f"citewell: {tmp_path / 'gone.md'} cannot be read: No such file or directory",
    ]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["-", "--format", "pdf"], "unknown format 'pdf'"),
        (["-", "--from", "word"], "--from 'word' is not a form of text"),
        (["-", "--format", "tex"], "standard input is plain"),
        (["-", "--max-risk", "7"], "--max-risk 7 is no probability"),
        ([], "Missing argument"),
    ],
)
def test_wrong_usage_is_one_line(seeded: Citewell, args: list[str], said: str) -> None:
    run = seeded("check", *args, input="One thing is so.")
    assert run.code == 2
    assert said in run.err
    assert run.err.count("\n") == 1


def test_a_citation_of_a_known_paper_is_not_judged_where_its_sentence_is_not_found(seeded: Citewell) -> None:
    out = seeded("check", "-", input=f"{ABSENT[:-1]} [@chen2026dflash; @nobody1999x].").out
    assert "cites chen2026dflash: not judged (openreview:Oz335dV48X)" in out
    assert "cites nobody1999x: unknown (no paper of this corpus)" in out


def test_an_empty_text_is_fine(seeded: Citewell) -> None:
    run = seeded("check", "-")
    assert (run.code, run.err) == (0, "")
    assert run.out.strip() == "standard input: 0 sentences"


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.policy = ""
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        named = dict(attrs)
        if named.get("http-equiv") == "Content-Security-Policy":
            self.policy = named["content"] or ""

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_escapes_everything_and_allows_nothing(seeded: Citewell, tmp_path: Path) -> None:
    hostile = "The <script>alert(1)</script> method & <img src=x onerror=alert(2)> is faster than \x9b31mEAGLE-3."
    file = tmp_path / "page.html"
    run = seeded("check", "-", "--from", "plain", "-o", str(file), input=f"{hostile} {WRONG}")
    assert run.code == 3, run.err
    raw = file.read_text("utf-8")
    page = _Page()
    page.feed(raw)
    assert "script" not in page.tags
    assert "img" not in page.tags
    assert "<script>alert(1)</script>" in page.text
    assert "\x9b" not in raw
    assert page.policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "prefers-color-scheme: dark" in raw
    assert "CONTRADICTED" in page.text
