"""Conversations on disk: a line a turn, the one written to last first, and nothing lost behind a line cut off."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rag.errors import UsageError
from rag.sessions import Session, Sessions, Turn

KEY = "sk-0123456789abcdef"


def turn(message: str, *papers: str) -> Turn:
    return Turn(message, f"{message} (alone)", {"answer": "…", "sources": [{"paper_id": each} for each in papers]})


def test_what_was_said_is_read_back(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path, secrets=[KEY, None])
    session = sessions.append(sessions.begin("reef"), turn("What is Sail?", "a", "b"))
    session = sessions.append(session, turn(f"My key is {KEY}.", "b", "c"))
    found = sessions.load(session.id)
    assert (found.corpus, [each.message for each in found.turns]) == ("reef", ["What is Sail?", "My key is ***."])
    assert found.turns[0].understood == "What is Sail? (alone)"
    assert found.paper_ids == session.paper_ids == ("a", "b", "c")


def test_the_one_written_to_last_comes_first(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path)
    for at, name in enumerate(("older", "newest", "oldest")):
        sessions.append(Session(name, "c"), turn("Hm?"))
        os.utime(sessions.path(name), (at, (1, 2, 0)[at]))
    assert sessions.ids() == ("newest", "older", "oldest")
    assert sessions.latest().id == "newest"


def test_a_turn_behind_one_that_a_crash_cut_off_is_kept(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path)
    session = sessions.append(sessions.begin("c"), turn("First?"))
    with sessions.path(session.id).open("ab") as file:
        file.write(b'{"corpus": "c", "mess')
    sessions.append(session, turn("Third?"))
    assert [each.message for each in sessions.load(session.id).turns] == ["First?", "Third?"]
    assert sessions.unread(session.id) == (1, 0)


@pytest.mark.parametrize("name", ["", "../history", "none-such"])
def test_what_is_no_conversation_is_said_to_be_none(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError):
        Sessions(tmp_path).load(name)
