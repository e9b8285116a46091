"""Tags that web pages leave in abstracts: taken out of what is read and matched, never out of the text."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.text.normalise import fold, plain
from rag.text.sentences import split
from rag.text.tags import has_tag, tag_of, untagged
from rag.text.tokens import terms, tokenise

TAGS = "<p> </p> <i> </i> <sub> </sub> <sup> </SUP> <jats:p> </jats:p> <br/> <h4> </h4> <mask>"
PIECES = st.sampled_from([*TAGS.split(), *"<>/aB2${}* \n", "i>", ". ", '<span class="x">'])
WILD = st.lists(PIECES, max_size=30).map("".join)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<jats:p>We use <jats:italic>E. coli</jats:italic>.</jats:p>", "We use E. coli."),
        ("CO<sub>2</sub> at 10<sup>-3</sup>", "CO₂ at 10⁻³"),
        ("<h4>Background</h4>It rains.", "Background It rains."),
        ("<span class=\"a\" id='b'>One</span><br />two", "One two"),
        ("<mml:math><mml:mi>x</mml:mi></mml:math> grows", "x grows"),
        ("We use <mask>, <b> and <s> tokens", "We use <mask>, <b> and <s> tokens"),
        ("if a<b and c>d, x < 5", "if a<b and c>d, x < 5"),
        ("&lt;i&gt; is a tag", "<i> is a tag"),
    ],
)
def test_what_is_read(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_a_formula_is_found_however_it_is_written() -> None:
    assert fold("CO<sub>2</sub>") == fold("CO$_2$") == "co2"
    assert set(terms("CO2 falls")) <= set(terms("the <b>CO<sub>2</sub></b> <i>falls</i>"))


def test_sentences_leave_out_the_tags_of_paragraphs_and_keep_those_within() -> None:
    text = "<jats:p>It is <i>A. b</i> here</jats:p><jats:p>There <b>too</b>. <i>C. d</i> is not.</jats:p>"
    assert [text[start:end] for start, end in split(text)] == [
        "It is <i>A. b</i> here",
        "There <b>too</b>.",
        "<i>C. d</i> is not.",
    ]


@given(WILD)
def test_whatever_the_tags_offsets_hold(text: str) -> None:
    assert len(untagged(text)) == len(text)
    assert fold(fold(text)) == fold(text)
    assert not has_tag(fold(text))
    assert all(text[token.start : token.end] == token.text for token in tokenise(text))
    spans = split(text)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    covered = "".join(text[start:end] for start, end in spans)
    assert [char for char in untagged(text) if char.isalnum()] == [char for char in untagged(covered) if char.isalnum()]


def test_walls_of_tags_take_no_time() -> None:
    wall = "<" * 3000 + "i>" * 3000 + "<sup>" * 3000 + "</i>" * 3000
    assert len(plain(wall)) <= len(wall)
    assert fold(fold(wall)) == fold(wall)
    assert split(wall)


def test_a_tag_is_known_by_its_name() -> None:
    found = tag_of("</jats:P>")
    assert found is not None
    assert (found.name, found.closes, found.parts) == ("p", True, True)
    assert tag_of("<") is None
    assert not has_tag("<mask> <b> <ii>")
