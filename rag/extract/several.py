"""Answers of several sentences: one a paper for a list, one a side for a comparison, a few of a paper for a summary."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from rag.extract.choose import Extracted, as_asked, joined, quoting, why_not
from rag.extract.features import FEATURES
from rag.extract.matching import same_form
from rag.extract.model import shipped
from rag.extract.passage import read
from rag.extract.rarity import total
from rag.extract.roles import Role, role_asked, roles_of
from rag.extract.scene import Candidate, candidates_of, table
from rag.question import Question, understand
from rag.text.normalise import fold
from rag.types import Hit

if TYPE_CHECKING:
    from rag.embed import Embedder
    from rag.library import Library
    from rag.retrieve import Retrieval, Retriever

MOST: Final = 12
"""Papers read for a list."""
_SOFT: Final = FEATURES.index("paper_soft")
_OR: Final = re.compile(r",| or | and/or |/|;| as well as |[():]", re.IGNORECASE)
LEAST_MET: Final = 0.5
"""The share of a list's topic that its best paper must hold, by rarity; below, no paper is about it."""
ALL_MET: Final = 0.95
"""A paper that holds as good as the whole topic belongs, wherever the ranking ends."""
_CONTRIBUTES: Final = re.compile(
    r"\b(?:we|this (?:paper|work|study|article|position paper)|here) (?:\w+ )?(?:propos|introduc|present|develop|"
    r"design|formulat|devis|stud[iy]|deriv|establish|prove|show|investigat|examin|describ|argu|demonstrat|provid|find|found|"
    r"analy|consider|address|report|used?|compar|assess|evaluat|identif|built|build|revisit|characteri)"
    r"|\b(?:aims?|objectives?|purpose) (?:of this|was|is)\b|^(?:objective|aims?|methods?|results?|design)\b"
)
"""Where an abstract turns from what is known to its own work."""
_PARTS: Final[tuple[Role, ...]] = ("contribution", "evaluation")


def listing(question: Question, found: Sequence[Candidate], retrieval: Retrieval) -> Extracted:
    """The best sentence of each paper that belongs, in rank order."""
    if not found:
        return Extracted(question, reason="no paper is about this")
    if question.unheld:
        return Extracted(question, reason=f"no paper here holds “{' '.join(question.unheld)}”")
    topics = alternatives(question)
    met = {
        paper_id: topic_met(topics, [c for c in found if c.paper.id == paper_id])
        for paper_id in _papers(found)
    }
    if topics and max(met.values()) < LEAST_MET and _most(found, _SOFT) < LEAST_MET:
        return Extracted(question, reason=why_not(question, found, 0))
    chosen = {hit.paper_id for hit in retrieval.hits[: max(1, retrieval.belonging)]}
    chosen |= {paper_id for paper_id, share in met.items() if topics and share >= ALL_MET}
    ranked = [paper_id for paper_id in _papers(found) if paper_id in chosen]
    best = [_belongs_by(question, [c for c in found if c.paper.id == paper_id]) for paper_id in ranked]
    return quoting(question, best, found, probability=1.0)


def _most(found: Sequence[Candidate], feature: int) -> float:
    return max(float(candidate.features[feature]) for candidate in found)


def _papers(found: Sequence[Candidate]) -> list[str]:
    return list(dict.fromkeys(candidate.paper.id for candidate in found))


def alternatives(question: Question) -> tuple[tuple[str, ...], ...]:
    """The topics of a list, each as index stems: "LLMs or diffusion models" names two; of "discrete or combinatorial
    optimization" both are optimization."""
    parts = [understand(part).terms for part in _OR.split(question.search)]
    kept = [tuple(term for term in part if term in question.terms) for part in parts]
    kept = [part for part in kept if part]
    head = kept[-1][-1:] if kept and len(kept[-1]) > 1 else ()
    return tuple(dict.fromkeys(part if len(part) > 1 else (*part, *head) for part in kept))


def topic_met(topics: Sequence[Sequence[str]], own: Sequence[Candidate]) -> float:
    """The share of its best topic, by rarity, that a paper's title and sentences hold."""
    held = {stem for candidate in own for stem in candidate.passage.places}
    held |= set(read(own[0].paper.title).places)
    shares = [
        total(t for t in topic if t in held or any(same_form(t, h) for h in held)) / max(1e-9, total(topic))
        for topic in topics
    ]
    return max(shares, default=0.0)


def _best(own: Sequence[Candidate]) -> Candidate:
    return own[int(shipped().select(table(own)).argmax())]


def _close(own: Sequence[Candidate]) -> list[Candidate]:
    """The best sentence of one paper, and a second when the choice was close."""
    scores = shipped().select(table(own))
    return [own[i] for i in joined(own, scores, int(scores.argmax()))]


def _own_work(question: Question, own: Sequence[Candidate]) -> Sequence[Candidate]:
    """A paper's sentences without its background: what it does and finds, unless the question asks for the problem."""
    if role_asked(fold(question.text)) == "problem":
        return own
    begins = next((i for i, c in enumerate(own) if _CONTRIBUTES.search(c.passage.folded)), 0)
    return own[begins:]


