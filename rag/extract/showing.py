"""What is shown beside the sentence that answers: nothing, the next best, or what it announces."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from rag.extract.matching import Vector
from rag.extract.passage import read
from rag.extract.scene import Candidate
from rag.extract.tells import telling
from rag.question import Question
from rag.text.inquiry import asks, of_inquiry
from rag.text.normalise import fold

ENOUGH: Final = 0.85
"""A sentence whose share of the choice is at least this stands alone; else the next of its paper joins it."""
JOINS: Final = 0.08
_HOW_MANY: Final = re.compile(r"\bhow many\b", re.IGNORECASE)
_COUNTED: Final = (
    r"stages?|steps?|phases?|components?|parts?|modules?|mechanisms?|strateg(?:y|ies)|challenges?|variants?|"
    r"contributions?|innovations?|methods?|techniques?"
)
_ANNOUNCES: Final = re.compile(
    rf"\b(?:two|three|four|five|several)[- ](?:[\w-]+ ){{0,2}}?(?P<part>{_COUNTED})\b"
    r"|\b(?P<folded>contribution)s? (?:is|are) (?:two|three|four|five|many)-?fold\b"
)
_TELLS_THEM: Final = re.compile(
    r"(?:in )?(?:the )?(?:\w+ )?(?:first(?:ly)?|former|stage|step|phase)\b"
    r"|(?:specifically|concretely|namely|in particular)\b|\(?(?:i|1|a)\)|we (?:first|begin|start)\b"
)
""" "... in two stages. First, ...": what says how many, and how the sentence after it begins."""


def shown(question: Question, found: Sequence[Candidate], scores: Vector, first: int) -> list[int]:
    """The places of what is shown. A second sentence that only asks is left out, and where a count is told one that
    counts nothing."""
    places = _spelled_out(question, found, joined(found, scores, first))
    if not of_inquiry(question.text):
        places = [i for i in places if i == first or not asks(found[i].passage.text)]
    title = read(found[first].paper.title)
    if not _HOW_MANY.search(question.text) or telling(question, found[first].passage, title) != "tells":
        return places
    return [i for i in places if i == first or telling(question, found[i].passage, title) != "silent"]


def _spelled_out(question: Question, found: Sequence[Candidate], places: list[int]) -> list[int]:
    """A sentence that says how many stages there are, where they are asked for, is followed by the one that tells
    them; that takes the place of any other second sentence."""
    first = places[0]
    later = first + 1
    if later >= len(found) or found[later].paper.id != found[first].paper.id:
        return places
    announced = _ANNOUNCES.search(found[first].passage.folded)
    asked = announced and (announced["part"] or announced["folded"]).rstrip("s") in fold(question.text)
    return [first, later] if asked and _TELLS_THEM.match(found[later].passage.folded) else places


def joined(found: Sequence[Candidate], scores: Vector, chosen: int) -> list[int]:
    """The chosen place, and one more of the same paper when the choice was close."""
    exponents = np.exp(scores - scores.max())
    shares = exponents / exponents.sum()
    if shares[chosen] >= ENOUGH:
        return [chosen]
    others = [i for i, c in enumerate(found) if c.paper.id == found[chosen].paper.id and i != chosen]
    second = max(others, key=lambda i: float(shares[i]), default=None)
    return [chosen] if second is None or shares[second] < JOINS else [chosen, second]
