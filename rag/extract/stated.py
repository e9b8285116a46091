"""The question as a statement, held against the sentence chosen for it: does that say all that the question says?

Sharing words is not answering. "How is the cutoff chosen?" over a sentence that holds the cutoff but nothing of how
it is chosen has most of its words; what is missed is a verb, an object, the one that is asked for. So the checker
compares the two as it would a claim with its evidence (`rag.verify.features`), and it is counted which of the
question's words the sentence meets by their place in the question, and what the sentence has to tell beyond them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from rag.extract.at_noun import AT_NOUN, at_noun
from rag.extract.matching import Vector, alike
from rag.extract.passage import Passage
from rag.extract.tells import known_of, telling
from rag.question import Question
from rag.text.normalise import fold
from rag.verify import compared
from rag.verify.features import NAMES as COMPARED

KINDS: Final = (
    "any", "number", "percent", "factor", "means", "reason", "several", "name", "person", "condition", "place",
    "definition", "dataset", "time",
)  # fmt: skip
"""Types of answer that are told apart."""
STATED: Final = (
    *(f"claim_{name}" for name in COMPARED),
    "first_met", "last_met", "topic_last_met", "follows_met", "following_met", "following_unmet", "rest_unmet",
    "pairs_near", "pair_nearest", "new_words", "commas", "colon", "bracket", "listing", "new_name_count",
    "number_count", "terms", "question_names", "cue_near", "tells", "which",
    *AT_NOUN,
    *(f"wants_{kind}" for kind in KINDS),
)  # fmt: skip
"""`rest` are the question's words without names; `following`, those without the noun that is asked for either."""

_ASKING: Final = re.compile(
    r"^(?:so |and |but |ok,? )?(?:what|which|who|whose|whom|why|how|when|where|does|do|did|is|are|was|were|can|could|"
    r"has|have|had)\b(?: (?:many|much|is|are|was|were|does|do|did|can|could|has|have|had)\b)?",
    re.IGNORECASE,
)
_WHICH: Final = re.compile(r"(?:which|what) (?!(?:is|are|was|were|do|does|did)\b)")
_CUE: Final = re.compile(r"\b(?:by|via|through|using|with|from|because|since|due|thanks|so|as|when|if|where|while)\b")
_LISTING: Final = re.compile(r"\b(?:such as|including|namely)\b|e\.g\.")
_BESIDE, _FAR, _NEUTRAL = 3, 99.0, 0.5


@dataclass(frozen=True, slots=True)
class _Beside:
    """The question's words as STATED has them, and where each word of the question stands in the sentence."""

    rest: tuple[str, ...]
    following: tuple[str, ...]
    places: dict[str, list[int]]


def stated(question: Question, passage: Passage, title: Passage, own: Sequence[str]) -> Vector:
    """(STATED,): the question beside one sentence of a paper; `own` are all sentences of it that were read."""
    rest = without_names(question)
    beside = _Beside(
        rest,
        tuple(stem for stem in rest if stem not in question.aspect),
        {stem: _places(stem, passage) for stem in question.terms},
    )
    statement = _ASKING.sub("", question.text.strip()).strip(" ?？").strip() or question.text
    values = (
        *compared(statement, [passage.text], (title.text, *own)),
        *_words(question, beside),
        *_told(question, passage, title, beside),
        *at_noun(question, passage, known_of(question, title)),
        *(float(question.asked.kind == kind) for kind in KINDS),
    )
    return np.array(values)


def _words(question: Question, beside: _Beside) -> list[float]:
    """Which of the question's words are met, by their place, and how close together."""
    rest, following, places = beside.rest, beside.following, beside.places

    def met(stems: Sequence[str], at: int) -> float:
        return float(bool(places[stems[at]])) if stems else _NEUTRAL

    apart = [_apart(places[a], places[b]) for a, b in pairwise(rest)]
    unmet = sum(not places[stem] for stem in following)
    return [
        met(rest, 0),
        met(rest, -1),
        met(question.terms, -1),
        met(following, 0),
        1.0 - unmet / len(following) if following else _NEUTRAL,
        float(unmet),
        float(sum(not places[stem] for stem in rest)),
        sum(each <= _BESIDE for each in apart) / len(apart) if apart else _NEUTRAL,
        min(apart, default=_FAR),
    ]


def _told(question: Question, passage: Passage, title: Passage, beside: _Beside) -> list[float]:
    """What the sentence has beyond the question, and what form the question has."""
    text, said = passage.text, {"tells": 1.0, "open": _NEUTRAL, "silent": 0.0}
    named = _named(question)
    met = [place for stem in beside.following for place in beside.places[stem]]
    cues = [passage.folded[: found.start()].count(" ") for found in _CUE.finditer(passage.folded)]
    return [
        float(sum(stem not in question.terms for stem in passage.places)),
        float(text.count(",")),
        float(":" in text),
        float("(" in text),
        float(bool(_LISTING.search(text))),
        float(sum(name not in named for name in passage.names)),
        float(len(passage.numbers)),
        float(len(question.terms)),
        float(len(question.names)),
        _apart(cues, met),
        said[telling(question, passage, title)],
        float(bool(_WHICH.match(fold(question.text)))),
    ]


def without_names(question: Question) -> tuple[str, ...]:
    """The stems of a question's words, those of its names left out."""
    named = _named(question)
    return tuple(stem for stem, word in zip(question.terms, question.words, strict=True) if word not in named)


def _named(question: Question) -> set[str]:
    return {word for name in question.names for word in (name, *name.split())}


def _places(stem: str, passage: Passage) -> list[int]:
    return [place for other, places in passage.places.items() if alike(stem, other) for place in places]


def _apart(ours: Sequence[int], theirs: Sequence[int]) -> float:
    """Tokens between the nearest two of them."""
    return float(min((abs(a - b) for a in ours for b in theirs), default=_FAR))
