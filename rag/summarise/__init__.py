"""A topic across papers: which belong, in which themes, what each theme says, where papers agree and differ,
one table.

summary = summarise("speculative decoding", library, retriever, embedder)

Without a model every sentence is quoted; with one (`rag.summarise.written`) it is written, checked, and what
does not pass is quoted. `Summary.coverage` accounts for every paper that was considered.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from rag.embed import embed_query
from rag.question import Question, understand
from rag.summarise import cells, choosing, themes
from rag.summarise.belonging import Belonging, belonging
from rag.summarise.naming import names
from rag.summarise.nouns import (
    COLUMNS,
    NOT_STATED,
    Comparison,
    Coverage,
    LeftOut,
    Relation,
    Row,
    Summary,
    Theme,
    numbered,
)
from rag.summarise.quoting import claims_of, quoted
from rag.summarise.reading import Read, read_papers
from rag.summarise.relations import Related, related
from rag.types import Claim, Filters, Nearest

if TYPE_CHECKING:
    from rag.embed import Embedder
    from rag.library import Library
    from rag.retrieve import Retriever

__all__ = [
    "COLUMNS",
    "NOT_STATED",
    "Comparison",
    "Coverage",
    "LeftOut",
    "Relation",
    "Row",
    "Summary",
    "Theme",
    "Writer",
    "summarise",
]

Writer = Callable[[Summary, Sequence[Sequence[Read]]], Summary]
_EVERYTHING = Filters()
_OVERVIEW: Final = 4
_NEAREST: Final = 3


@dataclass(frozen=True, slots=True)
class Outline:
    """What was read and how it is grouped, before anything is quoted or written."""

    topic: str
    belonging: Belonging
    themes: tuple[tuple[Read, ...], ...]
    names: tuple[str, ...]
    focus: choosing.Topic

    @property
    def papers(self) -> tuple[Read, ...]:
        return tuple(paper for theme in self.themes for paper in theme)


def summarise(
    topic: str,
    library: Library,
    retriever: Retriever,
    embedder: Embedder,
    *,
    filters: Filters = _EVERYTHING,
    papers: int | None = None,
    writer: Writer | None = None,
) -> Summary:
    """The topic in quotations, of at most `papers` papers; abstained where the corpus does not cover it.

    `writer` may then write it anew in a model's words. Raises CorpusError, and ModelError where the embedder
    is remote.
    """
    started = time.perf_counter()
    found = outline(topic, library, retriever, embedder, filters=filters, papers=papers)
    if found.belonging.reason:
        made = abstained(found, library)
    else:
        made = told(found, library)
        if writer is not None:
            made = sourced(writer(made, found.themes), found)
    return replace(made, usage=replace(made.usage, seconds=time.perf_counter() - started))


def outline(
    topic: str,
    library: Library,
    retriever: Retriever,
    embedder: Embedder,
    *,
    filters: Filters = _EVERYTHING,
    papers: int | None = None,
) -> Outline:
    """Which papers, read and grouped. Nothing is grouped when the corpus does not cover the topic."""
    question = understand(topic, library)
    found = belonging(question.search, retriever, library, filters=filters, most=papers)
    return outlined(topic, question, found, library, embedder)


def outlined(topic: str, question: Question, found: Belonging, library: Library, embedder: Embedder) -> Outline:
    """The papers of a retrieval, read and grouped."""
    focus = _focus(question.search, question.terms, library, embedder)
    if found.reason:
        return Outline(topic, found, (), (), focus)
    ids = [hit.paper_id for hit in found.hits]
    scores = {hit.paper_id: hit.score for hit in found.hits}
    read = read_papers([found.papers[id_] for id_ in ids], library.sentences(ids), scores, embedder)
    groups = themes.grouped(read)
    return Outline(topic, found, groups, names(groups, question.search, lambda stems: _rarity(stems, library)), focus)


def _rarity(stems: Sequence[str], library: Library) -> dict[str, float]:
    total = math.log(1 + library.info.papers)
    return {stem: 1 - math.log(1 + count) / total for stem, count in library.document_frequency(list(stems)).items()}


def _focus(search: str, terms: Sequence[str], library: Library, embedder: Embedder) -> choosing.Topic:
    frequency = library.document_frequency(list(terms))
    total = max(1, library.info.papers)
    weights = {term: math.log(1 + total / (1 + count)) for term, count in frequency.items() if count}
    return choosing.Topic(np.asarray(embed_query(embedder, search), dtype=np.float64), weights)


def abstained(found: Outline, library: Library) -> Summary:
    """A summary of nothing: why, and the nearest papers."""
    kept = found.belonging
    near = [hit for hit in kept.retrieval.hits if hit.paper_id in kept.papers][:_NEAREST]
    return Summary(
        found.topic,
        "abstained",
        library.info,
        kept.coverage,
        reason=kept.reason,
        nearest=tuple(Nearest(kept.papers[hit.paper_id], hit.score) for hit in near),
    )


def told(found: Outline, library: Library) -> Summary:
    """Everything quoted."""
    voice = choosing.Voice()
    overview = claims_of(choosing.for_overview(_large(found.themes), found.focus, voice, _overview_length(found)))
    spoken = tuple(
        Theme(
            name,
            claims_of(choosing.for_theme(theme, found.focus, voice)),
            tuple(one.paper.id for one in theme),
        )
        for name, theme in zip(found.names, found.themes, strict=True)
    )
    agreements, differences = related(found.papers, frozenset(found.focus.weights))
    table = tuple(row(paper, COLUMNS) for paper in found.papers)
    summary = Summary(
        found.topic,
        "answered",
        library.info,
        _covering(found),
        overview,
        spoken,
        tuple(map(_relation, agreements)),
        tuple(map(_relation, differences)),
        table,
    )
    return sourced(summary, found)


def _large(groups: Sequence[Sequence[Read]]) -> Sequence[Sequence[Read]]:
    several = [group for group in groups if len(group) > 1]
    return several or groups


def _overview_length(found: Outline) -> int:
    return min(_OVERVIEW, max(1, len(found.papers) - 1))


def _covering(found: Outline) -> Coverage:
    """Papers that belong but hold no sentence are left out as well."""
    kept, read = found.belonging.coverage, {paper.paper.id for paper in found.papers}
    silent = tuple(LeftOut(id_, "it holds no sentence") for id_ in kept.used if id_ not in read)
    used = tuple(id_ for id_ in kept.used if id_ in read)
    return Coverage(kept.considered, used, (*silent, *kept.left_out))


def _relation(found: Related) -> Relation:
    return Relation(found.about, claims_of(found.said))


def row(paper: Read, columns: Sequence[str]) -> Row:
    """One claim a column, None where the paper does not say it."""
    slices = [cells.cell(paper, column) for column in columns]
    held = iter(quoted(paper.paper, [piece for piece in slices if piece is not None]))
    return Row(paper.paper.id, tuple(None if piece is None else next(held) for piece in slices))


def sourced(summary: Summary, found: Outline) -> Summary:
    """With its sources numbered by first use, and the table's rows in their order."""
    papers = {paper.paper.id: paper.paper for paper in found.papers}
    sources = numbered(_claims(summary), papers, summary.coverage.used)
    order = {source.paper.id: source.number for source in sources}
    table = tuple(sorted(summary.table, key=lambda each: order[each.paper_id]))
    return replace(summary, sources=sources, table=table)


def _claims(summary: Summary) -> Iterable[Claim]:
    yield from summary.overview
    for theme in summary.themes:
        yield from theme.claims
    for relation in (*summary.agreements, *summary.differences):
        yield from relation.claims
