"""The answer to one question of fact: a sentence, its antecedent where it leans on one, or why there is none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from rag.evidence import keyed
from rag.extract.defining import NAMES, SAYS, defines, thing_asked, thing_perhaps_asked
from rag.extract.features import FEATURES
from rag.extract.forms import answers_by_form, answers_term
from rag.extract.matching import Vector
from rag.extract.model import Model, closest, shipped, summary
from rag.extract.passage import read
from rag.extract.prefer import first_shown, names_hardware, of_paper
from rag.extract.premises import Premise, judged
from rag.extract.reversal import note_of
from rag.extract.scene import Candidate, table
from rag.extract.showing import shown
from rag.extract.stated import stated, without_names
from rag.extract.tells import noun_of, telling
from rag.extract.unspoken import unspoken
from rag.question import Question
from rag.text.function_words import A_WORK, POINTING_BACK
from rag.text.normalise import plain
from rag.text.rarity import known
from rag.text.tokens import STOPWORDS, stem_of
from rag.types import Claim, Draft, DraftSentence, Evidence
from rag.verify.acronyms import other_forms

TOP_PAPERS: Final = 5
_UNDEFINED: Final = FEATURES.index("undefined")
"""1 where "What is X?" meets a sentence that only uses X: 29 of 31 questions without an answer, 2 of 38 with one."""
_DEFINES: Final = FEATURES.index("defines")
_NOT_ASKED: Final = 0.5
_TYPE: Final = FEATURES.index("type")
_NAMES_UNMET: Final = FEATURES.index("names_unmet")
_COINED: Final = re.compile(r"\b\w*[a-z][A-Z]\w*|\b[A-Z]{2,}[a-z]{2,}\w*")
"""A name as only systems have it ("GraphSAGE"). Of the fitting half's questions with a name of this kind that no paper
found holds, 12 had an answer and 100 had none."""
FEWEST: Final = 2
AS_ASKED: Final = 0.5
_HOW_MANY: Final = re.compile(r"\bhow many\b", re.IGNORECASE)
MOST_UNMET: Final = 3
SHORTEST: Final = 3
"""Letters of a name that says which thing is meant."""
_POINTS_BACK: Final = re.compile(rf"^(?:{POINTING_BACK})\b|^this (?!{A_WORK})")


@dataclass(frozen=True, slots=True)
class Extracted:
    """`draft` quotes `evidence` by its keys, best first. `reason` is set when there is no answer: words for the reader.

    `statements` come from the catalogue, not from abstracts. `premise` says what became of what the question takes for
    granted; `note` tells the reader when the corpus says otherwise. `probability` is that the answer is one.
    """

    question: Question
    draft: Draft = field(default_factory=lambda: Draft(()))
    evidence: tuple[Evidence, ...] = ()
    statements: tuple[Claim, ...] = ()
    reason: str | None = None
    premise: Premise = "not_found"
    note: str | None = None
    probability: float = 0.0

    @property
    def answered(self) -> bool:
        return bool(self.draft.sentences or self.statements)


def choose_fact(question: Question, found: Sequence[Candidate], model: Model | None = None) -> Extracted:
    """One sentence, rarely two, from the paper that answers."""
    model = model or shipped()
    if not found or not question.terms:
        return Extracted(
            question,
            reason="the question names nothing that could be looked up" if found else "no paper is about this",
        )
    rows = table(found)
    scores = model.select(rows)
    close = closest(scores, of_paper(found, _defining(rows, scores)))
    said = np.array([_stated(question, found, each) for each in close])
    scores = model.reordered(rows, scores, close, said)
    chosen = _defining(rows, scores)
    explains = _explaining(question, found, scores, chosen)
    told = _telling(question, found, scores, chosen) if explains is None else explains
    at = chosen if told is None else told
    of_it = said[close.index(at)] if at in close else _stated(question, found, at)
    chance = model.probability(summary(rows, scores, at, of_it, said.max(axis=0)))
    premise, denial = judged(question, found[at], found)
    first = first_shown(question, found, scores, at) if explains is None else at
    sure = explains is not None or _sure(question, found, at, first)
    own = [found[i].passage for i in of_paper(found, at)]
    unsaid = unspoken(question, found[at].paper, own)
    tells = sure or (told is not None and is_answer(question, found[at], chance, model.threshold))
    if unsaid or not tells:
        if denial is None:
            reason = why_not(question, found, chosen, unsaid)
            return Extracted(question, reason=reason, probability=chance)
        best = [denial]  # what is asked is not told, but what the question takes for granted is not so
    else:
        best = [found[i] for i in shown(question, found, scores, first)]
        if denial is not None:
            best = [denial, *(each for each in best if each is not denial)]
    note = note_of(question, own, denied=denial is not None)
    return quoting(question, best, found, probability=chance, premise=premise, note=note)


def _stated(question: Question, found: Sequence[Candidate], at: int) -> Vector:
    own = [each.passage.text for each in found if each.paper.id == found[at].paper.id]
    return stated(question, found[at].passage, read(found[at].paper.title), own)


def _defining(rows: Vector, scores: Vector) -> int:
    """The best sentence; where a thing is to be explained, the best of those that say what it is, if any does."""
    asked = rows[0, _DEFINES] != _NOT_ASKED or rows[0, _UNDEFINED] > 0
    if asked and rows[:, _DEFINES].max() > 0:
        return int(np.where(rows[:, _DEFINES] == rows[:, _DEFINES].max(), scores, -np.inf).argmax())
    return int(scores.argmax())


def _explaining(question: Question, found: Sequence[Candidate], scores: Vector, chosen: int) -> int | None:
    """The best sentence of the chosen one's paper that says what the nameless thing is that may be asked for."""
    thing = thing_perhaps_asked(question)
    said = [
        at
        for at in (of_paper(found, chosen) if thing else ())
        if defines(thing, found[at].passage, named=False, own=False) == SAYS
    ]
    return max(said, key=lambda at: scores[at], default=None)


