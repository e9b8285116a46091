"""Of a list that was shown: which of them, others, the whole again, the one before; the last answer shorter."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from program import Citewell

from rag.followup.asides import asked_shorter
from rag.followup.focus import short_name
from rag.types import Paper

LIST = "Which papers use reinforcement learning?"


def said(seeded: Citewell, *messages: str) -> list[dict[str, Any]]:
    run = seeded("chat", "--json", "--no-log", input="\n".join(messages))
    return [json.loads(line) for line in run.out.splitlines()]


def cited(turn: dict[str, Any]) -> list[str]:
    return [source["paper_id"] for source in turn["sources"]]


@pytest.mark.parametrize("message", ["which of them has code?", "which ones have code?", "and which has code?"])
def test_one_of_a_list_is_picked_after_a_single_paper_was_spoken_of(seeded: Citewell, message: str) -> None:
    shown, _, picked = said(seeded, LIST, "expand on the second", message)
    assert len(cited(shown)) > 2
    assert picked["status"] == "answered"
    assert len(cited(picked)) == 1
    assert set(cited(picked)) < set(cited(shown))
    assert "ode" in picked["answer"]


@pytest.mark.parametrize("message", ["list them again", "back to the list", "how many are there?"])
def test_the_whole_list_again(seeded: Citewell, message: str) -> None:
    shown, _, again = said(seeded, LIST, "expand on the second", message)
    assert cited(again) == cited(shown)


def test_others_are_none_that_were_shown(seeded: Citewell) -> None:
    shown, others, _, more = said(
        seeded, "Which papers are about diffusion?", "any others?", "What is DFlash?", "others?"
    )
    assert not set(cited(others)) & set(cited(shown))
    assert more["understood"] == "Which papers are about diffusion?"


def test_the_list_is_narrowed_by_a_year_alone(seeded: Citewell) -> None:
    shown, year, last = said(seeded, LIST, "and in 2026?", "what about 2019?")
    assert cited(year) == cited(shown)
    assert last["reason"] == "no paper here is from 2019"


def test_two_papers_spoken_of_one_by_one_are_compared(seeded: Citewell) -> None:
    *_, faster, cost = said(seeded, "Who wrote DFlash?", "and MuLoCo?", "which is faster?", "on cost")
    assert len(cited(faster)) == 2
    assert cost["understood"] == "Compare DFlash and MuLoCo on cost"


def test_what_was_pointed_at_in_vain_is_spoken_of(seeded: Citewell) -> None:
    shown, refused, told = said(seeded, LIST, "does the second have code?", "who wrote it?")
    assert refused["status"] == "abstained"
    assert cited(told) == cited(shown)[1:2]


def test_the_previous_one_and_bare_numbers(seeded: Citewell) -> None:
    *_, back, second, both = said(
        seeded,
        "What is DFlash?",
        "What is MuLoCo?",
        "go back to the previous",
        "and 2?",
        "what's the difference between 1 and 2?",
    )
    assert back["understood"] == "What is DFlash?"
    assert second["understood"] == "What is MuLoCo?"
    assert both["understood"] == "what's the difference between DFlash and MuLoCo?"


@pytest.mark.parametrize(
    ("message", "understood"),
    [
        ("authors?", "Who are the authors of DFlash?"),
        ("and its year?", "When was DFlash published?"),
        ("[1] venue", "Where was DFlash published?"),
        ("link", "What is the link to the paper DFlash?"),
    ],
)
def test_what_the_catalogue_knows_is_asked_of_it(seeded: Citewell, message: str, understood: str) -> None:
    *_, told = said(seeded, "What is DFlash?", message)
    assert (told["understood"], told["status"]) == (understood, "answered")
    assert "DFlash" in told["answer"]


def test_shorter_is_the_last_answer_with_fewer_sentences(seeded: Citewell) -> None:
    shown, half, one = said(seeded, LIST, "shorter", "in one sentence, please")
    assert [len(turn["claims"]) for turn in (half, one)] == [len(shown["claims"]) // 2, 1]
    assert half["claims"] == shown["claims"][: len(half["claims"])]
    assert cited(half) == cited(shown)[: len(half["claims"])]


@pytest.mark.parametrize("message", ["which shorter sequences?", "what is a short paper?", "training in one step"])
def test_a_question_about_short_things_is_one(message: str) -> None:
    assert asked_shorter(message, 4) is None


@pytest.mark.parametrize("message", ["does it have code?", "does it use a transformer?"])
def test_a_paper_without_a_short_name_is_refused_like_any_other(seeded: Citewell, message: str) -> None:
    """Its title stood in the question, and its many words hid what was asked."""
    *_, refused = said(seeded, LIST, "what about the third?", message)
    assert "Analogies" in refused["understood"]
    assert refused["status"] == "abstained"


COMMANDS = """/sources
What is DFlash?
/compare MuLoCo DFlash "Flow Sampling"
does the third have code?
/quote 1
/quote 9
/papers diffusion
/why
/summarise diffusion models
what about the second?
/compear
"""


def test_commands_answer_in_json_a_line_each_and_what_they_show_is_spoken_of(seeded: Citewell) -> None:
    run = seeded("chat", "--json", "--no-log", input=COMMANDS)
    none, _, compared, third, quotes, unknown, papers, why, summary, second, typo = map(
        json.loads, run.out.splitlines()
    )
    assert none == {"sources": []}
    numbers = [source["number"] for source in compared["sources"]]
    assert numbers == [2, 1, 3], "the numbers of the conversation"
    assert [row["source"] for row in compared["rows"]] == numbers
    assert third["understood"] == "does Flow Sampling have code?"
    assert {quote["source"] for quote in quotes["quotes"]} == {1}
    assert unknown["error"]["code"] == "usage"
    assert papers["papers"][0]["rank"] == 1
    assert why["understood"] == third["understood"]
    assert cited(second) == [summary["sources"][1]["paper_id"]]
    assert "/compare" in typo["error"]["hint"]


def test_words_before_a_colon_are_a_name_only_where_the_abstract_uses_them() -> None:
    paper = Paper("a", "The Hidden Risk: Attacks by Imbalance", "given", "We study attacks in federated learning.")
    assert short_name(paper) is None
    assert short_name(replace(paper, abstract="We call it the hidden risk.")) == "The Hidden Risk"
    assert short_name(replace(paper, title="DFlash: Drafting")) == "DFlash"


def test_a_pipe_of_commands_alone_has_asked_nothing_in_vain(inside: Citewell) -> None:
    run = inside("chat", "--json", input="/compare DFlash MuLoCo\n/compare DFlash Mulllll\n")
    both, one = map(json.loads, run.out.splitlines())
    assert (run.code, len(both["rows"]), one["unknown"]) == (0, 2, ["Mulllll"])
    inside("chat", input="What is DFlash?\n")
    (kept,) = map(json.loads, inside("chat", "--list", "--json").out.splitlines())
    assert (kept["turns"], kept["first"]) == (1, "What is DFlash?")
