"""Evidence to an answer without a language model: the sentences that answer, word for word, or an honest refusal.

    question = understand(text, library)
    retrieval = retriever.search(question.search, filters=question.filters)
    found = answer(question, retrieval, library, embedder, retriever)

`found.draft` goes to `rag.verify` with `found.evidence`; `found.statements` are said by the catalogue and need no
model; `found.reason` is why there is neither.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rag.extract import catalogue, several
from rag.extract.choose import TOP_PAPERS, Extracted, choose_fact
from rag.extract.passage import stem_of
from rag.extract.scene import Candidate, candidates_of
from rag.question import Question
from rag.types import Hit

if TYPE_CHECKING:
    from rag.embed import Embedder
    from rag.library import Library
    from rag.retrieve import Retrieval, Retriever

LIKELY: Final = 0.05
"""The share of the best paper's probability below which another is not read for a fact."""
LEAST_READ: Final = 2
"""The best of the others is always read: how far it lies behind tells whether the corpus holds the answer."""
_NOWHERE: Final = re.compile(
    r"\b(?:affiliations?|e-?mails?|citations|h-index|reviewers?|acceptance rate|page count|funding|funded|sponsors?)\b",
    re.IGNORECASE,
)
"""What abstracts hardly ever hold: only one with the very word may answer."""

__all__ = ["Extracted", "answer", "candidates"]


def answer(
    question: Question,
    retrieval: Retrieval,
    library: Library,
    embedder: Embedder,
    retriever: Retriever | None = None,
) -> Extracted:
    """The sentences that answer, by the question's kind. Never raises for any question; raises CorpusError.

    `retriever` finds the sides of a comparison one by one; without it they are looked for among the hits.
    """
    if question.unknown_author:
        return Extracted(question, reason=f"no paper here is by {question.unknown_author}")
    if question.metadata or catalogue.asks_for_papers_only(question):
        return catalogue.answer(question, retrieval, library)
    if question.kind == "comparison":
        return several.compare(question, retrieval, library, embedder, retriever)
    if question.kind == "list":
        return several.listing(
            question, candidates(question, retrieval, library, embedder, several.MOST), retrieval
        )
    if question.kind == "summary":
        return several.summary(
            question, candidates(question, retrieval, library, embedder, several.MOST), retrieval
        )
    found = measured(question, worth_reading(retrieval.hits), library, embedder)
    never = _NOWHERE.search(question.text)
    if never and not any(stem_of(never[0].lower()) in candidate.passage.places for candidate in found):
        return Extracted(
            question, reason=f"neither abstracts nor the catalogue say anything of {never[0].lower()}"
        )
    return choose_fact(question, found)


def worth_reading(hits: Sequence[Hit]) -> Sequence[Hit]:
    """The papers that may hold one fact: none that is far less likely than the best. Two fifths of the
    reading, and of 600 questions it cost none a right answer."""
    return [
        hit
        for place, hit in enumerate(hits[:TOP_PAPERS])
        if place < LEAST_READ or hit.score >= LIKELY * hits[0].score
    ]


def candidates(
    question: Question, retrieval: Retrieval, library: Library, embedder: Embedder, papers: int = TOP_PAPERS
) -> tuple[Candidate, ...]:
    """Every sentence of the best papers, measured."""
    return measured(question, retrieval.hits[:papers], library, embedder)


def measured(
    question: Question, hits: Sequence[Hit], library: Library, embedder: Embedder
) -> tuple[Candidate, ...]:
    ids = [hit.paper_id for hit in hits]
    return candidates_of(question, hits, library.get(ids), library.sentences(ids), embedder)
