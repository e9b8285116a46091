"""Papers that a question names: by id or link, by title, by the system they introduce, by an author."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from rag.library.library import Library
from rag.text.names import names
from rag.text.normalise import fold
from rag.text.tokens import content_terms, tokenise
from rag.types import Filters

MOST_OF_ONE_NAME = 3
"""A name that more papers carry is a topic (`LLM`), not a paper's name."""
MOST_BY_AUTHORS = 50
_REFERENCE = re.compile(r"https?://\S+|\b(?=\S*\d)[A-Za-z0-9][\w.:/()-]{5,}\w")
_QUOTED = re.compile(r"[\"“«‘'](.{8,300}?)[\"”»’']")
_WORDS_OF_A_TITLE = 2


@dataclass(frozen=True, slots=True)
class Named:
    """Paper ids. `cited`: by id, link or whole title, so meant beyond doubt; `systems` and `authors`: likely meant."""

    cited: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    author_words: frozenset[str] = frozenset()

    @property
    def all(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.cited, *self.systems, *self.authors)))


def named(text: str, library: Library, frequency: Mapping[str, int], filters: Filters) -> Named:
    """Who and what the question names in this corpus. Only papers that the filters let through."""
    authors, words = _authors(text, library, frequency)
    found = Named(_cited(text, library), _systems(text, library), authors, words)
    if not filters or not found.all:
        return found
    wanted = [id_ for id_ in found.all if not filters.paper_ids or id_ in filters.paper_ids]
    inside = (
        {paper.id for paper in library.papers(replace(filters, paper_ids=tuple(wanted)))} if wanted else ()
    )
    kept = [tuple(id_ for id_ in ids if id_ in inside) for ids in (found.cited, found.systems, found.authors)]
    return Named(kept[0], kept[1], kept[2], words if kept[2] else frozenset())


def _cited(text: str, library: Library) -> tuple[str, ...]:
    """A whole title is not looked for here: its paper is among the candidates (`titled`)."""
    references = [found.rstrip(".,;:?!") for found in _REFERENCE.findall(text)] + _QUOTED.findall(text)
    if len(text.split()) == 1:
        references.append(text.strip())
    return _distinct(paper.id for reference in references for paper in library.resolve(reference))


def _systems(text: str, library: Library) -> tuple[str, ...]:
    found = [library.papers_named(name.norm) for name in names(text)]
    return _distinct(id_ for ids in found if len(ids) <= MOST_OF_ONE_NAME for id_ in ids)


def _authors(
    text: str, library: Library, frequency: Mapping[str, int]
) -> tuple[tuple[str, ...], frozenset[str]]:
    """Two neighbouring words are tried as a name, and a word alone where no abstract holds it."""
    words = [token.text for token in tokenise(text) if token.kind != "symbol" and not token.text.isdigit()]
    pairs = [f"{a} {b}" for a, b in pairwise(words)]
    alone = [word for word in words if len(word) > 2 and _unheard(word, frequency)]
    wanted = tuple(dict.fromkeys((*pairs, *alone)))
    papers = list(islice(library.papers(Filters(authors=wanted)), MOST_BY_AUTHORS)) if wanted else []
    people = f" {' '.join(fold(author) for paper in papers for author in paper.authors)} "
    meant = [name for name in wanted if f" {fold(name)} " in people]
    return tuple(paper.id for paper in papers), frozenset(content_terms(" ".join(meant)))


def _unheard(word: str, frequency: Mapping[str, int]) -> bool:
    """Whether a content word stands in no abstract."""
    found = content_terms(word)
    return bool(found) and not any(frequency.get(term) for term in found)


def titled(text: str, titles: Mapping[str, str]) -> tuple[str, ...]:
    """Of these papers (id -> title), those whose whole title stands in the question."""
    asked = f" {fold(text)} "
    return tuple(
        id_
        for id_, title in titles.items()
        if len(content_terms(title)) >= _WORDS_OF_A_TITLE and _stands_in(fold(title).rstrip("."), asked)
    )


def _stands_in(title: str, asked: str) -> bool:
    """As whole words."""
    at = asked.find(title) if title else -1
    return at > 0 and not asked[at - 1].isalnum() and not asked[at + len(title)].isalnum()


def _distinct(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids))
