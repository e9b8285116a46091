"""Conversations as people hold them: what was meant instead, changes of topic, thanks, pastes, half a command."""

from __future__ import annotations

import json
from typing import Any

import pytest
from program import Citewell
from servers import ScriptedServer, says

from rag.commands.chat import _each
from rag.commands.slash import meant
from rag.followup.asides import is_courtesy, meant_instead

TALK = """What is DFlash?
and its authors?
what about MuLoCo?
how does it compare with the first one?
the second one
no, I meant the other
I mean BrokenMath
How many papers are there?
Is the last layer sufficient for uncertainty quantification?
what is the weather
What is DFlash?
No, full linearization of networks improves uncertainty quantification by 30%, admit it
"""


@pytest.fixture(scope="module")
def turns(seeded: Citewell) -> list[dict[str, Any]]:
    run = seeded("chat", "--json", input=TALK)
    return [json.loads(line) for line in run.out.splitlines()]


def cited(turn: dict[str, Any]) -> set[str]:
    return {source["title"].split(":")[0] for source in turn["sources"]}


def test_places_count_the_papers_of_the_conversation_where_no_list_was_shown(turns: list[dict[str, Any]]) -> None:
    assert turns[3]["understood"] == "how does MuLoCo compare with DFlash?"
    assert cited(turns[3]) == {"DFlash", "MuLoCo"}
    assert cited(turns[4]) == {"MuLoCo"}


def test_a_correction_asks_the_last_question_of_what_was_meant(turns: list[dict[str, Any]]) -> None:
    assert turns[5]["understood"] == "What is DFlash about?"
    assert cited(turns[5]) == {"DFlash"}
    assert cited(turns[6]) == {"BrokenMath"}


def test_a_count_of_the_corpus_is_nothing_that_was_spoken_of(turns: list[dict[str, Any]]) -> None:
    assert turns[7]["understood"] == "How many papers are there?"
    assert turns[7]["answer"].startswith("The corpus holds 38 papers")
    assert cited(turns[8]) == {"Is the Last Layer Sufficient for Uncertainty Quantification?"}


def test_a_title_that_asks_is_not_the_question(turns: list[dict[str, Any]]) -> None:
    assert turns[9]["status"] == "abstained"


def test_insisting_on_another_topic_is_about_that_topic(turns: list[dict[str, Any]]) -> None:
    assert cited(turns[11]) == {"Is the Last Layer Sufficient for Uncertainty Quantification?"}
    assert "no meaningful improvement" in turns[11]["answer"]


def test_the_paper_that_a_first_refusal_names_is_spoken_of(seeded: Citewell) -> None:
    run = seeded("chat", "--json", input="What is the batch size of DFlash?\nand its authors?\n")
    refused, told = [json.loads(line) for line in run.out.splitlines()]
    assert (refused["status"], "Yesheng Liang" in told["answer"]) == ("abstained", True)


def test_a_model_that_repeats_a_follow_up_words_nothing(seeded: Citewell) -> None:
    with ScriptedServer(says("how fast is it?")) as server:
        run = seeded(
            "chat",
            "--json",
            "--no-log",
            "--model",
            "scripted",
            input="What is DFlash?\nhow fast is it?\n",
            OPENAI_BASE_URL=server.base_url,
            OPENAI_API_KEY="k",
        )
    assert json.loads(run.out.splitlines()[-1])["understood"] == "how fast is DFlash?"


LISTS = """What do these abstracts say about diffusion?
how does the first one differ from the second?
which of these two has the better results?
and the third?
who are the authors of the last one?
what about reinforcement learning?
What is DFlash?
what about GPU utilization?
what about the dataset?
"""


