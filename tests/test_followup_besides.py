"""Another paper than the one just spoken of: left out by its id, and stood for by its topic where it is pointed at."""

from __future__ import annotations

import json

import pytest
from program import Citewell

from rag.types import Filters


@pytest.mark.parametrize(
    "message",
    ["is there another paper on reinforcement learning?", "anything else on reinforcement learning?"],
)
def test_another_paper_is_none_of_those_spoken_of(seeded: Citewell, message: str) -> None:
    first = "What does the trajectory-level data augmentation for offline reinforcement learning do?"
    run = seeded("chat", "--json", input=f"{first}\n{message}\n")
    shown = [{source["paper_id"] for source in json.loads(line)["sources"]} for line in run.out.splitlines()]
    assert shown[0]
    assert shown[1]
    assert shown[0].isdisjoint(shown[1])


def test_other_papers_on_this_are_looked_for_by_its_topic(seeded: Citewell) -> None:
    run = seeded("chat", "--json", input="What is DFlash?\nare there other papers on this?\n")
    second = json.loads(run.out.splitlines()[1])
    assert "Block Diffusion for Flash Speculative Decoding" in second["understood"]
    assert "DFlash" not in second["understood"]
    assert all("DFlash" not in source["title"] for source in second["sources"])


def test_papers_left_out_are_a_filter() -> None:
    assert Filters(without=("a",))
    assert not Filters(without=())


@pytest.mark.parametrize("message", ["what else does it achieve?", "how does it compare with other work?"])
def test_what_else_a_paper_does_is_asked_of_it(seeded: Citewell, message: str) -> None:
    run = seeded("chat", "--json", input=f"What is DFlash?\n{message}\n")
    second = json.loads(run.out.splitlines()[1])
    assert "DFlash" in second["understood"]
    assert any("DFlash" in source["title"] for source in second["sources"])
