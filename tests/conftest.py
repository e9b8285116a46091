"""The program in a home of a test's own, or in one where the seeds are indexed already; in a process of its own, or
in this one, where the start of a process is not what is tested."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import settings
from program import Citewell, run_in, run_inside

# A busy machine makes any example slow: time is bounded by pytest-timeout, not by the example.
settings.register_profile("citewell", deadline=None)
settings.load_profile("citewell")

# A program that is started in the background ignores these, and so would all that the tests start from it.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture
def citewell(tmp_path: Path) -> Citewell:
    """The command in a home of this test's own."""
    return run_in(tmp_path)


@pytest.fixture
def inside(tmp_path: Path) -> Citewell:
    """The command in a home of this test's own, in this process."""
    return run_inside(tmp_path)


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home where the shipped seeds are indexed, made once for all workers of a run; to be copied, never used."""
    base = tmp_path_factory.getbasetemp()
    home = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shelf"
    with FileLock(f"{home}.lock"):
        if not (home / "whole").exists():
            home.mkdir(exist_ok=True)
            first = run_in(home)("ask", "What is DFlash?", "--no-log")
            assert first.code == 0, first.err
            (home / "whole").touch()
    return home


@pytest.fixture(scope="module")
def seeds_home(tmp_path_factory: pytest.TempPathFactory, shelf: Path) -> Path:
    """A folder for the tests of a file, whose `citewell/` is a home with the seeds."""
    return _stocked(tmp_path_factory.mktemp("seeds"), shelf)


def _stocked(home: Path, shelf: Path) -> Path:
    shutil.copytree(shelf / "citewell", home / "citewell", copy_function=shutil.copy)
    return home


@pytest.fixture
def stocked(tmp_path: Path, shelf: Path) -> Citewell:
    """The command in a home of this test's own, where the seeds are indexed already."""
    return run_in(_stocked(tmp_path, shelf))


@pytest.fixture
def stocked_inside(tmp_path: Path, shelf: Path) -> Citewell:
    """The same, in this process."""
    return run_inside(_stocked(tmp_path, shelf))


@pytest.fixture(scope="session")
def seeded(tmp_path_factory: pytest.TempPathFactory, shelf: Path) -> Citewell:
    """The program, in this process, in one home with the seeds; for tests that only ask."""
    return run_inside(_stocked(tmp_path_factory.mktemp("seeded"), shelf))


@pytest.fixture(scope="session")
def sixty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home where the corpus `c` holds sixty made-up papers; to be copied, never used."""
    from library_cases import EMBEDDER, many

    from rag.library.sync import sync

    home = tmp_path_factory.mktemp("sixty")
    sync(home, "c", many(60), EMBEDDER)
    return home
