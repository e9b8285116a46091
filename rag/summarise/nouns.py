"""What a summary and a comparison are made of. Frozen, slotted, tuples: as `rag.types`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from rag.types import Claim, CorpusInfo, Dropped, Nearest, Paper, Risk, Source, Status, Usage

COLUMNS: Final = ("problem", "method", "data", "result")
"""Of a summary's table. A comparison adds `code`, or takes the reader's own."""
NOT_STATED: Final = "not stated"


@dataclass(frozen=True, slots=True)
class Theme:
    """Papers that belong together. `claims` stand in the order problem, approach, result; `papers` are ids,
    all of them.

    A theme of one stands alone: its name is the paper's title.
    """

    name: str
    claims: tuple[Claim, ...]
    papers: tuple[str, ...]

    @property
    def alone(self) -> bool:
        return len(self.papers) == 1


@dataclass(frozen=True, slots=True)
class Relation:
    """Papers that say alike, or differ, on one thing: `about` in a few words of theirs, and what each says."""

    about: str
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One paper of a table. A cell is a claim, or None: not stated."""

    paper_id: str
    cells: tuple[Claim | None, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    paper_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """`considered == len(used) + len(left_out)`, each paper once."""

    considered: int
    used: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """A topic across papers. An abstained summary has no claims, a reason, and the nearest papers."""

    topic: str
    status: Status
    corpus: CorpusInfo
    coverage: Coverage
    overview: tuple[Claim, ...] = ()
    themes: tuple[Theme, ...] = ()
    agreements: tuple[Relation, ...] = ()
    differences: tuple[Relation, ...] = ()
    table: tuple[Row, ...] = ()
    columns: tuple[str, ...] = COLUMNS
    sources: tuple[Source, ...] = ()
    reason: str | None = None
    nearest: tuple[Nearest, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    risk: Risk = field(default_factory=lambda: Risk(0.0, True))
    usage: Usage = field(default_factory=Usage)
    fallback: str | None = None
    """Why parts of it are quoted though a model was asked for."""
    model_failed: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """Papers side by side: one row a paper, one cell a column, each quoted or None."""

    question: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    sources: tuple[Source, ...]
    corpus: CorpusInfo
    unknown: tuple[str, ...] = ()
    """References that stand for no paper here."""
    usage: Usage = field(default_factory=Usage)


def numbered(claims: Iterable[Claim], papers: dict[str, Paper], others: Iterable[str] = ()) -> tuple[Source, ...]:
    """Sources by first use in `claims`, then `others`, without gaps."""
    cited = [citation.paper_id for claim in claims for citation in claim.citations]
    order = dict.fromkeys([*cited, *others])
    return tuple(Source(number, papers[paper_id]) for number, paper_id in enumerate(order, start=1))
