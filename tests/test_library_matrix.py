"""The matrix of a folder: the exact search of a larger corpus, sealed with the folder and as true as the ledger."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

import pytest
from library_cases import WordEmbedder, folders, many, paper

from rag.errors import CorpusDamaged, NotWritable
from rag.library import Library, indexes, matrix, meaning
from rag.library.health import examine, repair
from rag.library.matrix import Matrix
from rag.library.sync import sync
from rag.types import Filters, Paper

EMBEDDER = WordEmbedder()
EVERYTHING = Filters()
QUESTIONS = ("graph risk", "number7 policy property7", "Topic11 and claim", "robot memory that matters", "code3")


@pytest.fixture(autouse=True)
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any corpus is large enough for a matrix, none so small that it is held in memory."""
    monkeypatch.setattr(matrix, "FROM", 10)
    monkeypatch.setattr(meaning, "EXACT_UP_TO", 0)


def synced(home: Path, papers: list[Paper]) -> Path:
    sync(home, "c", papers, EMBEDDER)
    (name,) = folders(home)
    return home / "corpora" / "c" / name


def as_the_ledger(home: Path, filters: Filters = EVERYTHING) -> bool:
    """Whether the folder's search and the product over the ledger's vectors find the same, by the matrix."""
    with Library.open(home, "c") as library:
        for question in QUESTIONS:
            vector = EMBEDDER.embed([question])[0]
            found, exact = (library.search_vectors(vector, 15, filters, exact=exact) for exact in (False, True))
            assert [id_ for id_, _ in found] == [id_ for id_, _ in exact]
            assert [score for _, score in found] == pytest.approx([score for _, score in exact], abs=1e-6)
        index = library._vectors._index
        return isinstance(index, indexes.FolderIndex) and isinstance(index._store, Matrix)


def test_it_finds_what_the_ledger_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = synced(tmp_path, many(60))
    assert Matrix.there(folder)
    assert as_the_ledger(tmp_path)
    monkeypatch.setattr(meaning, "_FEW", 0)
    assert as_the_ledger(tmp_path, Filters(venues=("ICML",)))


def test_the_nearest_come_first(tmp_path: Path) -> None:
    found = Matrix(synced(tmp_path, many(30))).query(EMBEDDER.embed([QUESTIONS[0]])[0], 12)
    assert len(found) == 12
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)


def test_few_changes_wait_beside_it_and_many_make_another(tmp_path: Path) -> None:
    first = synced(tmp_path, many(60))
    changed = [*many(58), paper(58, abstract="Graph risk, anew. It is short."), paper(99)]
    assert synced(tmp_path, changed) == first
    assert as_the_ledger(tmp_path)
    second = synced(tmp_path, [*changed, *many(30, first=200)])
    assert second != first
    assert Matrix.there(second)
    assert as_the_ledger(tmp_path)


def test_too_large_a_corpus_is_left_to_the_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "UP_TO", 20)
    assert not Matrix.there(synced(tmp_path, many(60)))
    assert not as_the_ledger(tmp_path)


def test_where_it_cannot_be_mapped_the_index_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced(tmp_path, many(60))

    def no_room(*_: object, **__: object) -> None:
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    monkeypatch.setattr("numpy.memmap", no_room)
    assert not as_the_ledger(tmp_path)


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5])


def zero(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


@pytest.mark.parametrize("damage", [truncate, zero, Path.unlink])
@pytest.mark.parametrize("name", ["vectors.f4", "ids.txt", "ends.i8"])
def test_damage_is_named_and_healed(tmp_path: Path, name: str, damage: Callable[[Path], None]) -> None:
    damage(synced(tmp_path, many(30)) / "exact" / name)
    with Library.open(tmp_path, "c") as library, pytest.raises(CorpusDamaged, match=name):
        library.search_vectors(EMBEDDER.embed(["graph"])[0], 3)
    (ill,) = (each for each in examine(tmp_path, "c", EMBEDDER.identity) if not each.well)
    assert name in ill.detail
    if damage is truncate:
        assert all(each.well for each in repair(tmp_path, "c", EMBEDDER))
    else:
        sync(tmp_path, "c", many(30), EMBEDDER)
    assert as_the_ledger(tmp_path)


def test_doctor_compares_it_with_the_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Damage that a seal of samples may miss."""
    folder = synced(tmp_path, many(30))
    monkeypatch.setattr("rag.library.health.check_seal", lambda *_: None)
    zero(folder / "exact" / "vectors.f4")
    (ill,) = (each for each in examine(tmp_path, "c", EMBEDDER.identity) if not each.well)
    assert "does not find 30 of its own" in ill.detail


def test_without_room_for_it_the_old_state_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = synced(tmp_path, many(30))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(matrix, "_ledger", full)
        with pytest.raises(NotWritable, match="No space left"):
            sync(tmp_path, "c", many(90), EMBEDDER)
    assert as_the_ledger(tmp_path)
    assert folders(tmp_path) == [folder.name]
