"""The command line as such: help, release, groups of options, completion."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import pytest
import typer
from program import ROOT, Citewell, environment
from typer.main import get_command
from typer.testing import CliRunner

from cli import app
from rag.commands.command import Run, command
from rag.commands.options import Asking, Only, Where
from rag.types import Filters


def test_the_program_alone_shows_its_help(citewell: Citewell) -> None:
    alone = citewell()
    assert (alone.code, alone.err) == (0, "")
    assert alone.out.startswith("Usage: citewell [OPTIONS] COMMAND")
    assert alone.out == citewell("--help").out
    assert citewell("eval").out.startswith("Usage: citewell eval")


def test_its_release(citewell: Citewell) -> None:
    run = citewell("--version")
    assert (run.code, run.out.split()[0], len(run.out.splitlines())) == (0, "citewell", 1)


def test_completion_is_shown(citewell: Citewell) -> None:
    # Which shell asks is told by the parent processes, and a test may have none.
    script = citewell("--show-completion", "bash", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert script.code == 0
    assert "_CITEWELL_COMPLETE=complete_bash" in script.out
    names = citewell(
        _CITEWELL_COMPLETE="complete_bash", COMP_WORDS="citewell comp", COMP_CWORD="1", _TYPER_COMPLETE_TEST="1"
    )
    assert names.out.split() == ["compare"]


def _commands() -> Iterator[tuple[str, str]]:
    """Each command's words and its help."""
    for name, found in sorted(get_command(app).commands.items()):
        for below, inner in getattr(found, "commands", {"": found}).items():
            yield f"{name} {below}".strip(), inner.help or ""


@pytest.mark.parametrize(("words", "text"), tuple(_commands()))
def test_every_help_begins_with_one_line_and_an_example(words: str, text: str) -> None:
    first, _, rest = text.partition("\n\n")
    assert first.endswith((".", "?"))
    if words not in ("summarize", "cache clear", "eval selftest"):
        assert f"citewell {words}" in rest.split("\n\n")[0], words


def _said(arguments: list[str]) -> dict[str, object]:
    """What a command hears of what was typed."""
    heard: dict[str, object] = {}

    @command
    def told(
        run: Run, words: Annotated[list[str], typer.Argument()], *, where: Where, only: Only, asking: Asking
    ) -> int:
        heard.update(words=words, filters=only.filters(), where=where, settings=run.settings, json=run.json)
        return 7

    program = typer.Typer()
    program.command()(told)
    done = CliRunner().invoke(program, arguments)
    return heard | {"code": done.exit_code, "out": done.output}


def test_groups_of_options_set_the_run() -> None:
    heard = _said(["a", "b", "--corpus", "thesis", "--year", "2024-", "--venue", "ICML", "--no-log", "--json"])
    settings = heard["settings"]
    assert (heard["code"], heard["words"], heard["json"]) == (7, ["a", "b"], True)
    assert heard["filters"] == Filters(2024, None, ("ICML",))
    assert heard["where"] == Where(corpus="thesis")
    assert (settings.corpus, settings.log, settings.judge, settings.top_k) == ("thesis", False, False, 10)
    assert settings.origins["corpus"] == "--corpus" and "judge" not in settings.origins


def test_a_nought_that_was_typed_is_not_taken_for_nothing() -> None:
    heard = _said(["a", "--top-k", "0"])
    assert heard["code"] == 2
    assert "top_k" in str(heard["out"])


def test_wrong_usage_names_the_help_that_helps(citewell: Citewell) -> None:
    assert citewell("show").err.endswith("see `citewell show --help`\n")
    assert citewell("shows").err.endswith("see `citewell --help`\n")


def test_format_json_makes_errors_json_too(seeded: Citewell) -> None:
    run = seeded("compare", "DFlash", "--format", "json")
    assert (run.code, run.err) == (2, "")
    assert json.loads(run.out)["error"]["message"] == "that is one paper"


def test_ctrl_c_ends_a_chat_that_nobody_types_into(tmp_path: Path) -> None:
    chat = subprocess.Popen(
        [sys.executable, str(ROOT / "cli.py"), "chat", "--json", "--quiet"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
        text=True,
    )
    assert chat.stdin and chat.stdout
    chat.stdin.write("What is DFlash?\n")
    chat.stdin.flush()
    assert json.loads(chat.stdout.readline())["status"] == "answered"
    chat.send_signal(signal.SIGINT)
    _, said = chat.communicate("Who wrote it?\n", timeout=300)
    assert (chat.returncode, said) == (130, "interrupted\n")
