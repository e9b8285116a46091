"""What the library tells of its work: progress, the outcome of a sync, and what an examination found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rag.types import Problem

Stage = Literal["read", "index", "vectors", "themes", "sentences", "cases"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a stage is. `read` and `index` count records, `vectors` chunks, `themes` those of a summary that a model
    has written, `sentences` those of a manuscript checked, `cases` those of an eval; `total` is None while unknown."""

    stage: Stage
    done: int
    total: int | None


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a sync did, in papers. `healed` says what damage was mended in passing."""

    corpus: str
    added: int
    changed: int
    unchanged: int
    removed: int
    problems: tuple[Problem, ...]
    seconds: float
    healed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing `doctor` says of a corpus: what was looked at, whether it is well, and the way out where it is not."""

    subject: str
    well: bool
    detail: str
    hint: str = ""
