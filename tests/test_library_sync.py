"""`sync`: what is added, changed, kept and removed, and what is embedded for it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from library_cases import WordEmbedder, folders, many, paper
from numpy.typing import NDArray

from rag.errors import EmbedderMismatch, ModelRefused, Unreadable, UsageError
from rag.library import Library
from rag.library.health import examine
from rag.library.reports import Progress
from rag.library.sync import sync
from rag.readers.merging import settle
from rag.types import Paper, Problem


def counts(report: object) -> tuple[int, int, int, int]:
    return report.added, report.changed, report.unchanged, report.removed  # type: ignore[attr-defined]


def held(home: Path) -> dict[str, Paper]:
    with Library.open(home, "c") as library:
        return {found.id: found for found in library.papers()}


def well(home: Path, embedder: WordEmbedder) -> bool:
    return all(finding.well for finding in examine(home, "c", embedder.identity))


def test_papers_come_back_as_they_were(tmp_path: Path) -> None:
    wild = paper(
        3,
        abstract="C$^2$R lone\x00nul.\r\n\u202eBidi \u200b and 论文。 End",
        title="\udfff [sic] {x}",
        venue=None,
        authors=("Ö\u0301",),
        year=None,
    )
    papers = [*many(3), wild]
    assert counts(sync(tmp_path, "c", papers, WordEmbedder())) == (4, 0, 0, 0)
    assert list(held(tmp_path).values()) == papers


def test_a_second_sync_changes_nothing_and_embeds_nothing(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    sync(tmp_path, "c", many(20), embedder)
    embedder.seen.clear()
    with Library.open(tmp_path, "c") as library:
        before, vectors = (library.generation, library.info), folders(tmp_path)
    assert counts(sync(tmp_path, "c", reversed(many(20)), embedder)) == (0, 0, 20, 0)
    assert not embedder.seen
    with Library.open(tmp_path, "c") as library:
        assert (library.generation, library.info) == before
    assert folders(tmp_path) == vectors


def test_only_what_changed_is_embedded(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    sync(tmp_path, "c", many(30), embedder)
    embedder.seen.clear()
    edited = paper(4, abstract="A wholly new sentence about zebras. " + many(5)[4].abstract)
    renamed = paper(6, venue="TMLR")
    report = sync(tmp_path, "c", [*many(4), edited, paper(5), renamed, *many(20, first=7), paper(40)], embedder)
    assert counts(report) == (1, 2, 25, 3)
    assert all("zebras" in text or "Topic4 " in text or "Topic40 " in text for text in embedder.seen)
    assert held(tmp_path)[renamed.id] == renamed
    assert well(tmp_path, embedder)
    assert len(folders(tmp_path)) == 1


def test_a_metadata_change_keeps_the_vectors(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    sync(tmp_path, "c", many(5), embedder)
    before = folders(tmp_path)
    assert counts(sync(tmp_path, "c", [*many(4), paper(4, year=1999)], embedder)) == (0, 1, 4, 0)
    assert folders(tmp_path) == before
    assert held(tmp_path)[paper(4).id].year == 1999


def test_moved_records_are_unchanged_but_know_their_new_place(tmp_path: Path) -> None:
    sync(tmp_path, "c", many(3), WordEmbedder())
    moved = [replace(each, files=("other.jsonl:9",)) for each in many(3)]
    assert counts(sync(tmp_path, "c", moved, WordEmbedder())) == (0, 0, 3, 0)
    assert {found.files for found in held(tmp_path).values()} == {("other.jsonl:9",)}


def test_one_paper_from_two_files_is_one_and_knows_both_places(tmp_path: Path) -> None:
    first = paper(1)
    again = replace(first, id="doi:10.1/abc", doi="10.1/abc", url=None, files=("b.bib:7",))
    for _ in range(2):
        for order in ([first, paper(2), again], [again, first, paper(2)]):
            report = sync(tmp_path, "c", order, WordEmbedder())
            found = held(tmp_path)
            assert len(found) == 2
            assert set(found["doi:10.1/abc"].files) == {"papers.jsonl:2", "b.bib:7"}
    assert counts(report) == (0, 0, 2, 0)
    assert counts(sync(tmp_path, "c", [first, paper(2)], WordEmbedder())) == (1, 0, 1, 1)
    assert set(held(tmp_path)) == {first.id, paper(2).id}


def test_linked_records_settle_in_any_order(tmp_path: Path) -> None:
    """The readers' rules decide which papers they are; here only that all linked records reach them."""
    link, text = "https://arxiv.org/abs/2301.00001", paper(1).abstract
    records = [
        paper(1, doi="10.1/x"),
        paper(2, id="arxiv:2301.00001", url=link, title=paper(1).title, abstract=text + " More."),
        paper(3, id="doi:10.1/x", doi="10.1/x", url=link, title=paper(1).title, abstract=text),
        paper(4),
    ]
    for order in permutations(records):
        sync(tmp_path, "c", order, WordEmbedder())
        assert held(tmp_path) == {each.id: each for each in settle(records)}


