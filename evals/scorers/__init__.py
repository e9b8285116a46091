"""Every metric under its name, in the order of the reports. Pure: a question, a record and a judge in, a score out."""

from __future__ import annotations

from evals.material.cases import ClaimCase, Question
from evals.scorers import answers, citations, claims, quotes, retrieval
from evals.scorers.judge import Judge
from evals.scorers.record import Record
from evals.scorers.score import Metric, Score

__all__ = ["BY_NAME", "CLAIM_METRICS", "METRICS", "Metric", "Score", "score", "score_claim"]

METRICS = (
    Metric("citation_recall", "sentences supported by what they cite", "higher", citations.recall),
    Metric("citation_precision", "citations that carry their sentence (ALCE)", "higher", citations.precision),
    Metric("citation_f1", "harmonic mean of both", "higher", citations.f1),
    Metric("citation_validity", "ids that were given / ids named", "higher", citations.validity),
    Metric(
        "misattribution",
        "cited sentences that only another passage supports",
        "lower",
        citations.misattribution,
    ),
    Metric("quote_fidelity", "quotes that are abstract[start:end]", "higher", quotes.fidelity),
    Metric("faithfulness", "sentences supported by anything at hand", "higher", citations.faithfulness),
    Metric("contradiction", "sentences that the evidence contradicts", "lower", citations.contradiction),
    Metric("recall_at_10", "gold papers among the first ten", "higher", retrieval.recall_at_k),
    Metric("ndcg_at_10", "ranking of the gold papers", "higher", retrieval.ndcg),
    Metric("mrr", "reciprocal rank of the first gold paper", "higher", retrieval.reciprocal_rank),
    Metric("first_paper", "the first paper cited is gold", "higher", retrieval.first_paper),
    Metric("paper_recall", "gold papers cited", "higher", retrieval.paper_recall),
    Metric("paper_precision", "cited papers that are gold", "higher", retrieval.paper_precision),
    Metric("sentence_recall", "gold sentences cited", "higher", retrieval.sentence_recall),
    Metric("fact_recall", "facts shown that must be", "higher", answers.fact_recall),
    Metric("forbidden_facts", "answers showing what must not appear", "lower", answers.forbidden_facts),
    Metric("accuracy", "answerable questions answered rightly", "higher", answers.accuracy),
    Metric("precision", "given answers that are right", "higher", answers.precision),
    Metric("abstention", "abstained where, and only where, there is no answer", "higher", answers.abstention),
    Metric("false_refusal", "answerable questions refused", "lower", answers.false_refusal),
    Metric("unsupported_answer", "unanswerable questions answered", "lower", answers.unsupported_answer),
    Metric("premise_corrected", "false premises met by what is so", "higher", answers.premise_corrected),
    Metric("premise_confirmed", "false premises agreed to", "lower", answers.premise_confirmed),
    Metric("coverage", "summaries: papers covered", "higher", answers.coverage),
    Metric("cost_usd", "dollars a question", "lower", answers.cost, "usd"),
    Metric("tokens", "tokens a question", "lower", answers.tokens, "tokens"),
    Metric("latency", "seconds a question", "lower", answers.latency, "seconds"),
)

CLAIM_METRICS = (
    Metric("claims_kept", "true claims shown as written", "higher", claims.kept),
    Metric("claims_leaked", "untrue claims shown as written", "lower", claims.leaked),
    Metric("claims_told_apart", "supported, contradicted, not found told apart", "higher", claims.told_apart),
    Metric("edits_missed", "untrue claims that count as supported", "lower", claims.edit_missed),
)
BY_NAME = {metric.name: metric for metric in (*METRICS, *CLAIM_METRICS)}


def score_claim(claim: ClaimCase, checked: claims.Checked) -> dict[str, Score]:
    """Every claim metric of one labelled claim, by name."""
    return {metric.name: metric.scorer(claim, checked) for metric in CLAIM_METRICS}


def score(question: Question | None, record: Record, judge: Judge) -> dict[str, Score]:
    """Every metric of one answer, by name."""
    return {metric.name: metric.scorer(question, record, judge) for metric in METRICS}
