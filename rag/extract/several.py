"""Answers of several sentences: one a paper for a list, one a side for a comparison, a few of a paper for a summary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from rag.extract.choose import Extracted, as_asked, quoting, why_not
from rag.extract.features import FEATURES
from rag.extract.matching import Vector
from rag.extract.model import shipped
from rag.extract.roles import Role, roles_of
from rag.extract.scene import Candidate, candidates_of, table
from rag.question import Question, understand

if TYPE_CHECKING:
    from rag.embed import Embedder
    from rag.library import Library
    from rag.retrieve import Retrieval, Retriever

MOST: Final = 12
"""Papers read for a list."""
_MET: Final = FEATURES.index("paper_soft")
LEAST_MET: Final = 0.5
"""The share of a list's topic that its best paper must hold, by rarity; below, no paper is about it."""
_PARTS: Final[tuple[Role, ...]] = ("contribution", "evaluation")


def listing(question: Question, found: Sequence[Candidate], retrieval: Retrieval) -> Extracted:
    """The best sentence of each paper that belongs, in rank order."""
    if not found:
        return Extracted(question, reason="no paper is about this")
    if question.terms and float(table(found)[:, _MET].max()) < LEAST_MET:
        return Extracted(question, reason=why_not(question, found, 0))
    belonging = [hit.paper_id for hit in retrieval.hits[: max(1, retrieval.belonging)]]
    best = [one for paper_id in belonging if (one := _best_of(paper_id, found)) is not None]
    return quoting(question, best, found)


def _best_of(paper_id: str, found: Sequence[Candidate]) -> Candidate | None:
    own = [candidate for candidate in found if candidate.paper.id == paper_id]
    if not own:
        return None
    scores = shipped().select(table(own))
    return own[int(scores.argmax())]


def summary(question: Question, found: Sequence[Candidate], retrieval: Retrieval) -> Extracted:
    """Of one paper what it contributes and what came of it; of a topic one sentence a paper."""
    if not found:
        return Extracted(question, reason="no paper is about this")
    if question.terms and float(table(found)[:, _MET].max()) < LEAST_MET:
        return Extracted(question, reason=why_not(question, found, 0))
    one = question.papers or (found[0].paper.id,) if retrieval.belonging <= 1 or question.papers else ()
    if not one:
        return listing(question, found, retrieval)
    own = [candidate for candidate in found if candidate.paper.id in one]
    return quoting(question, _parts(own) or own[:1], found)


def _parts(own: Sequence[Candidate]) -> list[Candidate]:
    """The sentence that best says what is contributed, and the one that best says what was found."""
    chosen: list[Candidate] = []
    for part in _PARTS:
        of_part = [c for c in own if part in roles_of(c.passage.folded) and c not in chosen]
        if of_part:
            named = [c for c in of_part if c.passage.names] or of_part
            chosen.append(named[0] if part == "contribution" else named[-1])
    return chosen


def compare(
    question: Question,
    retrieval: Retrieval,
    library: Library,
    embedder: Embedder,
    retriever: Retriever | None,
) -> Extracted:
    """For each side the sentence that answers best, of the paper that side is about."""
    chosen: list[Candidate] = []
    everything: list[Candidate] = []
    for side in question.sides:
        found = _of_side(question, side, retrieval, library, embedder, retriever)
        everything += [c for c in found if c not in everything]
        one = _best_for(understand(side), found, chosen)
        if one is None:
            return Extracted(question, reason=f"no paper that was found mentions {as_asked(question, side)}")
        chosen.append(one)
    return quoting(question, chosen, everything)


def _of_side(
    question: Question,
    side: str,
    retrieval: Retrieval,
    library: Library,
    embedder: Embedder,
    retriever: Retriever | None,
) -> tuple[Candidate, ...]:
    """The best papers for one side, their sentences measured against the side together with the rest of the question."""
    of_side = understand(side, library)
    hits = (
        retriever.search(of_side.search, top_k=3, filters=question.filters).hits
        if retriever
        else retrieval.hits[:5]
    )
    ids = [hit.paper_id for hit in hits]
    other = " ".join(s for s in question.sides if s != side)
    rest = question.search.replace(other, " ")
    asked = replace(understand(rest, library), kind=question.kind, search=rest)
    return candidates_of(asked, hits, library.get(ids), library.sentences(ids), embedder)


def _best_for(side: Question, found: Sequence[Candidate], taken: Sequence[Candidate]) -> Candidate | None:
    """None when the side's names are in none of the papers. Never a sentence that was taken for the other side."""
    for name in side.names:
        if not any(
            name in c.passage.places or name in c.passage.folded or name in c.paper.title.casefold()
            for c in found
        ):
            return None
    free = [c for c in found if all((c.paper.id, c.sentence) != (t.paper.id, t.sentence) for t in taken)]
    if not free:
        return None
    scores: Vector = shipped().select(table(free))
    first = [i for i, c in enumerate(free) if c.rank == 1] or list(range(len(free)))
    return free[first[int(np.argmax(scores[first]))]]
