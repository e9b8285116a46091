"""Papers side by side: what references mean, and cells that are quoted or not stated."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import octopus
import pytest
from program import Citewell

from rag.compare import DEFAULT_COLUMNS, MOST, compare
from rag.embed import load
from rag.errors import UsageError
from rag.library import Library
from rag.summarise import Comparison


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with octopus.library(tmp_path_factory.mktemp("sea")) as library:
        yield library


def compared(held: Library, *references: str, **options: object) -> Comparison:
    return compare(references, held, octopus.retriever(held), load(), **options)  # type: ignore[arg-type]


def ids(found: Comparison) -> list[str]:
    return [row.paper_id.rpartition("/")[2] for row in found.rows]


@pytest.mark.parametrize(
    "references",
    [
        ["SuckNet", "ArmPlan"],
        ["doi:10.8/1", "doi:10.8/5"],
        ["https://doi.org/10.8/1", "ArmPlan: Motion Planning for Eight Arms"],
        ["How do SuckNet and ArmPlan differ?"],
        ["compare SuckNet with ArmPlan"],
        ["1", "[2]"],
        ["tactile sensing for octopus suckers", "motion planning eight arms"],
    ],
)
def test_whatever_stands_for_a_paper(held: Library, references: list[str]) -> None:
    found = compared(held, *references, shown={1: "doi:10.8/1", 2: "doi:10.8/5"})
    assert ids(found) == ["1", "5"]
    assert found.unknown == ()
    assert [source.number for source in found.sources] == [1, 2]


def test_what_stands_for_none_is_told_and_the_rest_compared(held: Library) -> None:
    found = compared(held, "SuckNet", "NoSuchThing", "7")
    assert ids(found) == ["1"]
    assert found.unknown == ("NoSuchThing", "7")


def test_every_cell_is_a_slice_or_none(held: Library) -> None:
    found = compared(held, *(f"doi:10.8/{number}" for number in range(1, 13)))
    papers = {paper.id: paper for paper in held.papers()}
    assert found.columns == DEFAULT_COLUMNS
    for row in found.rows:
        assert len(row.cells) == len(found.columns)
        for cell in row.cells:
            if cell is not None:
                for citation in cell.citations:
                    assert papers[citation.paper_id].id == row.paper_id
                    assert papers[citation.paper_id].abstract[citation.start : citation.end] == citation.quote
    assert sum(row.cells[1] is not None for row in found.rows) >= 10
    assert sum(row.cells[4] is not None for row in found.rows) == 1


def test_columns_in_the_readers_own_words(held: Library) -> None:
    found = compared(held, "SuckNet", "ArmPlan", columns=["Datasets", "energy", "pressure", "year", "authors", "doi"])
    sucknet, armplan = (row.cells for row in found.rows)
    assert sucknet[0] is not None
    assert "WetGrasp" in sucknet[0].text
    assert sucknet[1] is armplan[1] is None
    assert sucknet[2] is not None
    assert "reads the pressure" in sucknet[2].text
    assert armplan[2] is None
    assert [cell.text for cell in sucknet[3:5] if cell] == ["2024", "Ann Arm, Oda Sea"]
    assert sucknet[3].citations[0].field == "year"


def test_too_much_to_compare_is_refused(held: Library) -> None:
    with pytest.raises(UsageError, match="more than"):
        compared(held, "SuckNet", columns=[f"column {number}" for number in range(MOST + 1)])


GIVEN = {
    "This motivates a variant that improves further when additional reference models are available.": False,
    "However, public data sets of this kind are rarely available.": False,
    "Our benchmark and models will be open-sourced.": True,
    "The implementation is at https://example.org/sampler.": True,
    "Code and data are available upon request.": True,
}


def test_code_is_what_the_writers_give_away(inside: Citewell, tmp_path: Path) -> None:
    said = [
        f"We study attacks number {n}. We propose a sampler. It improves by {n}%. {last}"
        for n, last in enumerate(GIVEN)
    ]
    rows = [json.dumps({"title": f"Sampler number {n}", "abstract": text}) for n, text in enumerate(said)]
    (tmp_path / "papers.jsonl").write_text("\n".join(rows), encoding="utf-8")
    assert inside("sync", "papers.jsonl").code == 0
    run = inside("compare", *(f"Sampler number {n}" for n in range(len(said))), "--columns", "code", "--json")
    assert [row["cells"]["code"] is not None for row in run.json["rows"]] == list(GIVEN.values())
