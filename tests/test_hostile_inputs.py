"""Broken and hostile input through the real commands (`python -m evals.hostile --inputs 2000` does it at length)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from evals.hostile.__main__ import run
from rag.readers import read
from rag.text.normalise import visible
from rag.types import Paper, Problem


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="bounds memory the POSIX way")
def test_hostile_inputs_end_as_documented() -> None:
    """One of each kind, and whatever they do, the good paper beside them is still answered from."""
    counts, faults, _ = run(seed=7, first=0, count=20)
    assert faults == []
    assert len({kind for kind, _ in counts}) == 15


def test_noise_without_a_nul_is_binary_too(tmp_path: Path) -> None:
    (tmp_path / "noise.txt").write_bytes(bytes(n * 7919 % 255 + 1 for n in range(4000)))
    (found,) = read([tmp_path / "noise.txt"])
    assert isinstance(found, Problem)
    assert "binary" in found.reason


def test_old_encodings_are_still_text(tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_bytes(("Naïve “quotes” – é. " * 50).encode("cp1252"))
    (found,) = read([tmp_path / "old.txt"])
    assert isinstance(found, Paper)


@pytest.mark.parametrize(
    "char", ["\u202e", "\u2066", "\u200b", "\U000e0041", "\ufff9", "\u3164", "\x9b", "\x1b", "\u2028"]
)
def test_what_cannot_be_seen_is_shown(char: str) -> None:
    assert visible(f"a{char}b") == f"a{char.encode('unicode_escape').decode()}b"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs POSIX files")
def test_what_only_looks_like_a_file_is_passed_over(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo.txt")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "self.txt").symlink_to("self.txt")
    (tmp_path / "zero.txt").symlink_to("/dev/zero")
    (tmp_path / "out.txt").symlink_to("/etc/passwd")
    (tmp_path / "-rf").write_text("We show that it is fine.")
    (tmp_path / "con").write_text("We show that this is fine too.")
    found = list(read([tmp_path]))
    assert sum(isinstance(each, Paper) for each in found) == 2
    assert len(found) == 7