def _belongs_by(question: Question, own: Sequence[Candidate]) -> Candidate:
    """The sentence that shows why a paper is in a list: one of its own work that speaks of the topic, if any does."""
    wanted = set(question.terms)
    work = [c for c in _own_work(question, own) if not wanted.isdisjoint(c.passage.places)]
    return _best(work or own)


def summary(question: Question, found: Sequence[Candidate], retrieval: Retrieval) -> Extracted:
    """Of one paper what it contributes and what came of it; of a topic one sentence a paper."""
    if not found:
        return Extracted(question, reason="no paper is about this")
    named = set(question.papers) or set(retrieval.signals.named)
    if not named and question.terms and _most(found, _SOFT) < LEAST_MET:
        return Extracted(question, reason=why_not(question, found, 0))
    if not named and retrieval.belonging > 1:
        return listing(question, found, retrieval)
    one = next((c.paper.id for c in found if c.paper.id in named), found[0].paper.id)
    return quoting(question, _parts([c for c in found if c.paper.id == one]), found, probability=1.0)


def _parts(own: Sequence[Candidate]) -> list[Candidate]:
    """The sentence that best says what is contributed, and the one that best says what was found."""
    chosen: list[Candidate] = []
    for part in _PARTS:
        of_part = [c for c in own if part in roles_of(c.passage.folded) and c not in chosen]
        if of_part:
            named = [c for c in of_part if c.passage.names] or of_part
            chosen.append(named[0] if part == "contribution" else named[-1])
    return chosen or list(own[:1])


def compare(
    question: Question,
    retrieval: Retrieval,
    library: Library,
    embedder: Embedder,
    retriever: Retriever | None,
) -> Extracted:
    """For each of two papers, or of two sides in words, the sentence that answers best."""
    named = list(dict.fromkeys([*question.papers, *retrieval.signals.named]))
    if len(named) >= 2:
        hits = [Hit(paper_id, 1.0, rank, "named") for rank, paper_id in enumerate(named[:3], start=1)]
        found = _measured(question, hits, library, embedder)
        own = [[c for c in found if c.paper.id == hit.paper_id] for hit in hits]
        chosen = [one for of_one in own if of_one for one in _of_named(question, of_one)]
        return quoting(question, chosen, found, probability=1.0)
    if len(question.sides) != 2:
        found = _measured(question, retrieval.hits[:5], library, embedder)
        return listing(question, found, replace(retrieval, belonging=max(2, retrieval.belonging)))
    return _sides(question, retrieval, library, embedder, retriever)


def _sides(
    question: Question,
    retrieval: Retrieval,
    library: Library,
    embedder: Embedder,
    retriever: Retriever | None,
) -> Extracted:
    chosen: list[Candidate] = []
    everything: list[Candidate] = []
    for side, other in (question.sides, question.sides[::-1]):
        of_side = understand(side, library)
        hits = retrieval.hits[:5]
        if retriever is not None:
            hits = retriever.search(of_side.search, top_k=3, filters=question.filters).hits
        asked = understand(question.search.replace(other, " "), library)
        found = _measured(asked, hits, library, embedder)
        everything += found
        one = _of_side(of_side, found, chosen)
        if one is None:
            return Extracted(question, reason=f"no paper that was found mentions {as_asked(question, side)}")
        chosen.append(one)
    return quoting(question, chosen, everything, probability=1.0)


def _of_named(question: Question, own: Sequence[Candidate]) -> list[Candidate]:
    """Of one paper compared: what it contributes and finds; where an aspect is asked for, what it says of that."""
    named = {*question.names, *read(own[0].paper.title).places}
    aspect = [term for term in question.terms if term not in named]
    work = _own_work(question, own)
    spoken = [c for c in work if any(term in c.passage.places for term in aspect)]
    if not spoken:
        return _parts(work)
    best = _close(spoken)
    about = _parts(work)[:1]
    return best if best[0] in about or len(best) > 1 else sorted({*best, *about}, key=work.index)


def _measured(
    question: Question, hits: Sequence[Hit], library: Library, embedder: Embedder
) -> tuple[Candidate, ...]:
    ids = [hit.paper_id for hit in hits]
    return candidates_of(question, hits, library.get(ids), library.sentences(ids), embedder)


def _of_side(side: Question, found: Sequence[Candidate], taken: Sequence[Candidate]) -> Candidate | None:
    """None when the side's names are in none of the papers. Never a sentence that was taken for the other side."""
    for name in side.names:
        if not any(name in c.passage.places or name in c.passage.folded for c in found):
            return None
    places = {(c.paper.id, c.sentence.index) for c in taken}
    free = [c for c in found if (c.paper.id, c.sentence.index) not in places]
    return _best([c for c in free if c.rank == 1] or free) if free else None
