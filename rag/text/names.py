"""Names of systems, data sets and methods as abstracts write them, and the definitions that introduce them.

Definitions ("Claim Graph Risk Control (CGRiC)") follow Schwartz and Hearst, "A simple algorithm for identifying
abbreviation definitions in biomedical text", PSB 2003.
"""

from __future__ import annotations

from dataclasses import dataclass

from rag.text.tokens import tokenise


@dataclass(frozen=True, slots=True)
class Name:
    """`text == source[start:end]`; `norm` is folded, for comparing."""

    text: str
    start: int
    end: int
    norm: str


def names(text: str) -> tuple[Name, ...]:
    """Every name, in order, none overlapping."""
    return tuple(
        Name(t.text, t.start, t.end, t.norm) for t in tokenise(text) if t.kind == "name" and len(t.norm) > 1
    )
