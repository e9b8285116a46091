"""What `check` makes of manuscripts as people write them: macros, formulas, footnotes, authors in the text, asides."""

from __future__ import annotations

import json
from typing import Any

import pytest
from program import Citewell

from rag.checking.checkable import is_aside, why_not
from rag.checking.works import said_of
from rag.manuscript import Source, read
from rag.types import Paper

PREAMBLE = r"""\newcommand{\dflash}{\textsc{DFlash}\xspace}
\newcommand\muloco{MuLoCo}
\def\ours{{\bf OurSys}}
\let\old\relax
\newcommand{\args}[1]{#1}
"""


def readings(text: str, form: Any = "latex") -> list[str]:
    return [each.reading for each in read(Source("x", text, form)).statements]


def test_macros_that_stand_for_names_are_read_as_these_and_definitions_are_no_prose() -> None:
    text = PREAMBLE + r"\dflash{} drafts well. \muloco\ trains, and \ours too; \dflash's code is out."
    assert readings(text) == ["DFlash drafts well.", "MuLoCo trains, and OurSys too; DFlash's code is out."]


def test_a_macro_keeps_its_place_in_the_file() -> None:
    text = PREAMBLE + r"\dflash{} drafts well."
    (statement,) = read(Source("x", text, "latex")).statements
    assert text[statement.start : statement.end] == r"\dflash{} drafts well."


def test_formulas_stay_as_written_and_plain_numbers_do_not() -> None:
    text = r"The bound is $\mathcal{O}(s^{1.5}/\sqrt{N})$, and it is $2.5\times$ faster."
    assert readings(text) == [r"The bound is $\mathcal{O}(s^{1.5}/\sqrt{N})$, and it is 2.5× faster."]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (r"{\color{red} One holds here.}", ["One holds here."]),
        (
            r"It takes \SI{5}{\percent} of \num{1000} and \qty{3.5}{\giga\byte}.",
            ["It takes 5 % of 1000 and 3.5 gigabyte."],
        ),
        (r"The \ac{LLM} and \gls{rl} say it\autoref{fig:y}.", ["The LLM and rl say it."]),
        (r"One\\ holds here.\\[2pt] Two holds.", ["One holds here. Two holds."]),
        (r"\ifdraft One holds. \fi Two holds.", ["One holds.", "Two holds."]),
        (r"\added{One holds here.} \deleted{Two holds not.} \hl{Three holds.}", ["One holds here.", "Three holds."]),
        (r"\dflash{} and \other are fast.", ["dflash and other are fast."]),
    ],
)
def test_commands_of_packages_leave_what_they_say_and_not_their_names(text: str, said: list[str]) -> None:
    assert readings(text) == said


@pytest.mark.parametrize("form", ["plain", "markdown"])
def test_brackets_in_a_formula_are_no_citation(form: Any) -> None:
    text = r"The regret is of order $K \sqrt[3]{T}$ [2]. It costs $5 [3] and then $6 [4]."
    marks = read(Source("x", text, form)).layout.marks
    assert [key.text for mark in marks for key in mark.keys] == ["2", "3", "4"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<!-- a note --> DFlash is fast here.", ["DFlash is fast here."]),
        ("One is here.\n\n<!-- a note --> Two is here.\n", ["One is here.", "Two is here."]),
        ("~~Two is here.~~ One is here.", ["One is here."]),
        ("One is here.\n\n    code is not read\n", ["One is here."]),
        ("<script>alert('x is y')</script> One is here. <style>a {b: c}</style>", ["One is here."]),
    ],
)
def test_text_behind_a_comment_is_read_and_scripts_are_not(text: str, said: list[str]) -> None:
    assert readings(text, "markdown") == said


PAPER = Paper("p:1", "T", "given", "We prove it.", authors=("Khashayar Gatmiry", "Sitan Chen", "Adil Salim"))


@pytest.mark.parametrize(
    ("reading", "said"),
    [
        ("Gatmiry, Chen and Salim give a solver.", "We give a solver."),
        ("Gatmiry et al. give a solver.", "We give a solver."),
        ("Chen and colleagues give a solver.", "We give a solver."),
        ("Gatmiry, Chen and Muon give a solver.", "Gatmiry, Chen and Muon give a solver."),
        ("Chen gives a solver.", "Chen gives a solver."),
        ("DFlash and MuLoCo give a solver.", "DFlash and MuLoCo give a solver."),
    ],
)
def test_authors_of_the_paper_itself_are_we(reading: str, said: str) -> None:
    assert said_of(reading, PAPER) == said


@pytest.mark.parametrize(
    "said",
    [
        "Let me know if you'd like me to dig deeper into any of these papers.",
        "Feel free to send corrections!",
        "More on this next week.",
        "(Corrections welcome.)",
        "Please bring questions on Thursday.",
        "My take: tuning explains half of it.",
        "The jury is still out.",
        "TODO: read the appendix of that one",
        "To sum up, three lines of work stand out.",
    ],
)
def test_what_is_said_to_the_reader_is_not_checked(said: str) -> None:
    assert why_not(said, cites=False)


@pytest.mark.parametrize(
    ("said", "aside"),
    [
        ("Reward design matters more than you think.", True),
        ("Honestly, the answer is far from clear.", True),
        ("It's worth noting that these findings are preliminary.", True),
        ("Promising statins reduce the risk of a heart attack.", False),
        ("DFlash lets you decode faster than before.", False),
        ("Of 12 results, 3 are promising.", False),
        ("Statins reduce the risk of a second heart attack.", False),
    ],
)
def test_an_aside_names_nothing(said: str, *, aside: bool) -> None:
    assert is_aside(said) is aside


TEXT = """# Notes

Lottery Prior requires external training data [3]. The dual-LoRA architecture introduces redundancy.[^1]
Claims are decomposed into dependency graphs [@cgric]. Reward design matters more than you think.
Promising statins reduce the risk of myocardial infarction in elderly patients.

[^1]: Personal communication.
"""
BIB = """@misc{cgric, title={Claim Graph Risk Control}, year={2026}}"""


def test_in_a_whole_text(stocked_inside: Citewell, tmp_path: Any) -> None:
    (tmp_path / "notes.md").write_text(TEXT)
    (tmp_path / "refs.bib").write_text(BIB)
    run = stocked_inside("check", "notes.md", "--bib", "refs.bib", "--json")
    said = {each["text"][:12]: each for each in json.loads(run.out)["sentences"]}
    assert said["Lottery Prio"]["verdict"] != "not_checkable", "no function word, but words that the corpus knows"
    assert said["The dual-LoR"]["cited"] == [], "a footnote that names no work is no citation"
    assert [each["paper_id"] for each in said["Claims are d"]["cited"]] == ["text:4fbdde7009b12fd0"]
    assert said["Reward desig"]["verdict"] == "not_checkable"
    assert said["Promising st"]["verdict"] == "not_found", "a claim, however it is praised"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The loss is $$y$$ and it converges. It is new.", ["The loss is and it converges.", "It is new."]),
        ("We minimise\n$$\n- y\n\n- z\n$$\nover all x.", ["We minimise over all x."]),
        ("One sentence.\n\n$$\ny\n$$\n\nAnother one.", ["One sentence.", "Another one."]),
        ("One sentence.\n\n$$\ny\n$$\n$$\nz\n$$\n", ["One sentence."]),
    ],
)
def test_mathematics_displayed_inside_a_sentence_does_not_end_it(text: str, said: list[str]) -> None:
    assert [" ".join(each.split()) for each in readings(text, "markdown")] == said
