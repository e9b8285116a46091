"""`citewell ask --model` when the model fails: one line on stderr, an answer on stdout all the same, the exit code."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from asking_models import ANSWER, FASTER, KEY, TWO, Home, once, streams
from servers import (
    Cut,
    Pause,
    Reply,
    Scripted,
    ScriptedServer,
    chunk,
    event,
    refused_address,
    refuses,
    says,
    whole,
)

STOP = chunk(finish="stop")
FIRST = f"{{{TWO[0]}}} "


@pytest.fixture(scope="module")
def home(seeds_home: Path) -> Home:
    return Home(seeds_home)


@dataclass(frozen=True)
class Failing:
    name: str
    script: Scripted
    words: str
    """Of the one line on stderr, and of `fallback`."""


FAILING = [
    Failing(
        "401 that repeats the key",
        refuses(401, f"Incorrect API key provided: {KEY}"),
        "refused the key (401)",
    ),
    Failing(
        "no such model",
        refuses(404, "The model `scripted` does not exist", "model_not_found"),
        "no such model",
    ),
    Failing("out of quota", refuses(429, "You exceeded your quota", "insufficient_quota"), "out of quota"),
    Failing("overloaded for long", refuses(429, "slow down", headers={"Retry-After": "600"}), "slow down"),
    Failing("question too long", refuses(400, "the request exceeds the available context size"), "too long"),
    Failing("an empty reply", says(""), "holds no sentence"),
    Failing("null content", whole(None), "holds no sentence"),
    Failing("a web page", Reply((b"<!doctype html>",), 200, "text/html"), "something else than a completion"),
    Failing("filtered before a word", says(finish="content_filter"), "content filter"),
    Failing("all tokens thought away", says("<think>hm", " hm" * 9, finish="length"), "used up its tokens"),
    Failing("cut within its first sentence", Reply((chunk("DFlash is"), Cut)), "before its first sentence"),
    Failing("silence", Reply((Pause(60),)), "did not answer in time"),
]


@pytest.mark.parametrize("case", FAILING, ids=lambda case: case.name)
def test_a_model_that_fails_leaves_the_answer_without_one(home: Home, case: Failing) -> None:
    with ScriptedServer(case.script) as server:
        run = home.ask(server, "--json", "--no-cache", "--timeout", "2")
    assert run.code == 4
    assert case.words in run.json["fallback"]
    assert case.words in run.err
    assert run.err.count("\n") == 1
    assert (run.json["status"], run.json["usage"]["model"]) == ("answered", "scripted")
    assert [claim["verdict"] for claim in run.json["claims"]] == ["quoted"]
    assert ANSWER in run.json["claims"][0]["text"]
    assert KEY not in run.out + run.err


def test_nobody_listens_and_the_answer_is_read_as_ever(home: Home) -> None:
    without = home.inside("ask", FASTER, "--no-log")
    run = home(
        *("ask", FASTER, "--model", "scripted", "--no-cache"),
        OPENAI_BASE_URL=refused_address(),
        OPENAI_API_KEY=KEY,
        timeout=300,
    )
    assert (run.code, run.out) == (4, without.out)
    assert "is not reachable" in run.err
    assert "the answer without a model" in run.err
    assert run.err.count("\n") == 1


def test_no_key_is_no_reason_to_answer_nothing(home: Home) -> None:
    run = home.inside("ask", FASTER, "--model", "gpt-4o-mini", "--json")
    assert run.code == 4
    assert "no key" in run.json["fallback"]
    assert ANSWER in run.json["answer"].replace("×", "$")
    assert "OPENAI_API_KEY" in run.json["fallback"], "what to do about it"
    assert run.err.count("\n") == 1


@dataclass(frozen=True)
class Broken:
    name: str
    script: Scripted
    reason: str


BROKEN = [
    Broken("cut mid-word", streams(FIRST, "DFlash is bought by Goo", Cut), "broke off"),
    Broken("no finish reason", streams(FIRST, "DFlash is bought by Google"), "broke off"),
    Broken("an error in the middle", streams(FIRST, "DFlash is", event({"error": "gone"})), "broke off"),
    Broken("length", streams(FIRST, "DFlash is bought by Google and", chunk(finish="length")), "length limit"),
    Broken("content filter", streams(FIRST, "DFlash is", chunk(finish="content_filter")), "content filter"),
    Broken("stalled", streams(FIRST, "DFlash is bought", Pause(60)), "took too long"),
]


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case.name)
def test_a_reply_that_breaks_off_is_partial_and_no_success(home: Home, case: Broken) -> None:
    with ScriptedServer(once(case.script)) as server:
        run = home.ask(server, "--json", "--no-cache", "--timeout", "3")
    assert run.code == 4
    assert run.json["status"] == "partial"
    assert case.reason in run.json["reason"]
    assert "fallback" not in run.json
    assert case.reason in run.err
    assert run.err.count("\n") == 1
    texts = [claim["text"] for claim in run.json["claims"]]
    assert TWO[0] in texts[0]
    assert ANSWER in texts[1], "completed by quotation"
    assert "Goo" not in run.out


def test_a_partial_answer_says_so_to_the_reader(home: Home) -> None:
    with ScriptedServer(streams(FIRST, "DFlash is", Cut)) as server:
        run = home.ask(server, "--no-cache")
    assert run.code == 4
    assert "Partial answer: the model's reply broke off.\n" in run.out


QUIRKS = [
    ("thinking first", streams("<think>DFlash was bought by Google.</think>", FIRST, STOP)),
    ("a fence and a preamble", streams("Sure! Here is the answer:\n\n```\n", FIRST, "\n```", STOP)),
    ("429, then fine", None),
]


@pytest.mark.parametrize(("name", "script"), QUIRKS, ids=[name for name, _ in QUIRKS])
def test_what_a_model_wraps_around_its_answer_is_not_shown(home: Home, name: str, script: Scripted | None) -> None:
    played = (script,) if script else (refuses(429, "slow", headers={"Retry-After": "0.1"}), streams(FIRST, STOP))
    with ScriptedServer(*played) as server:
        run = home.ask(server, "--no-cache")
        assert len(server.requests) == len(played)
    assert run.code == 0
    assert TWO[0] in run.out.splitlines()[0]
    assert not any(word in run.out for word in ("Sure", "```", "think", "Google"))
