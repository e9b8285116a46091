"""What a run of the evals is to do."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evals.material.cases import Case
from rag.settings import Settings


@dataclass(frozen=True, slots=True)
class Plan:
    """`corpus` names the files to index, or is None for a corpus that was synced."""

    cases: tuple[Case, ...]
    corpus: tuple[Path, ...] | None
    settings: Settings
    repeat: int = 1
    jobs: int = 2
    record: Path | None = None
    replay: Path | None = None
    files: tuple[str, ...] = ()
    chosen: dict[str, Any] = field(default_factory=dict)
    """The selection as asked for (--only, --kind, --limit), for the log."""

    @property
    def whole(self) -> bool:
        """Whether nothing of the question set was left out."""
        return not any(self.chosen.values())
