"""Vectors on a Chroma server: a real `chroma run` on loopback, several homes, moves there and back."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from chroma_server import running
from library_cases import WordEmbedder, folders, many, paper
from program import Citewell

from rag.errors import CorpusDamaged, StoreUnreachable, UsageError
from rag.library import Library, meaning
from rag.library.health import examine, repair
from rag.library.server import ServerStore, Store
from rag.library.sync import move, sync

HERE = Path(__file__).parent
EMBEDDER = WordEmbedder()
_WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, {here!r})
from library_cases import WordEmbedder, many
from rag.library.server import Store
from rag.library.sync import sync
sync(Path(sys.argv[1]), "c", many(40, first=int(sys.argv[2])), WordEmbedder(), store=Store(sys.argv[3]))
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with running(tmp_path_factory.mktemp("server")) as port:
        yield Store(f"http://127.0.0.1:{port}")


@pytest.fixture(autouse=True)
def through_chroma(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning, "EXACT_UP_TO", 0)


def finds_all(home: Path, name: str, papers: list[object]) -> None:
    assert [finding.detail for finding in examine(home, name, EMBEDDER.identity) if not finding.well] == []
    with Library.open(home, name) as library:
        assert list(library.papers()) == papers
        for found in library.papers():
            for vector in library.vectors_of(found.id):
                hits = dict(library.search_vectors(vector, 5))
                assert hits[found.id] > 0.999
                assert set(hits) <= {held.id for held in papers}  # type: ignore[attr-defined]


def test_a_corpus_on_a_server_is_synced_changed_and_found(server: Store, tmp_path: Path) -> None:
    papers = many(24)
    sync(tmp_path, "one", papers, EMBEDDER, store=server)
    assert folders(tmp_path, "one") == []
    finds_all(tmp_path, "one", [*papers])
    changed = replace(paper(23), abstract="Zebras were never studied here before now.")
    report = sync(tmp_path, "one", [*papers[1:23], changed], EMBEDDER)
    assert (report.changed, report.removed) == (1, 1)
    finds_all(tmp_path, "one", [*papers[1:23], changed])


@pytest.mark.slow
def test_two_people_write_and_read_one_collection_at_once(server: Store, tmp_path: Path) -> None:
    script = _WRITER.format(here=str(HERE))
    both = [
        subprocess.Popen([sys.executable, "-c", script, str(tmp_path / who), first, server.address], cwd=HERE.parent)
        for who, first in (("ada", "0"), ("bo", "20"))
    ]
    assert [process.wait(300) for process in both] == [0, 0]
    finds_all(tmp_path / "ada", "c", [*many(40)])
    finds_all(tmp_path / "bo", "c", [*many(40, first=20)])


@pytest.mark.slow
def test_a_killed_sync_leaves_nothing_that_the_next_does_not_mend(server: Store, tmp_path: Path) -> None:
    script = _WRITER.format(here=str(HERE)).replace('"c"', '"killed"')
    command = [sys.executable, "-c", script, str(tmp_path), "0", server.address]
    for after in (0.6, 1.2, 1.8):
        with subprocess.Popen(command, cwd=HERE.parent) as process:
            time.sleep(after)
            process.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    sync(tmp_path, "killed", many(40), EMBEDDER, store=server)
    finds_all(tmp_path, "killed", [*many(40)])


def test_there_and_back_without_embedding(server: Store, tmp_path: Path) -> None:
    sync(tmp_path, "moved", many(30), EMBEDDER)
    EMBEDDER.seen.clear()
    move(tmp_path, "moved", EMBEDDER, server)
    assert folders(tmp_path, "moved") == []
    finds_all(tmp_path, "moved", [*many(30)])
    move(tmp_path, "moved", EMBEDDER, None)
    assert len(folders(tmp_path, "moved")) == 1
    finds_all(tmp_path, "moved", [*many(30)])
    assert EMBEDDER.seen == []


def test_a_collection_that_was_deleted_is_named_and_made_again(server: Store, tmp_path: Path) -> None:
    sync(tmp_path, "lost", many(10), EMBEDDER, store=server)
    with closing(ServerStore.open(server, "lost", EMBEDDER.identity)) as store:
        store._client.delete_collection(store._collection.name)
    with Library.open(tmp_path, "lost") as library, pytest.raises(CorpusDamaged, match="has no collection"):
        library.search_vectors(EMBEDDER.embed(["graph"])[0], 1)
    assert all(finding.well for finding in repair(tmp_path, "lost", EMBEDDER))
    finds_all(tmp_path, "lost", [*many(10)])


def test_a_server_that_is_away_is_named_and_a_move_home_needs_none(server: Store, tmp_path: Path) -> None:
    sync(tmp_path, "away", many(10), EMBEDDER, store=server)
    nowhere = Store("http://127.0.0.1:9", token="secret-token")
    with pytest.raises(StoreUnreachable, match=r"127\.0\.0\.1:9") as caught:
        move(tmp_path, "away", EMBEDDER, nowhere)
    assert "secret-token" not in f"{caught.value}{nowhere}"
    finds_all(tmp_path, "away", [*many(10)])
    with pytest.raises(UsageError, match="keeps its vectors on"):
        sync(tmp_path, "away", many(11), EMBEDDER, store=nowhere)


@pytest.mark.parametrize(
    "address", ["", "localhost:8000", "ftp://host", "http://", "http://u:p@host", "http://h/a/b/c", "http://h:x"]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(UsageError):
        Store(address)


@pytest.mark.slow
def test_the_command_syncs_to_a_server_asks_and_moves_home(server: Store, citewell: Citewell, tmp_path: Path) -> None:
    lines = [json.dumps({"title": held.title, "abstract": held.abstract}) for held in many(12)]
    (tmp_path / "papers.jsonl").write_text("\n".join(lines), "utf-8")
    synced = citewell("sync", "papers.jsonl", "--store", server.address)
    assert (synced.code, synced.err) == (0, "")
    assert citewell("search", "Topic3", "--json").out.count("Topic3 ")
    assert server.address in citewell("doctor").out
    moved = citewell("move", "local", "--json")
    assert moved.json == {"corpus": "default", "store": None}
    assert server.address not in citewell("doctor").out
