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
MOST_NAMES_TRIED = 200
_REFERENCE = re.compile(
    r"https?://[^\s<>\"'”)\]]+|\b(?:doi|arxiv|openreview|pmid|s2|text):\s?\S+|\b10\.\d{4,9}/\S+"
    r"|\b\d{4}\.\d{4,5}(?:v\d+)?\b"
    r"|(?<![\w-])(?-i:(?=[\w-]*[a-z])(?=[\w-]*[A-Z]))(?=[\w-]*\d)[\w-]{10}(?![\w-])",
    re.ASCII | re.IGNORECASE,
)
"""Links, our ids, DOIs, arXiv numbers, and bare OpenReview ids."""
_AFTER = ".,;:?!)]}>\"'”’"
"""Marks that a sentence puts behind a reference."""
_QUOTED = re.compile(
    r"[\"“«「『《](?P<title>[^\"”»」』》]{8,300})[\"”»」』》]|[‘'](?P<single>[^\"”»」』》’']{8,300})[’']"
)
_WORDS_OF_A_TITLE = 2


@dataclass(frozen=True, slots=True)
class Named:
    """Paper ids. `cited`: by id, link or whole title, so meant beyond doubt; `systems` and `authors`: likely meant."""

    cited: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.cited, *self.systems, *self.authors)))


def named(text: str, library: Library, frequency: Mapping[str, int], filters: Filters) -> Named:
    """Who and what the question names in this corpus. Only papers that the filters let through."""
    found = Named(cited(text, library), systems(text, library), _authors(text, library, frequency))
    if not filters or not found.all:
        return found
    wanted = [id_ for id_ in found.all if not filters.paper_ids or id_ in filters.paper_ids]
    inside = {paper.id for paper in library.papers(replace(filters, paper_ids=tuple(wanted)))} if wanted else ()
    return Named(*(tuple(id_ for id_ in ids if id_ in inside) for ids in (found.cited, found.systems, found.authors)))


def cited(text: str, library: Library) -> tuple[str, ...]:
    """By id, link or quoted title. A title without quotation marks is not looked for here: its paper is among the
    candidates (`titled`)."""
    references = [found.rstrip(_AFTER) for found in _REFERENCE.findall(text)]
    references += [_quoted(found) for found in _QUOTED.finditer(text)]
    if len(text.split()) == 1:
        references.append(text.strip())
    return _distinct(paper.id for reference in references for paper in library.resolve(reference))


def with_titles_as(instead: str, text: str, library: Library) -> str:
    """The text with `instead` in place of every title of the corpus that it quotes."""
    return _QUOTED.sub(lambda found: instead if library.resolve(_quoted(found)) else found[0], text)


def _quoted(found: re.Match[str]) -> str:
    return found["title"] or found["single"]


def systems(text: str, library: Library) -> tuple[str, ...]:
    """By the name of what they bring in."""
    found = [library.papers_named(name.norm) for name in names(text)]
    return _distinct(id_ for ids in found if len(ids) <= MOST_OF_ONE_NAME for id_ in ids)


def _authors(text: str, library: Library, frequency: Mapping[str, int]) -> tuple[str, ...]:
    """Two neighbouring words are tried as a name, and a word alone where no abstract holds it."""
    words = [token.text for token in tokenise(text) if token.kind != "symbol" and not token.text.isdigit()]
    pairs = [f"{a} {b}" for a, b in pairwise(words)]
    alone = [word for word in words if len(word) > 2 and _unheard(word, frequency)]
    wanted = tuple(dict.fromkeys((*pairs, *alone)))[:MOST_NAMES_TRIED]
    if not wanted:
        return ()
    papers = library.papers(Filters(authors=wanted))
    return tuple(paper.id for paper in islice(papers, MOST_BY_AUTHORS))


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
