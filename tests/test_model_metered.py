"""Replies from the cache, counts, prices, and the call that is not made because it would cost too much."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import stat
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from drafting import Saying
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.errors import NotWritable, TooExpensive
from rag.model import Metered, ReplyCache, cache, metered
from rag.model.cache import key_of
from rag.model.contract import Finish, Prompt
from rag.model.prices import cost
from rag.model.tokens import estimate
from rag.settings import Settings
from rag.types import Usage

PROMPT = Prompt("Be brief.", "How fast is Sail?")


def ask(model: Metered, prompt: Prompt = PROMPT, max_tokens: int = 50) -> list[str | Finish]:
    return list(model.stream(prompt, max_tokens=max_tokens, seconds=5))


class Named(Saying):
    """One with a price, that counts nothing itself."""

    def __init__(self, name: str, *pieces: str) -> None:
        super().__init__(*pieces)
        self.name = name


def test_a_whole_reply_is_given_again_without_a_call(tmp_path: Path) -> None:
    model = Saying("Sail is ", "fast.")
    here = Settings(home=tmp_path)
    assert ask(metered(model, here)) == ["Sail is ", "fast.", Finish("stop", 100, 20)]
    again = metered(model, here)
    assert ask(again) == ["Sail is fast.", Finish("stop", calls=0)]
    assert again.usage == Usage("saying", 0, 0, 0, 0.0)
    assert len(model.prompts) == 1


@pytest.mark.parametrize("ending", ["length", "cut", "stalled", "filtered"])
def test_a_reply_that_did_not_end_is_not_kept(tmp_path: Path, ending: str) -> None:
    model = Saying("Sail is", ending=ending)
    for _ in range(2):
        assert ask(metered(model, Settings(home=tmp_path)))[-1] == Finish(ending, 100, 20)  # type: ignore[arg-type]
    assert len(model.prompts) == 2


def test_nothing_else_is_the_same_question(tmp_path: Path) -> None:
    model, here = Saying("Fast."), Settings(home=tmp_path)
    ask(metered(model, here))
    ask(metered(model, here), Prompt("Be brief.", "How fast is sail?"))
    ask(metered(model, here), Prompt("Be brief", ".How fast is Sail?"))
    ask(metered(model, here), max_tokens=51)
    ask(metered(model, here, repeat=1))
    ask(metered(model, Settings(home=tmp_path, cache=False)))
    assert len(model.prompts) == 6


def test_a_reader_that_leaves_early_keeps_nothing_and_pays(tmp_path: Path) -> None:
    model = Saying("Sail is ", "fast.")
    meter = metered(model, Settings(home=tmp_path))
    stream = meter.stream(PROMPT, max_tokens=50, seconds=5)
    next(stream)
    stream.close()
    assert model.closed
    assert meter.usage.calls == 1
    assert 0 < meter.usage.completion_tokens < 10
    assert meter.usage.prompt_tokens >= 7
    ask(metered(model, Settings(home=tmp_path)))
    assert len(model.prompts) == 2


def test_the_cache_is_its_owners_only(tmp_path: Path) -> None:
    ask(metered(Saying("Fast."), Settings(home=tmp_path)))
    path = tmp_path / "cache" / "replies.sqlite3"
    assert path.exists()
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_clearing_forgets_every_reply(tmp_path: Path) -> None:
    cache = ReplyCache.under(tmp_path)
    assert cache.clear() == 0
    for number in range(3):
        cache.put(str(number), "m", "Fast.")
    assert cache.get("1") == "Fast."
    assert cache.clear() == 3
    assert cache.get("1") is None


def test_a_full_cache_forgets_the_oldest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_MOST_REPLIES", 2)
    monkeypatch.setattr(time, "time", itertools.count(1.0).__next__)
    replies = ReplyCache.under(tmp_path)
    for number in range(4):
        replies.put(str(number), "m", f"Reply {number}.")
    assert [replies.get(str(number)) for number in range(4)] == [None, None, "Reply 2.", "Reply 3."]


def test_a_damaged_cache_is_an_empty_one(tmp_path: Path) -> None:
    cache = ReplyCache.under(tmp_path)
    cache.put("1", "m", "Fast.")
    cache.path.write_bytes(b"not a database, " * 100)
    assert cache.get("1") is None
    cache.put("1", "m", "Fast.")
    assert cache.clear() == 0
    cache.put("1", "m", "Fast.")
    assert cache.get("1") == "Fast."


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root writes anywhere")
def test_a_read_only_cache_fails_no_answer(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir(mode=0o500)
    assert ask(metered(Saying("Fast."), Settings(home=tmp_path)))[0] == "Fast."


def test_a_folder_in_the_caches_place_is_named(tmp_path: Path) -> None:
    cache = ReplyCache.under(tmp_path)
    cache.path.mkdir(parents=True)
    assert cache.get("1") is None
    cache.put("1", "m", "Fast.")
    with pytest.raises(NotWritable, match=r"replies\.sqlite3"):
        cache.clear()


def _fill(home: Path, writer: int) -> None:
    cache = ReplyCache.under(home)
    for number in range(25):
        cache.put(f"{writer}-{number}", "m", f"reply {writer}-{number}")
        cache.put("same", "m", f"by {writer}")


def test_several_processes_write_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn" if sys.platform == "win32" else "fork")
    writers = [context.Process(target=_fill, args=(tmp_path, writer)) for writer in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    cache = ReplyCache.under(tmp_path)
    kept = [cache.get(f"{writer}-{number}") for writer in range(3) for number in range(25)]
    assert kept == [f"reply {writer}-{number}" for writer in range(3) for number in range(25)]


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.text(), st.text(), st.text(), st.integers(1, 9), st.integers(0, 2)),
        unique=True,
        max_size=6,
    )
)
def test_keys_of_different_calls_differ(calls: list[tuple[str, str, str, int, int]]) -> None:
    keys = {key_of(identity, Prompt(system, user), most, repeat) for identity, system, user, most, repeat in calls}
    assert len(keys) == len(calls)


PRICES: Mapping[str, tuple[float, float]] = {"mine": (1.0, 10.0), "free": (0.0, 0.0)}


def test_costs_add_up() -> None:
    model = Metered(Named("mine", "Fast."), prices=PRICES)
    ask(model)
    ask(model)
    assert (model.usage.calls, model.usage.prompt_tokens, model.usage.completion_tokens) == (2, 200, 40)
    assert model.usage.cost_usd == pytest.approx(0.0006)


def test_an_unknown_price_stays_unknown() -> None:
    model = Metered(Named("nobody-knows", "Fast."))
    assert model.usage.cost_usd == 0.0
    ask(model)
    assert model.usage.cost_usd is None
    assert cost("gpt-4o", 1_000_000, 0, {}) == 2.5
    assert cost("gpt-4o-2024-08-06", 1_000_000, 0, {}) == 2.5
    assert cost("gpt-4o-mini-2024-07-18", 1_000_000, 0, {}) == 0.15
    assert cost("gpt-4o-audio", 1_000_000, 0, {}) is None


def test_a_call_beyond_the_limit_is_not_made() -> None:
    inner = Named("mine", "Fast.")
    model = Metered(inner, prices=PRICES, max_cost=0.0008)
    ask(model, max_tokens=50)
    with pytest.raises(TooExpensive, match=r"up to \$0\.0008, more than --max-cost \$0\.0008|up to \$0\.0") as raised:
        ask(model, max_tokens=50)
    assert len(inner.prompts) == 1
    assert "--max-cost" in raised.value.hint
    assert raised.value.exit_code == 4


def test_a_limit_that_cannot_be_kept_is_refused() -> None:
    inner = Named("nobody-knows", "Fast.")
    with pytest.raises(TooExpensive, match="price of nobody-knows is unknown"):
        ask(Metered(inner, max_cost=1.0))
    assert inner.prompts == []
    assert ask(Metered(Named("free", "Fast."), prices=PRICES, max_cost=0.001))[0] == "Fast."


def test_what_is_in_the_cache_costs_nothing(tmp_path: Path) -> None:
    cache = ReplyCache.under(tmp_path)
    inner = Named("mine", "Fast.")
    ask(Metered(inner, prices=PRICES, cache=cache))
    assert ask(Metered(inner, prices=PRICES, cache=cache, max_cost=1e-9))[0] == "Fast."


def test_the_estimate_leans_upwards() -> None:
    assert estimate("") == 0
    assert estimate("Sail is fast.") >= 4
    assert estimate("3,141.5%") >= 5
    assert estimate("快速") == 2
