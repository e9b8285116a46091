"""From a question to an Answer: what the abstracts say word for word, or a model's sentences held to them.

The answer without a model is made first, always: it decides whether the corpus holds an answer at all, it is what a
failing model falls back to, and what a weak model's answer is completed with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rag.extract import Extracted
from rag.types import Answer, Claim, Dropped, Hit, Nearest, Risk, Source
from rag.verify import verify

if TYPE_CHECKING:
    from rag.library import Library
    from rag.question import Question
    from rag.retrieve import Retrieval

OnClaim = Callable[[Claim], None]
NEAREST = 3
"""Papers named where none answers."""
_UNSAID = "no sentence of the corpus says so"


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with all that was found for it."""

    question: str
    retrieval: Retrieval
    extracted: Extracted
    library: Library

    @property
    def understood(self) -> Question:
        return self.extracted.question


def quoted(asked: Asked, max_risk: float) -> Answer:
    """The answer without a model."""
    verified = verify(asked.extracted.draft, asked.extracted.evidence, max_risk=max_risk)
    claims = (*asked.extracted.statements, *verified.claims)
    answer = composed(asked, claims, verified.dropped, verified.risk)
    return replace(answer, note=asked.extracted.note)


def composed(asked: Asked, claims: Sequence[Claim], dropped: Sequence[Dropped], risk: Risk) -> Answer:
    """Sources numbered by first use; without claims an abstention with its reason and the nearest papers."""
    info = asked.library.info
    if not claims:
        reason = asked.extracted.reason or _UNSAID
        near = nearest(asked.retrieval.hits, asked.library)
        return Answer(asked.question, "abstained", (), (), info, reason, near, tuple(dropped), risk)
    cited = dict.fromkeys(citation.paper_id for claim in claims for citation in claim.citations)
    papers = asked.library.get(list(cited))
    sources = tuple(Source(number, papers[paper_id]) for number, paper_id in enumerate(cited, start=1))
    return Answer(asked.question, "answered", tuple(claims), sources, info, dropped=tuple(dropped), risk=risk)


def nearest(hits: Sequence[Hit], library: Library) -> tuple[Nearest, ...]:
    """The papers to name where none answers, best first; at most NEAREST."""
    papers = library.get([hit.paper_id for hit in hits[:NEAREST]])
    return tuple(Nearest(papers[hit.paper_id], hit.score) for hit in hits[:NEAREST] if hit.paper_id in papers)
