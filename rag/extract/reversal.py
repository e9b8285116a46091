"""Whether a paper turns round what a question takes for granted ("Why does X raise the cost?"), or never says it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rag.extract.findings import believed
from rag.extract.matching import alike
from rag.extract.passage import Passage, read
from rag.question import Question
from rag.text.cues import has
from rag.text.function_words import COMPARATIVES
from rag.text.normalise import fold
from rag.text.tokens import stem_of
from rag.verify.lexicon import allied, axis, opposed, poles

REACH: Final = 3
"""Tokens from a word of direction to the thing whose direction it is: "lower communication cost"."""
_WHY: Final = re.compile(r"^(?:so |and |but )?(?:why|how come)\b")
_THAN: Final = re.compile(rf"\b(?P<word>(?:more|less) \w+|{COMPARATIVES})\b (?:[\w-]+ ){{0,3}}?than\b")
_STILL: Final = r"chang|differ|alter|affect|influenc|respond"
_AS_IT_WAS: Final = r"unchanged|unaffected|unaltered|the same|constant|stable"
_NOTHING: Final = "changes?|differences?|effects?|impacts?|influence|associations?|relations?|relationship"
_UNMOVED: Final = re.compile(
    rf"(?P<before>[^,;:.()]+?) (?:(?:did|do|does|was|were|is|are|has|have|had) not (?:\w+ly )?(?:been )?(?:{_STILL})\w*"
    rf"|(?:was|were|is|are|remained?|stayed?) (?:{_AS_IT_WAS})\b)"
    rf"|\bno (?:\w+ ){{0,2}}?(?:(?:{_NOTHING}) (?:\w+ ){{0,2}}?(?:in|on|of|between|with)|(?P<way>{COMPARATIVES}) in)"
    r" (?P<after>[^,;:.()]+)"
)
"""How an abstract says that something stayed as it was."""
_JOINTS: Final = re.compile(r"[,;:] | (?:and|but|while|whereas|although) ")
_DENIED: Final = re.compile(r"\b(?:not|no|never|neither|nor|cannot|without)\b")


def turned_round(premise: str, passage: Passage) -> bool:
    """Whether a sentence gives the opposite direction to the very thing that the premise moves: "increases abstention"
    beside "reducing abstention by 31%". What it says of earlier work counts for nothing."""
    if has("prior", passage.folded) or has("contrast", passage.folded):
        return False
    claim = read(premise)
    return any(
        _moves(passage, there, thing) and not _moves(passage, stem, thing)
        for stem in claim.places
        if any(each == axis("increase") for each, _ in poles().get(stem, ()))
        for thing in _moved(claim, stem)
        for there in passage.places
        if opposed(stem, there)
    )


def unmoved(premise: str, passage: Passage, own: Sequence[Passage]) -> bool:
    """Whether a sentence says that the very thing which the premise moves stayed as it was, or moved no such way:
    "grades did not change", "no higher in reading". `own` are the paper's passages: between them they speak of all
    else that the premise does, and none moves the thing the premise's way."""
    claim = read(premise)
    said = _UNMOVED.search(passage.folded)
    if said is None or believed(passage):
        return False
    word = said["way"] and stem_of(said["way"])
    still = read(said["before"] or said["after"]).places
    rest = [part for each in own if each is not passage and not believed(each) for part in _unless_denied(each)]
    return any(
        any(alike(thing, stem) for stem in still)
        and (not word or word == way or allied(word, way))
        and all(stem == way or any(alike(stem, other) for p in own for other in p.places) for stem in claim.places)
        and not any(_moves(p, other, thing) for p in rest for other in p.places if other == way or allied(other, way))
        for way, thing in moved_by(premise)
    )


def _unless_denied(passage: Passage) -> list[Passage]:
    """The parts of a sentence that deny nothing: "raised it in tilled soil and had no effect elsewhere" raised it."""
    return [read(part) for part in _JOINTS.split(passage.folded) if not _DENIED.search(part)]


def moved_by(premise: str) -> list[tuple[str, str]]:
    """Each word of direction of a premise with the first thing that it moves, as stems."""
    claim = read(premise)
    ways = [stem for stem in claim.places if any(each == axis("increase") for each, _ in poles().get(stem, ()))]
    ways += [
        stem
        for stem in claim.places
        if stem not in ways and any(a == axis("improve") for a, _ in poles().get(stem, ()))
    ]
    return [(way, thing) for way in ways for thing in _moved(claim, way)]


def _after(passage: Passage, direction: str) -> list[tuple[int, str]]:
    """What stands after a word of direction, at most REACH tokens on: (tokens between, stem)."""
    return [
        (place - start, stem)
        for start in passage.places.get(direction, ())
        for stem, places in passage.places.items()
        for place in places
        if 0 < place - start <= REACH
    ]


def _moved(passage: Passage, direction: str) -> list[str]:
    """The first thing after a word of direction."""
    after = _after(passage, direction)
    return [min(after)[1]] if after else []


def _moves(passage: Passage, direction: str, thing: str) -> bool:
    return any(alike(thing, moved) for _, moved in _after(passage, direction))


def note_of(question: Question, own: Sequence[Passage], *, denied: bool) -> str | None:
    """What the reader should know of what the question takes for granted; `own` are the chosen paper's sentences."""
    if denied:
        return "the abstract says otherwise than the question"
    word = unfounded(question, own)
    return None if word is None else f"the abstract does not say “{word}”"


def unfounded(question: Question, own: Sequence[Passage]) -> str | None:
    """The comparing word of a "why" that no sentence of the paper says, nor a word of its direction: "slower"."""
    folded = fold(question.text)
    found = _THAN.search(folded) if question.premise and _WHY.match(folded) else None
    if not found:
        return None
    word = found["word"].split()
    stem = stem_of(word[-1])
    if any(_says(stem, word[0] == "less", passage) for passage in own):
        return None
    return found["word"]


def _says(stem: str, lessened: bool, passage: Passage) -> bool:
    """Whether a passage holds the word, or one that points the same way."""
    if lessened:
        return "less" in passage.folded or any(opposed(stem, other) for other in passage.places)
    return any(stem == other or alike(stem, other) or allied(stem, other) for other in passage.places)
