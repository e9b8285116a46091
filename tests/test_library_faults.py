"""Strangers, other versions, busy writers, folders that cannot be written, full disks: each named, with its way out."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from library_cases import EMBEDDER, folder, folders, many, nearest

from rag.errors import CorpusBusy, CorpusDamaged, CorpusMissing, EmbedderMismatch, SchemaMismatch, UsageError
from rag.library import Library, meaning
from rag.library.health import examine
from rag.library.layout import Layout
from rag.library.lock import writing
from rag.library.sync import sync

HERE = Path(__file__).parent


@pytest.fixture
def home(sixty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A corpus of its own for each test, searched through Chroma."""
    monkeypatch.setattr(meaning, "EXACT_UP_TO", 0)
    shutil.copytree(sixty, tmp_path / "home")
    return tmp_path / "home"


def test_a_strangers_database_is_not_ours(tmp_path: Path) -> None:
    layout = Layout.of(tmp_path, "c")
    layout.folder.mkdir(parents=True)
    with closing(sqlite3.connect(layout.catalogue)) as connection:
        connection.execute("CREATE TABLE songs (name)")
    with pytest.raises(CorpusDamaged, match="not a catalogue of citewell"):
        Library.open(tmp_path, "c")
    with pytest.raises(CorpusDamaged):
        sync(tmp_path, "c", many(1), EMBEDDER)


def test_before_any_sync_it_is_missing(tmp_path: Path) -> None:
    with pytest.raises(CorpusMissing) as caught:
        Library.open(tmp_path, "c")
    assert "citewell sync" in caught.value.hint
    with pytest.raises(UsageError):
        sync(tmp_path, "c", [], EMBEDDER)
    with pytest.raises(CorpusMissing):
        Library.open(tmp_path, "c")


@pytest.mark.parametrize(("change", "age"), [(1, "newer"), (-2, "older")])
def test_other_schemas_are_named(home: Path, change: int, age: str) -> None:
    with closing(sqlite3.connect(folder(home) / "catalogue.sqlite")) as connection:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        connection.execute(f"PRAGMA user_version = {version + change}")
    for attempt in (lambda: Library.open(home, "c"), lambda: sync(home, "c", many(3), EMBEDDER)):
        with pytest.raises(SchemaMismatch, match=age) as caught:
            attempt()
        assert "--rebuild" in caught.value.hint
    assert sync(home, "c", many(3), EMBEDDER, rebuild=True).added == 3


def test_another_embedder_of_the_same_dimension_is_refused(home: Path) -> None:
    with pytest.raises(EmbedderMismatch, match="other/16"):
        Library.open(home, "c", embedder_identity="other/16")
    assert any(not finding.well for finding in examine(home, "c", "other/16"))


# Another process


def script(
    text: str, *arguments: object, prefix: Sequence[str] = (), stdin: int | None = None
) -> subprocess.Popen[str]:
    code = "import sys\nsys.path[:0] = sys.argv[1:3]\n" + textwrap.dedent(text)
    command = [*prefix, sys.executable, "-c", code, str(HERE.parent), str(HERE), *map(str, arguments)]
    return subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


HOLD = """
    from pathlib import Path
    from rag.library.layout import Layout
    from rag.library.lock import writing
    with writing(Layout.of(Path(sys.argv[3]), "c")):
        print("held", flush=True)
        sys.stdin.read()
"""


