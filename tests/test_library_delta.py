"""Small changes wait beside the sealed vector folder; a search sees folder and changes as one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from library_cases import WordEmbedder, folders, many, paper

from rag.library import Library, meaning
from rag.library.health import examine, repair
from rag.library.layout import Layout
from rag.library.sync import sync
from rag.types import Filters, Paper

EMBEDDER = WordEmbedder()
PAPERS = many(200)


@pytest.fixture(autouse=True)
def through_chroma(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning, "EXACT_UP_TO", 0)


def edited(number: int) -> Paper:
    made = paper(number)
    return replace(made, abstract=f"Wholly new words about zebra{number}. {made.abstract}")


def waiting(home: Path) -> tuple[int, int]:
    with closing(sqlite3.connect(Layout.of(home, "c").catalogue)) as connection:
        meta = dict(connection.execute("SELECT name, value FROM meta"))
    return int(meta["fresh"]), int(meta["stale"])


def agrees(home: Path) -> None:
    """Whole, and every paper is found by each of its vectors, as the exact search finds it."""
    assert all(finding.well for finding in examine(home, "c", EMBEDDER.identity))
    with Library.open(home, "c") as library:
        for found in library.papers():
            for vector in library.vectors_of(found.id):
                hits = library.search_vectors(vector, 5)
                assert dict(hits)[found.id] > 0.999
                assert [round(score, 3) for _, score in hits] == [
                    round(score, 3) for _, score in library.search_vectors(vector, 5, exact=True)
                ]


def test_a_small_change_writes_no_vector_folder_and_is_found(tmp_path: Path) -> None:
    sync(tmp_path, "c", PAPERS, EMBEDDER)
    before = folders(tmp_path)
    sync(tmp_path, "c", [edited(3), *PAPERS[4:], paper(900)], EMBEDDER)
    assert folders(tmp_path) == before
    fresh, stale = waiting(tmp_path)
    assert fresh and stale
    agrees(tmp_path)
    with Library.open(tmp_path, "c") as library:
        gone = EMBEDDER.embed([f"{paper(1).title}. {paper(1).abstract}"])[0]
        assert paper(1).id not in dict(library.search_vectors(gone, 200))
        only = Filters(paper_ids=(paper(900).id,))
        assert [id_ for id_, _ in library.search_vectors(gone, 5, only)] == [paper(900).id]


def test_what_was_changed_back_is_found_and_what_came_and_went_is_not(tmp_path: Path) -> None:
    sync(tmp_path, "c", PAPERS, EMBEDDER)
    sync(tmp_path, "c", [edited(0), *PAPERS[1:], paper(900)], EMBEDDER)
    sync(tmp_path, "c", PAPERS, EMBEDDER)
    agrees(tmp_path)
    with Library.open(tmp_path, "c") as library:
        assert not library.get([paper(900).id])


def test_many_changes_are_written_into_a_folder(tmp_path: Path) -> None:
    sync(tmp_path, "c", PAPERS, EMBEDDER)
    sync(tmp_path, "c", [edited(0), *PAPERS[1:]], EMBEDDER)
    before = folders(tmp_path)
    sync(tmp_path, "c", [*map(edited, range(30)), *PAPERS[30:]], EMBEDDER)
    assert folders(tmp_path) != before
    assert len(folders(tmp_path)) == 1
    assert waiting(tmp_path) == (0, 0)
    agrees(tmp_path)


def test_a_repair_writes_them_too(tmp_path: Path) -> None:
    sync(tmp_path, "c", PAPERS, EMBEDDER)
    sync(tmp_path, "c", [edited(0), *PAPERS[1:]], EMBEDDER)
    next(Layout.of(tmp_path, "c").folder.glob("vectors-*/*/*.bin")).write_bytes(b"")
    assert all(finding.well for finding in repair(tmp_path, "c", EMBEDDER))
    assert waiting(tmp_path) == (0, 0)
    agrees(tmp_path)


def test_a_corpus_of_the_last_schema_is_read_and_upgraded_in_passing(tmp_path: Path) -> None:
    sync(tmp_path, "c", PAPERS, EMBEDDER)
    with closing(sqlite3.connect(Layout.of(tmp_path, "c").catalogue)) as connection:
        for statement in ("DROP TABLE fresh", "DROP TABLE stale", "DROP INDEX papers_url", "PRAGMA user_version = 1"):
            connection.execute(statement)
        connection.execute("DELETE FROM meta WHERE name IN ('fresh', 'stale')")
        connection.commit()
    agrees(tmp_path)
    sync(tmp_path, "c", [edited(0), *PAPERS[1:]], EMBEDDER)
    assert waiting(tmp_path)[0]
    agrees(tmp_path)


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.dictionaries(st.integers(0, 11), st.sampled_from("-ec"), max_size=3), min_size=1, max_size=4))
def test_any_history_ends_in_the_same_answers(
    tmp_path_factory: pytest.TempPathFactory, steps: list[dict[int, str]]
) -> None:
    """Each step leaves papers out (-), edits them (e) or puts them back (c)."""
    home = tmp_path_factory.mktemp("history")
    state = dict(enumerate(PAPERS[:150]))
    sync(home, "c", state.values(), EMBEDDER)
    for step in steps:
        for number, what in step.items():
            state.pop(number, None)
            if what != "-":
                state[number] = edited(number) if what == "e" else paper(number)
        sync(home, "c", state.values(), EMBEDDER)
    with Library.open(home, "c") as library:
        assert {found.id: found for found in library.papers()} == {found.id: found for found in state.values()}
        for number in range(12):
            vector = EMBEDDER.embed([f"{paper(number).title}. zebra{number}"])[0]
            exact = library.search_vectors(vector, 8, exact=True)
            assert [round(s, 3) for _, s in library.search_vectors(vector, 8)] == [round(s, 3) for _, s in exact]
