"""Drafted sentences in, claims out, one at a time, so that a stream shows nothing unchecked.

A sentence that does not pass is repaired in this order: cited anew, rewritten from its evidence (once, by the
caller's model), replaced by the abstract's own sentence, dropped with a note. After Claim Graph Risk Control: claims
that lean on an earlier one fall with it, and the risks of what is shown add up to no more than the target.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from rag.types import Claim, Draft, DraftSentence, Dropped, Evidence, Risk
from rag.verify.risk import union
from rag.verify.support import Span, Support, judge, leans, nearest, quotation, span_of, trimmed, verbatim

Rewrite = Callable[[DraftSentence, tuple[Evidence, ...], tuple[str, ...]], str | None]
"""A sentence, its evidence, and why it failed -> another wording, or None. Called at most once a sentence."""
Objection = Callable[[Claim, DraftSentence], str | None]
"""A claim that passed and the sentence it came of -> why it is not shown all the same, or None. It only takes away."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What happened to a draft. `sentences` were read; each ended quoted, supported, replaced or dropped."""

    sentences: int = 0
    quoted: int = 0
    supported: int = 0
    replaced: int = 0
    """Not supported as written: the abstract's own sentence is shown instead."""
    dropped: int = 0
    rewritten: int = 0
    misattributed: int = 0
    """Supported, but by another shown sentence than the one cited: cited anew."""
    uncited: int = 0
    unknown_keys: int = 0
    keys: int = 0
    overcited: int = 0
    """Citations that the claim did not need, taken off."""
    contradicted: int = 0
    fabricated: int = 0
    """Supported by nothing shown, and contradicted by nothing."""
    over_target: int = 0
    """Supported, but beyond the risk that was left."""


@dataclass(frozen=True, slots=True)
class Verified:
    claims: tuple[Claim, ...]
    dropped: tuple[Dropped, ...]
    risk: Risk
    counts: Counts
    complete: bool = True


_SINGLY = 3
"""Of several cited sentences, the closest that are also tried alone."""


