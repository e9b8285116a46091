"""The program in a home of a test's own, or in one where the seeds are indexed already."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from hypothesis import settings
from program import Citewell, run_in

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


@pytest.fixture(scope="session")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Citewell:
    """The command in a home where the shipped seeds are indexed already; for tests that only ask."""
    command = run_in(tmp_path_factory.mktemp("seeded"))
    first = command("ask", "What is DFlash?")
    assert first.code == 0, first.err
    return command
