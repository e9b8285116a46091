"""What a question asks for: its kind, its topic, what the answer must hold, and where to look.

`understand` reads the words only, and asks the library nothing but which papers, authors and venues it knows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from rag.question import scope
from rag.question.gloss import glossed
from rag.question.misspelt import corrected
from rag.question.premise import premise_of
from rag.question.wanted import Asked, asked
from rag.question.words import (
    AUTHORS_ACT,
    CHINESE_FRAME,
    FRAME,
    KIND_PATTERNS,
    METADATA_PATTERNS,
    REQUEST,
    SEVERAL_WORKS,
    is_foreign,
)
from rag.retrieve.named import with_titles_as
from rag.text.names import names as names_in
from rag.text.normalise import fold
from rag.text.quantities import Quantity, quantities
from rag.text.tokens import STOPWORDS, tokenise
from rag.types import Filters

if TYPE_CHECKING:
    from rag.library import Library

Kind = Literal["fact", "yes_no", "list", "comparison", "summary", "metadata"]
Field = Literal["authors", "year", "venue", "url", "doi", "title", "count"]

__all__ = ["Asked", "Field", "Kind", "Question", "understand"]

_CJK: Final = re.compile(r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]")
_BOTH: Final = re.compile(
    r"\b(?:each|both|contrast|compare[ds]?|versus|vs|differ\w*|respectively|whereas|than the other)\b"
)
_MAX_CHARACTERS: Final = 4000
_TWO_WORDS: Final = re.compile(r"\b(data|code|time)[ -](sets?|bases?|steps?)\b", re.IGNORECASE)
"""Compounds that abstracts write as one word."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question taken apart. `search` is what to search for; everything else guides the choice of sentences."""

    text: str
    kind: Kind
    search: str
    terms: tuple[str, ...] = ()
    """Index stems of the topic's words, question words left out, in order, each once."""
    words: tuple[str, ...] = ()
    """The same as folded whole words, for meaning."""
    names: tuple[str, ...] = ()
    quantities: tuple[Quantity, ...] = ()
    asked: Asked = field(default_factory=lambda: Asked("any"))
    aspect: tuple[str, ...] = ()
    """Index stems of the aspect asked for."""
    metadata: Field | None = None
    """The catalogue field that answers."""
    filters: Filters = field(default_factory=Filters)
    papers: tuple[str, ...] = ()
    """Ids of papers named in the question."""
    sides: tuple[str, ...] = ()
    premise: str | None = None
    unheld: tuple[str, ...] = ()
    """What a question in another language is about, where no paper holds any word of it."""
    unknown_author: str | None = None
    """Said to be an author, and no paper of the corpus is by them."""


def understand(text: str, library: Library | None = None) -> Question:
    """Take a question apart. Never raises for any text; an empty one is a fact about nothing."""
    text = text[:_MAX_CHARACTERS]
    bare = scope.as_written(REQUEST.sub("", _TWO_WORDS.sub(r"\1\2", " ".join(text.split()))), library)
    if is_foreign(bare):
        english = glossed(bare)
    else:
        english = bare = corrected(bare, library)
    lowered = fold(bare)
    wanted_field = _first(METADATA_PATTERNS, lowered, fold(english))
    if wanted_field == "authors" and AUTHORS_ACT.search(lowered):
        wanted_field = None
    unquoted, plainly = (
        fold(with_titles_as(" this paper ", each, library) if library is not None else each) for each in (bare, english)
    )
    kind = _first(KIND_PATTERNS, unquoted, plainly) or "fact"
    filters = scope.filters_said(lowered, bare, library)
    found = _asked(unquoted, plainly)
    if _CJK.search(found.aspect):
        found = Asked(found.kind)  # a noun without an English word cannot be looked for
    papers = scope.papers_named(bare, library, filters)
    topic = scope.without_titles(english, library) if library is not None else english
    about, spoken = _topic(topic)
    about, spoken = _without_filtered(about, spoken, filters)
    terms, words = _findable(about, spoken, bare, library)
    if kind == "yes_no" and len(papers) == 1 and wanted_field is None:
        wanted_field = "venue" if filters.venues else "year" if filters.year_from else None
    if kind in ("fact", "yes_no") and len(papers) >= 2 and _BOTH.search(lowered):
        kind = "comparison"
    elif kind in ("fact", "yes_no") and not papers and SEVERAL_WORKS.search(lowered):
        kind = "list"
    return Question(
        text=text,
        kind="metadata" if wanted_field else kind,  # type: ignore[arg-type]
        search=_searchable(english),
        terms=terms,
        words=words,
        names=_without(_names(topic), filters),
        quantities=quantities(bare),
        asked=found,
        aspect=_topic(found.aspect)[0],
        metadata=wanted_field,  # type: ignore[arg-type]
        filters=filters,
        papers=papers,
        sides=scope.sides(bare) if kind == "comparison" else (),
        premise=premise_of(bare),
        unheld=() if terms else spoken,
        unknown_author=None if filters.authors or library is None else scope.author_unmet(bare),
    )


