"""The nouns. Frozen, slotted, made of tuples: what one room hands to the next.

Offsets are counted in Python characters (code points) of `Paper.abstract`; ends are exclusive.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

TitleSource = Literal["given", "derived"]
Status = Literal["answered", "partial", "abstained"]
Verdict = Literal["quoted", "supported", "metadata"]
"""`metadata`: said by the catalogue (authors, venue, year, ...), its citations are slices of those fields."""


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper. `id` is stable across runs and machines; `abstract` is kept as it came."""

    id: str
    title: str
    title_source: TitleSource
    abstract: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str | None = None
    url: str | None = None
    doi: str | None = None
    files: tuple[str, ...] = ()
    """Where it was read: `file:line` or `file:record N`, each place once, in reading order; in parentheses the id that
    it has there, where the file gives one of its own."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A record that could not be read: where, and why in words a person can act on."""

    file: str
    line: int | None
    reason: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Sentence:
    """`paper.abstract[start:end]`. A paper's sentences stand in order, do not overlap, leave out only white space."""

    paper_id: str
    index: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """What is embedded: sentences `first`..`last` (inclusive) of a paper, `abstract[start:end]`."""

    paper_id: str
    first: int
    last: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A ranked paper. `rank` (from 1) is the order; scores of different retrievers are never compared."""

    paper_id: str
    score: float
    rank: int
    retriever: str


@dataclass(frozen=True, slots=True)
class Filters:
    """What the reader asked to leave out. An empty tuple and None mean: no restriction.

    Years are inclusive; venues and authors match whole words, case and accents folded.
    """

    year_from: int | None = None
    year_to: int | None = None
    venues: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    paper_ids: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    """Ids of papers left out: "another paper on this" is none that was just spoken of."""

    def __bool__(self) -> bool:
        return self != Filters()


@dataclass(frozen=True, slots=True)
class Evidence:
    """One sentence that a draft may rest on, under a key that is unique among those given with it."""

    key: str
    paper: Paper
    sentence: Sentence
    score: float = 0.0

    @property
    def text(self) -> str:
        return self.paper.abstract[self.sentence.start : self.sentence.end]


@dataclass(frozen=True, slots=True)
class DraftSentence:
    """Untrusted: what was written, and the evidence keys it named (unknown ones too, so that they can be counted)."""

    text: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """What a model or the extractor proposes; `complete` is False where the model was cut off."""

    sentences: tuple[DraftSentence, ...]
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Citation:
    """A slice of an abstract: `quote == paper.abstract[start:end]`, always.

    Where the verdict is `metadata`, `field` names another field of the paper, and the slice is of `field_text` of it.
    """

    paper_id: str
    start: int
    end: int
    quote: str
    field: str = "abstract"


def field_text(paper: Paper, name: str) -> str:
    """A field as it is quoted: authors joined by ", ", a year in digits, "" where the paper has none."""
    value = getattr(paper, name)
    if isinstance(value, tuple):
        return ", ".join(value)
    return "" if value is None else str(value)


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence that may be shown. Only `rag.verify` makes one.

    `risk` bounds the chance that its citations do not support it: 0.0 for a verbatim quote.
    """

    text: str
    citations: tuple[Citation, ...]
    verdict: Verdict
    risk: float


@dataclass(frozen=True, slots=True)
class Dropped:
    """A drafted sentence that did not pass, and why. Never shown as an answer."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Source:
    """A cited paper. Numbers run from 1 by first use, without gaps."""

    number: int
    paper: Paper


@dataclass(frozen=True, slots=True)
class Nearest:
    """A paper close to the question, shown when there is no answer. Not evidence."""

    paper: Paper
    score: float


@dataclass(frozen=True, slots=True)
class Risk:
    """The bound on the chance that any shown claim is unsupported, and whether the calibration covers these claims."""

    bound: float
    certified: bool
    target: float = 0.05


@dataclass(frozen=True, slots=True)
class Usage:
    """What an answer took: calls of a model, its tokens, US dollars (None: a price is not known), seconds in all."""

    model: str = "none"
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = 0.0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Trace:
    """What was said to a model and what it said back: for logs and reports, never to be shown as an answer."""

    model: str
    prompt: str
    fingerprint: str
    """Of the prompt's wording, see `rag.generate.prompts`."""
    raw: str


@dataclass(frozen=True, slots=True)
class CorpusInfo:
    """Which corpus answered: `fingerprint` changes with any paper of it."""

    name: str
    papers: int
    fingerprint: str


INTERRUPTED = "interrupted"
"""The reason of a partial answer that Ctrl-C ended."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the reader gets. An abstained answer has no claims, a reason, and the nearest papers."""

    question: str
    status: Status
    claims: tuple[Claim, ...]
    sources: tuple[Source, ...]
    corpus: CorpusInfo
    reason: str | None = None
    nearest: tuple[Nearest, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    risk: Risk = field(default_factory=lambda: Risk(0.0, True))
    usage: Usage = field(default_factory=Usage)
    fallback: str | None = None
    understood: str | None = None
    note: str | None = None
    """What the reader should know first, e.g. that the abstract says otherwise than the question."""
    trace: Trace | None = field(default=None, repr=False)

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended it before it was whole."""
        return self.status == "partial" and self.reason == INTERRUPTED

    def number_of(self, paper_id: str) -> int:
        """The source number of a cited paper. Raises KeyError when it is not cited."""
        for source in self.sources:
            if source.paper.id == paper_id:
                return source.number
        raise KeyError(paper_id)
