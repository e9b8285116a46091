"""Chosen slices become claims: through `rag.verify`, as everything that is shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rag.evidence import keyed
from rag.summarise.reading import Said
from rag.types import Claim, Draft, DraftSentence, Paper, Sentence
from rag.verify import verify


def quoted(paper: Paper, slices: Sequence[Sentence]) -> tuple[Claim | None, ...]:
    """One claim a slice; None for a slice of nothing but white space."""
    evidence = keyed((paper, piece, 1.0) for piece in dict.fromkeys(slices))
    by_place = {(item.sentence.start, item.sentence.end): item for item in evidence}
    found: list[Claim | None] = []
    for piece in slices:
        item = by_place[piece.start, piece.end]
        verified = verify(Draft((DraftSentence(item.text, (item.key,)),)), [item])
        found.append(verified.claims[0] if verified.claims else None)
    return tuple(found)


def claims_of(said: Iterable[Said]) -> tuple[Claim, ...]:
    """In the order given."""
    return tuple(claim for one in said for claim in quoted(one.paper, [one.slice]) if claim is not None)
