"""The captures of the README's page of faces are what the program shows today."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from evals import captures

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs a terminal of its own")


@pytest.mark.parametrize("name", ["ask", "compare", "check", "wide characters"])
def test_a_face_is_as_captured(name: str, tmp_path: Path) -> None:
    captures.prepare(tmp_path)
    face = next(face for face in captures.FACES if face.name == name)
    shown = captures.capture(face, tmp_path)
    assert shown in captures.PAGE.read_text("utf-8"), "stale: run `python -m evals.captures`"


@pytest.mark.slow
def test_the_whole_page_is_fresh() -> None:
    assert captures.main(["--check"]) == 0


def test_what_wraps_stays_behind_its_label(tmp_path: Path) -> None:
    """At 40 columns as at 100, a long title does not run under its number."""
    shown = captures.capture(captures.Face("", "", "show OjXimqfwlX"), tmp_path, 40).splitlines()
    numbered = next(at for at, line in enumerate(shown) if line.startswith(" 1. "))
    assert shown[numbered + 1].startswith("    ")
    assert all(len(line) <= 40 for line in shown)
