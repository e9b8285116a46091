"""The checker's word lists: irregular verbs stand wherever their first form does."""

from __future__ import annotations

import pytest

from rag.text.tokens import stem_of
from rag.verify import check, lexicon


@pytest.mark.parametrize(
    ("first", "second", "opposed"), [("fell", "rose", True), ("fell", "increased", True), ("sank", "sinks", False)]
)
def test_past_forms_have_the_direction_of_their_verb(first: str, second: str, opposed: bool) -> None:
    assert lexicon.opposed(stem_of(first), stem_of(second)) is opposed


def test_forms_of_a_verb_are_one_word() -> None:
    assert lexicon.one_verb(stem_of("sank"), stem_of("sinks"))
    assert not lexicon.one_verb(stem_of("sank"), stem_of("sang"))
    assert not lexicon.one_verb(stem_of("bank"), stem_of("bank"))


def test_a_past_form_turned_round_is_contradicted() -> None:
    assert check("Wages fell after the plague.", ["Wages rose after the plague."]).outcome == "contradicted"
    assert check("Wages rise after a plague.", ["Wages rose after the plague."]).outcome != "contradicted"
