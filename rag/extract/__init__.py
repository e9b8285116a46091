"""Evidence to an answer without a language model: the sentences that answer, word for word, or an honest refusal.

    question = understand(text, library)
    retrieval = retriever.search(question.search, filters=question.filters)
    found = answer(question, retrieval, library, embedder, retriever)

`found.draft` goes to `rag.verify` with `found.evidence`; `found.statements` are said by the catalogue and need no
model; `found.reason` is why there is neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rag.extract import catalogue, listing, several
from rag.extract.choose import TOP_PAPERS, Extracted, choose_fact
from rag.extract.defining import thing_asked
from rag.extract.details import Detail, details_asked, limits_asked, limits_told
from rag.extract.scene import Candidate, measured
from rag.question import Question
from rag.text.normalise import fold
from rag.types import Filters, Hit

if TYPE_CHECKING:
    from rag.embed import Embedder
    from rag.library import Library
    from rag.retrieve import Retrieval, Retriever

LIKELY: Final = 0.05
"""The share of the best paper's probability below which another is not read for a fact."""
LEAST_READ: Final = 2
"""The best of the others is always read: how far it lies behind tells whether the corpus holds the answer."""
USUAL: Final = 10
"""The depth of a reader who asked for none in particular."""

__all__ = ["Extracted", "answer", "candidates", "depth"]


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
    if not retrieval.hits and (outside := _outside(question.filters, library)):
        return Extracted(question, reason=f"no paper here is {outside}")
    asked = details_asked(fold(question.text))
    if asked and not any(is_told(detail, library, retrieval) for detail in asked):
        return Extracted(question, reason=f"neither abstracts nor the catalogue say anything of {asked[0].name}")
    if len(question.papers) == 1 and limits_asked(fold(question.text)) and not _limits_told(question, library):
        return Extracted(question, reason="the abstract says nothing of limitations of its own")
    if question.metadata or catalogue.asks_for_papers_only(question):
        return catalogue.answer(question, retrieval, library)
    if question.kind == "comparison":
        return several.compare(question, retrieval, library, embedder, retriever)
    if question.kind == "list":
        return listing.listing(question, retrieval, library, embedder)
    if question.kind == "summary":
        return several.summary(question, retrieval, library, embedder)
    hits = retrieval.hits if thing_asked(question) else worth_reading(retrieval.hits)
    found = measured(question, hits, library, embedder)
    return choose_fact(question, found)


def _outside(filters: Filters, library: Library) -> str | None:
    """What years, venues and authors hold the question to, in words, where no paper of the corpus has them."""
    said = Filters(filters.year_from, filters.year_to, filters.venues, filters.authors)
    if not said or next(iter(library.papers(said)), None) is not None:
        return None
    first, last = filters.year_from, filters.year_to
    years = f"from {first}" + f" to {last}" * (last != first) if first and last else f"since {first}"
    parts = (
        years if first else f"until {last}" if last else "",
        f"at {' or '.join(filters.venues)}" if filters.venues else "",
        f"by {' or '.join(filters.authors)}" if filters.authors else "",
    )
    return " ".join(part for part in parts if part)


def depth(question: Question, top_k: int) -> int:
    """How many papers an answer must look at: where several may belong many, unless the reader asked for few."""
    many = question.kind in ("list", "summary", "comparison") or question.metadata == "count"
    return max(top_k, listing.LOOKED_AT) if many and top_k >= USUAL else top_k


def is_told(detail: Detail, library: Library, retrieval: Retrieval) -> bool:
    """Whether the paper that is meant, the named ones or the best found, speaks of the detail at all."""
    ids = retrieval.signals.named[:LEAST_READ] or [hit.paper_id for hit in retrieval.hits[:1]]
    papers = library.get(list(ids)).values()
    return any(detail.told.search(fold(f"{paper.title}. {paper.abstract}")) for paper in papers)


def _limits_told(question: Question, library: Library) -> bool:
    (paper,) = question.papers
    text = library.get([paper])[paper].abstract
    sentences = library.sentences([paper])[paper]
    return limits_told(question.names, (fold(text[each.start : each.end]) for each in sentences))


def worth_reading(hits: Sequence[Hit]) -> Sequence[Hit]:
    """The papers that may hold one fact: none that is far less likely than the best. Two fifths of the
    reading, and of 600 questions it cost none a right answer."""
    return [
        hit for place, hit in enumerate(hits[:TOP_PAPERS]) if place < LEAST_READ or hit.score >= LIKELY * hits[0].score
    ]


def candidates(
    question: Question, retrieval: Retrieval, library: Library, embedder: Embedder, papers: int = TOP_PAPERS
) -> tuple[Candidate, ...]:
    """Every sentence of the best papers, measured."""
    return measured(question, retrieval.hits[:papers], library, embedder)
