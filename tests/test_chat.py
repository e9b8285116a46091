"""Conversations: the real program on a pipe and in a terminal; follow-ups, numbers, sessions, interruptions."""

from __future__ import annotations

import json
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pexpect
import pytest
from program import ROOT, Citewell, environment

from rag.followup.pointers import ORDINALS, pointed_at
from rag.types import Paper

TALK = """What is DFlash?
who wrote it?
Which papers are about offline reinforcement learning?
the second one: what does it do?
[1]: how fast is it?
What is the capital of France?
and its authors?
"""


@pytest.fixture(scope="module")
def turns(seeded: Citewell) -> list[dict[str, Any]]:
    run = seeded("chat", "--json", input=TALK)
    assert run.code == 0, run.err
    return [json.loads(line) for line in run.out.splitlines()]


def titles(turn: dict[str, Any]) -> list[str]:
    return [source["title"].split(":")[0] for source in turn["sources"]]


def test_follow_ups_stand_alone(turns: list[dict[str, Any]]) -> None:
    assert len(turns) == 7
    assert titles(turns[0]) == ["DFlash"]
    assert "Yesheng Liang" in turns[1]["answer"]
    assert turns[1]["understood"] == "who wrote DFlash?"
    assert turns[1]["question"] == "who wrote it?"
    assert titles(turns[3]) == titles(turns[2])[1:2]
    assert titles(turns[4]) == ["DFlash"]
    assert turns[5]["status"] == "abstained"
    # An abstention changes nothing of what was spoken of.
    assert "DFlash" in turns[6]["answer"]


def test_a_paper_keeps_its_number(turns: list[dict[str, Any]]) -> None:
    numbers: dict[str, int] = {}
    for turn in turns:
        for source in turn["sources"]:
            assert numbers.setdefault(source["paper_id"], source["number"]) == source["number"]
    assert sorted(numbers.values()) == list(range(1, len(numbers) + 1))
    assert all(f"[{source['number']}]" in turn["answer"] for turn in turns for source in turn["sources"])


def test_a_message_that_names_its_paper_is_taken_as_it_is(seeded: Citewell) -> None:
    run = seeded("chat", "--json", input="What is DFlash?\nWho wrote MuLoCo?\nand DFlash?\n")
    answers = [json.loads(line) for line in run.out.splitlines()]
    assert "Thérien" in answers[1]["answer"]
    assert "Yesheng Liang" in answers[2]["answer"]


def test_the_last_one_of_no_list_and_a_last_layer(seeded: Citewell) -> None:
    """An answer of one paper is no list to count in; "last-layer" counts nothing."""
    run = seeded("chat", "--json", input="What is DFlash?\nand the last one?\nwhat does the last-layer one say?\n")
    assert run.code == 0, run.err
    answers = [json.loads(line) for line in run.out.splitlines()]
    assert len(answers) == 3
    assert "last-layer" in answers[2]["understood"]


PAPERS = tuple(Paper(f"p:{place}", f"Paper {place}", "given", "Text.") for place in range(4))


@pytest.mark.parametrize("length", [0, 1, 2, 3])
def test_every_ordinal_over_lists_of_every_length(length: int) -> None:
    papers = PAPERS[:length]
    for word, place in ORDINALS.items():
        found = pointed_at(f"and the {word} one?", papers, papers, {})
        meant = papers[place:][:1] if -length <= place < length else ()
        assert [paper for each in found for paper in each.papers] == list(meant)


@pytest.mark.parametrize(
    ("message", "words", "meant"),
    [
        ("Compare the first two", "the first two", "01"),
        ("compare the last three papers, please", "the last three papers", "123"),
        ("what do the top 3 have in common?", "", ""),
        ("compare 1 and 3", "1 and 3", "02"),
        ("2 vs 4", "2 vs 4", "13"),
        ("how do papers 1, 2 and 4 differ?", "papers 1, 2 and 4", "013"),
        ("how does [1] differ from [3]?", "[1]", "02"),
        ("compare 1 and 9", "", ""),
        ("compare its accuracy at 1 and 3 bits", "", ""),
        ("does it hold for the first two layers?", "", ""),
        ("the first one of the first two", "the first one", "001"),
    ],
)
def test_several_papers_are_pointed_at(message: str, words: str, meant: str) -> None:
    numbers = {place + 1: paper for place, paper in enumerate(PAPERS)}
    found = pointed_at(message, PAPERS, PAPERS[:1], numbers)
    assert [message[each.start : each.end] for each in found][:1] == ([words] if words else [])
    assert [paper for each in found for paper in each.papers] == [PAPERS[int(place)] for place in meant]


@pytest.mark.parametrize(
    ("message", "listed", "spoken", "meant"),
    [
        ("compare both", 2, 2, "01"),
        ("what do these two share?", 4, 2, ""),
        ("compare these two", 4, 2, "01"),
        ("compare both", 4, 4, ""),
        ("do both of them hold?", 2, 1, "01"),
        ("does it hold for both layers?", 2, 2, ""),
        ("and the other one?", 2, 1, "1"),
        ("and the other one?", 3, 1, "1"),
        ("what about the others?", 3, 1, "12"),
        ("the other side of it", 2, 1, ""),
    ],
)
def test_both_and_the_other(message: str, listed: int, spoken: int, meant: str) -> None:
    found = pointed_at(message, PAPERS[:listed], PAPERS[:spoken], {})
    assert [paper for each in found for paper in each.papers] == [PAPERS[int(place)] for place in meant]


