"""Citation recall, precision, F1, validity and misattribution, and the three-way faithfulness of what is said.

Recall and precision are ALCE's (Gao et al. 2023, arXiv 2305.14627, section 4), with one stricter rule: a sentence that
names an id which was never given counts as unsupported, whatever else it cites. Faithfulness asks of each sentence
whether anything the assistant had before it says so, right citation or not.
"""

from __future__ import annotations

from collections.abc import Sequence

from evals.material.cases import Question
from evals.scorers.judge import Judge, Judgement
from evals.scorers.record import Cited, Record, Statement
from evals.scorers.score import Score, plural, share, short, single, undefined


def recall(_: Question | None, record: Record, judge: Judge) -> Score:
    """Supported sentences / sentences that need support."""
    judged = [(each, _fault(each, judge)) for each in _needing(record)]
    faults = [f"{short(each.text)} ({fault})" for each, fault in judged if fault]
    return _of(record, len(judged) - len(faults), len(judged), "supported by their citations", "sentence", faults)


def precision(_: Question | None, record: Record, judge: Judge) -> Score:
    """Citations that carry their sentence, alone or as a needed part / all citations, invented ones included."""
    hits, of, faults = 0, 0, []
    for statement in _needing(record):
        for citation in statement.citations:
            of += 1
            fault = _idle(citation, statement, judge)
            hits += not fault
            if fault:
                faults.append(f"[{citation.key}] {fault}: {short(statement.text, 60)}")
    return _of(record, hits, of, "needed by their sentence", "citation", faults)


def f1(question: Question | None, record: Record, judge: Judge) -> Score:
    """The harmonic mean of both; undefined where either is."""
    found = recall(question, record, judge).value
    right = precision(question, record, judge).value
    if found is None or right is None:
        return undefined("citation recall or precision is undefined")
    value = 2 * found * right / (found + right) if found + right else 0.0
    return single(value, f"harmonic mean of recall {found:.3f} and precision {right:.3f}")


def validity(_: Question | None, record: Record, judge: Judge) -> Score:
    """Ids that were given to the assistant / all ids it named."""
    invented = [citation.key for citation in record.citations if not citation.valid]
    of = len(record.citations)
    return _of(record, of - len(invented), of, "real", "citation", [f"[{key}] was never given" for key in invented])


def misattribution(_: Question | None, record: Record, judge: Judge) -> Score:
    """Cited sentences that their citations do not support, though another passage at hand does / cited sentences."""
    cited = [each for each in _needing(record) if each.citations]
    faults = [
        short(each.text)
        for each in cited
        if not judge(each.text, each.passages).supported and _elsewhere(each, record, judge)
    ]
    return _of(
        record,
        len(faults),
        len(cited),
        "true of another passage than the one cited",
        "cited sentence",
        faults,
    )


def faithfulness(_: Question | None, record: Record, judge: Judge) -> Score:
    """Sentences that something at hand supports / sentences that need support."""
    needing = _needing(record)
    outcomes = [(each, at_hand(each, record, judge)) for each in needing]
    faults = [_told(each, found) for each, found in outcomes if not found.supported]
    return _of(record, len(needing) - len(faults), len(needing), "supported by what was at hand", "sentence", faults)


def contradiction(_: Question | None, record: Record, judge: Judge) -> Score:
    """Sentences that what they rest on contradicts / sentences that need support."""
    needing = _needing(record)
    outcomes = [(each, at_hand(each, record, judge)) for each in needing]
    faults = [_told(each, found) for each, found in outcomes if found.outcome == "contradicted"]
    return _of(record, len(faults), len(needing), "contradicted", "sentence", faults)


def at_hand(statement: Statement, record: Record, judge: Judge) -> Judgement:
    """The statement against its citations, then against every other passage the assistant had."""
    by_citation = judge(statement.text, statement.passages)
    if by_citation.supported:
        return by_citation
    for passage in _others(statement, record):
        found = judge(statement.text, (passage,))
        if found.supported:
            return found
        if found.outcome == "contradicted" and by_citation.outcome == "not_found":
            by_citation = found
    return by_citation


def _needing(record: Record) -> tuple[Statement, ...]:
    return tuple(each for each in record.statements if each.needs_support)


def _fault(statement: Statement, judge: Judge) -> str | None:
    """Why a sentence does not count for recall."""
    if not statement.citations:
        return "nothing is cited"
    invented = [citation.key for citation in statement.citations if not citation.valid]
    if invented:
        return f"[{invented[0]}] was never given"
    found = judge(statement.text, statement.passages)
    return None if found.supported else f"{found.outcome.replace('_', ' ')}: {'; '.join(found.reasons) or 'too little'}"


def _idle(citation: Cited, statement: Statement, judge: Judge) -> str | None:
    """Why a citation does not count for precision."""
    if citation.passage is None:
        return "was never given"
    if not judge(statement.text, statement.passages).supported:
        return "stands at an unsupported sentence"
    if judge(statement.text, (citation.passage,)).supported:
        return None
    rest = tuple(each.passage for each in statement.citations if each is not citation and each.passage is not None)
    return "adds nothing" if judge(statement.text, rest).supported else None


def _elsewhere(statement: Statement, record: Record, judge: Judge) -> bool:
    return any(judge(statement.text, (passage,)).supported for passage in _others(statement, record))


def _others(statement: Statement, record: Record) -> list[str]:
    """Passages at hand that the statement does not cite."""
    mine = set(statement.passages)
    everywhere = [each.passage for each in record.citations if each.passage is not None]
    return [text for text in dict.fromkeys((*everywhere, *(each.text for each in record.passages))) if text not in mine]


def _told(statement: Statement, found: Judgement) -> str:
    return f"{found.outcome.replace('_', ' ')}: {short(statement.text)}"


def _of(record: Record, hits: int, of: int, what: str, noun: str, faults: Sequence[str]) -> Score:
    if not of:
        return undefined("it abstained" if record.abstained else f"no {noun} to judge")
    return share(hits, of, f"{hits} of {plural(of, noun)} {what}", faults)
