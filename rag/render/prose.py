"""The answer as prose: each claim as a person reads it, its source numbers behind it, the full stop after them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rag.text.normalise import plain
from rag.types import Answer, Claim, Source

NOT_SUPPORTED = "Not supported by this corpus."
_CLOSING = re.compile(r"([.!?。！？…]+)$")


def prose(answer: Answer) -> str:
    """One paragraph, e.g. "DFlash is up to 2.5x faster than EAGLE-3 [1]."; the abstention when there is no claim."""
    if not answer.claims:
        return NOT_SUPPORTED
    return " ".join(cited(claim, answer) for claim in answer.claims)


def cited(claim: Claim, answer: Answer) -> str:
    text, stop = reading(claim)
    return f"{text} {marks(claim, numbers_of(answer.sources))}{stop}"


def reading(claim: Claim) -> tuple[str, str]:
    """The claim with LaTeX and markdown resolved, and its closing punctuation apart."""
    text = plain(claim.text)
    closing = _CLOSING.search(text)
    if closing is None:
        return text, ""
    return text[: closing.start()], closing.group(1)


def marks(claim: Claim, numbers: Mapping[str, int]) -> str:
    """`[1]`, `[1][3]`."""
    return "".join(f"[{number}]" for number in cited_numbers(claim, numbers))


def cited_numbers(claim: Claim, numbers: Mapping[str, int]) -> list[int]:
    """Each cited source once, in order. `numbers`: paper id -> source number."""
    return sorted({numbers[each.paper_id] for each in claim.citations})


def numbers_of(sources: Iterable[Source]) -> dict[str, int]:
    """Paper id -> source number."""
    return {source.paper.id: source.number for source in sources}
