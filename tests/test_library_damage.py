"""Files that are cut short, zeroed, scrambled, swapped or gone: each named, with its way back."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from library_cases import EMBEDDER, WordEmbedder, folder, many, nearest

from rag.errors import CorpusDamaged, CorpusError
from rag.library import Library, meaning
from rag.library.health import examine, repair
from rag.library.sync import sync


@pytest.fixture
def home(sixty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A corpus of its own for each test, searched through Chroma."""
    monkeypatch.setattr(meaning, "EXACT_UP_TO", 0)
    shutil.copytree(sixty, tmp_path / "home")
    return tmp_path / "home"


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def zero(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def scramble(path: Path) -> None:
    path.write_bytes(np.random.default_rng(0).bytes(path.stat().st_size))


INDEX_FILES = ("data_level0.bin", "header.bin", "length.bin", "link_lists.bin", "index_metadata.pickle")


@pytest.mark.parametrize("harm", [truncate, zero, scramble, Path.unlink])
@pytest.mark.parametrize("name", INDEX_FILES)
def test_harmed_index_files_are_named_and_repaired(home: Path, name: str, harm: Callable[[Path], None]) -> None:
    path = next(folder(home).glob(f"vectors-*/*/{name}"))
    if not path.stat().st_size:
        pytest.skip(f"{name} is empty in a corpus of this size")
    harm(path)
    with pytest.raises(CorpusDamaged, match=name) as caught:
        nearest(home)
    assert "doctor --repair" in caught.value.hint
    assert any(not finding.well and name in finding.detail for finding in examine(home, "c", EMBEDDER.identity))
    assert [finding for finding in repair(home, "c", EMBEDDER) if not finding.well] == []
    assert nearest(home).endswith("00007")


@pytest.mark.parametrize("harm", [truncate, zero, scramble, Path.unlink])
def test_a_harmed_chroma_database_is_repaired(home: Path, harm: Callable[[Path], None]) -> None:
    harm(next(folder(home).glob("vectors-*/chroma.sqlite3")))
    with pytest.raises(CorpusDamaged, match="vectors"):
        nearest(home)
    assert [finding for finding in repair(home, "c", EMBEDDER) if not finding.well] == []
    assert nearest(home).endswith("00007")


def test_a_missing_vector_folder_is_healed_by_the_next_sync(home: Path) -> None:
    shutil.rmtree(next(folder(home).glob("vectors-*")))
    with pytest.raises(CorpusDamaged, match="missing"):
        nearest(home)
    embedder = WordEmbedder()
    report = sync(home, "c", many(60), embedder)
    assert report.unchanged == 60
    assert report.healed
    assert not embedder.seen
    assert nearest(home).endswith("00007")


def test_another_corpus_vectors_are_recognised(home: Path) -> None:
    sync(home, "d", many(60, first=100), EMBEDDER)
    ours, theirs = next(folder(home).glob("vectors-*")), next(folder(home, "d").glob("vectors-*"))
    shutil.rmtree(ours)
    shutil.copytree(theirs, ours)
    with pytest.raises(CorpusDamaged):
        nearest(home)


@pytest.mark.parametrize("harm", [truncate, zero, scramble, Path.unlink])
def test_a_harmed_vector_cache_is_embedded_again(home: Path, harm: Callable[[Path], None]) -> None:
    harm(folder(home) / "embeddings.sqlite")
    assert any(not finding.well for finding in examine(home, "c", EMBEDDER.identity))
    sync(home, "c", many(60), EMBEDDER)
    assert all(finding.well for finding in examine(home, "c", EMBEDDER.identity))


@pytest.mark.parametrize("harm", [truncate, zero, scramble])
def test_a_harmed_catalogue_is_never_told_as_empty(home: Path, harm: Callable[[Path], None]) -> None:
    harm(folder(home) / "catalogue.sqlite")
    with pytest.raises(CorpusDamaged) as caught, Library.open(home, "c") as library:
        list(library.papers())
    assert "--rebuild" in caught.value.hint
    with pytest.raises(CorpusError):
        sync(home, "c", many(60), EMBEDDER)
    assert not all(finding.well for finding in examine(home, "c"))
    embedder = WordEmbedder()
    assert sync(home, "c", many(60), embedder, rebuild=True).added == 60
    assert not embedder.seen  # the vector cache was not harmed
    assert all(finding.well for finding in examine(home, "c", EMBEDDER.identity))


def test_harmed_rows_are_noticed(home: Path) -> None:
    """Every page of the catalogue in turn: reading it all either works or says that it is damaged."""
    path = folder(home) / "catalogue.sqlite"
    whole, page = path.read_bytes(), 4096
    for start in range(0, len(whole), page * 5):
        path.write_bytes(whole[:start] + bytes(page) + whole[start + page :])
        try:
            with Library.open(home, "c") as library:
                list(library.papers())
                library.search_words(["studi"], 100)
        except CorpusError:
            pass
        findings = examine(home, "c", EMBEDDER.identity)
        assert not all(finding.well for finding in findings), start


def test_words_are_searched_though_the_vectors_are_gone(home: Path) -> None:
    shutil.rmtree(next(folder(home).glob("vectors-*")))
    with Library.open(home, "c") as library:
        assert library.search_words(["number7"], 1)[0][0].endswith("00007")
