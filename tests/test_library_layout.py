"""Where a corpus lies: below its home, whatever it is called."""

from __future__ import annotations

from pathlib import Path

import pytest
from library_cases import WordEmbedder, many

from rag.errors import CorpusMissing, UsageError
from rag.library import Library
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
    assert {each.name for each in Layout.of(tmp_path, "seeds").beside()} == {"seeds", "论文", "a.b-c_d", "Ärzte"}


def test_a_corpus_whose_first_sync_failed_is_not_there(tmp_path: Path) -> None:
    sync(tmp_path, "seeds", many(1), WordEmbedder())
    with pytest.raises(UsageError, match="no paper"):
        sync(tmp_path, "empty", [], WordEmbedder())
    with pytest.raises(CorpusMissing) as raised:
        Library.open(tmp_path, "thesis")
    assert raised.value.hint.startswith("there: seeds; ")