def test_two_papers_with_one_text_are_two_and_one_may_go(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    twin = paper(2, abstract=paper(1).abstract)
    sync(tmp_path, "c", [paper(1), twin], embedder)
    assert set(held(tmp_path)) == {paper(1).id, twin.id}
    assert counts(sync(tmp_path, "c", [twin], embedder)) == (0, 0, 1, 1)
    assert set(held(tmp_path)) == {twin.id}
    assert well(tmp_path, embedder)


def test_an_empty_input_does_not_wipe(tmp_path: Path) -> None:
    sync(tmp_path, "c", many(2), WordEmbedder())
    with pytest.raises(UsageError, match="keeps its 2 papers"):
        sync(tmp_path, "c", [], WordEmbedder())
    with pytest.raises(Unreadable, match=r"x\.bib:3: broken.*keeps its 2 papers"):
        sync(tmp_path, "c", [Problem("x.bib", 3, "broken")], WordEmbedder())
    with pytest.raises(UsageError):
        sync(tmp_path, "c", [], WordEmbedder(), rebuild=True)
    assert len(held(tmp_path)) == 2
    assert counts(sync(tmp_path, "c", [], WordEmbedder(), allow_empty=True)) == (0, 0, 0, 2)
    assert held(tmp_path) == {}
    with Library.open(tmp_path, "c") as library:
        assert library.search_vectors(np.ones(16, np.float32), 5) == library.search_words(["graph"], 5) == []
    assert well(tmp_path, WordEmbedder())
    assert counts(sync(tmp_path, "c", many(2), WordEmbedder())) == (2, 0, 0, 0)


def test_what_could_not_be_read_is_not_removed(tmp_path: Path) -> None:
    other = paper(3, files=("gone.bib:1",))
    sync(tmp_path, "c", [*many(3), other], WordEmbedder())
    problems = (Problem("papers.jsonl", 2, "not JSON"), Problem("gone.bib", None, "cannot be opened"))
    report = sync(tmp_path, "c", [paper(0), *problems], WordEmbedder())
    assert counts(report) == (0, 0, 3, 1)
    assert report.problems == problems
    assert set(held(tmp_path)) == {paper(0).id, paper(1).id, other.id}


@pytest.mark.parametrize("under_lock", [False, True])
def test_one_that_waits_for_others_is_waited_for_beside(under_lock: bool, tmp_path: Path) -> None:
    """An embedder that computes under Python's lock gains nothing by a thread; with either the corpus is the same."""
    threads: set[str] = set()

    class Noted(WordEmbedder):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            threads.add(threading.current_thread().name)
            return super().embed(texts)

    embedder = Noted()
    embedder.under_lock = under_lock  # type: ignore[attr-defined]
    sync(tmp_path, "c", many(9), embedder)
    assert ({threading.current_thread().name} == threads) is under_lock
    assert well(tmp_path, WordEmbedder())


class _Failing(WordEmbedder):
    under_lock = False

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise ModelRefused("no more quota")


@pytest.mark.parametrize("under_lock", [False, True])
def test_a_failing_embedder_leaves_the_old_state(under_lock: bool, tmp_path: Path) -> None:
    sync(tmp_path, "c", many(5), WordEmbedder())
    before, failing = folders(tmp_path), _Failing()
    failing.under_lock = under_lock
    with pytest.raises(ModelRefused):
        sync(tmp_path, "c", many(9), failing)
    assert set(held(tmp_path)) == {each.id for each in many(5)}
    sync(tmp_path, "c", many(5), WordEmbedder())
    assert folders(tmp_path) == before


def test_a_failing_reader_leaves_the_old_state(tmp_path: Path) -> None:
    def broken() -> Iterator[Paper]:
        yield from many(7)
        raise OSError("the disk went away")

    sync(tmp_path, "c", many(5), WordEmbedder())
    with pytest.raises(OSError, match="went away"):
        sync(tmp_path, "c", broken(), WordEmbedder())
    assert set(held(tmp_path)) == {each.id for each in many(5)}


def test_bad_vectors_are_refused(tmp_path: Path) -> None:
    class Nonsense(WordEmbedder):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return np.full((len(texts), 16), np.nan, dtype=np.float32)

    with pytest.raises(ModelRefused, match="finite"):
        sync(tmp_path, "c", many(2), Nonsense())
    sync(tmp_path, "c", many(2), WordEmbedder())
    shorter = WordEmbedder(8)
    shorter.identity = WordEmbedder().identity
    with pytest.raises(EmbedderMismatch, match="8 dimensions"):
        sync(tmp_path, "c", many(4), shorter)


def test_rebuild_takes_another_embedder(tmp_path: Path) -> None:
    sync(tmp_path, "c", many(4), WordEmbedder())
    with pytest.raises(EmbedderMismatch, match=r"words/16.*other/16"):
        sync(tmp_path, "c", many(4), WordEmbedder(identity="other"))
    sync(tmp_path, "c", many(4), WordEmbedder(8), rebuild=True)
    assert well(tmp_path, WordEmbedder(8))


def test_heavy_churn_builds_the_index_anew(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    for first in (0, 30, 45, 50):
        sync(tmp_path, "c", many(40, first=first), embedder)
        assert well(tmp_path, embedder)
        assert set(held(tmp_path)) == {each.id for each in many(40, first=first)}
        assert len(folders(tmp_path)) == 1


def test_other_rules_of_text_index_everything_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = WordEmbedder()
    sync(tmp_path, "c", many(4), embedder)
    for module in ("build", "health"):
        monkeypatch.setattr(f"rag.library.{module}.rules", lambda: "other")
    assert counts(sync(tmp_path, "c", many(4), embedder)) == (0, 0, 4, 0)
    with Library.open(tmp_path, "c") as library:
        assert library.generation == 2
    assert well(tmp_path, embedder)


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[Progress] = []
    sync(tmp_path, "c", many(3), WordEmbedder(), progress=told.append)
    assert told == [Progress("index", 3, 3)]
    sync(tmp_path, "c", many(5), WordEmbedder(), progress=told.append)
    assert told[1:] == [Progress("read", 5, 5), Progress("index", 2, 2), Progress("vectors", 2, 2)]


def test_fingerprint_depends_on_content_only(tmp_path: Path) -> None:
    sync(tmp_path, "c", many(6), WordEmbedder())
    sync(tmp_path, "d", [replace(each, files=("elsewhere:1",)) for each in reversed(many(6))], WordEmbedder(8))
    with Library.open(tmp_path, "c") as one, Library.open(tmp_path, "d") as other:
        assert one.info.fingerprint == other.info.fingerprint
    sync(tmp_path, "d", many(5), WordEmbedder(8))
    with Library.open(tmp_path, "c") as one, Library.open(tmp_path, "d") as other:
        assert one.info.fingerprint != other.info.fingerprint


@given(st.lists(st.lists(st.integers(0, 12), max_size=12), min_size=2, max_size=4))
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_history_ends_in_the_last_input(tmp_path_factory: pytest.TempPathFactory, history: list[list[int]]) -> None:
    home, embedder, before = tmp_path_factory.mktemp("history"), WordEmbedder(), set[int]()
    for numbers in history:
        report = sync(home, "c", [paper(number) for number in numbers], embedder, allow_empty=True)
        now = set(numbers)
        assert counts(report) == (len(now - before), 0, len(now & before), len(before - now))
        before = now
    assert set(held(home)) == {paper(number).id for number in before}
    assert well(home, embedder)
    assert len(folders(home)) == 1
