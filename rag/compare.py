"""Papers side by side: one row a paper, one column a question, each cell quoted from that paper or not stated."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rag.errors import UsageError
from rag.extract import candidates
from rag.extract.choose import choose_fact
from rag.extract.features import FEATURES
from rag.question import understand
from rag.summarise import cells
from rag.summarise.nouns import COLUMNS, Comparison, Row, numbered
from rag.summarise.quoting import quoted
from rag.summarise.reading import Read, read_papers
from rag.text.tokens import content_terms
from rag.types import Citation, Claim, Draft, DraftSentence, Filters, Paper, Usage, field_text
from rag.verify import verify

if TYPE_CHECKING:
    from rag.embed import Embedder
    from rag.library import Library
    from rag.retrieve import Retriever

DEFAULT_COLUMNS: Final = (*COLUMNS, "code")
MOST: Final = 50
"""Papers, and columns, of one comparison."""
_TITLES_READ: Final = 5
_NAMED, _HELD = FEATURES.index("aspect_head"), FEATURES.index("soft")
_LISTED: Final = 10
"""The most papers that a question for papers compares."""
_NAMES_IT: Final = 0.99
"""A word near in meaning is not enough: a cell says "not stated" rather than something else."""
_FIELDS: Final = {name: name for name in ("authors", "year", "venue", "title", "doi", "url")} | {
    "author": "authors",
    "link": "url",
}
_SHOWN_NUMBER: Final = re.compile(r"\[?(\d{1,3})\]?")


@dataclass(frozen=True, slots=True)
class Found:
    """The papers that references stand for, and the references that stand for none."""

    papers: tuple[Paper, ...]
    unknown: tuple[str, ...]


def compare(
    references: Sequence[str],
    library: Library,
    retriever: Retriever,
    embedder: Embedder,
    *,
    columns: Sequence[str] = (),
    shown: Mapping[int, str] | None = None,
) -> Comparison:
    """The papers that `references` stand for, in their order. `shown` maps numbers of an earlier answer to
    paper ids.

    Columns are ours (problem, method, data, result, code), a catalogue's field, or any words. Raises
    UsageError for no column at all or too many, CorpusError, and ModelError where the embedder is a remote
    one.
    """
    started = time.perf_counter()
    wanted = tuple(dict.fromkeys(" ".join(name.split()) for name in columns if name.strip())) or DEFAULT_COLUMNS
    found = papers_of(references, library, retriever, shown or {})
    if max(len(wanted), len(found.papers)) > MOST:
        raise UsageError(f"more than {MOST} papers or columns to compare", "name fewer")
    ids = [paper.id for paper in found.papers]
    read = {one.paper.id: one for one in read_papers(found.papers, library.sentences(ids), {}, embedder)}
    rows = tuple(
        Row(
            paper.id,
            tuple(_cell(paper, read.get(paper.id), name, library, retriever, embedder) for name in wanted),
        )
        for paper in found.papers
    )
    sources = numbered((), {paper.id: paper for paper in found.papers}, ids)
    usage = Usage(seconds=time.perf_counter() - started)
    return Comparison(" ".join(references), wanted, rows, sources, library.info, found.unknown, usage)


def papers_of(references: Sequence[str], library: Library, retriever: Retriever, shown: Mapping[int, str]) -> Found:
    """By number, id, link, DOI, title, system name; or of a question, the sides that it compares, the papers it asks
    for."""
    papers: dict[str, Paper] = {}
    unknown = []
    for reference in references:
        found = _resolved(reference, library, shown)
        if not found:
            sides = understand(reference, library).sides
            found = tuple(paper for side in sides for paper in _side(side, library, retriever, shown))
            unknown += [side for side in sides if not _side(side, library, retriever, shown)]
            if not sides:
                found = _listed(reference, library, retriever) or _titled(reference, library, retriever)
            if not found and not sides:
                unknown.append(reference)
        papers.update((paper.id, paper) for paper in found)
    return Found(tuple(papers.values()), tuple(dict.fromkeys(unknown)))


def _resolved(reference: str, library: Library, shown: Mapping[int, str]) -> tuple[Paper, ...]:
    number = _SHOWN_NUMBER.fullmatch(reference.strip())
    if number and int(number[1]) in shown:
        return tuple(library.get([shown[int(number[1])]]).values())
    return library.resolve(reference) or tuple(library.get(library.papers_named(reference)).values())


def _side(side: str, library: Library, retriever: Retriever, shown: Mapping[int, str]) -> tuple[Paper, ...]:
    """A side of a question may be more than a name: "the DFlash paper"."""
    found = _resolved(side, library, shown)
    if found:
        return found
    question = understand(side, library)
    ids = question.papers or tuple(id_ for name in question.names for id_ in library.papers_named(name))
    return tuple(library.get(ids).values()) or _titled(side, library, retriever)


def _titled(reference: str, library: Library, retriever: Retriever) -> tuple[Paper, ...]:
    """The best of the first hits whose title holds every word of the reference."""
    words = set(content_terms(reference))
    hits = retriever.search(reference, top_k=_TITLES_READ).hits if len(words) > 1 else ()
    for paper in library.get([hit.paper_id for hit in hits]).values():
        if words <= set(content_terms(paper.title)):
            return (paper,)
    return ()


def _listed(reference: str, library: Library, retriever: Retriever) -> tuple[Paper, ...]:
    """Of a question such as "Which papers propose samplers?": the papers that it asks for."""
    question = understand(reference, library)
    if question.kind != "list":
        return ()
    found = retriever.search(question.search, top_k=_LISTED, filters=question.filters)
    return tuple(library.get([hit.paper_id for hit in found.hits[: found.belonging]]).values())


def _cell(
    paper: Paper, read: Read | None, column: str, library: Library, retriever: Retriever, embedder: Embedder
) -> Claim | None:
    field = _FIELDS.get(column.casefold())
    if field is not None:
        return _from_catalogue(paper, field)
    if read is None:
        return None
    ours = cells.known(column)
    if ours is None:
        return _answered(paper, column, library, retriever, embedder)
    piece = cells.cell(read, ours)
    return quoted(paper, [piece])[0] if piece is not None else None


def _from_catalogue(paper: Paper, field: str) -> Claim | None:
    value = field_text(paper, field)
    if not value or (field == "title" and paper.title_source == "derived"):
        return None
    return Claim(value, (Citation(paper.id, 0, len(value), value, field),), "metadata", 0.0)


def _answered(paper: Paper, column: str, library: Library, retriever: Retriever, embedder: Embedder) -> Claim | None:
    """The sentence of the paper that answers "what is the column?", when it answers and names the column itself."""
    question = understand(f"What is the {column}?", library)
    retrieval = retriever.search(question.search, top_k=1, filters=Filters(paper_ids=(paper.id,)))
    found = candidates(question, retrieval, library, embedder)
    if not found:
        return None
    chosen = choose_fact(question, found)
    named = {one.sentence for one in found if one.features[_NAMED if question.aspect else _HELD] >= _NAMES_IT}
    kept = [item for item in chosen.evidence if item.sentence in named]
    if not chosen.answered or not kept:
        return None
    claims = verify(Draft((DraftSentence(kept[0].text, (kept[0].key,)),)), kept).claims
    return claims[0] if claims else None
