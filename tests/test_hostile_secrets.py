"""Keys and questions stay with their owner: what is printed, logged and stored, and who may read it."""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from pathlib import Path

import pytest
from asking_models import Home
from program import Citewell, run_in, run_inside
from servers import Reply, ScriptedServer, refuses, says

KEY = "sk-live-0123456789abcdef"
QUESTION = "How much faster is DFlash than EAGLE-3?"
ADDRESS = f"http://ann:{KEY}@127.0.0.1:9/v1?api_key={KEY}"
ARGUMENTS = json.dumps({"api_key": KEY})
CLASS = f"llama_index.core.llms.mock:MockLLM?{ARGUMENTS}"
EMBEDDING = f"llama_index.core.embeddings:NoSuchEmbedding?{ARGUMENTS}"


def everything_under(folder: Path) -> bytes:
    return b"\n".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


@pytest.mark.slow
@pytest.mark.parametrize(
    "args",
    [
        ("ask", QUESTION, "--model", "gpt-x", "--json", "-v"),
        ("ask", QUESTION, "--model", "gpt-x", "--dry-run"),
        ("doctor", "--model", "gpt-x"),
        ("doctor", "--embedder", EMBEDDING, "--json"),
        ("ask", QUESTION, "--embedder", EMBEDDING.replace(":", ".", 1)),
        ("ask", QUESTION, "--model", CLASS.replace("mock:", "mock."), "-v"),
        ("history", "--json"),
    ],
)
def test_no_command_says_a_key(seeded_apart: Citewell, args: tuple[str, ...]) -> None:
    run = seeded_apart(*args, OPENAI_API_KEY=KEY, OPENAI_BASE_URL=ADDRESS)
    assert KEY not in run.out + run.err
    assert "Traceback" not in run.err


@pytest.fixture(scope="module")
def seeded_apart(seeds_home: Path) -> Citewell:
    return run_inside(seeds_home)


def test_nothing_on_disk_holds_a_key(seeded_apart: Citewell, seeds_home: Path) -> None:
    seeded_apart("ask", f"{QUESTION} My key is {KEY}.", "--model", "gpt-x", OPENAI_API_KEY=KEY, OPENAI_BASE_URL=ADDRESS)
    seeded_apart("chat", input=f"{QUESTION}\n", OPENAI_API_KEY=KEY, OPENAI_BASE_URL=ADDRESS, CITEWELL_MODEL="gpt-x")
    assert KEY.encode() not in everything_under(seeds_home / "citewell")


def repeats(body: dict[str, object]) -> Reply:
    """A server that knows the key and says it: in its answers, and every third time in its refusal."""
    said = str(body["messages"])
    if len(said) % 3 == 0:
        return refuses(400, f"bad request with Authorization: Bearer {KEY}")
    cited = re.findall(r"\[(\w+)\] ", said)[:1] or ["a"]
    return says(f"The key is {KEY} [{cited[0]}]. ", f"DFlash uses {KEY} [{cited[0]}].")


@pytest.mark.slow
def test_a_key_in_every_place_is_in_nothing_that_is_written_or_said(tmp_path: Path) -> None:
    """Environment, settings file, addresses, arguments of classes, the server's own words; then the whole folder."""
    home = Home(tmp_path)
    assert home.inside("ask", QUESTION).code == 0
    config = tmp_path / "citewell" / "config.toml"
    config.write_text(f'api_key = "{KEY}"\nstore_token = "{KEY}"\nprices = {{}}\n')
    (tmp_path / "a.txt").write_text("We show that FOO is 3x faster than BAR.\n")
    (tmp_path / "text.md").write_text("DFlash is 2.5 times faster than EAGLE-3.\n")
    report, log = str(tmp_path / "report.html"), str(tmp_path / "log.json")
    said = []
    with ScriptedServer(repeats) as server:
        address = server.base_url.replace("http://", f"http://ann:{KEY}@") + f"?api_key={KEY}"
        for arguments in (
            ("ask", QUESTION, "-v"), ("ask", QUESTION, "--json"), ("ask", QUESTION, "--dry-run", "--no-log"),
            ("summarise", "speculative decoding", "-o", report), ("check", str(tmp_path / "text.md"), "--json"),
            ("compare", "DFlash", "MuLoCo", "--json"), ("doctor", "--json"), ("history", "--json"), ("replay", "1"),
            ("eval", "run", "--limit", "2", "--jobs", "1", "--advisory", "-o", log),
            ("eval", "report", log, "--html", str(tmp_path / "eval.html")),
            ("export", "--last", "-o", str(tmp_path / "a.bib")),
            ("sync", str(tmp_path / "a.txt"), "--corpus", "far", "--store", f"http://ann:{KEY}@127.0.0.1:9"),
        ):  # fmt: skip
            run = home.inside(*arguments, CITEWELL_MODEL="scripted", OPENAI_BASE_URL=address, OPENAI_API_KEY=KEY)
            assert run.code in (0, 2, 3, 4, 5, 10), (arguments, run.err)
            said.append(run.out + run.err)
        run = run_in(tmp_path)(
            "chat", "--json", input=f"What is DFlash?\nMy key is {KEY}, what is MuLoCo?\n/export c.bib\n",
            CITEWELL_MODEL="scripted", OPENAI_BASE_URL=address, OPENAI_API_KEY=KEY,
        )  # fmt: skip
        assert server.requests, "the model was asked"
    config.unlink()
    kept = b"\n".join(path.read_bytes() for path in sorted(tmp_path.rglob("*")) if path.is_file())
    assert b"DFlash" in kept
    assert KEY.encode() not in kept
    assert [text for text in said if KEY in text] == []
    assert "Traceback" not in run.err


def test_a_key_in_the_settings_file_is_not_shown(stocked_inside: Citewell, tmp_path: Path) -> None:
    home = tmp_path / "citewell"
    (home / "config.toml").write_text(f'api_key = "{KEY}"\nbase_url = "{ADDRESS}"\nmodel = {json.dumps(CLASS)}\n')
    for args in (("doctor",), ("doctor", "--json"), ("ask", QUESTION, "-v")):
        run = stocked_inside(*args)
        assert KEY not in run.out + run.err, args
    (home / "config.toml").write_text(f'api_key = "{KEY}\n')
    run = stocked_inside("doctor")
    assert run.code == 2
    assert KEY not in run.out + run.err


def test_a_waiting_writer_is_not_told_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rag.library.layout import Layout
    from rag.library.lock import holder, writing

    monkeypatch.setattr(sys, "argv", ["citewell", "sync", "x.bib", "--embedder", EMBEDDING, "--model", CLASS])
    layout = Layout.of(tmp_path, "c")
    with writing(layout):
        told = holder(layout)
        assert told is not None and "sync x.bib" in told
        assert KEY not in told
        assert KEY.encode() not in everything_under(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX permissions")
def test_files_and_folders_are_their_owners_only(inside: Citewell, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("We show that FOO is 3x faster than BAR.\n")
    assert inside("sync", "a.txt").code == 0
    assert inside("ask", "How much faster is FOO than BAR?").code == 0
    assert inside("chat", input="How much faster is FOO than BAR?\n").code == 0
    home = tmp_path / "citewell"
    folders = [home, home / "corpora", home / "sessions", *home.glob("corpora/*"), *home.glob("corpora/*/vectors-*")]
    assert {stat.S_IMODE(path.stat().st_mode) for path in folders} == {0o700}
    files = [home / "history.sqlite3", *home.glob("corpora/*/*.sqlite"), *home.glob("sessions/*")]
    assert len(files) == 4
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