def _asked(spoken: str, english: str) -> Asked:
    """What is asked for, by the English; a rule of the language itself that says more than "a number" goes first."""
    own, found = asked(spoken), asked(english)
    return found if own.kind in ("any", "number") and found.kind != "any" else Asked(own.kind, found.aspect)


def _first(patterns: Sequence[tuple[str, re.Pattern[str]]], *texts: str) -> str | None:
    """What the first pattern to match any of the texts stands for."""
    return next((name for name, pattern in patterns if any(pattern.search(text) for text in texts)), None)


def _without(names: tuple[str, ...], filters: Filters) -> tuple[str, ...]:
    """Names that are not accounted for by a filter."""
    said = set(_said_by(filters))
    return tuple(name for name in names if not said.issuperset(name.split()))


def _without_filtered(
    terms: tuple[str, ...], words: tuple[str, ...], filters: Filters
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A year, an author or a venue that became a filter is no word to look for in an abstract."""
    years = {str(year) for year in (filters.year_from, filters.year_to) if year is not None}
    said = {*years, *_said_by(filters)}
    kept = [(term, word) for term, word in zip(terms, words, strict=True) if word not in said]
    return tuple(term for term, _ in kept), tuple(word for _, word in kept)


def _said_by(filters: Filters) -> list[str]:
    return fold(" ".join([*filters.authors, *filters.venues])).split()


def _findable(
    terms: tuple[str, ...], words: tuple[str, ...], text: str, library: Library | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Of a question in another language, only words that some paper holds: the others are the language's own."""
    if not is_foreign(text):
        return terms, words
    held = library.document_frequency(list(terms)) if library is not None else {}
    kept = [
        (term, word)
        for term, word in zip(terms, words, strict=True)
        if (held.get(term, 0) if library is not None else not _CJK.search(word))
    ]
    return tuple(term for term, _ in kept), tuple(word for _, word in kept)


def _names(text: str) -> tuple[str, ...]:
    """Names as written with inner capitals or digits, and capitalised words inside a sentence; folded, each once."""
    if text.isupper():
        return ()
    found = {name.norm: None for name in names_in(text)}
    proper = [token for token in tokenise(text)[1:] if token.kind == "word" and token.text[0].isupper()]
    lower = sum(token.kind == "word" and token.text[0].islower() for token in tokenise(text))
    if len(proper) <= lower:
        found.update((token.norm, None) for token in proper if token.norm not in FRAME and token.norm not in STOPWORDS)
    return tuple(found)


def _searchable(text: str) -> str:
    """The question without its Chinese question words, which are in no English abstract and split compounds wrongly."""
    return " ".join(CHINESE_FRAME.sub(" ", text).split()) if _CJK.search(text) else text


def _topic(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Stems and folded words of what a text is about."""
    kept: dict[str, str] = {}
    for token in tokenise(_searchable(text)):
        if token.kind == "symbol" or token.norm in STOPWORDS or token.norm in FRAME or not token.norm.strip():
            continue
        kept.setdefault(token.stem, token.norm)
    return tuple(kept), tuple(kept.values())
