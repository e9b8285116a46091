"""Questions about authors, venue, year, links, titles and counts: answered by the catalogue's own fields, quoted.

A statement's citations are slices of those fields, so that it is tied to exact characters as a quotation is. A
field that the catalogue does not have is said not to be there; nothing is guessed from the abstract.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from rag.extract import listing
from rag.extract.choose import Extracted, as_asked
from rag.extract.matching import SAME_FORM
from rag.extract.passage import read
from rag.question import Question
from rag.text.rarity import total
from rag.types import Citation, Claim, Filters, Paper, field_text

if TYPE_CHECKING:
    from rag.library import Library
    from rag.retrieve import Retrieval

MOST_CITED: Final = 20
"""A count cites what it counted, up to this many papers."""
_ABOUT: Final = 0.55
"""The share of the question's topic (by rarity) that a paper must hold to be the one that is meant."""
_SAID: Final = {
    "authors": "The authors of “{title}” are {value}.",
    "year": "“{title}” is from {value}.",
    "venue": "“{title}” appeared at {value}.",
    "url": "“{title}” is at {value}.",
    "doi": "The DOI of “{title}” is {value}.",
    "title": "The title is “{value}”.",
}
_WORDS_OF_FIELDS: Final = frozenset(
    "author write wrote publish venu confer journal year link url page titl full doi openreview"
    " first last second paper date"
    " propos introduc develop appear creat corpus collect mani articl name coauthor lead senior invent design".split()
)
_INVENTED: Final = re.compile(r"^who (?:first )?(?:invented|discovered|founded|coined)\b")
"""Asks for the makers of a thing, not of a paper: the authors only of what a paper brings in by its name."""
_EACH: Final = re.compile(r"\b(?P<place>first|last|second|lead|senior) author\b")


def asks_for_papers_only(question: Question) -> bool:
    """ "Papers by Rainforth", "papers from 2026": nothing is asked but the filter itself."""
    if (
        replace(question.filters, paper_ids=(), without=())
        and question.kind in ("list", "fact", "yes_no")
        and not _topic(question)
    ):
        return True
    return question.kind == "list" and not question.terms and not question.unheld


def answer(question: Question, retrieval: Retrieval, library: Library) -> Extracted:
    """A count, a list of papers, or a field of each paper meant, as statements; a reason where there is none."""
    if question.metadata == "count":
        return _count(question, retrieval, library)
    if asks_for_papers_only(question):
        return _listed(question, library.papers(question.filters))
    papers = _meant(question, retrieval, library)
    if not papers:
        return Extracted(question, reason=_nobody(question))
    found = [claim for paper in papers if (claim := _statement(question, paper)) is not None]
    if not found:
        return Extracted(question, reason=f"the catalogue does not give the {question.metadata} of “{papers[0].title}”")
    return Extracted(question, statements=tuple(found), probability=1.0)


def _topic(question: Question) -> list[str]:
    """Terms that neither a filter nor the asking itself accounts for."""
    filters = question.filters
    spoken = " ".join([*filters.authors, *filters.venues, str(filters.year_from or ""), str(filters.year_to or "")])
    held = set(read(spoken).places) | set(_WORDS_OF_FIELDS)
    return [term for term in question.terms if term not in held]


def _meant(question: Question, retrieval: Retrieval, library: Library) -> tuple[Paper, ...]:
    """The papers named, else the best hit when it holds what the question is about."""
    if question.papers:
        held = library.get(question.papers)
        return tuple(held[paper_id] for paper_id in question.papers if paper_id in held)
    if _INVENTED.match(question.text.casefold()):
        return ()
    topic = _topic(question)
    for paper in library.get([hit.paper_id for hit in retrieval.hits[:1]]).values():
        if topic and _about(topic, paper) >= _ABOUT and all(_mentions(paper, name) for name in question.names):
            return (paper,)
    return ()


def _about(topic: Sequence[str], paper: Paper) -> float:
    held = read(f"{paper.title}. {paper.abstract}").places
    met = [term for term in topic if term in held or any(_kin(term, other) for other in held)]
    return total(met) / max(1e-9, total(topic))


def _kin(first: str, second: str) -> bool:
    shortest = min(len(first), len(second))
    return shortest >= 5 and first[: int(shortest * SAME_FORM)] == second[: int(shortest * SAME_FORM)]


