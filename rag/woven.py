"""The answer with a model: its sentences as they complete, each checked before it is shown, completed by quotation."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from rag.answering import Asked, OnClaim, composed, quoted
from rag.errors import ModelError
from rag.evidence import gather, keyed
from rag.extract.passage import read
from rag.generate.prompts import fingerprint
from rag.generate.repairs import Rewriter, judge
from rag.generate.writing import Generation, generate
from rag.relevance import beside_the_point, lacking, places
from rag.settings import Settings
from rag.text.orders import commands, stating
from rag.text.rarity import total
from rag.types import INTERRUPTED, Answer, Citation, Claim, DraftSentence, Evidence, Status, Trace
from rag.verify import Verifier

if TYPE_CHECKING:
    from rag.model import Metered

_PAPERS: Final = {"fact": 3, "yes_no": 3, "comparison": 4}
"""Papers given to a model by kind of question, the extracted answer's own first; the rest get all that belong."""
_SENTENCES: Final = {"fact": 3, "yes_no": 3, "comparison": 6}
_MOST_SENTENCES: Final = 12
_NEARLY: Final = 0.5
"""Share of the best paper's relevance at which another is given whole."""
_SHARED: Final = 0.15
"""Share of the question's words that a sentence of any other paper must hold to be given. Half the tokens of giving all
hold 94 of the 97 % of gold sentences (questions of split `fit`)."""
_ENDINGS: Final = {
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
    _own: tuple[Citation, ...] = ()
    """What the answer without a model rests on."""

    def answer(self) -> Answer:
        """Never raises ModelError: a model that fails before its first sentence leaves the answer without one."""
        base = quoted(self.asked, self.settings.max_risk)
        self._own = tuple(citation for claim in base.claims for citation in claim.citations)
        if self.asked.extracted.premise == "contradicted":
            # The correction is said first, in the abstract's own words, whatever the model makes of the premise.
            self._show(base.claims)
        generation = begin(self.asked, self.model, self.settings)
        rewriter = Rewriter(self.model, seconds=self.settings.timeout)
        objects = functools.partial(self._objection, evidence=generation.evidence)
        verifier = Verifier(generation.evidence, self.settings.max_risk, rewriter, objects)
        fallback, status, reason = None, "answered", None
        try:
            for sentence in generation:
                self._show(verifier.add(sentence))
            if not generation.complete:
                status, reason = "partial", _ENDINGS.get(generation.ending)
        except ModelError as error:
            fallback = error.line
        except KeyboardInterrupt:
            status, reason = "partial", INTERRUPTED
        finally:
            generation.close()
        self._show(lacking(base.claims, self.shown, self.asked.understood))
        verified = verifier.finish(complete=status == "answered")
        answer = composed(self.asked, self.shown, verified.dropped, verified.risk)
        trace = trace_of(generation, self.model)
        return replace(answer, status=_status(answer, status), reason=reason or answer.reason, note=base.note,
                       fallback=fallback, trace=trace)  # fmt: skip

    def _show(self, claims: Sequence[Claim]) -> None:
        for claim in claims:
            if not any(_same(claim, shown) for shown in self.shown):
                self.shown.append(claim)
                self.on_claim(claim)

    def _objection(self, claim: Claim, sentence: DraftSentence, *, evidence: Sequence[Evidence]) -> str | None:
        """Why a claim that passed is not shown: it is beside the point, or, with --judge, the second opinion."""
        papers = {each.paper.id: each.paper for each in evidence}
        beside = beside_the_point(claim, sentence, self.asked.understood, self._own, papers)
        if beside or not self.settings.judge or claim.verdict == "quoted":
            return beside
        try:
            opinion = judge(self.model, claim, evidence, seconds=self.settings.timeout)
        except ModelError:
            return None
        return None if opinion in (None, "supported") else f"the judge finds it {opinion}"


def _same(claim: Claim, shown: Claim) -> bool:
    """The same words, or two quotations of the same place."""
    both_quoted = claim.verdict == shown.verdict == "quoted"
    return claim.text == shown.text or (both_quoted and places(claim) == places(shown))


def begin(asked: Asked, model: Metered, settings: Settings) -> Generation:
    """The one call of an answer, not made before it is iterated."""
    most = _SENTENCES.get(asked.understood.kind, min(_MOST_SENTENCES, asked.retrieval.belonging + 2))
    return generate(model, asked.question, evidence_for(asked), seconds=settings.timeout, most=most)


def evidence_for(asked: Asked) -> tuple[Evidence, ...]:
    """What the extracted answer rests on first, then of the papers that belong to the question what may add to it.

    Sentences that give orders, and papers whose titles do, are not passed on.
    """
    own = asked.extracted.evidence
    most = _PAPERS.get(asked.understood.kind, max(1, asked.retrieval.belonging))
    ids = list(dict.fromkeys([*(each.paper.id for each in own), *(hit.paper_id for hit in asked.retrieval.hits)]))[
        :most
    ]
    hits = {hit.paper_id: hit for hit in asked.retrieval.hits}
    papers = {paper.id: paper for paper in asked.library.get(ids).values() if not commands(paper.title)}
    sentences = asked.library.sentences(ids)
    stated = {paper_id: stating(paper.abstract, sentences[paper_id]) for paper_id, paper in papers.items()}
    found = gather([hits[each] for each in ids if each in hits], papers, stated)
    to_the_point = (each for each in found if _may_add(each, asked))
    return keyed((each.paper, each.sentence, each.score) for each in (*own, *to_the_point))


def _may_add(evidence: Evidence, asked: Asked) -> bool:
    """Whether a sentence is worth its tokens: every one of a paper that the extracted answer rests on, or that is
    nearly as relevant as the best; of others only one that holds its share of the question's words, by rarity."""
    if any(evidence.paper.id == each.paper.id for each in asked.extracted.evidence):
        return True
    if asked.understood.kind in _PAPERS and evidence.score >= _NEARLY * asked.retrieval.hits[0].score:
        return True
    terms, places = asked.understood.terms, read(evidence.text).places
    return total(term for term in terms if term in places) >= _SHARED * total(terms)


def trace_of(generation: Generation, model: Metered) -> Trace:
    prompt = generation.prompt
    said = f"{prompt.system}\n---\n{prompt.user}" if prompt else ""
    return Trace(model.identity(), said, fingerprint("answer"), generation.raw)


def _status(answer: Answer, wanted: str) -> Status:
    if answer.status == "abstained":
        return "abstained"
    return "partial" if wanted == "partial" else "answered"
