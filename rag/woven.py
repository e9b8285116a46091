"""The answer with a model: its sentences as they complete, each checked before it is shown, completed by quotation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from rag.answering import Asked, OnClaim, composed, quoted
from rag.errors import ModelError
from rag.evidence import gather, keyed
from rag.generate.prompts import fingerprint
from rag.generate.repairs import Rewriter, judge
from rag.generate.writing import Generation, generate
from rag.settings import Settings
from rag.text.quantities import quantities
from rag.types import Answer, Claim, Dropped, Evidence, Status, Trace
from rag.verify import Verifier

if TYPE_CHECKING:
    from rag.model import Metered

_PAPERS: Final = {"fact": 3, "yes_no": 3, "comparison": 4}
"""Papers given to a model by kind of question, the extracted answer's own first; the rest get all that belong."""
_SENTENCES: Final = {"fact": 3, "yes_no": 3, "comparison": 6}
_MOST_SENTENCES: Final = 12
_ENDINGS: Final = {
    "interrupted": "interrupted",
    "length": "the model ran into its length limit",
    "cut": "the model's reply broke off",
    "stalled": "the model took too long",
    "filtered": "the model's content filter held back the rest",
}


@dataclass(slots=True)
class Weaving:
    """One answer in the making. `shown` is what the reader has been given, in that order."""

    asked: Asked
    model: Metered
    settings: Settings
    on_claim: OnClaim
    shown: list[Claim] = field(default_factory=list)
    overruled: list[Dropped] = field(default_factory=list)

    def answer(self) -> Answer:
        """Never raises ModelError: a model that fails before its first sentence leaves the answer without one."""
        base = quoted(self.asked, self.settings.max_risk)
        if self.asked.extracted.premise == "contradicted":
            # The correction is said first, in the abstract's own words, whatever the model makes of the premise.
            self._show(base.claims)
        generation = begin(self.asked, self.model, self.settings)
        verifier = Verifier(
            generation.evidence, self.settings.max_risk, Rewriter(self.model, seconds=self.settings.timeout)
        )
        fallback, status, reason = None, "answered", None
        try:
            for sentence in generation:
                self._show(claim for claim in verifier.add(sentence) if self._stands(claim, generation.evidence))
            if not generation.complete:
                status, reason = "partial", _ENDINGS.get(generation.ending)
        except ModelError as error:
            fallback = error.message
        except KeyboardInterrupt:
            status, reason = "partial", _ENDINGS["interrupted"]
        finally:
            generation.close()
        self._show(claim for claim in base.claims if not any(covers(mine, claim) for mine in self.shown))
        verified = verifier.finish(complete=status == "answered")
        dropped = (*verified.dropped, *self.overruled)
        answer = composed(self.asked, self.shown, dropped, verified.risk)
        trace = trace_of(generation, self.model)
        return replace(answer, status=_status(answer, status), reason=reason or answer.reason, note=base.note,
                       fallback=fallback, trace=trace)  # fmt: skip

    def _show(self, claims: Sequence[Claim] | Iterator[Claim]) -> None:
        for claim in claims:
            if claim not in self.shown:
                self.shown.append(claim)
                self.on_claim(claim)

    def _stands(self, claim: Claim, evidence: Sequence[Evidence]) -> bool:
        """With --judge a second opinion may take a claim away; it never lets one through."""
        if not self.settings.judge or claim.verdict == "quoted":
            return True
        try:
            opinion = judge(self.model, claim, evidence, seconds=self.settings.timeout)
        except ModelError:
            return True
        if opinion in (None, "supported"):
            return True
        self.overruled.append(Dropped(claim.text, f"the judge finds it {opinion}"))
        return False


def begin(asked: Asked, model: Metered, settings: Settings) -> Generation:
    """The one call of an answer, not made before it is iterated."""
    most = _SENTENCES.get(asked.understood.kind, min(_MOST_SENTENCES, asked.retrieval.belonging + 2))
    return generate(model, asked.question, evidence_for(asked), seconds=settings.timeout, most=most)


def evidence_for(asked: Asked) -> tuple[Evidence, ...]:
    """What the extracted answer rests on first, then every sentence of the papers that belong to the question."""
    own = asked.extracted.evidence
    most = _PAPERS.get(asked.understood.kind, max(1, asked.retrieval.belonging))
    ids = list(dict.fromkeys([*(each.paper.id for each in own), *(hit.paper_id for hit in asked.retrieval.hits)]))[
        :most
    ]
    hits = {hit.paper_id: hit for hit in asked.retrieval.hits}
    found = gather(
        [hits[paper_id] for paper_id in ids if paper_id in hits], asked.library.get(ids), asked.library.sentences(ids)
    )
    return keyed((each.paper, each.sentence, each.score) for each in (*own, *found))


def covers(mine: Claim, quote: Claim) -> bool:
    """Whether a shown claim says what a quoted one would: it rests on the same words and keeps a number of theirs."""
    places = {(cited.paper_id, cited.field, cited.start, cited.end) for cited in quote.citations}
    if places.isdisjoint((cited.paper_id, cited.field, cited.start, cited.end) for cited in mine.citations):
        return False
    numbers = {(found.low, found.high) for found in quantities(quote.text)}
    return not numbers or not numbers.isdisjoint((found.low, found.high) for found in quantities(mine.text))


def trace_of(generation: Generation, model: Metered) -> Trace:
    prompt = generation.prompt
    said = f"{prompt.system}\n---\n{prompt.user}" if prompt else ""
    return Trace(model.identity(), said, fingerprint("answer"), generation.raw)


def _status(answer: Answer, wanted: str) -> Status:
    if answer.status == "abstained":
        return "abstained"
    return "partial" if wanted == "partial" else "answered"
