"""Papers taken apart by several processes: the same rows in the same order, whatever befalls the processes."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from library_cases import WordEmbedder, many, paper

from rag.embed import load
from rag.embed.contract import Vectors
from rag.embed.static import StaticEmbedder
from rag.library import preparing, processes
from rag.library.beside import EmbedderBeside
from rag.library.layout import Layout
from rag.library.prepare import Prepared, prepare
from rag.library.preparing import Preparing
from rag.library.processes import Processes
from rag.library.sync import sync
from rag.types import Paper

PROGRAM = processes._PROGRAM
PAPERS = [
    *many(130),
    paper(
        130, abstract="C$^2$R lone\udfff\x00nul. \u202eBidi 论文。", title="\udfff x", venue=None, authors=("Ö\u0301",)
    ),
    *many(9, first=131),
]


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process is started at once, whatever the machine."""
    monkeypatch.setattr(preparing, "ENOUGH", 1)
    monkeypatch.setattr(processes, "_spare_processors", lambda: 1)
    monkeypatch.setattr(preparing, "_BATCH", 10)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes, as they are started."""
    made: list[subprocess.Popen[bytes]] = []
    start = processes._started

    def noted() -> subprocess.Popen[bytes]:
        made.append(start())
        return made[-1]

    monkeypatch.setattr(processes, "_started", noted)
    return made


def taken_apart(papers: list[Paper], disturb: int = -1, pid: object = None) -> list[Prepared]:
    made: list[Prepared] = []
    with Processes() as beside, Preparing[int]("words", beside, lambda each, mark: made.insert(mark, each)) as work:
        for number, each in enumerate(papers):
            work.put(each, number)
            if number == disturb:
                os.kill(pid(), signal.SIGKILL)  # type: ignore[operator]
    return made


def expected() -> list[Prepared]:
    return [prepare(each, "words") for each in PAPERS]


@pytest.mark.usefixtures("soon")
def test_a_process_gives_the_same_in_the_same_order(started: list[subprocess.Popen[bytes]], monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(preparing, "_AHEAD", 1 << 30)  # all by the process
    monkeypatch.setattr(Preparing, "_prepared", lambda *_: pytest.fail("done here"))
    assert taken_apart(PAPERS) == expected()
    assert [process.poll() is not None for process in started] == [True], "it has ended"


@pytest.mark.usefixtures("soon")
def test_shared_between_here_and_there_it_is_the_same() -> None:
    assert taken_apart(PAPERS) == expected()


@pytest.mark.usefixtures("soon")
def test_what_a_killed_process_had_is_done_here(started: list[subprocess.Popen[bytes]]) -> None:
    assert taken_apart(PAPERS, 60, lambda: started[0].pid) == expected()


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("_PROGRAM", "import sys; sys.exit('no memory')"),
        ("_PROGRAM", "print('something else')"),
        ("_PROGRAM", "import time; time.sleep(60)"),
        ("sys.executable", "/nowhere/python"),
    ],
)
def test_without_a_process_it_is_done_here(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "PATIENCE", 1.0)
    monkeypatch.setattr(f"rag.library.processes.{name}", value)
    assert taken_apart(PAPERS) == expected()


def test_a_small_sync_starts_no_process(started: list[subprocess.Popen[bytes]], tmp_path: Path) -> None:
    sync(tmp_path, "c", many(200), WordEmbedder())
    assert not started


def test_an_error_ends_the_process_and_is_raised(
    soon: None, started: list[subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    def broken() -> Iterator[Paper]:
        yield from many(500)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sync(tmp_path, "c", broken(), WordEmbedder())
    assert [process.poll() is not None for process in started] == [True]


def test_the_ledger_is_the_same_with_and_without(soon: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    syncs = (PAPERS, [*PAPERS[5:], *many(40, first=200), paper(7, abstract="Another abstract. Of two sentences.")])
    for papers in syncs:
        sync(tmp_path / "several", "c", papers, WordEmbedder())
    monkeypatch.setattr(processes, "_spare_processors", lambda: 0)
    for papers in syncs:
        sync(tmp_path / "one", "c", papers, WordEmbedder())
    several, one = ledger(tmp_path / "several"), ledger(tmp_path / "one")
    assert several.keys() == one.keys()
    assert all(several[table] == one[table] for table in one)


@pytest.mark.parametrize("program", [PROGRAM, "import sys; sys.stdin.buffer.read(9999)"])
def test_vectors_are_the_same_with_and_without(
    program: str, soon: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The default embedder computes in the process, once there is one; here, where there is none any more."""
    embed, here = StaticEmbedder.embed, list[str]()

    def noted(self: StaticEmbedder, texts: Sequence[str]) -> Vectors:
        here.extend(texts)
        return embed(self, texts)

    monkeypatch.setattr(StaticEmbedder, "embed", noted)
    monkeypatch.setattr(processes, "_PROGRAM", program)
    sync(tmp_path / "several", "c", PAPERS, load())
    assert bool(here) is (program != PROGRAM)
    monkeypatch.setattr(processes, "_spare_processors", lambda: 0)
    sync(tmp_path / "one", "c", PAPERS, load())
    assert here, "a single process does it all"
    assert vectors(tmp_path / "several") == vectors(tmp_path / "one")


