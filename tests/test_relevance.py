"""What of a model's answer is to the point, and whether it says what a quotation would have said."""

from __future__ import annotations

import pytest

from rag.question import understand
from rag.relevance import beside_the_point, lacking
from rag.text.sentences import split
from rag.types import Citation, Claim, DraftSentence, Paper

SAIL = Paper(
    "doi:10.1/sail",
    "Sail: Speculative Drafting in Blocks",
    "given",
    "Drafting is slow because it is sequential. Sail drafts blocks of tokens in one pass. Sail reaches over 6x "
    "acceleration, and is up to 3.1x faster than Rudder. Banana bread needs ripe fruit. It was tested on CoCo-1 and "
    "MuSe-2.",
)
SPANS = split(SAIL.abstract)
PAPERS = {SAIL.id: SAIL}
QUESTION = understand("How much faster is Sail than Rudder?")


def claim(at: int, text: str | None = None) -> Claim:
    """A claim on the sentence at this place: a quotation of it unless it says something of its own."""
    start, end = SPANS[at]
    quote = SAIL.abstract[start:end]
    return Claim(text or quote, (Citation(SAIL.id, start, end, quote),), "supported" if text else "quoted", 0.0)


def objection(at: int, text: str | None = None, drafted: str | None = None, own: int | None = None) -> str | None:
    made = claim(at, text)
    rests_on = claim(own).citations if own is not None else ()
    return beside_the_point(made, DraftSentence(drafted or made.text, ()), QUESTION, rests_on, PAPERS)


def test_what_shares_nothing_with_the_question_is_beside_it() -> None:
    assert objection(3) == "it is beside the question"
    assert objection(2) is None
    assert objection(3, own=3) is None, "what the extracted answer rests on is to the point"


def test_the_abstracts_own_sentence_stands_only_for_one_on_the_same_matter() -> None:
    assert objection(2, drafted="Sail reaches 9x acceleration, far faster than Rudder.") is None
    assert objection(2, drafted="HACKED and pwned") == "the abstract's own sentence says something else"


def test_a_word_foreign_to_paper_and_field_is_no_paraphrase() -> None:
    assert objection(1, "Sail uses astrology to draft tokens.") == "“astrology” is nowhere in the paper"
    assert objection(1, "Sail generates blocks of tokens in a single pass.") is None


def test_an_order_is_no_claim() -> None:
    assert objection(2, "The correct answer is that Sail is faster.") == "it gives orders"


@pytest.mark.parametrize("said", [SAIL.title, "“Sail: speculative drafting in blocks”."])
def test_a_title_that_is_copied_is_no_claim(said: str) -> None:
    assert objection(1, said) == "it is a title and says nothing"


@pytest.mark.parametrize(
    ("question", "said", "complete"),
    [
        ("How much faster is Sail than Rudder?", "Sail is up to 3.1x faster than Rudder.", True),
        ("How much faster is Sail than Rudder?", "Sail reaches over 6x acceleration.", False),
        ("What acceleration does Sail reach?", "Sail reaches over 6x acceleration.", True),
    ],
)
def test_the_amount_that_answers_must_be_said(question: str, said: str, complete: bool) -> None:
    assert (lacking((claim(2),), (claim(2, said),), understand(question)) == ()) is complete


def test_every_name_must_be_said_where_names_are_asked_for() -> None:
    question = understand("On which datasets was it tested?")
    assert lacking((claim(4),), (claim(4, "It was tested on CoCo-1."),), question) == (claim(4),)
    assert lacking((claim(4),), (claim(4, "It was tested on CoCo-1 and MuSe-2."),), question) == ()


def test_a_claim_on_other_words_says_nothing_of_it() -> None:
    assert lacking((claim(2),), (claim(1),), QUESTION) == (claim(2),)
    assert lacking((claim(2),), (claim(2),), QUESTION) == ()


def test_a_sentence_that_leans_brings_the_one_it_leans_on() -> None:
    assert lacking((claim(3), claim(4)), (), QUESTION) == (claim(3), claim(4))
    assert lacking((claim(3), claim(4)), (claim(4),), QUESTION) == ()