def _mentions(paper: Paper, name: str) -> bool:
    return name in read(f"{paper.title}. {paper.abstract}").folded


def _statement(question: Question, paper: Paper) -> Claim | None:
    name = question.metadata or "title"
    value = field_text(paper, name)
    if not value or (name == "title" and paper.title_source == "derived"):
        return None
    if name == "authors" and re.search(r"\bhow many\b|多少|几位", question.text, re.IGNORECASE):
        return _claim(f"“{paper.title}” has {len(paper.authors)} authors: {value}.", [_cited(paper, name, value)])
    single = _EACH.search(question.text.casefold())
    if name == "authors" and single:
        return _single_author(paper, single["place"])
    if name in ("year", "venue") and paper.venue and paper.year:  # who asks for one may ask for both
        text = f"“{paper.title}” appeared at {paper.venue} in {paper.year}."
        return _claim(text, [_cited(paper, "venue", paper.venue), _cited(paper, "year", str(paper.year))])
    return _claim(_SAID[name].format(title=paper.title, value=value), [_cited(paper, name, value)])


def _single_author(paper: Paper, place: str) -> Claim | None:
    at = {"first": 0, "lead": 0, "second": 1}.get(place, -1)
    if at >= len(paper.authors):
        return None
    author = paper.authors[at]
    return _claim(f"The {place} author of “{paper.title}” is {author}.", [_cited(paper, "authors", author)])


def _cited(paper: Paper, name: str, value: str) -> Citation:
    start = field_text(paper, name).index(value)
    return Citation(paper.id, start, start + len(value), value, name)


def _claim(text: str, citations: Sequence[Citation]) -> Claim:
    return Claim(text, tuple(citations), "metadata", 0.0)


def _listed(question: Question, papers: Iterable[Paper]) -> Extracted:
    found = [_claim(paper.title, _why_listed(question.filters, paper)) for paper in papers]
    reason = None if found else "no paper of the corpus matches"
    return Extracted(question, statements=tuple(found), reason=reason, probability=float(bool(found)))


def _why_listed(filters: Filters, paper: Paper) -> list[Citation]:
    """The title, and the fields that the filter looked at."""
    names = ["title", *(["authors"] if filters.authors else []), *(["venue"] if filters.venues else [])]
    if filters.year_from or filters.year_to:
        names.append("year")
    return [_cited(paper, name, value) for name in names if (value := field_text(paper, name))]


def _count(question: Question, retrieval: Retrieval, library: Library) -> Extracted:
    topic = _topic(question)
    if not topic:
        papers = list(library.papers(question.filters))
        return _counted(question, papers, _said_of(question.filters))
    held = library.get([hit.paper_id for hit in retrieval.hits])
    papers = [held[hit.paper_id] for hit in listing.listed(question, retrieval, library)]
    papers = [paper for paper in papers if _about(topic, paper) >= _ABOUT]
    return _counted(question, papers, f" about {' '.join(_spoken(question, topic))}")


def _spoken(question: Question, topic: Sequence[str]) -> list[str]:
    return [word for term, word in zip(question.terms, question.words, strict=True) if term in topic]


def _said_of(filters: Filters) -> str:
    parts = [f" by {name}" for name in filters.authors] + [f" at {name}" for name in filters.venues]
    years = [str(year) for year in (filters.year_from, filters.year_to) if year]
    return "".join(parts) + (f" from {' to '.join(dict.fromkeys(years))}" if years else "")


def _counted(question: Question, papers: Sequence[Paper], of: str) -> Extracted:
    if not papers:
        return Extracted(question, reason=f"no paper of the corpus is{of}" if of else "the corpus is empty")
    one = len(papers) == 1
    text = (
        f"{len(papers)} {'paper' if one else 'papers'} of this corpus {'is' if one else 'are'}{of}."
        if of
        else f"The corpus holds {len(papers)} papers."
    )
    filters = replace(question.filters)
    citations = [citation for paper in papers[:MOST_CITED] for citation in _why_listed(filters, paper)]
    return Extracted(question, statements=(_claim(text, citations),), probability=1.0)


def _nobody(question: Question) -> str:
    if question.names:
        return f"no paper here is called {as_asked(question, question.names[0])}"
    return "no paper here is the one that the question describes"
