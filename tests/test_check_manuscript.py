"""Manuscripts read: which sentences there are, exactly where, what each cites, and what is left alone."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.errors import Unreadable
from rag.manuscript import Form, Manuscript, Source, decode, form_of, read
from rag.manuscript.references import bibliography

LATEX = r"""\documentclass{article}
\newcommand{\ours}{Foo}
% Not prose. At all.
\begin{document}
\section{Related work}\label{sec:x}
Speculative decoding~\cite{chen2026dflash, leviathan} is fast.  % a comment. Here
It reaches $2.5\times$ over EAGLE-3 \citep[see][p.~3]{chen2026dflash}.
\citet{charles2025} show that MuLoCo wins.~\cite{a}
Another one\footnote{A note. With stops.} is 95.94\% of it, see Section~\ref{sec:y}.
\begin{figure}\includegraphics{x.pdf}\caption{Not prose. Really.}\end{figure}
\begin{itemize}
\item First thing holds.
\item[b] Second \emph{thing} holds \href{https://arxiv.org/abs/2304.09848}{here}.
\end{itemize}
We have
\begin{equation} x = 1. \end{equation}
where x is one.

\begin{verbatim} Nothing. Here. \end{verbatim}
As Chen et al. (2026) say, it is so (Wu and Li, 2025; see Li, 2024).
\bibliography{refs, more}
\end{document}
Trailing. Junk.
"""

MARKDOWN = """---
title: Not. Prose.
bibliography: refs.bib
---
# A heading. With a stop

DFlash is fast [1]. It uses *block diffusion*.[2] Next [@chen2026dflash; @li, p. 3] is good. @wu2026 shows it.

- one item is [DFlash](https://openreview.net/forum?id=Oz335dV48X) indeed
- another item
  goes on here.

> Quoted text is
> here.

```python
x = 1. y = 2.
```

| a. | b. |
|----|----|
| c. | d. |

Text `code. here` and <b>html</b>. A note.[^n] The last one (Chen et al., 2026). (Wu, 2025)

[^n]: Chen et al. DFlash: Block Diffusion for Flash Speculative Decoding. 2026.

## References
1. Chen, J. DFlash. https://arxiv.org/abs/2602.06036
2. Other.
"""


def manuscript(text: str, form: Form | None = None) -> Manuscript:
    return read(decode(text.encode(), "-", form))


def shown(found: Manuscript) -> list[tuple[str, list[str]]]:
    return [
        (each.reading, [key.text for mark in each.marks for key in mark.keys])
        for each in found.statements
        if not each.heading
    ]


def test_latex_is_read_without_its_floats_comments_and_mathematics() -> None:
    found = manuscript(LATEX)
    assert found.source.form == "latex"
    assert shown(found) == [
        ("Speculative decoding is fast.", ["chen2026dflash", "leviathan"]),
        ("It reaches 2.5× over EAGLE-3.", ["chen2026dflash"]),
        ("We show that MuLoCo wins.", ["charles2025", "a"]),
        ("Another one is 95.94% of it, see Section.", []),
        ("First thing holds.", []),
        ("Second thing holds here.", ["arxiv:2304.09848"]),
        ("We have where x is one.", []),
        ("As it say, it is so.", ["Chen et al., 2026", "Wu and Li, 2025", "Li, 2024"]),
    ]
    assert [each.reading for each in found.statements if each.heading] == ["Related work"]
    assert found.layout.bibliographies == ("refs", "more")


def test_markdown_is_read_without_its_front_matter_code_and_tables() -> None:
    found = manuscript(MARKDOWN)
    assert found.source.form == "markdown"
    assert shown(found) == [
        ("DFlash is fast.", ["1"]),
        ("It uses block diffusion.", ["2"]),
        ("Next is good.", ["chen2026dflash", "li"]),
        ("We shows it.", ["wu2026"]),
        ("one item is DFlash indeed", ["openreview:Oz335dV48X"]),
        ("another item goes on here.", []),
        ("Quoted text is here.", []),
        ("Text code. here and html.", []),
        ("A note.", ["^n"]),
        ("The last one.", ["Chen et al., 2026", "Wu, 2025"]),
    ]
    assert [(each.key, each.ids) for each in found.layout.references] == [
        ("^n", ()),
        ("1", ("arxiv:2602.06036",)),
        ("2", ()),
    ]
    assert found.layout.bibliographies == ("refs.bib",)


def test_plain_text_has_headings_items_and_a_list_of_references() -> None:
    found = manuscript(
        "Related Work\nRecently, Chen et al. (2026) proposed DFlash. It is fast [3]. [4] improve it. What is it?\n\n"
        "- a thing holds\n- another thing holds\n\nReferences\n[3] Chen et al. DFlash. 2026.\n[4] Foo. Bar.\n"
    )
    assert found.source.form == "plain"
    assert shown(found) == [
        ("Recently, it proposed DFlash.", ["Chen et al., 2026"]),
        ("It is fast.", ["3"]),
        ("We improve it.", ["4"]),
        ("What is it?", []),
        ("a thing holds", []),
        ("another thing holds", []),
    ]
    assert [each.key for each in found.layout.references] == ["3", "4"]


def test_the_sources_below_an_assistants_answer_are_its_list() -> None:
    found = manuscript("It is 2.5x faster [1]. It is new [2].\n\n[1] DFlash: Block\n    Jian Chen\n\n[2] MuLoCo\n")
    assert shown(found) == [("It is 2.5x faster.", ["1"]), ("It is new.", ["2"])]
    assert [(each.key, each.text) for each in found.layout.references] == [
        ("1", "DFlash: Block Jian Chen"),
        ("2", "MuLoCo"),
    ]


def test_a_numbered_list_that_is_prose_is_no_list_of_references() -> None:
    found = manuscript(
        "We found two things.\n\n1. The first method is faster.\n2. The second method is slower.\n", "plain"
    )
    assert [reading for reading, _ in shown(found)] == [
        "We found two things.",
        "The first method is faster.",
        "The second method is slower.",
    ]


@pytest.mark.parametrize(
    ("written", "keys"),
    [
        (
            "So it is (e.g. Chen et al., 2026a; van der Berg and Wu, 2025).",
            ["Chen et al., 2026a", "van der Berg and Wu, 2025"],
        ),
        ("So it is (Thérien, 2024, 2026).", ["Thérien, 2024", "Thérien, 2026"]),
        ("Chen, Liang and Liu (2026) say so.", ["Chen, Liang and Liu, 2026"]),
        ("O'Neil & Smith-Jones (2019) say so.", ["O'Neil & Smith-Jones, 2019"]),
        ("Chen et al.'s (2026) method is so.", ["Chen et al., 2026"]),
        ("So it is [2, 4-6].", ["2", "4", "5", "6"]),
        ("So it is [1][2].", ["1", "2"]),
        ("So it is【3†source】.", ["3"]),
        ("So it is, see arXiv:2304.09848v2 for more.", ["arxiv:2304.09848"]),
        ("On the interval [0, 1] it is so.", []),
        ("In (March 2026) it was so.", []),
        ("The total (about 2026 of them) is so.", []),
    ],
)
def test_citations_as_people_write_them(written: str, keys: list[str]) -> None:
    assert [key for _, found in shown(manuscript(written, "plain")) for key in found] == keys


def test_line_ends_and_byte_order_marks_are_kept_and_counted() -> None:
    raw = "\ufeffOne thing\r\nis so. Another\r\nis not.\r\n".encode()
    source = decode(raw, "x.txt")
    assert source.text.encode() == raw
    found = read(source).statements
    assert [source.text[each.start : each.end] for each in found] == [
        "One thing\r\nis so.",
        "Another\r\nis not.",
    ]
    assert [each.reading for each in found] == ["One thing is so.", "Another is not."]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "binary"),
        (b"text\x00text", "binary"),
        ("text".encode("utf-16"), "UTF-16"),
        (b"fine\nnot \xff fine", ":2: byte 9"),
        (b"x" * (4 * 2**20 + 1), "over 4 MB"),
    ],
)
def test_what_is_no_text_is_refused_in_one_line(raw: bytes, said: str) -> None:
    with pytest.raises(Unreadable) as raised:
        decode(raw, "paper.tex")
    assert said in raised.value.message
    assert "\n" not in raised.value.message
    assert raised.value.hint


def test_bib_files_give_keys_titles_and_identifiers() -> None:
    found = bibliography(
        b"@string{icml = {ICML}}\n@inproceedings{chen2026dflash,\n title={{DFlash}: Block Diffusion},\n"
        b" author={Chen, Jian and Liang, Yesheng},\n year=2026, booktitle=icml, doi={10.1234/ABC}}\n"
        b"@misc{broken, title={\n@misc{wu:2025,\n title={Other}, eprint={2304.09848}, date={2025-01-02}}\n"
    )
    assert [(each.key, each.title, each.authors, each.year, each.ids) for each in found] == [
        (
            "chen2026dflash",
            "DFlash: Block Diffusion",
            ("Jian Chen", "Yesheng Liang"),
            2026,
            ("doi:10.1234/abc",),
        ),
        ("wu:2025", "Other", (), 2025, ("arxiv:2304.09848",)),
    ]


_PIECES = st.sampled_from(
    [
        "Some words here. ", "It is so", ".", "\n", "\r\n", "\n\n", "\r\n\r\n", "~\\cite{a,b} ",
        "\\citet[p. 3]{c}", "% note\n", "$x_1$", "\\begin{equation}", "\\end{equation}", "\\begin{figure}",
        "\\end{figure}", "\\section{A b}", "\\item ", "{", "}", "\\\\", "\\%", "# Head\n", "```\n", "~~~\n", "- ",
        "1. ", "> ", "| a | b |\n", "|---|---|\n", "[@k; @j]", "[3]", "[^n]",
        "[t](https://arxiv.org/abs/2304.09848)", "<!-- x -->", "<!--", "<b>", "(Chen et al., 2026)", "Wu (2025) ",
        "---\n", "\nReferences\n", "\n[1] Foo. Bar.\n", "\ufeff", "\u2028", "é漢字。", "\t", "\\footnote{A. B.}",
        "$$", "\\[", "\\]", "`c. d`", "% citewell: x\n", "<!-- citewell: y -->", "<!-- citewell: ", " -->", "\r",
    ]
)  # fmt: skip
WILD = st.lists(_PIECES | st.text(max_size=6), max_size=30).map("".join)


@settings(max_examples=150, deadline=None)
@given(text=WILD, form=st.sampled_from(["plain", "markdown", "latex"]))
def test_statements_are_exact_slices_in_order_whatever_the_text(text: str, form: Form) -> None:
    text = re.sub(r"[\x00-\x08\x0e-\x1f\ud800-\udfff]", "", text)
    found = manuscript(text, form)
    last = 0
    for each in found.statements:
        assert last <= each.start < each.end <= len(text)
        assert text[each.start : each.end].strip()
        assert each.reading
        last = each.start if each.heading else each.end
        for mark in each.marks:
            assert each.start <= mark.start < mark.end
            assert mark.keys


@pytest.mark.parametrize(
    "opening", ["\\cite{", "\\section{a ", "\\begin{theorem} x ", "\\footnote{x ", "[@a", "(Smith et al., 2020; "]
)
@pytest.mark.parametrize("name", ["a.tex", "a.md", "a.txt"])
def test_what_is_opened_and_never_closed_takes_linear_time(opening: str, name: str) -> None:
    text = opening * 8_000
    begun = time.process_time()
    read(Source(name, text, form_of(name, text)))
    assert time.process_time() - begun < 6.0  # 0.4 s; quadratic time took 22
