"""A conversation of fifteen turns in a real terminal: without a model, with a scripted one, with a small real one.

What a person does there is done: follow-ups, Ctrl-C during a reply, a paste of many lines, another width, a crash and
`--continue`, Ctrl-D. The screen is an emulator's, so that what is asserted is what is seen.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from program import ROOT, Citewell, environment
from servers import Pause, Reply, ScriptedServer, chunk, keys_in, says, tokens

from evals.models.small import NoSmallModel, small_model
from evals.processes.screen import CTRL_C, CTRL_D, ENTER, Screen

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs a terminal of its own")

DFLASH, MULOCO = "Oz335dV48X", "OBXBXSgwcD"


@dataclass(frozen=True, slots=True)
class Turn:
    """What is typed, the papers that the answer must be about (none: an abstention), and what it must say."""

    message: str
    papers: tuple[str, ...] = ()
    holds: str = ""


FIRST = (
    Turn("What is DFlash?", (DFLASH,), "speculative decoding"),
    Turn("how much faster is it than EAGLE-3?", (DFLASH,), "2.5"),
    Turn("and its authors?", (DFLASH,), "Yesheng Liang"),
    Turn("Which papers are about offline reinforcement learning?", ("LvYuEB4POi", "OjXimqfwlX"), "offline"),
    Turn("the second one: what does it do?", ("OjXimqfwlX",), "Compositional"),
    Turn("how does that compare with DFlash?", ("OjXimqfwlX", DFLASH)),
    Turn("only 2025"),
    Turn("What is the capital of France?"),
)
AFTERWARDS = (
    Turn("who wrote [2]?", ("LvYuEB4POi",), "Tobias Windisch"),
    Turn("Who wrote MuLoCo?", (MULOCO,), "Thérien"),
    Turn("and DFlash?", (DFLASH,), "Zhijian Liu"),
    Turn("which conference was it at?", (DFLASH,), "ICML"),
    Turn("How much faster\nis DFlash\nthan EAGLE-3?", (DFLASH,), "2.5"),
    Turn("[5]: what is it?", (MULOCO,), "MuLoCo"),
)


@dataclass(slots=True)
class Sitting:
    """A person at a terminal, who waits so many seconds for an answer."""

    screen: Screen
    prompts: int = 0
    patience: float = 300.0

    def ready(self) -> None:
        """Waits for a prompt that was not there before."""
        self.screen.wait(lambda text: _prompts(text) > self.prompts, self.patience)
        self.screen.settle()

    def say(self, message: str) -> None:
        self.prompts = _prompts(self.screen.text)
        if "\n" in message:
            self.screen.paste(message)
        else:
            self.screen.type(message)
        self.screen.settle()
        self.screen.type(ENTER)
        self.ready()


def _prompts(text: str) -> int:
    return len(re.findall(r"^>", text, re.MULTILINE))


def sit(home: Path, *arguments: str, **settings: str) -> Screen:
    command = [sys.executable, str(ROOT / "cli.py"), "chat", *arguments]
    return Screen(command, env=environment(home, **settings), cwd=home)


def turns_of(home: Path) -> list[dict[str, Any]]:
    """As the conversation was saved."""
    (file,) = (home / "citewell" / "sessions").glob("*.jsonl")
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def converse(home: Path, patience: float = 300.0, **settings: str) -> list[dict[str, Any]]:
    """All turns, with a crash between the first and the others; every turn as it was saved."""
    with sit(home, **settings) as screen:
        sitting = Sitting(screen, patience=patience)
        sitting.ready()
        screen.type("never sent")
        screen.settle()
        sitting.prompts = 1
        screen.type(CTRL_C)
        sitting.ready()
        for turn in FIRST:
            sitting.say(turn.message)
        assert "WARNING" not in screen.text
        screen.kill()
    with sit(home, "--continue", **settings) as screen:
        sitting = Sitting(screen, patience=patience)
        sitting.ready()
        for turn in AFTERWARDS:
            screen.resize(60 if screen.columns == 100 else 100)
            sitting.say(turn.message)
        assert f"{len(FIRST)} turns so far" in screen.text
        sitting.say("/help")
        assert "/summarise" in screen.text
        sitting.say("/sources")
        assert "[5] openreview:OBXBXSgwcD" in screen.text
        screen.type(CTRL_D)
        assert screen.end() == 0
    return turns_of(home)


def numbers_are_stable(turns: list[dict[str, Any]]) -> None:
    numbers: dict[str, int] = {}
    for turn in turns:
        for source in turn["answer"]["sources"]:
            assert numbers.setdefault(source["paper_id"], source["number"]) == source["number"]
    assert sorted(numbers.values()) == list(range(1, len(numbers) + 1))


def follow_ups_are_right(turns: list[dict[str, Any]]) -> None:
    for turn, saved in zip((*FIRST, *AFTERWARDS), turns, strict=True):
        answer = saved["answer"]
        assert saved["message"] == turn.message
        cited = {source["paper_id"].removeprefix("openreview:") for source in answer["sources"]}
        if turn.papers:
            assert set(turn.papers) <= cited, (turn.message, answer["answer"])
            assert turn.holds in answer["answer"], turn.message
        else:
            assert answer["status"] == "abstained", turn.message


def test_fifteen_turns_without_a_model(stocked: Citewell, tmp_path: Path) -> None:
    turns = converse(tmp_path)
    assert len(turns) >= 14
    follow_ups_are_right(turns)
    numbers_are_stable(turns)


ALONE = {
    "how much faster is it than EAGLE-3?": "How much faster is DFlash than EAGLE-3?",
    "and its authors?": "Who are the authors of DFlash?",
    "which conference was it at?": "Which conference was DFlash at?",
}
"""How the scripted model words some follow-ups; it repeats the others."""


def scripted(body: dict[str, Any]) -> Reply:
    """A good model: it words follow-ups, and answers with the first sentence of its evidence; "slowly" never ends."""
    asked = body["messages"][-1]["content"]
    last = re.search(r"^Last message: (.+)$", asked, re.MULTILINE)
    if last:
        return says(ALONE.get(last[1], last[1]))
    key = keys_in(body)[0]
    sentence = re.search(rf"^\[{key}\] (.+?)\.?$", asked, re.MULTILINE)
    assert sentence
    if "slowly" in asked:
        return Reply((chunk(f"{sentence[1]} [{key}]. "), chunk("And "), Pause(60)))
    return says(*tokens(f"{sentence[1]} [{key}]."))


def test_fifteen_turns_with_a_scripted_model(stocked: Citewell, tmp_path: Path) -> None:
    with ScriptedServer(scripted) as server:
        turns = converse(tmp_path, CITEWELL_MODEL="scripted", OPENAI_BASE_URL=server.base_url)
        numbers_are_stable(turns)
        assert turns[1]["understood"] == "How much faster is DFlash than EAGLE-3?"
        cited = [{source["title"].split(":")[0] for source in turn["answer"]["sources"]} for turn in turns]
        assert cited[0] == cited[1] == cited[2] == {"DFlash"}


def test_ctrl_c_ends_the_reply_and_not_the_chat(stocked: Citewell, tmp_path: Path) -> None:
    with (
        ScriptedServer(scripted) as server,
        sit(tmp_path, CITEWELL_MODEL="scripted", OPENAI_BASE_URL=server.base_url) as screen,
    ):
        sitting = Sitting(screen)
        sitting.ready()
        sitting.prompts = _prompts(screen.text)
        screen.type(f"Say slowly: what is DFlash?{ENTER}")
        screen.wait("[1].")
        before = time.monotonic()
        screen.type(CTRL_C)
        sitting.ready()
        assert time.monotonic() - before < 20
        assert "Partial answer" in screen.text
        sitting.say("Who wrote MuLoCo?")
        shown = screen.text.count("Thérien")
        assert shown
        sitting.say("in Chinese please")
        assert "give it to a translator" in " ".join(screen.text.split())
        assert screen.text.count("Thérien") == shown, "an answer is not shown again in the language it was in"
        screen.type(CTRL_D)
        assert screen.end() == 0


@pytest.fixture
def served() -> Iterator[dict[str, str]]:
    try:
        with small_model() as model:
            yield model.environment
    except NoSmallModel as missing:
        pytest.skip(str(missing))


@pytest.mark.slow
@pytest.mark.timeout(1800)  # 240 s of processor time; the model spins while others want the cores
def test_fifteen_turns_with_a_small_real_model(stocked: Citewell, tmp_path: Path, served: dict[str, str]) -> None:
    turns = converse(tmp_path, 600, **served)
    numbers_are_stable(turns)
    for turn, saved in zip((*FIRST, *AFTERWARDS), turns, strict=True):
        assert bool(saved["answer"]["sources"]) == bool(turn.papers), turn.message


def test_a_terminal_that_reports_no_cursor_is_not_complained_of(stocked: Citewell, tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "cli.py"), "chat"]
    with Screen(command, env=environment(tmp_path), cwd=tmp_path, answers=False) as screen:
        sitting = Sitting(screen)
        sitting.ready()
        time.sleep(2.5)  # the library waits two seconds for a report
        sitting.say("Who wrote MuLoCo?")
        assert "WARNING" not in screen.text
        assert "Thérien" in screen.text
