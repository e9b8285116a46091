"""What happens to processes: signals, closed pipes, a terminal that goes away, too little memory, a full disk."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from program import ROOT, Citewell, environment, run_inside

from evals.faults import kills
from evals.processes.beside import beside
from rag.sessions import Sessions, Turn

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals, limits and terminals")
QUESTION = "How much faster is FOO than BAR?"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small corpus in its home, to be copied."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "a.txt").write_text("We show that FOO is 3x faster than BAR.\n\nWe show that BAZ is small.\n")
    assert run_inside(folder)("sync", "a.txt").code == 0
    return folder


@pytest.fixture
def synced(inside: Citewell, tmp_path: Path, made: Path) -> Citewell:
    """For what is said before and after; what happens to a process happens to one that is `started`."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return inside


def started(home: Path, *arguments: str, **streams: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-W", "error", str(ROOT / "cli.py"), *arguments]
    given = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    return subprocess.Popen(command, env=environment(home), cwd=home, **given)  # type: ignore[call-overload, no-any-return]


def test_a_killed_chat_loses_nothing(tmp_path: Path) -> None:
    assert kills(tmp_path / "killed", "chat", times=1, seed=5) == []


@pytest.mark.slow
def test_readers_beside_writers(tmp_path: Path) -> None:
    counts, faults = beside(tmp_path, seconds=2, readers=1, writers=1)
    assert faults == []
    assert counts["questions"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_chat_that_is_ended_keeps_what_was_answered(synced: Citewell, tmp_path: Path, number: signal.Signals) -> None:
    with started(tmp_path, "chat", "--json") as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write(f"{QUESTION}\n".encode())
        process.stdin.flush()
        shown = json.loads(process.stdout.readline())
        process.send_signal(number)
        process.wait(timeout=300)
        assert process.returncode == -number
        assert b"Traceback" not in process.stderr.read()
    (turn,) = Sessions(tmp_path / "citewell").latest().turns
    assert turn.answer["answer"] == shown["answer"]


@pytest.mark.slow
def test_a_reader_of_many_lines_goes_away(synced: Citewell, tmp_path: Path) -> None:
    for arguments in (("papers",), ("history", "--json"), ("show", "FOO", "BAZ", "--json"), ("--help",)):
        with started(tmp_path, *arguments) as process:
            assert process.stdout is not None and process.stderr is not None
            process.stdout.close()
            assert b"Traceback" not in process.stderr.read(), arguments
            assert process.wait(timeout=300) in (0, 1, 3)


def test_a_terminal_that_goes_away_ends_the_chat(synced: Citewell, tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    with started(tmp_path, "chat", stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        os.read(ours, 100)
        time.sleep(0.5)
        os.close(ours)
        process.wait(timeout=300)  # it does not spin, and does not wait for ever
    assert synced("doctor", "--json").code == 0


@pytest.mark.slow
def test_too_little_memory_is_said_and_costs_nothing(synced: Citewell, tmp_path: Path) -> None:
    """A sync under a limit that it reaches says so, and the old papers are still answered from."""
    words = " ".join(f"word{n}" for n in range(2000))
    with (tmp_path / "big.jsonl").open("w") as file:
        for n in range(400):
            file.write(json.dumps({"title": f"T{n}", "abstract": f"We show {n}. {words}"}) + "\n")
    codes = []
    for kilobytes in (300_000, 400_000, 500_000, 600_000, 700_000):
        limited = f'ulimit -v {kilobytes}; exec "{sys.executable}" "{ROOT / "cli.py"}" sync big.jsonl'
        code, error = ended(["sh", "-c", limited], tmp_path)
        codes.append(code)
        if code == 0:
            break
        assert "Traceback" not in error
        assert code in (5, -signal.SIGABRT, -signal.SIGKILL)  # native code may only give up
        assert code != 5 or error.startswith("citewell: ")
        assert synced("ask", QUESTION).code == 0
        assert synced("doctor").code == 0
    assert codes[0]


def ended(command: list[str], home: Path) -> tuple[int, str]:
    """Exit code and stderr. Killed where native threads wait for one that could not start, once in a hundred runs."""
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=environment(home), cwd=home, text=True) as process:
        try:
            error = process.communicate(timeout=120)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            error = process.communicate()[1]
    return process.returncode, error


def _may_mount() -> bool:
    if shutil.which("unshare") is None or sys.platform != "linux":
        return False
    return subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(not _may_mount(), reason="mounting is not permitted here")
def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """A real one of 2 MB: the sync says so, the old corpus is answered from, and with room it goes on."""
    with (tmp_path / "big.jsonl").open("w") as file:
        for n in range(3000):
            file.write(json.dumps({"title": f"T{n}", "abstract": f"We show {n} of {n * 7919}. It is new{n}."}) + "\n")
    (tmp_path / "a.txt").write_text("We show that FOO is 3x faster than BAR.\n")
    (tmp_path / "citewell").mkdir()
    citewell = f'"{sys.executable}" "{ROOT / "cli.py"}"'
    script = f"""
        mount -t tmpfs -o size=2m tmpfs citewell && {citewell} sync a.txt -q || exit 90
        {citewell} sync a.txt big.jsonl; echo "sync $?"
        {citewell} ask "{QUESTION}"; echo "ask $?"
        {citewell} doctor; echo "doctor $?"
        mount -o remount,size=60m citewell && {citewell} sync a.txt big.jsonl
    """
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script], capture_output=True, text=True, env=environment(tmp_path), cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "bug" not in done.stderr
    assert "sync 5" in done.stdout
    assert "ask 0" in done.stdout
    assert "doctor 5" in done.stdout
    assert "disk is full" in done.stdout and "make room" in done.stdout
    assert "3000 added" in done.stdout


def limited(home: Path, *arguments: str, blocks: int, given: str = "") -> subprocess.CompletedProcess[str]:
    """The command where no file may grow beyond so many blocks of 1,024 bytes: as on a full disk, writing fails."""
    command = f'ulimit -f {blocks}; exec "$0" "$@"'
    return subprocess.run(
        ["bash", "-c", command, sys.executable, str(ROOT / "cli.py"), *arguments],
        input=given, capture_output=True, text=True, env=environment(home), cwd=home,
    )  # fmt: skip


def test_a_full_disk_costs_an_answer_nothing_and_a_file_only_itself(synced: Citewell, tmp_path: Path) -> None:
    asked = limited(tmp_path, "ask", QUESTION, blocks=0)
    assert (asked.returncode, "3x" in asked.stdout) == (0, True), asked.stderr
    talked = limited(tmp_path, "chat", blocks=0, given=f"{QUESTION}\nWhat is BAZ?\n")
    assert (talked.returncode, "3x" in talked.stdout) == (0, True), talked.stderr
    assert talked.stderr.count("not saved") == 1
    (tmp_path / "refs.bib").write_text("old")
    assert synced("export", "No such paper", "-o", "refs.bib").code == 3
    assert (tmp_path / "refs.bib").read_text() == "old"
    exported = limited(tmp_path, "export", "We show that FOO is 3x faster than BAR", "-o", "refs.bib", blocks=0)
    assert exported.returncode == 5
    assert "refs.bib" in exported.stderr and exported.stderr.count("\n") == 1
    assert (tmp_path / "refs.bib").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith((".refs", "refs"))] == ["refs.bib"]
    summary = limited(tmp_path, "summarise", "FOO", "-o", "foo.html", blocks=0)
    assert summary.returncode in (3, 5) and "Traceback" not in summary.stderr
    for said in (asked, talked, exported, summary):
        assert "bug" not in said.stderr
    assert synced("doctor").code == 0


def test_a_home_that_vanishes_is_missed_in_words(synced: Citewell, tmp_path: Path) -> None:
    """Between two questions of one conversation: the next is answered or says what is gone, and nothing hangs."""
    with started(tmp_path, "chat", "--json") as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write(f"{QUESTION}\n".encode())
        process.stdin.flush()
        assert "3x" in json.loads(process.stdout.readline())["answer"]
        shutil.rmtree(tmp_path / "citewell")
        process.stdin.write(f"{QUESTION}\nWhat is BAZ?\n".encode())
        out, err = process.communicate(timeout=300)
    assert process.returncode in (0, 3, 5), err
    assert b"Traceback" not in err and b"bug" not in err
    assert all(json.loads(line) for line in out.splitlines())


def test_a_turn_after_a_torn_line_is_kept(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path)
    session = sessions.append(sessions.begin("c"), Turn("one", "one", {"answer": "1"}))
    path = next(tmp_path.glob("sessions/*"))
    path.write_bytes(path.read_bytes() + b'{"message": "tw')
    sessions.append(session, Turn("three", "three", {"answer": "3"}))
    assert [turn.message for turn in sessions.load(session.id).turns] == ["one", "three"]


@pytest.mark.parametrize("between", ["\u2028", "\x85", "\x0c", "\x1e", "\r\n", "\ud800"])
def test_a_turn_with_odd_line_ends_is_one_turn(tmp_path: Path, between: str) -> None:
    sessions = Sessions(tmp_path)
    session = sessions.append(sessions.begin("c"), Turn(f"a{between}b", "x", {"answer": f"1{between}2"}))
    assert len(sessions.load(session.id).turns) == 1


def test_a_device_and_a_link_stay_what_they_are(synced: Citewell, tmp_path: Path) -> None:
    (tmp_path / "real.bib").write_text("old")
    (tmp_path / "link.bib").symlink_to("real.bib")
    os.mkfifo(tmp_path / "fifo.bib")
    with subprocess.Popen(["cat", str(tmp_path / "fifo.bib")], stdout=subprocess.PIPE) as reading:
        assert synced("export", "FOO", "We show that FOO is 3x faster than BAR", "-o", "fifo.bib").code in (0, 3)
        assert reading.stdout is not None
        assert b"FOO" in reading.stdout.read()
    assert (tmp_path / "fifo.bib").is_fifo()
    synced("export", "We show that FOO is 3x faster than BAR", "-o", "link.bib")
    assert (tmp_path / "link.bib").is_symlink()
    assert "FOO" in (tmp_path / "real.bib").read_text()


def test_a_clock_that_jumps(inside: Citewell, tmp_path: Path) -> None:
    """Files of the future, and a clock set back: what is newest is still told, and a changed file is still seen."""
    (tmp_path / "a.txt").write_text("We show that FOO is 3x faster than BAR.\n")
    os.utime(tmp_path / "a.txt", (4e9, 4e9))
    assert inside("sync", "a.txt").code == 0
    (tmp_path / "a.txt").write_text("We show that FOO is 4x faster than BAR.\n")
    os.utime(tmp_path / "a.txt", (0, 0))
    assert inside("sync", "a.txt", "--json").json["added"] == 1
    assert "4x" in inside("ask", QUESTION).out
