"""`citewell ask` and `search`, the real program: answers, abstentions, JSON, exit codes, ways in."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from program import ROOT, Citewell, environment

from rag.readers import read
from rag.types import Paper

FASTER = "How much faster is DFlash than EAGLE-3?"


@pytest.fixture(scope="module")
def abstracts() -> dict[str, str]:
    return {paper.id: paper.abstract for paper in read([ROOT / "seeds"]) if isinstance(paper, Paper)}


def test_an_answer_is_cited_and_every_quote_is_a_slice(seeded: Citewell, abstracts: dict[str, str]) -> None:
    run = seeded("ask", FASTER, "--json")
    assert run.code == 0
    answer = run.json
    assert answer["schema_version"] == 1
    assert answer["status"] == "answered"
    assert "2.5" in answer["answer"]
    assert answer["answer"].count("[1]") >= 1
    assert [source["number"] for source in answer["sources"]] == list(range(1, len(answer["sources"]) + 1))
    for claim in answer["claims"]:
        assert claim["citations"]
        for citation in claim["citations"]:
            abstract = abstracts[citation["paper_id"]]
            assert citation["quote"] == abstract[citation["start"] : citation["end"]]
            assert answer["sources"][citation["source"] - 1]["paper_id"] == citation["paper_id"]
    assert answer["sources"][0]["title"].startswith("DFlash")
    assert answer["risk"] == {"bound": 0.0, "certified": True, "target": 0.05}
    assert answer["usage"]["model"] == "none"
    assert answer["corpus"]["papers"] == 38


def test_the_plain_form_shows_the_answer_then_its_source(seeded: Citewell) -> None:
    run = seeded("ask", FASTER)
    assert run.code == 0
    assert run.err == ""
    answer, _, sources = run.out.partition("\n\n")
    assert "2.5×" in answer
    assert "[1]" in answer
    assert sources.startswith("[1] DFlash: Block Diffusion for Flash Speculative Decoding")
    assert "Jian Chen, Yesheng Liang, Zhijian Liu · ICML 2026" in sources
    assert "2.5$\\times$" in sources
    assert "\x1b" not in run.out


@pytest.mark.parametrize("question", ["What is the capital of France?", "How many GPUs trained DFlash?"])
def test_what_the_corpus_does_not_hold_is_said_so(seeded: Citewell, question: str) -> None:
    run = seeded("ask", question)
    assert run.code == 3
    assert run.out.startswith("Not supported by this corpus.\n")
    assert "Nearest papers (not evidence):" in run.out
    said = seeded("ask", question, "--json")
    assert said.code == 3
    assert said.json["status"] == "abstained"
    assert said.json["claims"] == said.json["sources"] == []
    assert len(said.json["nearest"]) == 3
    assert said.json["reason"]


def test_a_question_comes_from_an_argument_a_pipe_a_dash_or_both(stocked: Citewell) -> None:
    typed = stocked("ask", FASTER).out
    assert stocked("ask", input=FASTER).out == typed
    assert stocked("ask", "-", input=f"\ufeff{FASTER}\r\n").out == typed
    both = stocked("ask", "How much faster is it?", "--json", input="DFlash and EAGLE-3").json
    assert both["question"] == "How much faster is it?\n\nDFlash and EAGLE-3"


def test_an_open_silent_pipe_does_not_hang_a_typed_question(seeded: Citewell, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    try:
        command = [sys.executable, str(ROOT / "cli.py"), "ask", FASTER, "-q"]
        done = subprocess.run(command, stdin=reading, capture_output=True, timeout=300, env=environment(tmp_path))
        assert done.returncode == 0
    finally:
        os.close(reading)
        os.close(writing)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("ask",), "no question was asked"),
        (("ask", "   "), "no question was asked"),
        (("ask", "x" * 20_001), "over 20,000 characters"),
        (("ask", "q", "--year", "soon"), "--year 'soon' is not a year"),
        (("ask", "q", "--year", "2025-2020"), "ends before it starts"),
        (("ask", "q", "--top-k", "0"), "top_k 0 must be"),
        (("ask", "q", "--nonsense"), "--nonsense"),
        (("ask", "q", "--paper", "no such paper"), "no paper 'no such paper'"),
        (("ask", "q", "--corpus", "../up"), "../up"),
        (("ask", "q", "--embedder", "nope"), "nope"),
        (("frobnicate",), "frobnicate"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_2(seeded: Citewell, args: tuple[str, ...], words: str) -> None:
    run = seeded(*args)
    assert run.code == 2
    assert run.out == ""
    assert words in run.err
    assert len(run.err.strip().splitlines()) == 1
    as_json = seeded(*args, "--json")
    assert as_json.code == 2
    assert as_json.json["error"]["code"] in {"usage", "config"}
    assert words in as_json.json["error"]["message"]


def test_a_corpus_that_is_not_there_is_named(seeded: Citewell) -> None:
    run = seeded("ask", "q", "--corpus", "thesis", "--json")
    assert run.code == 5
    assert run.json["error"]["code"] == "corpus_missing"
    assert "thesis" in run.json["error"]["message"]
    assert "sync" in run.json["error"]["hint"]


def test_the_first_question_says_that_the_seeds_are_used(citewell: Citewell) -> None:
    run = citewell("ask", FASTER)
    assert run.code == 0
    assert "shipped seeds" in run.err
    assert citewell("ask", FASTER).err == ""


def test_filters_hold(seeded: Citewell) -> None:
    assert seeded("ask", FASTER, "--year", "2020-2024").code == 3
    assert seeded("ask", FASTER, "--venue", "icml", "--author", "yesheng liang").code == 0
    assert seeded("ask", FASTER, "--paper", "MuLoCo").code == 3


def test_a_closed_pipe_ends_quietly(seeded: Citewell, tmp_path: Path) -> None:
    command = f"'{sys.executable}' '{ROOT / 'cli.py'}' papers --json | head -n 1"
    done = subprocess.run(
        ["bash", "-c", f"{command}; echo ${{PIPESTATUS[0]}}"], capture_output=True, env=environment(tmp_path)
    )
    *_, code = done.stdout.decode().split()
    assert code in {"0", "1"}
    assert b"Traceback" not in done.stderr
    assert b"BrokenPipe" not in done.stderr


def test_search_ranks_and_filters(seeded: Citewell) -> None:
    run = seeded("search", "offline", "reinforcement", "learning", "--json", "--top-k", "5")
    assert run.code == 0
    found = [__import__("json").loads(line) for line in run.out.splitlines()]
    assert [paper["rank"] for paper in found] == [1, 2, 3, 4, 5][: len(found)]
    assert "Reinforcement Learning" in found[0]["title"]
    assert {"paper_id", "title", "abstract", "authors", "score", "files"} <= found[0].keys()
    assert seeded("search", "zzzzqqqq").code == 3


def test_nothing_heavy_is_imported_on_the_way_to_an_answer(seeded: Citewell, tmp_path: Path) -> None:
    code = (
        "import sys; sys.argv = ['citewell', 'ask', 'What is DFlash?', '-q']\n"
        "import cli\n"
        "early = {m for m in ('chromadb', 'wordllama', 'rich', 'numpy') if m in sys.modules}\n"
        "try: cli.main()\n"
        "except SystemExit: pass\n"
        "heavy = {m for m in ('llama_index', 'llama_index.core', 'openai', 'bibtexparser') if m in sys.modules}\n"
        "print(sorted(early | heavy), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, cwd=ROOT, env=environment(tmp_path), stdin=subprocess.DEVNULL
    )
    assert done.stderr.decode().strip() == "[]"
