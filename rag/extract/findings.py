"""What an abstract found, set apart from what it did and what was believed before."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from rag.extract.passage import Passage
from rag.extract.roles import own_work_begins
from rag.question import Question
from rag.text.cues import has
from rag.text.inquiry import asks
from rag.text.normalise import fold
from rag.verify.lexicon import axis, poles

_FOUND_ASKED: Final = re.compile(
    r"^what (?:is|are|was|were) (?:\w+ ){0,3}known\b|^what (?:do|does) (?:we|they|scientists|researchers) know\b"
    r"|^what (?:is|are|was|were|did|do|does|has|have)\b.*"
    r"\b(?:conclu\w+|find(?:ings)?|found|discover\w*|evidence|research (?:says?|shows?)|results?)\b"
)
"""Asks what came out, whatever it was."""
_SUMS_UP: Final = re.compile(
    r"\b(?:conclu\w+|suggest(?:s|ed|ing)?|(?:we|authors) argue|(?:our|these) (?:results|findings|data))\b"
    r"|^(?:overall|in summary|together|taken together|thus|therefore|collectively)\b"
)
_EFFECT: Final = re.compile(
    r"\b(?:affect|effect|influenc|impact|chang|alter|differ|help|harm|prevent|protect|predict|associat|link|relat|caus|lead|"
    r"matter)"
)
_DID: Final = re.compile(r"\bwe (?:\w+ly )?\w+|\b(?:was|were) (?:\w+ly )?(?:\w+ed|given|fed|done|made|taken|drawn)\b")
_STAYED: Final = re.compile(
    r"\b(?:did|do|does|was|were|is|are) not\b|\bneither\b|\bun(?:changed|affected|altered)\b"
    r"|\bno (?:\w+ ){0,2}?(?:(?:change|difference|effect|association)s?|"
    r"(?:in|de)creases?|evidence|higher|lower|more|less)\b"
)
_WE: Final = re.compile(r"\bwe\b")
_BELIEVED: Final = re.compile(
    r"\b(?:believed|thought|said|assumed|claimed|expected|supposed|proposed|suspected|hypothesi[sz]ed) (?:to|that|as)\b"
    r"|\b(?:belief|disputed|controvers\w+|unknown|unclear|poorly understood|remains? to be)\b"
)
_OUTCOME: Final = re.compile(
    r"\b(?:comparable|on par|match(?:es|ing)?|equal(?:s|ly)?|equivalent|than|similar|"
    r"outperform\w*|surpass\w*|superior\w*|inferior)\b"
)


def asks_findings(folded_question: str) -> bool:
    return bool(_FOUND_ASKED.search(folded_question))


def asks_effect(question: Question) -> bool:
    """Whether a yes/no question asks what something does to something, not what it is made of."""
    if question.kind != "yes_no":
        return False
    return _has_direction(question.terms) or bool(_EFFECT.search(fold(question.text)))


def _has_direction(stems: Iterable[str]) -> bool:
    axes = {each for stem in stems for each, _ in poles().get(stem, ())}
    return not axes.isdisjoint({axis("increase"), axis("improve")})


def work_begins(passages: Sequence[Passage]) -> int:
    """The place of the sentence in which an abstract turns to its own work, or first says "we"; 0 where none does."""
    begins = own_work_begins(each.folded for each in passages)
    we = next((at for at, each in enumerate(passages) if _WE.search(each.folded)), begins)
    return min(begins, we) if begins else we


def believed(passage: Passage) -> bool:
    """Whether a sentence tells what others think, or nobody knows."""
    return bool(_BELIEVED.search(passage.folded)) or has("prior", passage.folded)


def before_findings(passage: Passage) -> bool:
    """Whether a sentence tells what is believed, aimed at or was done, and nothing that came out."""
    if asks(passage.text) or _BELIEVED.search(passage.folded):
        return True
    return bool(_DID.search(passage.folded)) and not tells_finding(passage)


def sums_up(passage: Passage) -> bool:
    """Whether a sentence draws a conclusion."""
    return bool(_SUMS_UP.search(passage.folded))


def tells_finding(passage: Passage) -> bool:
    """Whether a sentence tells what came out: a direction, that something stayed as it was, or a conclusion."""
    folded = passage.folded
    if asks(passage.text) or _BELIEVED.search(folded):
        return False
    stayed = _STAYED.search(folded) or _OUTCOME.search(folded)
    return (
        bool(_has_direction(passage.places) or stayed or sums_up(passage))
        or has("shows", folded)
        or has("we_find", folded)
    )