def _telling(question: Question, found: Sequence[Candidate], scores: Vector, chosen: int) -> int | None:
    """The chosen sentence, or where it does not tell what is asked, the best of its paper that does."""
    own = [i for i, c in enumerate(found) if c.paper.id == found[chosen].paper.id]
    title = read(found[chosen].paper.title)
    if telling(question, found[chosen].passage, title) != "silent":
        return chosen
    told = [i for i in own if telling(question, found[i].passage, title) == "tells"]
    return max(told, key=lambda i: scores[i], default=None)


def _sure(question: Question, found: Sequence[Candidate], at: int, first: int) -> bool:
    """Whether the sentence that a rule put first answers, however unlikely the chosen one looked."""
    if found[first].paper.id not in question.papers:
        return False
    by_form = answers_by_form(question, found[first].passage, [found[i].passage for i in of_paper(found, at)])
    return by_form or (first != at and plain_evidence(question, found[first]))


def is_answer(question: Question, candidate: Candidate, chance: float, threshold: float) -> bool:
    """Whether a sentence is likely enough to answer, or plainly does; never one that only uses what is to be explained,
    or lacks a name that only one system has."""
    if candidate.features[_UNDEFINED] == 1.0:
        return False
    if candidate.features[_NAMES_UNMET] == 1.0 and (
        _COINED.search(question.text) or any(map(_unheard, question.names))
    ):
        return False
    return chance >= threshold or plain_evidence(question, candidate)


def _unheard(name: str) -> bool:
    """Whether a name is one word, and neither research prose nor a usual acronym. Of the fitting half's questions with
    one that no paper found holds, 10 had an answer and 120 had none."""
    if not name.isalnum() or len(name) < SHORTEST:
        return False
    return not known(stem_of(name)) and not other_forms(name)