@dataclass(slots=True)
class Verifier:
    """Takes one drafted sentence at a time; `finish` sums up. `max_risk` bounds the whole answer."""

    evidence: Sequence[Evidence]
    max_risk: float = 0.05
    rewrite: Rewrite | None = None
    objects: Objection | None = None
    _claims: list[Claim] = field(default_factory=list)
    _dropped: list[Dropped] = field(default_factory=list)
    _counts: Counts = field(default_factory=Counts)
    _certified: bool = True
    _parent: tuple[str, ...] | None = None
    """Papers of the last sentence shown; None before the first; () when it was dropped."""

    def add(self, sentence: DraftSentence) -> tuple[Claim, ...]:
        """What may be shown now: at most one claim."""
        self._count(sentences=1)
        cited = self._resolve(sentence)
        quoted = verbatim(sentence.text, [*cited, *(span_of(item) for item in self.evidence)])
        if quoted:
            elsewhere = int(bool(cited) and not set(quoted) <= set(cited))
            claim = Claim(quotation(quoted), tuple(s.citation() for s in quoted), "quoted", 0.0)
            return self._show(claim, sentence, quoted=1, misattributed=elsewhere)
        orphan = self._orphaned(sentence, cited)
        if orphan and not self._parent:
            return self._drop(sentence.text, orphan)
        if orphan:
            return self._repair(sentence, cited, orphan)
        found = self._support(sentence, cited)
        if found is not None:
            return self._show_supported(sentence.text, found, sentence)
        return self._repair(sentence, cited)

    def finish(self, *, complete: bool = True) -> Verified:
        bound = union([claim.risk for claim in self._claims])
        risk = Risk(bound, self._certified, self.max_risk)
        return Verified(tuple(self._claims), tuple(self._dropped), risk, self._counts, complete)

    def _resolve(self, sentence: DraftSentence) -> tuple[Span, ...]:
        known = {item.key: item for item in self.evidence}
        keys = tuple(dict.fromkeys(sentence.keys))
        found = [span_of(known[key]) for key in keys if key in known]
        self._count(keys=len(keys), unknown_keys=len(keys) - len(found), uncited=int(not keys))
        return tuple(dict.fromkeys(found))

    def _orphaned(self, sentence: DraftSentence, cited: Sequence[Span]) -> str | None:
        """Why a sentence that leans on the one before it cannot stand, or None."""
        if self._parent is None or not leans(sentence.text):
            return None
        if not self._parent:
            return "it leans on a sentence that was dropped"
        papers = {span.paper.id for span in cited}
        if papers and not papers & set(self._parent):
            return "it leans on a sentence about another paper"
        return None

    def _support(self, sentence: DraftSentence, cited: Sequence[Span]) -> Support | None:
        """Support within what is left of the risk, by the cited sentences or else by others that were shown."""
        left = self._left()
        if cited:
            found = judge(sentence.text, cited, left)
            if found.risk <= left:
                slim = trimmed(sentence.text, found, left)
                self._count(overcited=len(set(cited) - set(slim.spans)))
                return slim
        if len(cited) > 1:  # cited in a heap: what one sentence says in full, the others must not hide
            for span in nearest(sentence.text, cited)[:_SINGLY]:
                found = judge(sentence.text, (span,), left)
                if found.risk <= left:
                    self._count(overcited=len(set(cited) - set(found.spans)))
                    return found
        others = [span for span in map(span_of, self.evidence) if span not in cited]
        for span in nearest(sentence.text, others):
            found = judge(sentence.text, (span,), left)
            if found.risk <= left:
                self._count(misattributed=int(bool(sentence.keys)))
                return found
        return None

    def _left(self) -> float:
        return max(0.0, self.max_risk - sum(claim.risk for claim in self._claims)) + 1e-12

    def _show_supported(self, text: str, found: Support, sentence: DraftSentence) -> tuple[Claim, ...]:
        claim = Claim(text.strip(), tuple(s.citation() for s in found.spans), "supported", found.risk)
        shown = self._show(claim, sentence, supported=1)
        self._certified = self._certified and (found.check.certified or not shown)
        return shown

    def _repair(self, sentence: DraftSentence, cited: tuple[Span, ...], orphan: str = "") -> tuple[Claim, ...]:
        reasons = (orphan,) if orphan else self._why(sentence.text, cited)
        again = self._rewritten(sentence, cited, reasons)
        if again is not None:
            return again
        reason = "; ".join(reasons) or "the cited sentences do not support it"
        shown = {citation.quote for claim in self._claims for citation in claim.citations}
        for span in nearest(sentence.text, cited)[:1]:
            own = Claim(span.text, (span.citation(),), "quoted", 0.0)
            if span.text not in shown and self._objection(own, sentence) is None:
                note = f"{reason}; the abstract's own sentence is shown instead"
                self._dropped.append(Dropped(sentence.text, note))
                return self._add(own, replaced=1)
        return self._drop(sentence.text, reason)

    def _why(self, text: str, cited: tuple[Span, ...]) -> tuple[str, ...]:
        """Why a sentence did not pass, counted: its evidence says otherwise, or nothing says it, or too much risk."""
        spans = cited or nearest(text, [span_of(item) for item in self.evidence])[:1]
        failed = judge(text, spans, self.max_risk).check
        if failed.outcome == "supported":
            self._count(over_target=1)
            return ("with it, the answer would be less certain than asked for",)
        self._count(**{"contradicted" if failed.outcome == "contradicted" else "fabricated": 1})
        return failed.reasons

    def _rewritten(
        self, sentence: DraftSentence, cited: tuple[Span, ...], reasons: tuple[str, ...]
    ) -> tuple[Claim, ...] | None:
        if self.rewrite is None or not cited:
            return None
        known = tuple(item for item in self.evidence if span_of(item) in cited)
        text = self.rewrite(sentence, known, reasons)
        if not text or not text.strip():
            return None
        quoted = verbatim(text, cited)
        if quoted:
            claim = Claim(quotation(quoted), tuple(s.citation() for s in quoted), "quoted", 0.0)
            return self._show(claim, sentence, rewritten=1, quoted=1)
        found = judge(text, cited, self._left())
        if found.risk > self._left():
            return None
        self._count(rewritten=1)
        return self._show_supported(text, found, sentence)

    def _objection(self, claim: Claim, sentence: DraftSentence) -> str | None:
        return self.objects(claim, sentence) if self.objects else None

    def _show(self, claim: Claim, sentence: DraftSentence, **steps: int) -> tuple[Claim, ...]:
        objection = self._objection(claim, sentence)
        return self._drop(sentence.text, objection) if objection else self._add(claim, **steps)

    def _add(self, claim: Claim, **steps: int) -> tuple[Claim, ...]:
        self._count(**steps)
        self._claims.append(claim)
        self._parent = tuple({citation.paper_id: None for citation in claim.citations})
        return (claim,)

    def _drop(self, text: str, reason: str) -> tuple[Claim, ...]:
        self._count(dropped=1)
        self._dropped.append(Dropped(text, reason))
        self._parent = ()
        return ()

    def _count(self, **steps: int) -> None:
        self._counts = replace(self._counts, **{name: getattr(self._counts, name) + n for name, n in steps.items()})


def verify(
    draft: Draft, evidence: Sequence[Evidence], *, max_risk: float = 0.05, rewrite: Rewrite | None = None
) -> Verified:
    """Every sentence of a draft against its evidence. Never raises on what a model wrote."""
    verifier = Verifier(evidence, max_risk, rewrite)
    for sentence in draft.sentences:
        verifier.add(sentence)
    return verifier.finish(complete=draft.complete)
