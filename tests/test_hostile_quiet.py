"""Without a model nothing speaks to a network: no lookup, no connection, no telemetry, by us or by our parts."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from program import ROOT, Citewell, environment, run_in

# Python's own hook sees every socket of Python code; strace, where there is one, those of Rust and C too.
GUARD = """
import sys

def refuse(event, arguments):
    if event in {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "urllib.Request"}:
        sys.stderr.write(f"NETWORK {event} {arguments}\\n")
        raise RuntimeError("the network was asked")

sys.addaudithook(refuse)
"""
COMMANDS = (
    ("sync", "a.txt"),
    ("ask", "How much faster is FOO than BAR?"),
    ("chat",),
    ("doctor",),
    ("summarise", "FOO", "-o", "foo.html"),
    ("search", "FOO"),
    ("papers", "--json"),
    ("show", "FOO"),
    ("compare", "FOO", "BAZ"),
    ("check", "a.txt"),
    ("export", "FOO", "-o", "refs.bib"),
    ("history",),
    ("replay", "1"),
    ("cache", "clear"),
    ("eval", "run", "--limit", "2", "--jobs", "1", "--advisory"),
    ("eval", "report", "--html", "report.html", "--advisory"),
)


@pytest.fixture
def guarded(tmp_path: Path) -> Citewell:
    (tmp_path / "guard").mkdir()
    (tmp_path / "guard" / "sitecustomize.py").write_text(GUARD)
    (tmp_path / "a.txt").write_text(
        "We show that FOO is 3x faster than BAR. It is small.\n\nWe present BAZ, a slow one. BAZ is not small.\n"
    )
    return run_in(tmp_path)


@pytest.mark.slow
def test_no_command_asks_the_network(guarded: Citewell, tmp_path: Path) -> None:
    for arguments in COMMANDS:
        run = guarded(
            *arguments, input="What is FOO?\n" if arguments == ("chat",) else "", PYTHONPATH=str(tmp_path / "guard")
        )
        assert "NETWORK" not in run.err, arguments
        assert run.code in (0, 3), (arguments, run.err)


def test_the_guard_sees_a_connection(guarded: Citewell, tmp_path: Path) -> None:
    run = guarded("doctor", "--model", "x", PYTHONPATH=str(tmp_path / "guard"), OPENAI_BASE_URL="http://127.0.0.1:9/v1")
    assert "NETWORK" in run.err


def _can(*command: str) -> bool:
    return shutil.which(command[0]) is not None and subprocess.run(command, capture_output=True).returncode == 0


@pytest.mark.skipif(not _can("strace", "-f", "-e", "trace=connect", "true"), reason="strace is not permitted here")
def test_the_kernel_sees_no_connection(guarded: Citewell, tmp_path: Path) -> None:
    command = ["strace", "-f", "-qq", "-e", "trace=connect,sendto", "-o", "calls", sys.executable, str(ROOT / "cli.py")]
    done = subprocess.run(
        [*command, "sync", "a.txt"], env=environment(tmp_path), cwd=tmp_path, capture_output=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    calls = (tmp_path / "calls").read_text()
    assert "AF_INET" not in calls
    assert "AF_UNIX" not in calls


@pytest.mark.slow
@pytest.mark.skipif(not _can("unshare", "-n", "true"), reason="network namespaces are not permitted here")
def test_it_works_where_there_is_no_network(guarded: Citewell, tmp_path: Path) -> None:
    for arguments in COMMANDS:
        command = ["unshare", "-n", sys.executable, str(ROOT / "cli.py"), *arguments]
        done = subprocess.run(
            command, input=b"What is FOO?\n", env=environment(tmp_path), cwd=tmp_path, capture_output=True, timeout=300
        )
        assert done.returncode in (0, 3), (arguments, done.stderr)
