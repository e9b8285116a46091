"""Corpora that released citewells wrote, one each in tests/releases: read by this one, or named as another's."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest
from program import Citewell

RELEASES = sorted((Path(__file__).parent / "releases").glob("*.tar.gz"))


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name)
def test_a_corpus_of_a_release(release: Path, inside: Citewell, tmp_path: Path) -> None:
    corpora = tmp_path / "citewell" / "corpora"
    corpora.mkdir(parents=True)
    with tarfile.open(release) as archive:
        archive.extractall(corpora, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))  # from 3.11.4
    listed = inside("papers", "--json")
    if listed.code == 5:
        assert "was written by an older citewell" in listed.out and "--rebuild" in listed.out
    else:
        assert (listed.code, len(listed.out.splitlines())) == (0, 2), listed.err
    (tmp_path / "a.txt").write_text(
        "We show that FOO is 3x faster than BAR. It is small.\n\nWe show that QUX is new.\n"
    )
    report = inside("sync", "a.txt", "--json", *(["--rebuild"] if listed.code else []))
    assert report.code == 0, report.out
    assert report.json["added"] + report.json["unchanged"] == 2
    assert "3x" in inside("ask", "How much faster is FOO than BAR?").out
