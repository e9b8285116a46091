"""Second calls about one sentence: rewriting what failed its check, and a second opinion on what passed."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Literal

from rag.errors import ModelError
from rag.generate.compose import compose, keyed, one_line
from rag.generate.once import once
from rag.generate.prompts import fill
from rag.generate.sentences import SentenceStream
from rag.model.contract import Model
from rag.types import Claim, DraftSentence, Evidence

Judgement = Literal["supported", "contradicted", "missing"]

_ROOM = 2000
"""Tokens of evidence: one claim rests on a few sentences."""
_MOST_REWRITES = 3
_VERDICT = re.compile(r"\b(not[\s_]+supported|supported|contradicted|missing)\b", re.IGNORECASE)


class Rewriter:
    """Rewrites sentences that failed: a few an answer, within `seconds` of the first, none after a ModelError."""

    def __init__(self, model: Model, *, seconds: float, most: int = _MOST_REWRITES) -> None:
        self._model = model
        self._seconds = seconds
        self._deadline: float | None = None
        self._left = most

    def __call__(self, sentence: DraftSentence, evidence: tuple[Evidence, ...], reasons: tuple[str, ...]) -> str | None:
        """Another wording to be checked in its turn, or None."""
        if not evidence or self._left <= 0:
            return None
        self._deadline = self._deadline or time.monotonic() + self._seconds
        seconds = self._deadline - time.monotonic()
        if seconds <= 0:
            return None
        self._left -= 1
        try:
            return rewrite(self._model, sentence, evidence, reasons, seconds=seconds)
        except ModelError:
            self._left = 0
            return None


def rewrite(
    model: Model,
    sentence: DraftSentence,
    evidence: Sequence[Evidence],
    reasons: Sequence[str],
    *,
    seconds: float,
) -> str | None:
    """One call. None when the model keeps nothing of the sentence, or says the same again. Raises ModelError."""
    known = keyed(evidence, sentence.text)
    composed = compose(known, sentence.text, room=_ROOM)
    values = {
        "evidence": composed.block,
        "mark": composed.mark,
        "sentence": one_line(sentence.text),
        "reasons": one_line("; ".join(reasons)) or "the evidence does not support it",
    }
    reply = once(model, fill("rewrite", values), seconds=seconds)
    if reply is None:
        return None
    stream = SentenceStream([item.key for item in known], "\n".join(composed.lines))
    drafted = [*stream.feed(reply), *stream.finish(whole=True)]
    text = drafted[0].text if drafted else ""
    if re.fullmatch(r"\W*none\W*", text, re.IGNORECASE) or text.casefold() == sentence.text.casefold():
        return None
    return text or None


def judge(model: Model, claim: Claim, evidence: Sequence[Evidence], *, seconds: float) -> Judgement | None:
    """One call: the model's opinion on a claim given what it cites. None when it gives none. Raises ModelError.

    A judgement may lower trust and must never raise it: see `--judge`.
    """
    cited = keyed(cited_evidence(claim, evidence), claim.text)
    composed = compose(cited, claim.text, room=_ROOM)
    values = {"evidence": composed.block, "mark": composed.mark, "claim": one_line(claim.text)}
    reply = once(model, fill("judge", values), seconds=seconds)
    found = _VERDICT.search(reply or "")
    if found is None:
        return None
    word = found[1].lower()
    return "supported" if word == "supported" else "contradicted" if word == "contradicted" else "missing"


def cited_evidence(claim: Claim, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The sentences that a claim's citations lie in."""
    return tuple(
        item
        for item in evidence
        if any(
            item.paper.id == citation.paper_id
            and citation.start < item.sentence.end
            and item.sentence.start < citation.end
            for citation in claim.citations
        )
    )