def plain_evidence(question: Question, candidate: Candidate) -> bool:
    """Whether a sentence says what the thing is that is to be explained, or holds every word of the question, its names
    aside if its paper is theirs, and an answer of its type: then it answers, unlikely as it may look beside others."""
    features = candidate.features
    if thing_asked(question):
        return bool(features[_DEFINES] >= NAMES)
    if candidate.paper.id in question.papers and names_hardware(question, candidate.passage):
        return True
    if features[_NAMES_UNMET] or features[_TYPE] < AS_ASKED:
        return False
    rest = without_names(question)
    return len(rest) >= FEWEST and all(answers_term(question, term, candidate.passage) for term in rest)


def quoting(
    question: Question,
    best: Sequence[Candidate],
    found: Sequence[Candidate],
    *,
    probability: float = 1.0,
    premise: Premise = "not_found",
    note: str | None = None,
) -> Extracted:
    """The chosen sentences as a draft, each after the one it leans on."""
    shown = list(dict.fromkeys(place for each in best for place in _with_antecedent(question, each, found)))
    evidence = keyed([(c.paper, c.sentence, float(1.0 / c.rank)) for c in (_at(place, found) for place in shown)])
    draft = Draft(tuple(DraftSentence(held.text, (held.key,)) for held in evidence))
    return Extracted(question, draft, evidence, probability=probability, premise=premise, note=note)


def _with_antecedent(question: Question, candidate: Candidate, found: Sequence[Candidate]) -> list[tuple[str, int]]:
    """A sentence that opens with "It" or "These" is understood only after the one before it; one that names what the
    question names stands alone."""
    place = place_of(candidate)
    before = (candidate.paper.id, candidate.sentence.index - 1)
    alone = any(name in candidate.passage.places for name in question.names)
    leans = not alone and _POINTS_BACK.match(candidate.passage.folded) and any(place_of(c) == before for c in found)
    return [before, place] if leans else [place]


def place_of(candidate: Candidate) -> tuple[str, int]:
    return candidate.paper.id, candidate.sentence.index


def _at(place: tuple[str, int], found: Sequence[Candidate]) -> Candidate:
    return next(candidate for candidate in found if place_of(candidate) == place)


def why_not(question: Question, found: Sequence[Candidate], chosen: int, unsaid: str | None = None) -> str:
    """Why nothing is answered, in words a person understands; `unsaid` is what no sentence speaks of."""
    if unsaid:
        title = plain(found[chosen].paper.title)
        return f"the nearest paper, “{title}”, does not speak of “{as_asked(question, unsaid)}”"
    texts = [candidate.passage for candidate in found]
    absent = [name for name in question.names if not any(name in p.places or name in p.folded for p in texts)]
    if absent:
        return f"no paper that was found mentions {as_asked(question, absent[0])}"
    return f"the nearest paper, “{plain(found[chosen].paper.title)}”, {_lacking(question, found, chosen)}"


def _lacking(question: Question, found: Sequence[Candidate], chosen: int) -> str:
    """What the nearest paper leaves open, by what was asked for."""
    thing = thing_asked(question)
    if thing:
        return f"does not say what “{as_asked(question, thing)}” is"
    noun = noun_of(question.asked.aspect)
    aspect = "" if STOPWORDS.intersection(noun.split()) else as_asked(question, noun)
    if aspect and _HOW_MANY.search(question.text):
        return f"does not say how many {aspect}"
    if aspect and re.search(rf"\b(?:which|what) (?:\w+ )?{re.escape(aspect)}", question.text, re.IGNORECASE):
        return f"does not say which {aspect}"
    if aspect:
        return f"does not give the {aspect}"
    own = [c for c in found if c.paper.id == found[chosen].paper.id]
    held = {stem for c in own for stem in c.passage.places} | {*read(own[0].paper.title).places}
    unmet = [w for t, w in zip(question.terms, question.words, strict=True) if t not in held]
    if unmet:
        return f"does not speak of {', '.join(f'“{as_asked(question, word)}”' for word in unmet[:MOST_UNMET])}"
    return "does not answer this"


def as_asked(question: Question, name: str) -> str:
    """A folded name as the reader wrote it."""
    found = re.search(re.escape(name), question.text, re.IGNORECASE) if name else None
    return found[0] if found else name
