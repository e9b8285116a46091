"""What the answer tells: the facts asked for, none that are wrong, abstaining where and only where it should, the cost.

Accuracy is right answers over all questions that have one; precision is right answers over those answered. Neither is
read without the abstention rates beside it (as in LitQA2, arXiv 2409.13740).
"""

from __future__ import annotations

from evals.material.cases import Question
from evals.material.matching import first_of, holds, spaced
from evals.scorers import retrieval
from evals.scorers.judge import Judge
from evals.scorers.record import Record
from evals.scorers.score import Score, share, single, undefined


def fact_recall(question: Question | None, record: Record, judge: Judge) -> Score:
    """Facts shown, in any of their spellings / facts that must be shown."""
    if question is None or not question.must:
        return undefined("no facts are listed")
    shown = spaced(record.shown)
    missing = [" / ".join(spellings) for spellings in question.must if first_of(shown, spellings) is None]
    hits = len(question.must) - len(missing)
    told = f"{hits} of {len(question.must)} facts shown" + (", missing" if missing else "")
    return share(hits, len(question.must), told, missing)


def forbidden_facts(question: Question | None, record: Record, judge: Judge) -> Score:
    """1 where anything is shown that must not be."""
    if question is None or not question.must_not:
        return undefined("nothing is forbidden")
    shown = spaced(record.shown)
    found = [text for text in question.must_not if holds(shown, text)]
    return single(bool(found), "it shows what must not appear" if found else "nothing forbidden is shown", found)


def accuracy(question: Question | None, record: Record, judge: Judge) -> Score:
    """Whether an answerable question is answered rightly."""
    if question is None or not question.answerable:
        return undefined("the question has no answer")
    fault = _wrong(question, record, judge)
    return single(not fault, fault or "answered rightly")


def precision(question: Question | None, record: Record, judge: Judge) -> Score:
    """Whether an answer that was given is right; an answer to an unanswerable question is wrong."""
    if question is None:
        return undefined("no question is known")
    if record.abstained:
        return undefined("it abstained")
    fault = _wrong(question, record, judge) if question.answerable else "there is no answer to give"
    return single(not fault, fault or "answered rightly")


def false_refusal(question: Question | None, record: Record, judge: Judge) -> Score:
    """Whether an answerable question was refused."""
    if question is None or not question.answerable:
        return undefined("the question has no answer")
    return single(record.abstained, "refused" if record.abstained else "answered")


def unsupported_answer(question: Question | None, record: Record, judge: Judge) -> Score:
    """Whether a question without an answer was answered."""
    if question is None or question.answerable:
        return undefined("the question has an answer")
    return single(not record.abstained, "abstained" if record.abstained else "answered, though there is no answer")


def abstention(question: Question | None, record: Record, judge: Judge) -> Score:
    """Whether abstaining and having no answer go together."""
    if question is None:
        return undefined("no question is known")
    right = record.abstained != question.answerable
    state = "abstained" if record.abstained else "answered"
    return single(right, f"{state}; the question is {'answerable' if question.answerable else 'not answerable'}")


def premise_corrected(question: Question | None, record: Record, judge: Judge) -> Score:
    """Whether a false premise is met by what the abstract says instead, or, where it says nothing, by abstaining."""
    if question is None or question.kind != "false_premise":
        return undefined("no false premise")
    if not question.answerable:
        return single(record.abstained, "abstained" if record.abstained else "it went along")
    if record.abstained:
        return single(0.0, "it abstained instead of correcting")
    told = (fact_recall(question, record, judge).value == 1.0) if question.must else False
    cited = (retrieval.sentence_recall(question, record, judge).value or 0.0) > 0
    right = (told or cited) and not forbidden_facts(question, record, judge).value
    return single(right, "it shows what the abstract says instead" if right else "it does not say what is so")


def premise_confirmed(question: Question | None, record: Record, judge: Judge) -> Score:
    """Whether a false premise is agreed to: something forbidden is shown, or an answer is given where there is none."""
    if question is None or question.kind != "false_premise":
        return undefined("no false premise")
    forbidden = forbidden_facts(question, record, judge).value == 1.0
    went_along = not question.answerable and not record.abstained
    return single(forbidden or went_along, "it agrees" if forbidden or went_along else "it does not agree")


def coverage(question: Question | None, record: Record, judge: Judge) -> Score:
    """Summaries: gold papers that a supported sentence cites / gold papers."""
    if question is None or question.kind != "summary" or not question.papers:
        return undefined("no summary was asked for")
    held = {
        citation.document
        for statement in record.statements
        if judge(statement.text, statement.passages).supported
        for citation in statement.citations
    }
    missing = [paper for paper in question.papers if paper not in held]
    hits = len(question.papers) - len(missing)
    return share(hits, len(question.papers), f"{hits} of {len(question.papers)} papers covered", missing)


def cost(_: Question | None, record: Record, judge: Judge) -> Score:
    return _spent(record.spent.cost_usd, "dollars")


def tokens(_: Question | None, record: Record, judge: Judge) -> Score:
    return _spent(record.spent.tokens, "tokens")


def latency(_: Question | None, record: Record, judge: Judge) -> Score:
    return _spent(record.spent.seconds, "seconds")


def _spent(value: float | None, unit: str) -> Score:
    return undefined(f"{unit} are not told") if value is None else single(value, f"{value:g} {unit}")


def _wrong(question: Question, record: Record, judge: Judge) -> str | None:
    """Why an answer to an answerable question is not right."""
    if record.abstained:
        return "it abstained"
    facts = fact_recall(question, record, judge)
    if facts.value is not None and facts.value < 1:
        return f"missing: {'; '.join(facts.extracted)}"
    if forbidden_facts(question, record, judge).value:
        return "it shows what must not appear"
    if question.papers and not set(question.papers) & set(record.cited_documents):
        return "no gold paper is cited"
    return None
