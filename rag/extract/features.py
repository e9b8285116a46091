"""What is measured of a question against one sentence and its paper.

Every feature lies in about [0, 1]. All are computed from the texts, the question's reading and the embedder, save
the paper's place and score in the ranking. The strongest is local coverage: words of the question that stand in
this sentence and not all over its paper; a paper's own name is in every question about it and tells no sentence
from another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rag.extract.holds import STRONG, holds, new_names, single
from rag.extract.instances import defines, instance, named_near, thing_asked
from rag.extract.matching import OPPOSITE, SYNONYM, Matches, Vector
from rag.extract.passage import Passage, stem_of
from rag.extract.roles import Role, role_asked, roles_of
from rag.question import Question
from rag.text.normalise import fold
from rag.text.rarity import known, weight

FEATURES: Final = (
    "cover", "soft", "align", "near_soft", "local", "local_soft", "local_align", "cosine", "near_cosine", "news",
    "aspect", "aspect_soft", "aspect_head", "type", "type_strong", "type_missing", "type_near",
    "cue", "role", "role_wrong",
    "number_met", "named_here", "new_names", "head_new", "instance", "named_near", "defines", "undefined",
    "first", "last", "length", "leaning",
    "low_weak", "low_strong",
    "paper_cover", "paper_soft", "unmet", "unmet_rare", "unmet_known", "unmet_share", "paper_cosine", "lead", "score",
    "score_lead", "first_paper", "rank", "named_paper", "names_met", "names_unmet", "number_unmet", "aspect_paper",
    "aspect_unmet", "aspect_exact_paper", "head_paper", "short_question", "yes_no",
)  # fmt: skip
"""Of the sentence first, then of its paper, then of the question."""

_EMPTY_HEADS: Final = frozenset(
    stem_of(word)
    for word in (
        "number percentage percent fraction share proportion amount value name names "
        "kind type sort size method approach"
    ).split()
)
_DETERMINED: Final = re.compile(r"\b(?:which|what|whose)\b")
_TITLE_WEIGHT: Final = 0.3
_COUNTED: Final = frozenset({"number", "percent", "factor", "time", "memory", "score"})


@dataclass(frozen=True, slots=True)
class Ranked:
    """A paper among the candidates: its title and sentences as passages, their cosines, its place and score."""

    paper_id: str
    passages: tuple[Passage, ...]
    cosines: Vector
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is known when candidates are measured."""

    question: Question
    matches: Matches
    papers: tuple[Ranked, ...]


@dataclass(frozen=True, slots=True)
class _Asking:
    """The question's side, computed once."""

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


def measure(scene: Scene) -> tuple[Vector, ...]:
    """For each paper, (sentences, FEATURES) in reading order."""
    question = scene.question
    aspect = tuple(s for s in question.aspect if s not in question.names and s not in _EMPTY_HEADS)
    asking = _Asking(
        question,
        np.array([weight(term) for term in question.terms]),
        aspect,
        np.array([weight(stem) for stem in aspect]),
        role_asked(fold(question.text)),
        question.asked.kind in STRONG,
        bool(aspect) and bool(_DETERMINED.search(fold(question.text))),
        thing_asked(fold(question.text)),
    )
    return tuple(_measure_paper(asking, scene, ranked) for ranked in scene.papers)


def _measure_paper(asking: _Asking, scene: Scene, ranked: Ranked) -> Vector:
    question, terms = asking.question, asking.question.terms
    met = scene.matches.met(terms, ranked.passages)
    close = scene.matches.met(terms, ranked.passages, close=True)
    spoken = scene.matches.met(asking.aspect, ranked.passages)
    common = (met >= SYNONYM).mean(axis=0)
    local = asking.weights * (1.0 - common) * np.where(met[0] >= SYNONYM, _TITLE_WEIGHT, 1.0)
    told = _told(question, ranked.passages[0])
    of_paper = _of_paper(asking, scene, ranked, met, spoken)
    of_words = _of_words(asking, met, close, local)
    rows = []
    for at in range(1, len(ranked.passages)):
        passage = ranked.passages[at]
        values = {
            **{name: float(shares[at]) for name, shares in of_words.items()},
            **_of_type(asking, passage, scene.matches, float(of_words["align"][at]), told),
            **_of_definition(asking, passage, ranked.paper_id in question.papers),
            **_of_aspect(asking, spoken[at]),
            **_of_place(asking, ranked, at),
            **of_paper,
        }
        rows.append([values[name] for name in FEATURES])
    return np.array(rows).reshape(-1, len(FEATURES))


