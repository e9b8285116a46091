"""A summary in a model's words: what passes is shown, the rest is quoted; budget, failure and progress are told."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import octopus
import pytest

from evals.summaries import faults
from rag.embed import load
from rag.errors import ModelRefused
from rag.library import Library
from rag.library.reports import Progress
from rag.model import metered
from rag.model.contract import Finish, Prompt, Stream
from rag.settings import Settings
from rag.summarise import Summary, summarise
from rag.summarise.written import written

_LINE = re.compile(r"^\[([^\]]+)\] (.+)$", re.MULTILINE)


class Reading:
    """A model that reads its prompt: `write` makes its reply from the evidence, (key, sentence) each."""

    name = "reading"
    context_window: int | None = 8000

    def __init__(self, write: Callable[[list[tuple[str, str]]], str]) -> None:
        self._write = write
        self.prompts: list[Prompt] = []

    def identity(self) -> str:
        return "reading"

    def stream(self, prompt: Prompt, *, max_tokens: int, seconds: float) -> Stream:
        self.prompts.append(prompt)
        yield self._write(_LINE.findall(prompt.user))
        yield Finish("stop", 300, 40)


def honest(evidence: list[tuple[str, str]]) -> str:
    """The first two sentences that it was given, and one of its own invention."""
    told = [f"{text.rstrip('.')} [{key}]." for key, text in evidence[:2]]
    return " ".join([*told, f"Octopus robots reach an accuracy of 99.99% on every ocean [{evidence[0][0]}]."])


def failing(evidence: list[tuple[str, str]]) -> str:
    raise ModelRefused("the server said no")


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with octopus.library(tmp_path_factory.mktemp("sea")) as library:
        yield library


def told(held: Library, home: Path, model: Reading, **options: object) -> Summary:
    purse = metered(model, Settings(home=home))
    writer = partial(written, model=purse, max_risk=0.05, seconds=5.0, **options)  # type: ignore[arg-type]
    return summarise("octopus robots", held, octopus.retriever(held), load(), writer=writer)


def texts(summary: Summary) -> str:
    return " ".join(claim.text for claim in (*summary.overview, *(c for theme in summary.themes for c in theme.claims)))


def test_what_passes_is_shown_and_what_is_invented_is_dropped(held: Library, tmp_path: Path) -> None:
    model = Reading(honest)
    summary = told(held, tmp_path, model)
    assert summary.usage.model == "reading"
    assert summary.usage.calls == len(model.prompts) == len(summary.themes) + 1
    assert "99.99" not in texts(summary)
    assert len(summary.dropped) >= 1
    assert summary.risk.bound <= 0.05
    assert summary.fallback is None
    kept = [fault for fault in faults(summary, {p.id: p for p in held.papers()}) if "said twice" not in fault]
    assert [fault for fault in kept if "not the quote" not in fault] == []


def test_replies_come_from_the_cache_the_second_time(held: Library, tmp_path: Path) -> None:
    model = Reading(honest)
    first = told(held, tmp_path, model)
    asked = len(model.prompts)
    again = told(held, tmp_path, model)
    assert len(model.prompts) == asked
    assert replace(again, usage=first.usage) == first


def test_a_model_that_fails_leaves_the_quotations(held: Library, tmp_path: Path) -> None:
    plain = summarise("octopus robots", held, octopus.retriever(held), load())
    summary = told(held, tmp_path, Reading(failing))
    assert summary.model_failed
    assert summary.fallback == "the server said no; everything is quoted"
    assert texts(summary) == texts(plain)


def test_the_budget_ends_the_writing_and_says_so(held: Library, tmp_path: Path) -> None:
    model = Reading(honest)
    summary = told(held, tmp_path, model, tokens=1500)
    assert 0 < len(model.prompts) < len(summary.themes)
    assert summary.fallback is not None
    assert summary.fallback.startswith("the budget of 1,500 tokens was spent; ")
    assert not summary.model_failed
    assert all(theme.claims for theme in summary.themes)


def test_progress_counts_themes(held: Library, tmp_path: Path) -> None:
    steps: list[Progress] = []
    summary = told(held, tmp_path, Reading(honest), progress=steps.append)
    assert [step.done for step in steps] == list(range(len(summary.themes)))
    assert {step.total for step in steps} == {len(summary.themes)}
