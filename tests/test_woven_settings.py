"""The settings of an answer with a model, in the real program: one call, the cache, the purse, the log, the key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from asking_models import ANSWER, FASTER, KEY, TWO, Home, evidence_lines, streams
from program import SEEDS
from servers import Reply, Scripted, ScriptedServer, chunk, refuses, says

REPLY = streams(f"{{{TWO[0]}}} {{{ANSWER}}}", chunk(finish="stop"))


@pytest.fixture(scope="module")
def home(seeds_home: Path) -> Home:
    return Home(seeds_home)


def test_a_plain_question_is_one_call_and_the_same_again_none(home: Home) -> None:
    with ScriptedServer(REPLY) as server:
        first = home.ask(server, "--json")
        assert (first.code, len(server.requests)) == (0, 1)
        assert first.json["usage"]["calls"] == 1
        assert [TWO[0] in first.json["claims"][0]["text"], ANSWER in first.json["claims"][1]["text"]] == [
            True,
            True,
        ]
        again = home.ask(server, "--json")
        assert (again.code, len(server.requests)) == (0, 1)
        assert again.json["usage"]["calls"] == 0
        assert again.json["claims"] == first.json["claims"]
        told = home.ask(server, "--no-cache", "-v")
        assert told.err.count("1 call,") == 1, "what it cost is said once"
        assert len(server.requests) == 2
        assert "1 replies forgotten" in home.inside("cache", "clear").err
        home.ask(server)
        assert len(server.requests) == 3


def test_the_log_replays_an_answer_and_shows_what_differs(home: Home) -> None:
    with ScriptedServer(REPLY) as server:
        asked = home.ask(server, "--no-cache", "--json").json
        entry = json.loads(home.inside("history", "-n", "1", "--json").out)
        assert entry["answer"]["claims"] == asked["claims"]
        assert entry["model"].endswith(" scripted")
        env = {"OPENAI_API_KEY": KEY}
        same = home.inside("replay", str(entry["id"]), "--no-cache", **env)
        assert (same.code, same.out) == (0, "the same answer\n")
    with ScriptedServer(says("NO ANSWER")) as server:
        before = home.ask(server, "--no-cache", "--json")
        assert before.json["claims"] != asked["claims"]


def test_a_dry_run_shows_the_prompt_and_calls_nothing(home: Home) -> None:
    with ScriptedServer(refuses(500, "called")) as server:
        run = home.ask(server, "--dry-run")
        assert (run.code, server.requests) == (0, [])
    assert run.out.startswith("Answer a researcher's question from evidence alone")
    assert f"Question: {FASTER}" in run.out
    assert "[kx1] " in run.out
    without = home.inside("ask", FASTER, "--dry-run")
    assert without.code == 0
    assert without.out == run.out, "no model and no key are needed to see it"


def test_nothing_is_asked_where_nothing_is_found(home: Home) -> None:
    with ScriptedServer(refuses(500, "called")) as server:
        run = home.ask(server, "--json", question="What is the capital of France?")
        assert (run.code, server.requests) == (3, [])
    assert run.json["usage"]["calls"] == 0
    assert run.err == ""


def test_a_call_that_may_cost_too_much_is_not_made(home: Home) -> None:
    with ScriptedServer(REPLY) as server:
        dear = home.ask(server, "--max-cost", "0.0001", "--no-cache", "--json", "--model", "gpt-4o")
        unknown = home.ask(server, "--max-cost", "1", "--no-cache", "--json")
        assert server.requests == []
        fair = home.ask(server, "--max-cost", "1", "--no-cache", "--json", "--model", "gpt-4o-mini")
        assert len(server.requests) == 1
    assert (dear.code, unknown.code, fair.code) == (4, 4, 0)
    assert "may cost" in dear.json["fallback"]
    assert "price of scripted is unknown" in unknown.json["fallback"]
    assert 0 < fair.json["usage"]["cost_usd"] < 1


def test_doctor_makes_one_tiny_call(home: Home) -> None:
    env = {"OPENAI_API_KEY": KEY}
    with ScriptedServer(says("yes")) as server:
        run = home.inside("doctor", "--model", "scripted", OPENAI_BASE_URL=server.base_url, **env)
        assert (run.code, len(server.requests)) == (0, 1)
        assert server.requests[0]["max_tokens"] <= 16
    assert "answers in" in run.out
    with ScriptedServer(refuses(401, f"bad key {KEY}")) as server:
        run = home.inside("doctor", "--model", "scripted", OPENAI_BASE_URL=server.base_url, **env)
    assert run.code == 4
    assert KEY not in run.out + run.err


def test_the_key_reaches_the_server_and_nothing_else(home: Home) -> None:
    question = f"How much faster is DFlash than EAGLE-3? ({KEY})"
    with ScriptedServer(streams(f"{{{TWO[0]}}} The key is {KEY} [kx1].", chunk(finish="stop"))) as server:
        shown = home.ask(server, "-v")
        logged = home.ask(server, "--json", question=question)
        assert {each["authorization"] for each in server.headers} == {f"Bearer {KEY}"}
    assert KEY not in shown.out
    assert KEY in logged.json["question"], "what was typed is given back, and logged without it"
    files = [each for each in home.path.rglob("*") if each.is_file()]
    assert any(each.name.startswith("history") for each in files)
    holding = [each.name for each in files if KEY.encode() in each.read_bytes()]
    assert holding == []
    assert SEEDS.is_dir()


def test_a_judge_only_lowers_trust(home: Home) -> None:
    """It is asked of what a model wrote in words of its own, and what it objects to is not shown; it saves nothing that
    the check drops, and a quotation needs no second opinion."""
    own = "DFlash achieves over 6x lossless acceleration across a range of models"
    wrong = "DFlash achieves over 9x lossless acceleration across a range of models"

    def judging(verdict: str) -> Scripted:
        def answer(body: dict[str, Any]) -> Reply:
            user = body["messages"][-1]["content"]
            if "\nClaim: " in user:
                return says(verdict)
            if "\nQuestion: " not in user:
                return says("NONE")
            key = next(key for key, text in evidence_lines(body) if ANSWER in text)
            return says(f"{own} [{key}]. {wrong} [{key}].")

        return answer

    shown = {}
    for verdict in ("SUPPORTED", "CONTRADICTED", "MISSING", "I cannot tell."):
        with ScriptedServer(judging(verdict)) as server:
            run = home.ask(server, "--judge", "--json", "--no-cache")
            asked = [each["messages"][-1]["content"] for each in server.requests]
        assert run.code == 0
        assert sum("\nClaim: " in each for each in asked) == 1, "of the one that passed, not of the quotation"
        shown[verdict] = [claim["text"] for claim in run.json["claims"]]
        assert not any("9x" in text for text in shown[verdict]), "a judge saves nothing"
        reasons = [each["reason"] for each in run.json["dropped"]]
        objects = verdict in ("CONTRADICTED", "MISSING")
        assert any("the judge finds it" in reason for reason in reasons) is objects
        assert any(own in text for text in shown[verdict]) is not objects
        assert any(ANSWER in text for text in shown[verdict])
    with ScriptedServer(judging("CONTRADICTED")) as server:
        without = home.ask(server, "--json", "--no-cache")
        assert not any("\nClaim: " in each["messages"][-1]["content"] for each in server.requests)
    assert [claim["text"] for claim in without.json["claims"]] == shown["SUPPORTED"]
