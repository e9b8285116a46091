"""Where a corpus lies: below its home, whatever it is called."""

from __future__ import annotations

from pathlib import Path

import pytest
from library_cases import WordEmbedder, many

from rag.errors import UsageError
from rag.library.layout import Layout
from rag.library.sync import sync


@pytest.mark.parametrize(
    "name", ["", "..", ".", "a/b", "a\\b", "/etc", "con", "NUL.txt", "com1", "-rf", "a.", "a" * 65, "a\n"]
)
def test_unsafe_names_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot name a corpus"):
        Layout.of(tmp_path, name)


def test_names_of_any_script_stay_below_home(tmp_path: Path) -> None:
    for name in ("seeds", "论文", "a.b-c_d", "Ärzte"):
        sync(tmp_path, name, many(1), WordEmbedder())
        assert Layout.of(tmp_path, name).folder.parent == tmp_path / "corpora"
    assert set(Layout.of(tmp_path, "seeds").beside()) == {"seeds", "论文", "a.b-c_d", "Ärzte"}
