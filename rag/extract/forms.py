"""Words that answer yes or no by their own form: "lossless" to "does it lose quality?", "unlabelled" to "labels"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from rag.extract.matching import alike, speaks_of
from rag.extract.passage import Passage, read
from rag.question import Question
from rag.text.normalise import fold
from rag.text.tokens import stem_of, stemmed
from rag.verify.lexicon import NEGATORS, allied, axis, opposed, poles, synonymous, value

_DENYING: Final = re.compile(r"(?:un|in|im|ir|non-?)(?P<after>[a-z]{4,})|(?P<before>[a-z]{4,}?)-?(?:less|free)")
_NO_DENIAL: Final = stemmed(
    """
    into under until unit units unite union unique universal universe input index induce information inform infer
    inference include increase increasingly indeed indicate initial inner inspire instance instruction integrate
    intelligence interest internal interpret interpretable introduce inverse involve image impact implement imply
    important improve improvement impose understand underlying investigate interaction interactive unless
    """
)
"""Words that only look as if they denied something."""
_SHARED: Final = 3
_UNITS: Final = {
    "dose dosage": r"[nμµm]?g|mcg|kg|m?l|iu|units?|[nμµm]?mol|gy",
    "concentration": r"[nμµmp]?m|pp[mb]|[nμµm]?g/(?:[md]?l|kg)|[nμµmp]?mol/l|parts per [mb]illion",
    "temperature": r"°(?: ?[cf])?|degrees?|kelvin|k",
    "pressure": r"[km]?pa|(?:m?bar)|mm ?hg|psi|atm",
    "wavelength": r"[nμµ]m",
    "frequency": r"[kmg]?hz",
    "length width depth height thickness distance": r"[nμµmck]?m|met(?:re|er)s?|kilomet(?:re|er)s?",
    "weight mass": r"[mk]?g|tons?|tonnes|(?:solar|earth) masses",
    "price cost": r"dollars?|cents?|euros?|pounds|usd|eur",
    "duration period": r"seconds?|minutes?|hours?|days?|weeks?|months?|years?",
}
"""What is measured, and its units as they stand after a number."""


@cache
def _measures() -> dict[str, re.Pattern[str]]:
    """stem of what is measured -> a number in one of its units."""
    return {
        stem_of(noun): re.compile(rf"\d[\d.,]*[\s-]?(?:{units})(?![a-z0-9])")
        for nouns, units in _UNITS.items()
        for noun in nouns.split()
    }


@lru_cache(maxsize=65536)
def denied(word: str) -> str:
    """The stem of what a folded word denies by its form; "" for most words."""
    found = None if stem_of(word) in _NO_DENIAL else _DENYING.fullmatch(word)
    return stem_of(found["after"] or found["before"]) if found else ""


def _one(term: str, stem: str) -> bool:
    """Whether two stems are one word: the same, or its verb and its noun ("lose", "loss"); a loss is also what worsens
    a thing."""
    if _loses(stem) and worsens(term):
        return True
    return term == stem or (term[:_SHARED] == stem[:_SHARED] and (synonymous(term, stem) or allied(term, stem)))


def _loses(stem: str) -> bool:
    return (axis("lose"), -1) in poles().get(stem, ())


def worsens(stem: str) -> bool:
    """Whether a stem says that something gets worse, or is lost."""
    return _loses(stem) or (axis("improve"), -1) in poles().get(stem, ())


def worsening_denied(premise: str, passage: Passage) -> bool:
    """Whether a premise says that something one wants gets worse, and a sentence denies that by the form of a word:
    "lossless" turns round "X sacrifices quality"."""
    wanted = read(premise).places
    if not NEGATORS.isdisjoint(fold(premise).split()) or not any(value(stem) > 0 for stem in wanted):
        return False
    worse = [stem for stem in wanted if worsens(stem)]
    return any(_one(stem, said) for word in passage.words.values() if (said := denied(word)) for stem in worse)


def measured(term: str, passage: Passage) -> bool:
    """Whether a sentence gives a number in the units of what a stem names: "7.4 mg/kg" is a dose, unsaid as it is."""
    unit = _measures().get(term)
    return unit is not None and bool(passage.numbers) and bool(unit.search(passage.folded))


def answers_term(question: Question, term: str, passage: Passage) -> bool:
    """Whether a sentence speaks of a word of the question, or gives a measure of it; of a yes/no question also by its
    opposite: "easy" answers "is it hard?"."""
    if speaks_of(term, passage) or measured(term, passage):
        return True
    return question.kind == "yes_no" and any(opposed(term, stem) for stem in passage.places)


def answers_by_form(question: Question, passage: Passage, elsewhere: Sequence[Passage]) -> bool:
    """Whether a sentence denies, by the form of one of its words, a word of a yes/no question that it does not hold as
    it is asked, and the paper (`elsewhere`) holds the question's other words."""
    if question.kind != "yes_no":
        return False
    said = [stem for word in passage.words.values() if (stem := denied(word))]
    hit = [term for term in question.terms if term not in passage.places and any(_one(term, stem) for stem in said)]
    rest = [term for term in question.terms if term not in hit]
    return bool(hit) and all(any(alike(t, o) for p in elsewhere for o in p.places) for t in rest)
