"""What the corpus makes of what a question takes for granted: says it, denies it, or neither."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

from rag.extract.features import FEATURES
from rag.extract.findings import believed
from rag.extract.forms import worsening_denied
from rag.extract.matching import alike
from rag.extract.passage import Passage, read
from rag.extract.reversal import moved_by, turned_round, unmoved
from rag.extract.scene import Candidate
from rag.question import Question
from rag.verify import Check, check

Premise = Literal["supported", "contradicted", "not_found"]

JUDGED: Final = 3
"""Sentences that a premise is held against: the chosen one and the nearest of its paper; any that turns it round."""
DENIES: Final = 0.68
DENIES_BY_NOT: Final = 0.77
"""Share of a premise's words, by rarity, that the sentence which denies it must hold: by another number, name or
direction, or by a "not" alone, which may be meant of something else."""
AS_CLOSE: Final = 0.05
"""How much less it may hold than the closest sentence. All three are fitted on `evals/questions`, split `fit`: 25 of
45 false premises are denied there, and none of 74 true ones."""
_ALIGNED: Final = FEATURES.index("align")
FEWEST: Final = 2
PLENTY: Final = 3
"""Words of a premise that must be taken away at once to deny it outright: with its last word, and without."""
_OWN_DENIAL: Final = re.compile("the sentence says .*, the claim does not")
_APART: Final = re.compile("the sentence does not put .* together as the claim does")
_BY_NOT: Final = re.compile("the claim says “(?:not|no|never|n't|cannot|without)”, the sentence does not")
_BY_NUMBER: Final = re.compile(r"the claim says [^“]*\d.*, the sentence says")
_TAKEN_AWAY: Final = re.compile(r"\b(?:without|not|cannot|never|no)\b ([^,.;:()]+)")


def judged(question: Question, chosen: Candidate, found: Sequence[Candidate]) -> tuple[Premise, Candidate | None]:
    """What the chosen paper says of the question's premise, and the sentence that denies it: the answer's first."""
    if not question.premise:
        return "not_found", None
    own = [c for c in found if c.paper.id == chosen.paper.id and c is not chosen]
    nearest = sorted(own, key=lambda c: -float(c.features[_ALIGNED]))
    nearest = [c for at, c in enumerate(nearest) if at < JUDGED - 1 or _turns(question.premise, c.passage)]
    context = [chosen.paper.title, *(c.passage.text for c in (chosen, *own))]
    said = [(check(question.premise, [c.passage.text], context=context), c) for c in (chosen, *nearest)]
    most = max(each.coverage for each, _ in said)
    denials = [
        (each.coverage, at, c)
        for at, (each, c) in enumerate(said)
        if (_denies(each, most - AS_CLOSE) and not _other_amount(each, question.premise, c.passage))
        or (each.outcome == "contradicted" and _turns(question.premise, c.passage))
        or worsening_denied(question.premise, c.passage)
    ]
    if not denials and not any(each.outcome == "supported" and not believed(c.passage) for each, c in said):
        paper = [read(chosen.paper.title), *(c.passage for c in (chosen, *own))]
        denials = [(0.0, at, c) for at, c in enumerate((chosen, *own)) if unmoved(question.premise, c.passage, paper)]
    if denials:
        return "contradicted", max(denials, key=lambda each: (each[0], -each[1]))[2]
    return ("supported" if any(each.outcome == "supported" for each, _ in said) else "not_found"), None


def _other_amount(said: Check, premise: str, passage: Passage) -> bool:
    """Whether a sentence that gives another number gives it of another thing: a risk that is lower by 28 % denies
    no deaths that rose by 30 %."""
    things = [thing for _, thing in moved_by(premise)]
    spoken = any(alike(thing, stem) for thing in things for stem in passage.places)
    return bool(things) and not spoken and any(_BY_NUMBER.match(reason) for reason in said.reasons)


def _turns(premise: str, passage: Passage) -> bool:
    return denies_outright(premise, passage) or turned_round(premise, passage) or worsening_denied(premise, passage)


def denies_outright(premise: str, passage: Passage) -> bool:
    """Whether all that a "not" or "without" of the sentence takes away is what the premise takes for granted, to its
    last word or for the most part: "needs a reward model" is denied by "without requiring a reward model"."""
    wanted = read(premise).places
    for found in _TAKEN_AWAY.finditer(passage.folded):
        gone = list(read(found[1]).places)
        if len(gone) >= FEWEST and all(any(alike(stem, other) for other in wanted) for stem in gone):
            return len(gone) >= PLENTY or any(alike(stem, list(wanted)[-1]) for stem in gone)
    return False


def _denies(said: Check, least: float) -> bool:
    """Whether a sentence is close enough to a premise to deny it. One that only holds a "not" of its own may deny
    anything: "without labels" denies no word of "self-supervised"; and a question's words need not go together."""
    if said.outcome != "contradicted" or all(_OWN_DENIAL.fullmatch(reason) for reason in said.reasons):
        return False
    if _APART.fullmatch(said.reasons[0]):
        return False
    by_not = all(_BY_NOT.fullmatch(reason) for reason in said.reasons)
    return said.coverage >= max(least, DENIES_BY_NOT if by_not else DENIES)