def _of_words(asking: _Asking, met: Vector, close: Vector, local: Vector) -> dict[str, Vector]:
    """Shares of the question's words, a value for each passage."""
    around = np.vstack([met[:1], met, met[-1:]])
    return {
        "cover": _shares(met >= 1.0, asking.weights),
        "soft": _shares(met, asking.weights),
        "align": _shares(close, asking.weights),
        "near_soft": _shares(np.maximum(np.maximum(around[:-2], met), around[2:]), asking.weights),
        "local": _shares(met >= 1.0, local),
        "local_soft": _shares(met, local),
        "local_align": _shares(close, local),
    }


def _shares(met: Vector | NDArray[np.bool_], weights: Vector) -> Vector:
    total = float(weights.sum()) if weights.size else 0.0
    shares: Vector = met @ weights / total if total else np.zeros(len(met))
    return shares


def _of_type(
    asking: _Asking, passage: Passage, found: Matches, aligned: float, told: frozenset[str]
) -> dict[str, float]:
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


def _of_definition(asking: _Asking, passage: Passage, own: bool) -> dict[str, float]:
    names = asking.question.names
    named = own or asking.thing in names or all(word in names for word in asking.thing.split())
    defined = defines(asking.thing, passage, named=named, own=own)
    return {"defines": defined, "undefined": float(bool(asking.thing)) * (1.0 - defined)}


def _of_aspect(asking: _Asking, spoken: Vector) -> dict[str, float]:
    """How far a sentence speaks of what is asked for; 0.5 all over when nothing in particular is."""
    if not asking.aspect:
        return {"aspect": 0.5, "aspect_soft": 0.5, "aspect_head": 0.5}
    return {
        "aspect": _share(spoken >= 1.0, asking.aspect_weights),
        "aspect_soft": _share(spoken, asking.aspect_weights),
        "aspect_head": float(spoken[-1]),
    }


def _of_place(asking: _Asking, ranked: Ranked, at: int) -> dict[str, float]:
    passage, question = ranked.passages[at], asking.question
    asked = [(q.low, q.high) for q in question.quantities if q.text[0].isdigit()]
    here = {(q.low, q.high) for _, q in passage.numbers}
    return {
        "cosine": float(ranked.cosines[at]),
        "near_cosine": float(ranked.cosines[max(0, at - 1) : at + 2].max()),
        "news": sum(stem not in question.terms for stem in passage.places) / max(1, len(passage.places)),
        "number_met": sum(value in here for value in asked) / max(1, len(asked)),
        "named_here": float(any(name in passage.places for name in question.names)),
        "first": float(at == 1),
        "last": float(at == len(ranked.passages) - 1),
        "length": min(1.0, passage.length / 60),
        "leaning": float(passage.leaning),
    }


