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

from rag.extract.asking import Asking, asking_of, of_type
from rag.extract.defining import defines
from rag.extract.holds import single
from rag.extract.matching import OPPOSITE, SYNONYM, Matches, Vector
from rag.extract.passage import Passage
from rag.question import Question
from rag.text.rarity import known

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

_TITLE_WEIGHT: Final = 0.3


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


def measure(scene: Scene) -> tuple[Vector, ...]:
    """For each paper, (sentences, FEATURES) in reading order."""
    asking = asking_of(scene.question)
    return tuple(_measure_paper(asking, scene, ranked) for ranked in scene.papers)


def _measure_paper(asking: Asking, scene: Scene, ranked: Ranked) -> Vector:
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
            **of_type(asking, passage, scene.matches, float(of_words["align"][at]), told),
            **_of_definition(asking, passage, ranked.paper_id in question.papers),
            **_of_aspect(asking, spoken[at]),
            **_of_place(asking, ranked, at),
            **of_paper,
        }
        rows.append([values[name] for name in FEATURES])
    return np.array(rows).reshape(-1, len(FEATURES))


def _of_words(asking: Asking, met: Vector, close: Vector, local: Vector) -> dict[str, Vector]:
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


def _of_definition(asking: Asking, passage: Passage, own: bool) -> dict[str, float]:
    names = asking.question.names
    thing = single(asking.thing)
    named = own or thing in names or all(word in names for word in thing.split())
    defined = defines(asking.thing, passage, named=named, own=own, letters=asking.letters)
    return {"defines": defined, "undefined": float(bool(asking.thing)) * (1.0 - defined)}


def _of_aspect(asking: Asking, spoken: Vector) -> dict[str, float]:
    """How far a sentence speaks of what is asked for; 0.5 all over when nothing in particular is."""
    if not asking.aspect:
        return {"aspect": 0.5, "aspect_soft": 0.5, "aspect_head": 0.5}
    return {
        "aspect": _share(spoken >= 1.0, asking.aspect_weights),
        "aspect_soft": _share(spoken, asking.aspect_weights),
        "aspect_head": float(spoken[-1]),
    }


def _of_place(asking: Asking, ranked: Ranked, at: int) -> dict[str, float]:
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


def _of_paper(asking: Asking, scene: Scene, ranked: Ranked, met: Vector, spoken: Vector) -> dict[str, float]:
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
    spelled = re.compile(rf"(?<!\w){re.escape(single(name))}(?:s|es)?(?![a-z])")
    return any(name in passage.places or spelled.search(passage.folded) for passage in passages)


def _told(question: Question, title: Passage) -> frozenset[str]:
    """Names that the reader knows already, without a plural's s."""
    names = {*question.names, *title.names, *title.places, *question.words}
    return frozenset(single(name) for name in names)


def _share(met: Vector | NDArray[np.bool_], weights: Vector) -> float:
    total = float(weights.sum()) if weights.size else 0.0
    return float((met * weights).sum()) / total if total else 0.0


def _number_unmet(question: Question, passages: Sequence[Passage]) -> float:
    """1 when the question holds a number and the paper none of its unit: it cannot even be contradicted."""
    units = {quantity.unit for passage in passages for _, quantity in passage.numbers}
    return float(any(q.unit not in units for q in question.quantities if q.text[0].isdigit()))
