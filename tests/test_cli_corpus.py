"""`citewell sync`, `papers`, `show`, `doctor`: the real program on real files."""

from __future__ import annotations

import json
from pathlib import Path

from program import SEEDS, Citewell

BIB = """@inproceedings{a, title={On Foo}, author={Ann Li}, year={2024}, abstract={We show Foo. Foo is 3 times faster.}}
@inproceedings{b, title={On Bar}, author={Bo Xu}, year={2025}, abstract={We introduce Bar. Bar halves the error.}}
"""


def test_a_corpus_follows_its_files(inside: Citewell, tmp_path: Path) -> None:
    file = tmp_path / "refs.bib"
    file.write_text(BIB)
    first = inside("sync", "refs.bib", "--json")
    assert (first.code, first.json["added"], first.json["corpus"]) == (0, 2, "default")
    again = inside("sync", "refs.bib", "--json").json
    assert (again["added"], again["changed"], again["unchanged"], again["removed"]) == (0, 0, 2, 0)
    file.write_text(BIB.replace("halves", "doubles"))
    changed = inside("sync", "refs.bib", "--json").json
    assert changed["added"] + changed["changed"] >= 1
    assert inside("papers", "--json").out.count("\n") == 2
    file.write_text(BIB.splitlines()[0])
    assert inside("sync", "refs.bib", "--json").json["removed"] >= 1
    answer = inside("ask", "How much faster is Foo?")
    assert answer.code == 0
    assert "3 times faster" in answer.out
    assert inside("ask", "Does Bar halve the error?").code == 3


def test_an_empty_input_wipes_nothing(inside: Citewell, tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(BIB)
    assert inside("sync", "refs.bib").code == 0
    (tmp_path / "refs.bib").write_text("")
    refused = inside("sync", "refs.bib")
    assert refused.code in {2, 5}
    assert "--allow-empty" in refused.err
    assert inside("papers", "--json").out.count("\n") == 2
    assert inside("sync", "refs.bib", "--allow-empty").code == 0
    assert inside("papers").code == 3
    asked = inside("ask", "What is Foo?")
    assert asked.code == 3
    assert asked.out.startswith("Not supported by this corpus.")


def test_what_cannot_be_read_is_listed_and_the_rest_goes_in(inside: Citewell, tmp_path: Path) -> None:
    lines = [
        json.dumps({"title": "T", "abstract": "We introduce Foo. It is fast."}),
        "{broken",
        json.dumps({"title": "x"}),
    ]
    (tmp_path / "p.jsonl").write_text("\n".join(lines))
    run = inside("sync", "p.jsonl")
    assert run.code == 0
    assert "p.jsonl:2" in run.err
    assert "p.jsonl:3" in run.err
    assert "1 added" in run.out
    assert inside("sync", "p.jsonl", "--strict").code == 5


def test_standard_input_is_a_source(citewell: Citewell) -> None:
    run = citewell("sync", "-", "--corpus", "piped", input=BIB)
    assert run.code == 0, run.err
    assert citewell("papers", "--corpus", "piped", "--json").out.count("\n") == 2


def test_a_path_that_is_not_there_is_an_error(inside: Citewell) -> None:
    run = inside("sync", "nowhere.bib")
    assert run.code in {2, 5}
    assert "nowhere.bib" in run.err


def test_the_seeds_as_files_are_the_seeds(inside: Citewell) -> None:
    assert inside("sync", str(SEEDS), "--json").json["added"] == 38
    papers = [json.loads(line) for line in inside("papers", "--json").out.splitlines()]
    assert len(papers) == 38
    assert sum(paper["title_source"] == "derived" for paper in papers) == 4
    assert {paper["year"] for paper in papers} == {2026}


def test_show_finds_by_id_name_title_and_link(seeded: Citewell) -> None:
    references = (
        "openreview:Oz335dV48X",
        "Oz335dV48X",
        "DFlash",
        "DFlash: Block Diffusion for Flash Speculative Decoding",
        "https://openreview.net/forum?id=Oz335dV48X",
    )
    shown = {seeded("show", reference, "--json").json["paper_id"] for reference in references}
    assert shown == {"openreview:Oz335dV48X"}
    text = seeded("show", "DFlash").out
    assert "1. Autoregressive large language models" in text
    unknown = seeded("show", "nothing of the kind")
    assert unknown.code == 3
    assert "nothing of the kind" in unknown.err


def test_doctor_on_a_new_machine_finds_nothing_amiss(citewell: Citewell) -> None:
    run = citewell("doctor")
    assert (run.code, "NOT" in run.out) == (0, False), run.out
    assert "the next question indexes the shipped seeds" in run.out


def test_doctor_says_that_all_is_well(seeded: Citewell) -> None:
    run = seeded("doctor")
    assert run.code == 0, run.out + run.err
    assert "NOT" not in run.out
    findings = seeded("doctor", "--json").json["findings"]
    assert all(finding["well"] for finding in findings)


def test_a_first_sync_that_finds_nothing_leaves_the_seeds(inside: Citewell) -> None:
    assert inside("sync", "nowhere.bib").code == 5
    run = inside("show", "DFlash", "nothing of the kind")
    assert run.code == 3
    assert run.out.startswith("DFlash: Block Diffusion")
    assert "in corpus seeds" in run.err


def test_a_corpus_that_is_not_there_is_told_beside_those_that_are(seeded: Citewell) -> None:
    run = seeded("papers", "--corpus", "thesis")
    assert run.code == 5
    assert run.err.strip().endswith("there: seeds; `citewell sync --corpus thesis PATH...` makes it")


def test_the_ids_of_a_file_are_understood_wherever_a_paper_is_named(inside: Citewell, tmp_path: Path) -> None:
    """They are no identities, since two files may both hold a 1, but names all the same."""
    abstract = "We introduce a network for kelp forests. It improves accuracy by 4.2%."
    rows = [
        {"id": "x1", "title": "Kelp", "abstract": abstract},
        {"id": 7, "title": "Tides", "abstract": f"{abstract} Twice."},
    ]
    (tmp_path / "own.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (tmp_path / "refs.bib").write_text("@misc{lü2024:sea, title={Sea}, abstract={We count fish in the sea.}}", "utf-8")
    assert inside("sync", "own.jsonl", "refs.bib").code == 0
    shown = inside("show", "x1", "7", "lü2024:sea", "--json")
    assert [json.loads(line)["title"] for line in shown.out.splitlines()] == ["Kelp", "Tides", "Sea"]
    assert inside("export", "x1", "7", "--format", "csv").out.count("\n") == 3
    assert inside("show", "x").code == 3


def test_a_misspelt_name_is_told_the_nearest_and_an_export_of_nothing_says_nothing(
    seeded: Citewell, tmp_path: Path
) -> None:
    assert "did you mean DFlash?" in seeded("show", "DFlahs").err
    assert "`citewell search` finds by words" in seeded("show", "qqqzzz").err
    assert seeded("export", "qqqzzz").out == ""
    kept = tmp_path / "refs.bib"
    kept.write_text("@misc{a}", encoding="utf-8")
    run = seeded("ask", "What is the capital of France?", "--bib", str(kept), "--no-log")
    assert (run.code, kept.read_text(encoding="utf-8")) == (3, "@misc{a}")
    assert json.loads(seeded("export", "DFlash", "--json").out)[0]["id"] == "chen2026dflash"
    assert f"1 paper written to {kept}" in seeded("export", "DFlash", "-o", str(kept)).err