def _of_paper(asking: _Asking, scene: Scene, ranked: Ranked, met: Vector, spoken: Vector) -> dict[str, float]:
    question = asking.question
    anywhere = met.max(axis=0)
    unmet = (1.0 - anywhere) * asking.weights
    rivals = [other for other in scene.papers if other.paper_id != ranked.paper_id]
    held = [_mentioned(name, ranked.passages) for name in question.names]
    aspect = spoken.max(axis=0) if asking.aspect else np.zeros(0)
    best = float(ranked.cosines.max())
    return {
        "paper_cover": _share(anywhere >= 1.0, asking.weights),
        "paper_soft": _share(anywhere, asking.weights),
        "unmet": min(1.0, float(unmet.sum()) / 4),
        "unmet_rare": float(unmet.max(initial=0.0)),
        "unmet_known": max(
            (float(w) for term, w in zip(question.terms, unmet, strict=True) if known(term)), default=0.0
        ),
        "unmet_share": float((anywhere < OPPOSITE).mean()) if anywhere.size else 0.0,
        "paper_cosine": best,
        "lead": best - max((float(other.cosines.max()) for other in rivals), default=0.0),
        "score": ranked.score,
        "score_lead": ranked.score - max((other.score for other in rivals), default=0.0),
        "first_paper": float(ranked.rank == 1),
        "rank": 1.0 / ranked.rank,
        "named_paper": float(ranked.paper_id in question.papers),
        "names_met": sum(held) / len(held) if held else 0.0,
        "names_unmet": held.count(False) / len(held) if held else 0.0,
        "number_unmet": _number_unmet(question, ranked.passages),
        "aspect_paper": _share(aspect, asking.aspect_weights) if asking.aspect else 0.5,
        "aspect_unmet": float(((1 - aspect) * asking.aspect_weights).max(initial=0.0)),
        "aspect_exact_paper": _share(aspect >= 1.0, asking.aspect_weights) if asking.aspect else 0.5,
        "head_paper": float(aspect[-1]) if asking.aspect else 0.5,
        "short_question": float(len(question.terms) <= 2),
        "yes_no": float(question.kind == "yes_no"),
    }


def _mentioned(name: str, passages: Sequence[Passage]) -> bool:
    """A name, or its singular, anywhere in a paper."""
    single = name.removesuffix("s") if len(name) > 3 else name
    return any(name in passage.places or single in passage.folded for passage in passages)


def _told(question: Question, title: Passage) -> frozenset[str]:
    """Names that the reader knows already, without a plural's s."""
    names = {*question.names, *title.names, *title.places, *question.words}
    return frozenset(single(name) for name in names)


def _named_near(asking: _Asking, passage: Passage, found: Matches, told: frozenset[str]) -> float:
    return named_near(_head_places(asking, passage, found), passage, told)


def _head_places(asking: _Asking, passage: Passage, found: Matches) -> set[int]:
    """Where the noun that is asked for stands, or a synonym of it."""
    row = found.grid[found.rows[asking.aspect[-1]]]
    return {
        p for stem, places in passage.places.items() if row[found.columns[stem]] >= SYNONYM for p in places
    }


def _head_new(asking: _Asking, passage: Passage, found: Matches) -> float:
    """Whether what is asked for stands with a word that the question does not hold: "a vine-copula posterior"."""
    heads = _head_places(asking, passage, found)
    if not heads:
        return 0.0
    told = {*asking.question.terms, *asking.aspect}
    counted = {position for position, _ in passage.numbers}
    new = {p for stem, places in passage.places.items() if stem not in told for p in places} - counted
    return max(1.0 if head - 1 in new else 0.5 if head - 2 in new else 0.2 for head in heads)


def _share(met: Vector | NDArray[np.bool_], weights: Vector) -> float:
    total = float(weights.sum()) if weights.size else 0.0
    return float((met * weights).sum()) / total if total else 0.0


def _number_unmet(question: Question, passages: Sequence[Passage]) -> float:
    """1 when the question holds a number and the paper none of its unit: it cannot even be contradicted."""
    units = {quantity.unit for passage in passages for _, quantity in passage.numbers}
    return float(any(q.unit not in units for q in question.quantities if q.text[0].isdigit()))


def _near(question: Question, passage: Passage, found: Matches) -> float:
    """How near a number stands to what is counted: 1 beside it, 0 far off; 0.5 when no number is asked for."""
    if question.asked.kind not in _COUNTED:
        return 0.5
    stems = [
        stem
        for stem in (question.aspect or question.terms)
        if stem in found.rows and stem not in _EMPTY_HEADS
    ]
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
