"""The question's side, taken once, and how far a sentence has an answer of the type that is asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np

from rag.extract.defining import letters_asked, thing_asked
from rag.extract.holds import STRONG, holds, new_names
from rag.extract.instances import instance, named_near
from rag.extract.matching import OPPOSITE, SYNONYM, Matches, Vector
from rag.extract.passage import Passage
from rag.extract.roles import Role, role_asked, roles_of
from rag.question import Question
from rag.question.wanted import AMOUNTS
from rag.text.normalise import fold
from rag.text.rarity import weight
from rag.text.tokens import stemmed

_EMPTY_HEADS: Final = stemmed(
    "number percentage percent fraction share proportion amount value name names kind type sort size method approach"
)
_DETERMINED: Final = re.compile(r"\b(?:which|what|whose)\b")
_COUNTED: Final = AMOUNTS - {"money"}


@dataclass(frozen=True, slots=True)
class Asking:
    """What the sentences are held against: `weights` are those of the question's terms."""

    question: Question
    weights: Vector
    aspect: tuple[str, ...]
    aspect_weights: Vector
    role: Role | None
    strong: bool
    determined: bool
    """Asks "which" or "what" of a noun: an instance of it must be told."""
    thing: str
    """What is to be explained, of "What is ...?"."""
    letters: bool
    """Only what its letters stand for."""


def asking_of(question: Question) -> Asking:
    """Names and empty nouns ("number of ...") are no part of the aspect."""
    aspect = tuple(s for s in question.aspect if s not in question.names and s not in _EMPTY_HEADS)
    return Asking(
        question,
        np.array([weight(term) for term in question.terms]),
        aspect,
        np.array([weight(stem) for stem in aspect]),
        role_asked(fold(question.text)),
        question.asked.kind in STRONG,
        bool(aspect) and bool(_DETERMINED.search(fold(question.text))),
        thing_asked(question),
        letters_asked(fold(question.text)),
    )


def of_type(asking: Asking, passage: Passage, found: Matches, aligned: float, told: frozenset[str]) -> dict[str, float]:
    """Of one sentence. `aligned` is the share of the question's words that stand close together there; `told` are names
    that the reader knows already."""
    question, strong = asking.question, asking.strong
    held = holds(question.asked.kind, passage, told)
    roles = roles_of(passage.folded)
    return {
        "type": held,
        "type_strong": held * strong,
        "type_missing": float(strong and held < 0.3),
        "type_near": _near(question, passage, found),
        "new_names": min(1.0, new_names(passage, told) / 2) if asking.determined else 0.5,
        "head_new": _head_new(asking, passage, found) if asking.determined else 0.5,
        "cue": held * (not strong),
        "instance": instance(question.asked.aspect, passage, told) if asking.determined else 0.5,
        "named_near": _named_near(asking, passage, found, told) if asking.determined else 0.5,
        "role": float(asking.role in roles),
        "role_wrong": float(asking.role is not None and asking.role not in roles),
        "low_weak": (1.0 - aligned) * (not strong),
        "low_strong": (1.0 - aligned) * strong * held,
    }


def _named_near(asking: Asking, passage: Passage, found: Matches, told: frozenset[str]) -> float:
    return named_near(_head_places(asking, passage, found), passage, told)


def _head_places(asking: Asking, passage: Passage, found: Matches) -> set[int]:
    """Where the noun that is asked for stands, or a synonym of it."""
    row = found.grid[found.rows[asking.aspect[-1]]]
    return {p for stem, places in passage.places.items() if row[found.columns[stem]] >= SYNONYM for p in places}


def _head_new(asking: Asking, passage: Passage, found: Matches) -> float:
    """Whether what is asked for stands with a word that the question does not hold: "a vine-copula posterior"."""
    heads = _head_places(asking, passage, found)
    if not heads:
        return 0.0
    told = {*asking.question.terms, *asking.aspect}
    counted = {position for position, _ in passage.numbers}
    new = {p for stem, places in passage.places.items() if stem not in told for p in places} - counted
    return max(1.0 if head - 1 in new else 0.5 if head - 2 in new else 0.2 for head in heads)


def _near(question: Question, passage: Passage, found: Matches) -> float:
    """How near a number stands to what is counted: 1 beside it, 0 far off; 0.5 when no number is asked for."""
    if question.asked.kind not in _COUNTED:
        return 0.5
    stems = [stem for stem in (question.aspect or question.terms) if stem in found.rows and stem not in _EMPTY_HEADS]
    if not stems or not passage.numbers:
        return 0.0
    best = 0.0
    for stem in stems[-2:] if question.aspect else stems:
        row = found.grid[found.rows[stem]]
        for other, places in passage.places.items():
            alike = float(row[found.columns[other]]) if other in found.columns else 0.0
            if alike >= OPPOSITE:
                apart = min(abs(place - position) for place in places for position, _ in passage.numbers)
                best = max(best, alike * float(np.exp(-max(0, apart - 1) / 5)))
    return best