@contextmanager
def held_elsewhere(home: Path) -> Iterator[subprocess.Popen[str]]:
    with script(HOLD, home, stdin=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "held\n"
            yield process
        finally:
            process.kill()


def test_a_second_writer_is_told_who_within_two_seconds(home: Path) -> None:
    with held_elsewhere(home) as process:
        started = time.monotonic()
        with pytest.raises(CorpusBusy, match=f"process {process.pid} on .+ since 20"):
            sync(home, "c", many(3), EMBEDDER)
        assert time.monotonic() - started < 10  # two seconds of waiting, and what a busy machine takes besides
        assert nearest(home).endswith("00007")
        assert any(str(process.pid) in finding.detail for finding in examine(home, "c"))
        process.kill()
        process.wait()
    assert sync(home, "c", many(3), EMBEDDER).unchanged == 3


def test_a_second_thread_is_told_too(home: Path) -> None:
    with writing(Layout.of(home, "c")), pytest.raises(CorpusBusy), writing(Layout.of(home, "c")):
        pass


READ = """
    from pathlib import Path
    import json
    from library_cases import WordEmbedder, many, paper
    from rag.errors import NotWritable
    from rag.library import Library, meaning
    from rag.library.sync import sync
    meaning.EXACT_UP_TO = 0
    home, embedder = Path(sys.argv[3]), WordEmbedder()
    with Library.open(home, "c", embedder_identity=embedder.identity) as library:
        words = library.search_words(["number7"], 1)
        vectors = library.search_vectors(embedder.embed([f"{paper(7).title}. {paper(7).abstract}"])[0], 1)
    try:
        sync(home, "c", many(3), embedder)
        refused = ""
    except NotWritable as error:
        refused = error.message
    print(json.dumps([words[0][0], vectors[0][0], refused]))
"""


# Root writes where permissions forbid it, unless it gives up that capability.
UNPRIVILEGED = ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override"]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs POSIX permissions")
@pytest.mark.parametrize("log_left", [False, True])
def test_a_folder_that_cannot_be_written_is_read(home: Path, log_left: bool) -> None:
    root = os.geteuid() == 0
    if root and shutil.which("setpriv") is None:
        pytest.skip("root without setpriv: nothing is read-only to it")
    if log_left:
        keep_log(home)
    for path in (home, *home.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        with script(READ, home, prefix=UNPRIVILEGED if root else []) as process:
            out, err = process.communicate(timeout=300)
    finally:
        for path in (home, *home.rglob("*")):
            path.chmod(0o755)
    assert process.returncode == 0, err
    word, vector, refused = json.loads(out)
    assert word.endswith("00007")
    assert vector.endswith("00007")
    assert "cannot be written" in refused


def keep_log(home: Path) -> None:
    """Leave an empty write-ahead log, as a reader does that is still there when the folder is made read-only."""
    for name in ("catalogue.sqlite", "embeddings.sqlite"):
        (folder(home) / f"{name}-wal").touch()


FULL = """
    import resource, signal
    from pathlib import Path
    from library_cases import WordEmbedder, many
    from rag.errors import CitewellError
    from rag.library.sync import sync
    import chromadb
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[4]), resource.RLIM_INFINITY))
    try:
        sync(Path(sys.argv[3]), "c", many(900), WordEmbedder())
    except CitewellError as error:
        print(type(error).__name__, error.message)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs RLIMIT_FSIZE")
@pytest.mark.parametrize("limit", [20_000, 150_000, 400_000])
def test_a_full_disk_leaves_the_old_state(home: Path, limit: int) -> None:
    """No file may grow beyond a limit: early or late in the sync, catalogue, cache or Chroma."""
    with script(FULL, home, limit) as process:
        out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert out.strip(), "the limit was never reached"
    assert "Traceback" not in err
    with Library.open(home, "c") as library:
        assert library.info.papers == 60
    assert nearest(home).endswith("00007")
    assert sync(home, "c", many(70), EMBEDDER).added == 10
    assert all(finding.well for finding in examine(home, "c", EMBEDDER.identity))


def test_strays_of_a_killed_sync_are_told_and_swept(home: Path) -> None:
    (folder(home) / "vectors-0badc0de").mkdir()
    assert any("vectors-0badc0de" in finding.detail for finding in examine(home, "c"))
    sync(home, "c", many(60), EMBEDDER)
    assert len(folders(home)) == 1