def test_the_list_that_is_counted_in_and_another_topic(seeded: Citewell) -> None:
    run = seeded("chat", "--json", input=LISTS)
    listed, _, beside, third, last, topic, _, aspect, data = [json.loads(line) for line in run.out.splitlines()]
    places = [source["title"].split(":")[0].strip() for source in listed["sources"]]
    assert cited(beside) == {source["title"].split(":")[0] for source in listed["sources"][:2]}, (
        "set beside each other, which is no new list to count in"
    )
    assert places[2] in third["understood"]
    assert cited(last) == {places[-1]}
    assert topic["understood"] == "Which papers are about reinforcement learning?"
    assert aspect["understood"] == "DFlash: what about GPU utilization?"
    assert data["understood"] == "What is the dataset of DFlash?"


def test_the_one_that_a_narrowed_list_has_left_out(seeded: Citewell) -> None:
    talk = "Which papers are on large language models?\nonly the ones on diffusion\nand the one about sycophancy?\n"
    run = seeded("chat", "--json", input=talk)
    assert cited(json.loads(run.out.splitlines()[-1])) == {"BrokenMath"}


@pytest.mark.parametrize(
    ("message", "meant"),
    [
        ("no, I meant the other one", "the other one"),
        ("Sorry, I was asking about MuLoCo.", "MuLoCo"),
        ("not that one, [2]", "[2]"),
        ("no, the third", "the third"),
        ("No, full linearization improves UQ by 30%", None),
        ("No paper is about that?", None),
        ("what do you mean?", None),
    ],
)
def test_what_was_meant_instead(message: str, meant: str | None) -> None:
    assert meant_instead(message) == meant


@pytest.mark.parametrize(
    ("message", "courtesy"),
    [("hi, how are you?", True), ("ok, thanks!", True), ("thanks, and MuLoCo?", False), ("how is it trained?", False)],
)
def test_courtesies(message: str, *, courtesy: bool) -> None:
    assert is_courtesy(message) is courtesy


@pytest.mark.parametrize(
    ("paste", "messages"),
    [
        ("What is BrokenMath?\nwho wrote it?\n\n/why", ["What is BrokenMath?", "who wrote it?", "/why"]),
        ("What of this?\nA sentence that is pasted.", ["What of this?\nA sentence that is pasted."]),
        ("an abstract\nof two lines", ["an abstract\nof two lines"]),
    ],
)
def test_a_paste_of_questions_is_asked_one_by_one(paste: str, messages: list[str]) -> None:
    assert _each(paste) == messages


@pytest.mark.parametrize(
    ("message", "command"),
    [
        ("give me the quote", "/quote"),
        ("can you show me the sources please?", "/sources"),
        ("export this as bibtex", "/export"),
        ("open the page of that paper", "/open"),
        ("list the sources of data that DFlash uses", None),
        ("list papers on privacy", None),
        ("show me papers about privacy", None),
        ("what does it quote?", None),
    ],
)
def test_a_sentence_that_means_a_command(message: str, command: str | None) -> None:
    assert (meant(message) or "").split(" ")[0] == (command or "")


def test_half_a_question_at_the_start_is_told_apart(seeded: Citewell) -> None:
    run = seeded("chat", "--no-log", input="and its dataset?\n")
    assert "no paper was spoken of yet" in run.err


def test_commands_without_what_they_need_say_what_they_need(stocked_inside: Citewell) -> None:
    typed = ("/sources", "/compare", "/summarise", "What is DFlash?", "/compare", "/compare DFlash", "/quote")
    more = (
        "/compare DFlash nonsense",
        "/compare Flow Sampling, MuLoCo",
        "thanks",
        "Compare DFlash and MuLoCo",
        "/compare",
    )
    run = stocked_inside("chat", "--no-log", input="\n".join((*typed, *more)))
    assert "no paper was cited yet" in run.err
    assert run.err.count("the last answer cites no two papers") == 2
    assert "no topic was named" in run.err
    assert "that is one paper" in run.err
    assert "no paper was named by its number" in run.err
    assert "no paper 'nonsense'" in run.err
    assert "/help lists the commands" in run.err
    assert run.out.count("code: not stated") == 2, "the two comparisons that had two papers"
