"""An answer with a model as it appears: each sentence when it was checked, nothing unchecked, Ctrl-C, hanging up."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from asking_models import ANSWER, FASTER, KEY, TWO, Home, evidence_lines, filled, streams
from program import ROOT, environment
from servers import Pause, Reply, ScriptedServer, chunk, patiently, tokens

STOP = chunk(finish="stop")
OWN = "DFlash was bought by Google in 2031"
LAG = 0.03
"""Seconds from the moment a sentence is whole to the moment it can be read."""


@pytest.fixture(scope="module")
def home(seeds_home: Path) -> Home:
    return Home(seeds_home)


@dataclass
class Clocked:
    """A model that writes one evidence sentence after the other, and remembers when each was whole."""

    pause: float
    whole: dict[str, float] = field(default_factory=dict)

    def __call__(self, body: dict[str, Any]) -> Reply:
        return Reply(self._parts(body))  # type: ignore[arg-type]

    def _parts(self, body: dict[str, Any]) -> Iterator[bytes | Pause]:
        mine = [line for line in evidence_lines(body) if "DFlash" in line[1] or "speculative" in line[1]]
        for key, sentence in mine:
            for piece in tokens(f"{sentence.rstrip('.')} [{key}].", 11):
                self.whole[sentence[:60]] = (
                    time.monotonic()
                )  # before the piece is sent: the reader may be faster than we
                yield chunk(piece)
            yield Pause(self.pause)
        yield STOP


def started(home: Home, server: ScriptedServer, *args: str) -> subprocess.Popen[bytes]:
    """The program, with Ctrl-C as a terminal would give it to it."""
    command = [
        sys.executable,
        "-W",
        "error",
        str(ROOT / "cli.py"),
        "ask",
        FASTER,
        "--model",
        "scripted",
        *args,
    ]
    env = environment(home.path, OPENAI_BASE_URL=server.base_url, OPENAI_API_KEY=KEY)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=env,
            cwd=home.path,
        )
    finally:
        signal.signal(signal.SIGINT, before)


def test_each_sentence_appears_as_soon_as_it_is_whole_and_checked(home: Home) -> None:
    # A busy machine makes any single one late, and now and then all of a run; no machine makes one early.
    for _ in range(4):
        lags = _lags(home)
        print("seconds from whole to read:", *(f"{lag:.4f}" for lag in lags))
        assert len(lags) >= 3
        assert min(lags) >= 0
        if min(lags) <= LAG:
            return
    raise AssertionError(f"none was read within {LAG} s")


def _lags(home: Home) -> list[float]:
    model = Clocked(pause=0.4)
    with ScriptedServer(model) as server, started(home, server, "--no-cache") as running:
        assert running.stdout is not None
        seen = []
        for raw in running.stdout:
            seen.append((time.monotonic(), raw.decode()))
            if not raw.strip():
                break
        running.stdout.read()
    assert all(line.rstrip().endswith("[1].") for _, line in seen if line.strip())
    assert seen[0][0] < max(model.whole.values()), "the first was read while the model was writing"
    # One that is beside the point is written and not shown: each line is matched with its own sentence.
    return [at - model.whole[line[:60]] for at, line in seen if line[:60] in model.whole]


def test_no_word_of_a_sentence_that_fails_is_ever_on_stdout(home: Home) -> None:
    words = f"{OWN}. {{{TWO[0]}}} {OWN} [kx1]. {{{TWO[1]}}} {OWN} {{{TWO[1]}}}"
    with ScriptedServer(streams(words, STOP)) as server:
        run = home.ask(server, "--no-cache")
        log = home.ask(server, "--no-cache", "--json")
    assert run.code == 0
    assert "Google" not in run.out
    assert "2031" not in run.out
    assert "Google" not in log.json["answer"]
    assert any("Google" in each["text"] for each in log.json["dropped"])


def test_ctrl_c_keeps_what_was_checked_and_says_so(home: Home) -> None:
    script = streams(f"{{{TWO[0]}}} ", OWN, *[b": still here\n\n", Pause(0.1)] * 600)
    with ScriptedServer(script) as server, started(home, server, "--no-cache", "--timeout", "60") as running:
        assert running.stdout is not None
        assert running.stderr is not None
        first = running.stdout.readline().decode()
        running.send_signal(signal.SIGINT)
        rest, said = running.stdout.read().decode(), running.stderr.read().decode()
        code = running.wait(300)
        assert patiently(server.closed_early.is_set), "the server is told that nobody listens"
    assert code == 130
    assert TWO[0] in first
    assert "Partial answer: interrupted.\n" in rest
    assert ANSWER in rest.replace("×", "$"), "completed by quotation"
    assert "Google" not in rest
    assert said.count("\n") == 1
    assert "interrupted" in said
    assert json.loads(home("history", "-n", "1", "--json").out)["answer"]["status"] == "partial"


def test_ctrl_c_under_json_still_prints_one_object(home: Home) -> None:
    script = streams(f"{{{TWO[0]}}} ", OWN, Pause(60))
    with (
        ScriptedServer(script) as server,
        started(home, server, "--no-cache", "--json", "--timeout", "60") as running,
    ):
        assert running.stdout is not None
        assert patiently(lambda: bool(server.requests), 300)
        time.sleep(1.0)
        running.send_signal(signal.SIGINT)
        out = running.stdout.read().decode()
        code = running.wait(300)
    assert code == 130
    answer = json.loads(out)
    assert (answer["status"], answer["reason"]) == ("partial", "interrupted")


def test_a_reader_who_hangs_up_ends_it_quietly(home: Home) -> None:
    with ScriptedServer(Clocked(pause=0.2)) as server, started(home, server, "--no-cache") as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        said = running.stderr.read().decode()
        assert running.wait(300) == 1
    assert "Traceback" not in said


def test_the_script_says_what_it_should() -> None:
    body = {"messages": [{"content": "[kx1] Sail is fast.\n[kx2] Keel is small."}]}
    assert filled("{Keel} So.", body) == "Keel is small [kx2]. So."