def test_what_is_in_the_cache_is_not_embedded_again(
    soon: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync(tmp_path, "c", PAPERS, load())
    monkeypatch.setattr(EmbedderBeside, "embed", lambda *_: pytest.fail("embedded again"))
    sync(tmp_path, "c", PAPERS, load(), rebuild=True)


def vectors(home: Path) -> dict[bytes, bytes]:
    with closing(sqlite3.connect(Layout.of(home, "c").cache)) as connection:
        return dict(connection.execute("SELECT key, vector FROM vectors"))


def ledger(home: Path) -> dict[str, list[object]]:
    """Every row of every table, but for what names the vector folder."""
    with closing(sqlite3.connect(Layout.of(home, "c").catalogue)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        held = {table: connection.execute(f'SELECT * FROM "{table}"').fetchall() for table in sorted(tables)}
    held["meta"] = [row for row in held["meta"] if row[0] not in ("vectors", "seal")]
    return held


SCRIPT = """
from pathlib import Path
from library_cases import WordEmbedder, many
from rag.embed import load
from rag.embed.contract import Vectors
from rag.embed.static import StaticEmbedder
from rag.library import preparing, processes
from rag.library.sync import sync
processes._spare_processors = lambda: 1
started = processes._started
def noted():
    process = started()
    print(process.pid, flush=True)
    return process
processes._started = noted
papers = many(700)
def fed():
    yield from papers
    HANG
sync(Path(HOME), "c", fed(), WordEmbedder())
"""


def run(tmp_path: Path, hang: str) -> subprocess.Popen[str]:
    """A program that nobody guarded by `if __name__ == "__main__"`."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.replace("HANG", hang).replace("HOME", repr(str(tmp_path))))
    path = os.pathsep.join([str(Path(__file__).parents[1]), str(Path(__file__).parent)])
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, str(script)], stdout=pipe, stderr=pipe, text=True, env=os.environ | {"PYTHONPATH": path}
    )


def test_a_script_without_a_guard_may_sync(tmp_path: Path) -> None:
    program = run(tmp_path, "pass")
    out, err = program.communicate(timeout=120)
    assert (program.returncode, err) == (0, "")
    assert len(out.split()) == 1, "one process was started, by one program"


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
def test_a_killed_sync_leaves_no_process_behind(tmp_path: Path) -> None:
    program = run(tmp_path, "import time; time.sleep(60)")
    assert program.stdout is not None
    pid = int(program.stdout.readline())
    program.kill()
    program.communicate(timeout=60)
    until = time.monotonic() + 30
    while alive(pid):
        assert time.monotonic() < until, "it is still there"
        time.sleep(0.05)


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        return not Path("/proc/self").exists()
    return state != "Z"
