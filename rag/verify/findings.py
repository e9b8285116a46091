"""What the checks report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Weight = Literal["veto", "conflict", "doubt"]


@dataclass(frozen=True, slots=True)
class Finding:
    """`veto`: cannot be supported. `conflict`: the evidence says otherwise. `doubt`: more is said than shown."""

    kind: str
    weight: Weight
    reason: str
    strength: float = 1.0
