"""A summary in a model's words: each theme from its papers' sentences (map), the overview from what passed (reduce).

Every sentence is checked against the abstracts by `rag.verify`; where nothing passes, where the model fails or the
token budget ends, the quotations stay. Replies come from the cache, so that a summary that was interrupted goes on
where it ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from rag.errors import ModelError
from rag.evidence import keyed
from rag.generate.summary import Overview, findings
from rag.library.reports import Progress
from rag.summarise.nouns import Summary
from rag.summarise.reading import Read, Said
from rag.types import Claim, DraftSentence, Dropped, Evidence, Paper, Risk, Sentence
from rag.verify import Verified, Verifier

if TYPE_CHECKING:
    from rag.model import Metered

DEFAULT_TOKENS: Final = 60_000
_A_BATCH: Final = 6
"""Papers a call: what small context windows hold."""
_SENTENCES_A_PAPER: Final = 5
_REPLY: Final = 1_000
"""Tokens set aside for the reply when the budget is asked whether one more call fits."""
_CLAIMS_A_THEME: Final = 3


@dataclass(slots=True)
class _Purse:
    """What may still be spent: tokens of the budget, and the risk of the whole summary."""

    model: Metered
    tokens: int
    risk: float

    def affords(self, evidence: Sequence[Evidence]) -> bool:
        from rag.model.tokens import estimate

        spent = self.model.usage.prompt_tokens + self.model.usage.completion_tokens
        return spent + sum(estimate(item.text) + 6 for item in evidence) + _REPLY <= self.tokens


def written(
    summary: Summary,
    themes: Sequence[Sequence[Read]],
    model: Metered,
    *,
    max_risk: float,
    seconds: float,
    tokens: int = DEFAULT_TOKENS,
    progress: Callable[[Progress], None] | None = None,
) -> Summary:
    """`summary` with what the model wrote and what passed in place of quotations. Never raises ModelError.

    `seconds` bounds one call; `tokens` bounds all of them. `fallback` says why anything is quoted after all.
    """
    purse = _Purse(model, tokens, max_risk)
    told = list(summary.themes)
    dropped: list[Dropped] = []
    fallback, failed = None, False
    certified = True
    for place, papers in enumerate(themes):
        if progress is not None:
            progress(Progress("themes", place, len(themes)))
        try:
            verified = _theme(summary.topic, papers, purse, seconds)
        except ModelError as error:
            fallback, failed = f"{error.message}; {_rest(place, len(themes))}", True
            break
        if verified is None:
            fallback = f"the budget of {tokens:,} tokens was spent; {_rest(place, len(themes))}"
            break
        dropped += verified.dropped
        certified = certified and verified.risk.certified
        if verified.claims:
            told[place] = replace(told[place], claims=verified.claims)
    made = replace(summary, themes=tuple(told), fallback=fallback, model_failed=failed)
    made, reduced = _reduced(made, themes, purse, seconds) if fallback is None else (made, None)
    if reduced is not None:
        dropped += reduced.dropped
        certified = certified and reduced.risk.certified
    risk = Risk(max_risk - purse.risk, certified, max_risk)
    return replace(made, dropped=tuple(dropped), risk=risk, usage=model.usage)


def _rest(done: int, total: int) -> str:
    return "everything is quoted" if not done else f"{total - done} of {total} themes are quoted"


def _theme(topic: str, papers: Sequence[Read], purse: _Purse, seconds: float) -> Verified | None:
    """What the model says of a theme, as far as it passed; None when the budget does not reach for it."""
    claims: list[Claim] = []
    dropped: list[Dropped] = []
    certified = True
    for first in range(0, len(papers), _A_BATCH):
        evidence = _evidence(papers[first : first + _A_BATCH])
        if not purse.affords(evidence):
            return None
        generation = findings(purse.model, topic, evidence, seconds=seconds)
        verified = _checked(generation, generation.evidence, purse)
        claims += verified.claims
        dropped += verified.dropped
        certified = certified and verified.risk.certified
    return replace(verified, claims=tuple(claims), dropped=tuple(dropped), risk=Risk(0.0, certified))


def _evidence(papers: Sequence[Read]) -> tuple[Evidence, ...]:
    """Of each paper the sentences that say most of what it does and finds."""
    chosen = []
    for paper in papers:
        best = sorted(paper.said, key=lambda one: (-_told(one), one.slice.index))[:_SENTENCES_A_PAPER]
        chosen += [(paper.paper, one.slice, _told(one)) for one in sorted(best, key=lambda one: one.slice.index)]
    return keyed(chosen)


def _told(one: Said) -> float:
    return (
        one.chance("aim")
        + one.chance("result")
        + 0.5 * one.chance("method", "conclusion")
        + 0.2 * one.chance("background")
    )


def _checked(sentences: Iterable[DraftSentence], evidence: Sequence[Evidence], purse: _Purse) -> Verified:
    """The claims that pass within what is left of the risk, which they use up."""
    verifier = Verifier(evidence, purse.risk)
    for sentence in sentences:
        verifier.add(sentence)
    verified = verifier.finish()
    purse.risk = max(0.0, purse.risk - sum(claim.risk for claim in verified.claims))
    return verified


def _reduced(
    summary: Summary, themes: Sequence[Sequence[Read]], purse: _Purse, seconds: float
) -> tuple[Summary, Verified | None]:
    """With the model's overview, where any of it passes."""
    claims = tuple(claim for theme in summary.themes for claim in theme.claims[:_CLAIMS_A_THEME])
    evidence = keyed(_cited(claims, themes))
    if not purse.affords(evidence):
        return summary, None
    overview = Overview(purse.model, summary.topic, claims, evidence, seconds=seconds)
    try:
        verified = _checked(overview, evidence, purse)
    except ModelError as error:
        return replace(summary, fallback=f"{error.message}; the overview is quoted", model_failed=True), None
    return (replace(summary, overview=verified.claims) if verified.claims else summary), verified


def _cited(claims: Sequence[Claim], themes: Sequence[Sequence[Read]]) -> Iterator[tuple[Paper, Sentence, float]]:
    """The sentences that the claims cite, of all papers read."""
    cited = {(citation.paper_id, citation.start) for claim in claims for citation in claim.citations}
    for theme in themes:
        for paper in theme:
            for one in paper.said:
                if (paper.paper.id, one.slice.start) in cited:
                    yield paper.paper, one.slice, 1.0
