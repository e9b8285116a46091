"""What any assistant answered, in one neutral shape: sentences, what each cites, and what could have been cited.

Scorers see nothing else, so that our answers and those of other assistants are measured by the same code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of text that the assistant had before it. `document` is the paper it belongs to."""

    key: str
    document: str
    text: str


@dataclass(frozen=True, slots=True)
class Cited:
    """One citation as it was written. `passage` is the text it names, None for an id that was never given.

    `quote` is what the reader is shown as the document's own words; `start` and `end` say where, if they do.
    """

    key: str
    document: str | None = None
    passage: str | None = None
    quote: str | None = None
    start: int | None = None
    end: int | None = None
    within: str | None = None
    """The text that `start` and `end` count in, where it is not the document: another field of it."""

    @property
    def valid(self) -> bool:
        return self.passage is not None


@dataclass(frozen=True, slots=True)
class Statement:
    """A shown sentence without its marks. `verbatim`: the assistant says these are the document's own words.

    `needs_support` is False for what is no claim about a document's text: a heading, a field of the catalogue.
    `risk` is the chance of being unsupported that the assistant itself states, if it does.
    """

    text: str
    citations: tuple[Cited, ...] = ()
    needs_support: bool = True
    verbatim: bool = False
    risk: float | None = None

    @property
    def passages(self) -> tuple[str, ...]:
        """The cited texts that exist, each once."""
        return tuple(dict.fromkeys(each.passage for each in self.citations if each.passage is not None))


@dataclass(frozen=True, slots=True)
class Spent:
    """None where the assistant does not say."""

    cost_usd: float | None = None
    tokens: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One answer. `documents` holds whole texts by id (may be empty), `ranked` the retrieved ones, best first."""

    question: str
    statements: tuple[Statement, ...] = ()
    abstained: bool = False
    passages: tuple[Passage, ...] = ()
    documents: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    ranked: tuple[str, ...] | None = None
    spent: Spent = Spent()

    @property
    def citations(self) -> tuple[Cited, ...]:
        return tuple(citation for statement in self.statements for citation in statement.citations)

    @property
    def cited_documents(self) -> tuple[str, ...]:
        """Documents by first citation, each once."""
        return tuple(dict.fromkeys(each.document for each in self.citations if each.document is not None))

    @property
    def shown(self) -> str:
        """All that the reader sees: sentences and quotes."""
        quotes = [each.quote for each in self.citations if each.quote]
        return "\n".join((*(each.text for each in self.statements), *dict.fromkeys(quotes)))
