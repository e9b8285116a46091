"""Ranking against gold papers, and gold papers and sentences among the citations.

recall@k, nDCG@k (binary gains, log2 discounts; Järvelin & Kekäläinen 2002) and the reciprocal rank of the first gold.
"""

from __future__ import annotations

import math

from evals.material.cases import Question
from evals.material.matching import bare
from evals.scorers.judge import Judge
from evals.scorers.record import Record
from evals.scorers.score import Score, share, short, single, undefined

K = 10


def recall_at_k(question: Question | None, record: Record, judge: Judge, k: int = K) -> Score:
    """Gold papers among the first k / gold papers."""
    if (why := _unranked(question, record)) or question is None:
        return undefined(why or "no gold")
    found = [paper for paper in question.papers if paper in (record.ranked or ())[:k]]
    missing = [paper for paper in question.papers if paper not in found]
    return share(len(found), len(question.papers), f"{len(found)} of {len(question.papers)} in the first {k}", missing)


def ndcg(question: Question | None, record: Record, judge: Judge, k: int = K) -> Score:
    if (why := _unranked(question, record)) or question is None:
        return undefined(why or "no gold")
    ranked = (record.ranked or ())[:k]
    gain = sum(1 / math.log2(rank + 1) for rank, paper in enumerate(ranked, 1) if paper in question.papers)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(question.papers)) + 1))
    return single(gain / ideal, f"gain {gain:.3f} of {ideal:.3f}")


def reciprocal_rank(question: Question | None, record: Record, judge: Judge) -> Score:
    if (why := _unranked(question, record)) or question is None:
        return undefined(why or "no gold")
    rank = gold_rank(question, record)
    return single(1 / rank if rank else 0.0, f"first gold paper at rank {rank}" if rank else "no gold paper retrieved")


def gold_rank(question: Question, record: Record) -> int | None:
    """The rank, from 1, of the first gold paper."""
    ranked = record.ranked or ()
    return next((rank for rank, paper in enumerate(ranked, 1) if paper in question.papers), None)


def first_paper(question: Question | None, record: Record, judge: Judge) -> Score:
    """Whether the first citation is of a gold paper."""
    if question is None or not question.papers:
        return undefined("no gold paper")
    if not record.cited_documents:
        return single(0.0, "it abstained" if record.abstained else "nothing is cited")
    first = record.cited_documents[0]
    right = first in question.papers
    return single(right, "the first paper cited is gold" if right else "the first paper cited is not gold", [first])


def paper_recall(question: Question | None, record: Record, judge: Judge) -> Score:
    """Gold papers cited / gold papers."""
    if question is None or not question.papers:
        return undefined("no gold paper")
    cited = record.cited_documents
    missing = [paper for paper in question.papers if paper not in cited]
    hits = len(question.papers) - len(missing)
    return share(hits, len(question.papers), f"{hits} of {len(question.papers)} gold papers cited", missing)


def paper_precision(question: Question | None, record: Record, judge: Judge) -> Score:
    """Gold papers cited / papers cited."""
    if question is None or not question.papers:
        return undefined("no gold paper")
    cited = record.cited_documents
    if not cited:
        return undefined("it abstained" if record.abstained else "nothing is cited")
    strangers = [paper for paper in cited if paper not in question.papers]
    hits = len(cited) - len(strangers)
    return share(hits, len(cited), f"{hits} of {len(cited)} papers cited are gold", strangers)


def sentence_recall(question: Question | None, record: Record, judge: Judge) -> Score:
    """Gold sentences that a citation covers / gold sentences."""
    if question is None or not question.sentences:
        return undefined("no gold sentence")
    cited = [bare(each.passage) for each in record.citations if each.passage]
    missing = [text for text in question.sentences if not any(_covers(passage, text) for passage in cited)]
    hits = len(question.sentences) - len(missing)
    why = f"{hits} of {len(question.sentences)} gold sentences cited"
    return share(hits, len(question.sentences), why, [short(text) for text in missing])


def _covers(passage: str, sentence: str) -> bool:
    """Whether one holds the other, so that another splitter's boundaries do no harm."""
    wanted = bare(sentence)
    return wanted in passage or (len(passage) > len(wanted) / 2 and passage in wanted)


def _unranked(question: Question | None, record: Record) -> str | None:
    if question is None or not question.papers:
        return "no gold paper"
    return "no ranking was given" if record.ranked is None else None
