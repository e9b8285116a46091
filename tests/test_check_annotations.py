"""Remarks in a manuscript: taken out again, the file is what it was, byte for byte."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_check_manuscript import LATEX, MARKDOWN, WILD

from rag.errors import UsageError
from rag.manuscript import Form, decode, read
from rag.manuscript.annotations import Remark, annotate, strip

REMARK = st.text(max_size=60) | st.sampled_from(
    ["-->", "--", "<!--", "a -- b --> c", "\n% x", "\r\n", "\u2028", "[sic]", ">"]
)


def remarked(text: str, form: Form, said: str) -> str:
    found = read(decode(text.encode(), "-", form)).statements
    return annotate(text, form, [Remark(each.start, each.end, said) for each in found])


@settings(max_examples=150, deadline=None)
@given(text=WILD, form=st.sampled_from(["plain", "markdown", "latex"]), said=REMARK)
def test_without_its_remarks_a_text_is_what_it_was(text: str, form: Form, said: str) -> None:
    text = strip(re.sub(r"[\x00-\x08\x0e-\x1f\ud800-\udfff]", "", text), form)
    said = re.sub(r"[\ud800-\udfff]", "", said)
    try:
        made = remarked(text, form, said)
    except UsageError:
        assume(False)
    assert strip(made, form) == text


@pytest.mark.parametrize("form", ["latex", "markdown"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_real_texts_come_back_byte_for_byte(form: Form, ending: str, mark: str) -> None:
    text = mark + (LATEX if form == "latex" else MARKDOWN).replace("\n", ending)
    made = remarked(text, form, "contradicted; “so -- it --> is”")
    assert made != text
    assert made.startswith(mark)
    assert strip(made, form) == text
    assert made.count("citewell: ") == len(read(decode(text.encode(), "-", form)).statements)
    assert ("\n" in made.replace("\r\n", "")) is (ending == "\n")
    again = remarked(strip(made, form), form, "contradicted; “so -- it --> is”")
    assert again == made


def test_remarks_are_comments_to_latex_and_to_markdown() -> None:
    assert remarked("One is so. Two is not.\n", "markdown", "a --> b") == (
        "One is so.<!-- citewell: a –> b --> Two is not.<!-- citewell: a –> b -->\n"
    )
    assert remarked("One is so.\nTwo is not.", "latex", "a\n\\input{x}") == (
        "% citewell: a \\input{x}\nOne is so.\n% citewell: a \\input{x}\nTwo is not."
    )
    assert remarked("\ufeffOne is so.", "latex", "x") == "\ufeff% citewell: x\nOne is so."


def test_remarks_do_not_change_what_is_read() -> None:
    for text, form in ((LATEX, "latex"), (MARKDOWN, "markdown")):
        before = read(decode(text.encode(), "-", form)).statements  # type: ignore[arg-type]
        made = remarked(text, form, "x. Y z.")  # type: ignore[arg-type]
        after = read(decode(made.encode(), "-", form)).statements  # type: ignore[arg-type]
        assert [each.reading for each in after] == [each.reading for each in before]
