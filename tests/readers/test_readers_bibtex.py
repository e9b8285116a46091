from __future__ import annotations

import io
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.readers.bibtex import records
from rag.readers.record import Flaw, Record
from rag.types import Paper, Problem

Reading = Callable[..., tuple[list[Paper], list[Problem]]]

BIBLIOGRAPHY = r"""
% Exported on a Monday
@comment{jabref-meta: databaseType:bibtex;}
@string{icml = "International Conference on Machine Learning"}
@string(pub = {PMLR})
@preamble{"\newcommand{\x}{y}"}

@inproceedings{chen2026dflash,
  title     = {{DF}lash: Block Diffusion for $\alpha$-{Flash} Sch{\"o}n},
  author    = {Chen, Jian and Yesheng Liang and {The {OpenAI} Team} and van der Berg, Ludwig and Th{\'e}rien, Benjamin},
  booktitle = icml # { 2026},
  publisher = pub,
  year      = 2026,
  doi       = {https://doi.org/10.1000/ABC.def},
  url       = {https://example.org/a_b},
  abstract  = {We propose {DFlash}, with 5\% fewer
    errors and $x_{i}^{2}$ at "twice" the speed.},
}

@article{liu2023,
  author = "Nelson F. Liu and Tianyi Zhang",
  title = "Evaluating Verifiability",
  journal = "arXiv preprint arXiv:2304.09848",
  date = {2023-04-19},
  abstract = "Generative search engines {``}answer{''}.",
}
@misc{kit, title={KIT}, eprint={hep-th/9901001}, archiveprefix={arXiv}, abstract={Old paper.}, year={1999}}
@article{dblp, title={CoRR one}, journal={CoRR}, volume={abs/2001.00001}, year={2020}, abstract={New paper.}}
"""


def test_what_bibliographies_hold(reading: Reading) -> None:
    papers, problems = reading("refs.bib", BIBLIOGRAPHY)
    assert not problems
    first, second, third, fourth = papers
    assert first.id == "doi:10.1000/abc.def"
    assert first.title == "DFlash: Block Diffusion for α-Flash Schön"
    assert first.authors == ("Jian Chen", "Yesheng Liang", "The OpenAI Team", "Ludwig van der Berg", "Benjamin Thérien")
    assert (first.year, first.venue) == (2026, "International Conference on Machine Learning 2026")
    assert first.abstract == 'We propose {DFlash}, with 5\\% fewer\n    errors and $x_{i}^{2}$ at "twice" the speed.'
    assert first.files == ("refs.bib:8 (chen2026dflash)",)
    assert (second.id, second.year, second.authors) == ("arxiv:2304.09848", 2023, ("Nelson F. Liu", "Tianyi Zhang"))
    assert (third.id, fourth.id) == ("arxiv:hep-th/9901001", "arxiv:2001.00001")


def test_content_tells_it_whatever_the_suffix(reading: Reading) -> None:
    assert len(reading("refs.txt", BIBLIOGRAPHY)[0]) == 4


def test_a_broken_entry_costs_only_itself(reading: Reading) -> None:
    text = (
        "@article{a, title={A}, abstract={One.}}\n@article{b, title={B, abstract={Two.}\n\n"
        "@article{c, title={C}, title={C again}, abstract={Three.}}\n@article{a, title={A2}, abstract={Four.}}\n"
        "@article{d, title={D}}\n"
    )
    papers, problems = reading("a.bib", text)
    assert [paper.abstract for paper in papers] == ["One.", "Three.", "Four."]
    assert [problem.line for problem in problems] == [2, 6]
    assert "abstract" in problems[1].reason


@pytest.mark.parametrize(
    "text",
    [
        "@a{b, c=" + "{" * 200_000,
        "@a{b, c=" + "{" * 100_000 + "}" * 100_000 + "}",
        '@a{b, c="' + "x" * 2_000_000,
        "@a{" * 50_000,
        "@a{b, " + "c={}," * 20_000 + "}",
        "@string{s = s # s # s}\n@a{b, title = s # s, abstract={x y z}}",
        "@a{b, author={" + " and ".join(["A"] * 20_000) + "}, abstract={x y z}}",
    ],
)
def test_hostile_entries_end_soon(text: str) -> None:
    begun = time.process_time()
    assert all(isinstance(item, Record | Flaw) for item in records(io.BytesIO(text.encode())))
    assert time.process_time() - begun < 20


def test_strings_that_double_do_not_explode() -> None:
    lines = ["@string{s0 = {" + "x" * 100 + "}}"] + [f"@string{{s{n} = s{n - 1} # s{n - 1}}}" for n in range(1, 60)]
    text = "\n".join([*lines, "@a{b, title = s59, abstract={x y z}}"])
    assert all(isinstance(item, Record | Flaw) for item in records(io.BytesIO(text.encode())))


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet='@{}()",=#\\$ \nabtitle1%', max_size=120))
def test_wild_entries_end_in_records_or_flaws(text: str) -> None:
    body = "@article{k, abstract={Fine.}}\n" + text + "\n@article{last, abstract={Fine too.}}\n"
    found = list(records(io.BytesIO(body.encode())))
    assert all(isinstance(item, Record | Flaw) for item in found)
    assert any(isinstance(item, Record) and item.fields.get("abstract") == "Fine too." for item in found)