def test_both_may_be_the_only_two_that_the_conversation_showed() -> None:
    (both,) = pointed_at("compare both", (), PAPERS[:1], {1: PAPERS[0], 2: PAPERS[1]})
    assert both.papers == tuple(PAPERS[:2])
    assert not pointed_at("compare both", (), PAPERS[:1], dict(enumerate(PAPERS[:3], start=1)))


def test_a_comparison_of_papers_pointed_at(seeded: Citewell) -> None:
    talk = "Which papers are about reinforcement learning?\ncompare 1 and 3\nCompare them\nwhat about the others?"
    run = seeded("chat", "--json", input=talk)
    listed, few, them, others = [json.loads(line) for line in run.out.splitlines()]
    assert titles(few) == titles(them) == [titles(listed)[0], titles(listed)[2]]
    assert others["understood"].count("“") == len(listed["sources"]) - 2


def test_a_comparison_keeps_the_order_of_the_question(seeded: Citewell) -> None:
    first = "Beyond Rewards in RL for Cyber Defence"
    second = "“Is the Last Layer Sufficient for Uncertainty Quantification?”"
    for sides in ((first, second), (second, first)):
        found = seeded("ask", f"Compare {sides[0]} and {sides[1]}", "--json").json
        assert [source["title"] for source in found["sources"]] == [side.strip("“”") for side in sides]


def test_the_last_question_of_another_paper(seeded: Citewell) -> None:
    talk = "Compare FedPissa and MuLoCo\nwhat does the first one save?\nand the second one?\nand the other one?"
    run = seeded("chat", "--json", input=talk)
    asked = [json.loads(line)["understood"] for line in run.out.splitlines()]
    assert asked[1:] == ["what does FedPissa save?", "what does MuLoCo save?", "what does FedPissa save?"]


def test_courtesies_are_no_questions_and_leave_the_conversation_as_it_is(seeded: Citewell) -> None:
    run = seeded("chat", "--json", input="What is DFlash?\nok, thanks a lot!\nwho wrote it?\nquit\nWhat is MuLoCo?\n")
    first, courtesy, after = [json.loads(line) for line in run.out.splitlines()]
    assert run.code == 0
    assert (courtesy["status"], courtesy["understood"]) == ("abstained", "ok, thanks a lot!")
    assert courtesy["reason"] == "the question names nothing that could be looked up"
    assert titles(after) == titles(first) == ["DFlash"]


def test_commands_in_a_conversation(stocked_inside: Citewell, tmp_path: Path) -> None:
    typed = ("What is DFlash?", "/why", "/sources", "/quote 1", "/cost", "/export refs.bib", "/quote 9", "/nonsense")
    run = stocked_inside("chat", input="\n".join((*typed, "/reset", "/sources", "/exit", "never asked")))
    assert "understood What is DFlash?" in run.out
    assert "[1] openreview:Oz335dV48X" in run.out
    assert "“In this paper, we introduce **DFlash**" in run.out
    assert "0 calls" in run.out
    assert "chen2026dflash" in (tmp_path / "refs.bib").read_text()
    assert "no paper has the number '9'" in run.err
    assert "no command /nonsense" in run.err
    assert "never asked" not in run.out


def test_a_conversation_goes_on_after_a_kill(stocked_inside: Citewell, tmp_path: Path) -> None:
    child = pexpect.spawn(
        sys.executable,
        [str(ROOT / "cli.py"), "chat", "--json"],
        env=environment(tmp_path),
        cwd=str(tmp_path),
        timeout=300,
    )
    child.setecho(False)
    child.sendline("What is DFlash?")
    child.expect('"status": "answered"')
    time.sleep(1.0)
    child.kill(signal.SIGKILL)
    child.wait()
    run = stocked_inside("chat", "--continue", "--json", input="who wrote it?\n")
    assert "Yesheng Liang" in run.json["answer"], run.err
    assert run.json["sources"][0]["number"] == 1
    assert "What is DFlash?" in stocked_inside("chat", "--list").out


def test_history_tells_how_a_follow_up_was_understood_and_the_first_thing_said(stocked_inside: Citewell) -> None:
    assert stocked_inside("chat", "--json", input="What is DFlash?\nwho wrote it?\n").code == 0
    latest, before = stocked_inside("history", "-n", "2").out.split("answered")[1:]
    assert "understood: who wrote DFlash?" in latest
    assert "understood" not in before
    assert len(before.strip().splitlines()) == 2, "the question, and one sentence"
    assert stocked_inside("history", "--clear").code == 0


def test_history_replay_and_export_follow_an_answer(stocked_inside: Citewell) -> None:
    assert stocked_inside("ask", "Who wrote MuLoCo?").code == 0
    assert stocked_inside("ask", "What is the capital of France?", "--no-log").code == 3
    listed = stocked_inside("history")
    assert "Who wrote MuLoCo?" in listed.out
    assert "France" not in listed.out
    assert stocked_inside("history", "zzzz").code == 3
    again = stocked_inside("replay", "1")
    assert (again.code, again.out.strip()) == (0, "the same answer")
    assert stocked_inside("replay", "99").code == 2
    exported = stocked_inside("export", "--last")
    assert exported.code == 0
    assert "2026muloco" in exported.out
    assert stocked_inside("export", "no such paper").code == 3
    assert stocked_inside("export").code == 2
    assert stocked_inside("history", "--clear").code == 0
    assert stocked_inside("history").code == 3
