"""When a case passes: every reason why it does not, in words. One rule a kind, the same for all its questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evals.material.cases import ClaimCase, Question
from evals.scorers import Score

_SEVERAL = {"list": (0.8, 0.8), "comparison": (1.0, 0.5), "summary": (0.6, 0.6)}
"""Recall and precision of cited papers that questions over several papers must reach."""
_GROUNDED = ("citation_recall", "citation_validity", "quote_fidelity")
_ONE_PAPER = ("fact", "paraphrase", "metadata", "true_premise", "false_premise")


def failures(question: Question, scores: Mapping[str, Score]) -> tuple[str, ...]:
    """Why this answer fails; () when it passes."""
    return tuple(_failures(question, scores))


def grounding(scores: Mapping[str, Score]) -> tuple[str, ...]:
    """Why an answer is not grounded, whatever was asked."""
    return tuple(_ungrounded(scores))


def claim_failures(claim: ClaimCase, scores: Mapping[str, Score]) -> tuple[str, ...]:
    """A claim fails where a wrong one leaks or counts as supported. A true one held back is a cost, no fault."""
    return tuple(
        f"{name}: {scores[name].why}" for name in ("claims_leaked", "edits_missed") if scores[name].value == 1.0
    )


def _ungrounded(scores: Mapping[str, Score]) -> Iterator[str]:
    for name in _GROUNDED:
        if (value := scores[name].value) is not None and value < 1:
            yield _because(name, scores[name])
    if scores["contradiction"].value:
        yield _because("contradiction", scores["contradiction"])


def _failures(question: Question, scores: Mapping[str, Score]) -> Iterator[str]:
    yield from _ungrounded(scores)
    if scores["forbidden_facts"].value:
        yield _because("forbidden_facts", scores["forbidden_facts"])
    if not question.answerable:
        if scores["unsupported_answer"].value:
            yield _because("unsupported_answer", scores["unsupported_answer"])
        return
    if scores["false_refusal"].value:
        yield "false_refusal: refused, though the corpus holds the answer"
        return
    yield from _wrong(question, scores)


def _wrong(question: Question, scores: Mapping[str, Score]) -> Iterator[str]:
    if (value := scores["fact_recall"].value) is not None and value < 1:
        yield _because("fact_recall", scores["fact_recall"])
    if question.kind in _SEVERAL:
        for name, least in zip(("paper_recall", "paper_precision"), _SEVERAL[question.kind], strict=True):
            if (value := scores[name].value) is not None and value < least:
                yield _because(name, scores[name])
    elif question.kind in _ONE_PAPER and scores["first_paper"].value == 0.0:
        yield _because("first_paper", scores["first_paper"])
    if question.kind == "false_premise" and scores["premise_corrected"].value == 0.0:
        yield _because("premise_corrected", scores["premise_corrected"])


def _because(name: str, score: Score) -> str:
    extracted = f": {'; '.join(score.extracted[:3])}" if score.extracted else ""
    return f"{name}: {score.why}{extracted}"
