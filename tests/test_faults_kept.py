"""What the home keeps beside its corpora is damaged: `doctor` says so, `--repair` keeps what can be read."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from program import ROOT, Citewell, environment

from rag import kept
from rag.history import Entry, History
from rag.model.cache import ReplyCache
from rag.sessions import Sessions, Turn

Harm = Callable[[Path], None]


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def zero(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def zero_a_page(path: Path) -> None:
    """The last: rows, not the schema."""
    with path.open("r+b") as file:
        file.seek(-4096, os.SEEK_END)
        file.write(bytes(4096))


def spoil_an_entry(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE answers SET entry = '{' WHERE id = 7")


def ill(home: Path) -> list[str]:
    return [finding.subject for finding in kept.examine(home) if not finding.well]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    log, cache, sessions = History(tmp_path), ReplyCache.under(tmp_path), Sessions(tmp_path)
    for number in range(40):
        log.add(Entry(f"Question {number}?", {"answer": f"Answer {number}. " * 40, "status": "answered"}))
        cache.put(f"key{number}", "scripted", "A reply. " * 40)
    session = sessions.begin("c")
    for number in range(3):
        session = sessions.append(session, Turn(f"Message {number}", "?", {"answer": f"Answer {number}"}))
    assert ill(tmp_path) == []
    return tmp_path


@pytest.mark.parametrize(
    ("harm", "least"), [(truncate, 0), (zero, 0), (zero_a_page, 25), (spoil_an_entry, 39)], ids=lambda x: str(x)[:20]
)
def test_a_damaged_log_of_answers(home: Path, harm: Harm, least: int) -> None:
    path = home / "history.sqlite3"
    harm(path)
    before = path.read_bytes()
    assert ill(home) == ["history"]
    assert all(finding.well for finding in kept.examine(home, repair=True))
    assert ill(home) == []
    restored = History(home).latest(100)
    assert len(restored) >= least
    assert all(entry.question == f"Question {entry.id - 1}?" for entry in restored)
    (aside,) = home.glob("history.sqlite3.damaged-*")
    assert aside.read_bytes() == before
    assert History(home).add(Entry("Another?", {})).id


def test_a_damaged_conversation(home: Path) -> None:
    (path,) = home.glob("sessions/*.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + bytes(len(lines[1])) + b"\n" + lines[2])
    assert ill(home) == ["conversations"]
    list(kept.examine(home, repair=True))
    assert ill(home) == []
    assert [turn.message for turn in Sessions(home).latest().turns] == ["Message 0", "Message 2"]
    assert len(list(home.glob("sessions/*.damaged-*"))) == 1


def test_a_turn_that_a_crash_cut_off_is_no_damage(home: Path) -> None:
    (path,) = home.glob("sessions/*.jsonl")
    truncated = path.read_bytes()[:-20]
    path.write_bytes(truncated)
    assert ill(home) == []
    assert any("cut off" in finding.detail for finding in kept.examine(home))


@pytest.mark.parametrize("harm", [truncate, zero])
def test_a_damaged_cache_of_replies(home: Path, harm: Harm) -> None:
    cache = ReplyCache.under(home)
    harm(cache.path)
    assert ill(home) == ["replies"]
    assert all(finding.well for finding in kept.examine(home, repair=True))
    cache.put("key", "scripted", "A reply.")
    assert cache.get("key") == "A reply."


def test_doctor_says_it_and_answers_go_on(inside: Citewell, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("We show that FOO is 3x faster than BAR.\n")
    question = "How much faster is FOO than BAR?"
    assert inside("sync", "a.txt").code == 0
    assert inside("ask", question).code == 0
    path = tmp_path / "citewell" / "history.sqlite3"
    zero(path)
    assert "3x" in inside("ask", question).out
    said = inside("doctor")
    assert said.code == 5
    assert "history" in said.out and "--repair" in said.out
    assert inside("doctor", "--repair").code == 0
    assert inside("ask", question).code == 0
    found = inside("history", "--json").out.splitlines()
    assert [json.loads(line)["answer"]["question"] for line in found] == [question]


UNPRIVILEGED = ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override"]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs POSIX permissions")
def test_a_home_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    root = os.geteuid() == 0
    if root and shutil.which("setpriv") is None:
        pytest.skip("root without setpriv: nothing is read-only to it")
    home, scratch = tmp_path / "citewell", tmp_path / "scratch"
    home.mkdir(0o500)
    scratch.mkdir()
    done = subprocess.run(
        [*(UNPRIVILEGED if root else []), sys.executable, str(ROOT / "cli.py"), "ask", "How much faster is DFlash?"],
        env=environment(tmp_path, TMPDIR=str(scratch)), capture_output=True, text=True, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "cannot be written" in done.stderr
    assert list(scratch.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs POSIX permissions")
def test_a_log_that_cannot_be_written_is_read(home: Path, tmp_path: Path) -> None:
    root = os.geteuid() == 0
    if root and shutil.which("setpriv") is None:
        pytest.skip("root without setpriv: nothing is read-only to it")
    (home / "history.sqlite3").chmod(0o400)
    home.chmod(0o500)
    command = [sys.executable, str(ROOT / "cli.py"), "history", "-n", "1", "--json"]
    try:
        done = subprocess.run(
            [*(UNPRIVILEGED if root else []), *command], env={**environment(tmp_path), "CITEWELL_HOME": str(home)},
            capture_output=True, text=True,
        )  # fmt: skip
    finally:
        home.chmod(0o700)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["id"] == 40
