"""The captures of the README's page of faces are what the program shows today."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from evals import captures

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs a terminal of its own")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("faces")
    captures.prepare(folder)
    return folder


@pytest.mark.parametrize("name", ["ask", "compare", "wide characters"])
def test_a_face_is_as_captured(name: str, home: Path) -> None:
    face = next(face for face in captures.FACES if face.name == name)
    shown = captures.capture(face, home)
    assert shown in captures.PAGE.read_text("utf-8"), "stale: run `python -m evals.captures`"


@pytest.mark.slow
def test_the_whole_page_is_fresh() -> None:
    assert captures.main(["--check"]) == 0


def test_what_wraps_stays_behind_its_label(home: Path) -> None:
    """At 40 columns as at 100, a long title does not run under its number."""
    shown = captures.capture(captures.Face("", "", "show OjXimqfwlX"), home, 40).splitlines()
    numbered = next(at for at, line in enumerate(shown) if line.startswith(" 1. "))
    assert shown[numbered + 1].startswith("    ")
    assert all(len(line) <= 40 for line in shown)
