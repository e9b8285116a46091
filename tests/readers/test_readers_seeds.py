"""The corpus that ships."""

from __future__ import annotations

from pathlib import Path

from rag.readers import read
from rag.text.normalise import content_key
from rag.types import Paper

SEEDS = Path(__file__).parents[2] / "seeds"


def papers() -> list[Paper]:
    items = list(read([SEEDS]))
    assert all(isinstance(item, Paper) for item in items), items
    return [item for item in items if isinstance(item, Paper)]


def test_every_abstract_is_read_and_the_manifest_names_most() -> None:
    found = papers()
    assert len(found) == 38 == len({paper.id for paper in found})
    assert sum(paper.title_source == "given" for paper in found) == 34
    assert all(paper.id.startswith("openreview:") == (paper.title_source == "given") for paper in found)
    assert {(paper.venue, paper.year) for paper in found} == {("ICML", 2026)}


def test_abstracts_are_the_lines_of_the_files_and_their_places_say_which() -> None:
    for paper in papers():
        file, _, line = paper.files[0].rpartition(":")
        assert (SEEDS.parent / file).read_text("utf-8").split("\n")[int(line) - 1] == paper.abstract


def test_the_manifest_gives_authors_and_links() -> None:
    dflash = next(paper for paper in papers() if paper.id == "openreview:Oz335dV48X")
    assert dflash.title == "DFlash: Block Diffusion for Flash Speculative Decoding"
    assert dflash.authors == ("Jian Chen", "Yesheng Liang", "Zhijian Liu")
    assert dflash.url == "https://openreview.net/forum?id=Oz335dV48X"


def test_abstracts_without_a_title_get_the_system_they_name() -> None:
    derived = [paper for paper in papers() if paper.title_source == "derived"]
    assert len(derived) == 4
    for paper in derived:
        assert paper.id == "text:" + content_key(paper.abstract)
        assert 10 < len(paper.title) <= 90
        name = paper.title.split(":")[0].split(" (")[0]
        assert name in paper.abstract


def test_names_do_not_depend_on_where_the_folder_lies(tmp_path: Path) -> None:
    copy = tmp_path / "deep" / "seeds"
    copy.mkdir(parents=True)
    for file in SEEDS.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    assert list(read([copy])) == papers()
