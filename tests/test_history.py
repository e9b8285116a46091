"""The local log: what went in comes out, from several processes, and no secret goes in."""

from __future__ import annotations

import multiprocessing
import stat
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag.errors import NotWritable, Unreadable, UsageError
from rag.history import Entry, History, public
from rag.settings import Settings
from rag.types import Filters

ANSWER = {
    "status": "answered",
    "answer": "Sail is up to 3.1x faster [1].",
    "claims": [{"text": "…", "risk": 0.01}],
}


def entry(question: str = "How fast is Sail?", answer: str = "Sail is up to 3.1x faster [1].") -> Entry:
    return Entry(
        question,
        {**ANSWER, "answer": answer},
        Filters(year_from=2024, venues=("ICML",), paper_ids=("doi:10.1/sail",)),
        {"top_k": 10, "model": "gpt-4o-mini"},
        fingerprint="f1",
        model="api.openai.com gpt-4o-mini",
        prompt="p1",
        raw="Sail is up to 3.1x faster [kx3].",
        turns=("What is Sail?",),
    )


def test_an_entry_comes_back_whole(tmp_path: Path) -> None:
    history = History(tmp_path / "home")
    logged = history.add(entry())
    assert logged.id == 1
    assert logged.at.endswith("+00:00")
    for reference in (1, "1", "#1"):
        assert history.get(reference) == logged
    assert logged == Entry(**{**{name: getattr(entry(), name) for name in Entry.__slots__}, "id": 1, "at": logged.at})
    assert history.latest() == (logged,)


def test_the_newest_come_first(tmp_path: Path) -> None:
    history = History(tmp_path)
    for number in range(5):
        history.add(entry(f"Question {number}?"))
    assert [one.question for one in history.latest(3)] == ["Question 4?", "Question 3?", "Question 2?"]


def test_words_are_looked_for_in_questions_and_answers(tmp_path: Path) -> None:
    history = History(tmp_path)
    history.add(entry("How fast is Sail?", "Very fast, 40% more."))
    history.add(entry("What is Keel?", "A model_x."))
    assert [one.id for one in history.latest(words="SAIL fast")] == [1]
    assert history.latest(words="SAIL model_x") == ()
    assert [one.id for one in history.latest(words="40%")] == [1]
    assert [one.id for one in history.latest(words="model_x")] == [2]
    assert history.latest(words="modelsx") == ()
    assert history.latest(words="fingerprint") == ()
    assert len(history.latest(words="  ")) == 2


@pytest.mark.parametrize("reference", ["2", "0", "-1", "x", "", "1.0", "9" * 30, "²"])
def test_an_id_that_is_not_there_is_wrong_usage(tmp_path: Path, reference: str) -> None:
    history = History(tmp_path)
    with pytest.raises(UsageError, match="no answer"):
        history.get(reference)
    history.add(entry())
    with pytest.raises(UsageError, match="no answer"):
        history.get(reference)


def test_looking_creates_nothing(tmp_path: Path) -> None:
    history = History(tmp_path / "home")
    assert history.latest() == ()
    assert history.clear() == 0
    assert not (tmp_path / "home").exists()


def test_clearing_forgets_everything(tmp_path: Path) -> None:
    history = History(tmp_path)
    history.add(entry("A private question?"))
    assert history.clear() == 1
    assert history.latest() == ()
    assert b"private" not in history.path.read_bytes()


def test_no_secret_is_written(tmp_path: Path) -> None:
    key = 'sk-"secret"-0123\\456'
    history = History(tmp_path)
    logged = history.add(entry(f"What is {key}?", f"It is {key}."), secrets=(key, None, ""))
    assert logged.question == "What is ***?"
    assert logged.answer["answer"] == "It is ***."
    written = history.path.read_bytes()
    assert b"secret" not in written
    given_settings = Settings(
        home=tmp_path,
        api_key=key,
        model='a.b:C?{"api_key": "hunter2"}',
        base_url="http://me:hunter2@host/v1?key=hunter2",
    )
    assert "hunter2" not in str(public(given_settings))
    assert "secret" not in str(public(given_settings))
    assert public(given_settings)["model"] == "a.b:C"
    assert public(given_settings)["base_url"] == "http://host/v1"


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files")
def test_the_file_is_its_owners_only(tmp_path: Path) -> None:
    history = History(tmp_path)
    history.add(entry())
    assert stat.S_IMODE(history.path.stat().st_mode) == 0o600


def _write(home: Path, writer: int) -> None:
    for number in range(20):
        History(home).add(entry(f"By {writer}, {number}?"))


def test_several_processes_log_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn" if sys.platform == "win32" else "fork")
    writers = [context.Process(target=_write, args=(tmp_path, writer)) for writer in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    logged = History(tmp_path).latest(100)
    assert {one.question for one in logged} == {
        f"By {writer}, {number}?" for writer in range(3) for number in range(20)
    }
    assert sorted(one.id for one in logged) == list(range(1, 61))


def test_a_damaged_history_is_named(tmp_path: Path) -> None:
    history = History(tmp_path)
    history.path.write_bytes(b"not a database, " * 100)
    with pytest.raises(Unreadable, match="is damaged"):
        history.latest()
    history.path.unlink()
    history.path.mkdir()
    with pytest.raises(NotWritable, match=r"history\.sqlite3"):
        history.add(entry())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30, deadline=None)
@given(st.text(max_size=50), st.text(max_size=50))
def test_any_text_can_be_logged(tmp_path: Path, question: str, raw: str) -> None:
    history = History(tmp_path)
    logged = history.add(Entry(question, {"answer": raw}, raw=raw))
    assert history.get(logged.id) == logged
