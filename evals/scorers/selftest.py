"""The scorers tried on answers that are known to be good, and on the same answers harmed: `citewell eval selftest`.

Good answers are made from the gold of the fixed questions: the gold sentences, each citing itself, with sentences of
other papers at hand. Each corruption must worsen the metrics it is about and leave the others within a bound.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from evals.material import edits
from evals.material.cases import Question
from evals.scorers import BY_NAME, METRICS, score
from evals.scorers.corruptions import CORRUPTIONS, Corruption
from evals.scorers.judge import Judge
from evals.scorers.record import Cited, Passage, Record, Statement
from rag.text.sentences import split
from rag.types import Paper

STAYS = 0.02
"""How far a metric that has nothing to do with a corruption may move, on average."""
GOOD = 0.97
"""What good answers must reach where higher is better (and 1 - GOOD where lower is)."""
FEWEST = 10
"""A corruption that applies to fewer answers shows nothing."""
_ANSWERS = 14
"""Good answers of each sort: with a number, with a name, others, and abstentions."""
_STRANGERS = 3
_NOT_OF_SCORERS = {"cost_usd", "tokens", "latency"}


@dataclass(frozen=True, slots=True)
class Moved:
    """What one corruption did: answers it applied to, mean worsening by metric, and what is wrong with that."""

    name: str
    what: str
    answers: int
    worsened: Mapping[str, float]
    faults: tuple[str, ...]


def selftest(questions: Sequence[Question], papers: Mapping[str, Paper], *, seed: int = 0) -> tuple[Moved, ...]:
    """The good answers first (as `none`), then every corruption. Deterministic."""
    good = good_answers(questions, papers, random.Random(seed))
    judge = Judge()
    scored = [score(question, record, judge) for question, record in good]
    return (_unharmed(scored), *(_try(corruption, good, judge, seed) for corruption in CORRUPTIONS))


def good_answers(
    questions: Sequence[Question], papers: Mapping[str, Paper], rng: random.Random
) -> list[tuple[Question, Record]]:
    """Questions with a perfect assistant's answers; `_ANSWERS` each with numbers, names, others, and abstaining."""
    shuffled = rng.sample(questions, len(questions))
    fit = [
        each
        for each in shuffled
        if each.sentences and each.must and not each.must_not and all(paper in papers for paper in each.papers)
    ]
    made: list[tuple[Question, Record]] = []
    taken: set[str] = set()
    for edit in (edits.number, edits.name, None):
        fitting = [each for each in fit if each.id not in taken and (edit is None or _applies(edit, each, rng))]
        answered = ((question, _perfect(question, papers, rng)) for question in fitting)
        chosen = list(islice(((question, record) for question, record in answered if record), _ANSWERS))
        taken.update(question.id for question, _ in chosen)
        made.extend(chosen)
    refused = [each for each in shuffled if not each.answerable][:_ANSWERS]
    return [*made, *((each, Record(each.question, abstained=True)) for each in refused)]


def _applies(edit: edits.Edit, question: Question, rng: random.Random) -> bool:
    return edit(edits.Source(question.sentences[0], (), ("Zyxwv",)), rng) is not None


def _perfect(question: Question, papers: Mapping[str, Paper], rng: random.Random) -> Record | None:
    gold = [papers[paper] for paper in question.papers]
    cited = [each for sentence in question.sentences if (each := _gold_citation(sentence, gold)) is not None]
    if {each.document for each in cited} != set(question.papers):
        return None
    strangers = rng.sample(sorted(set(papers) - set(question.papers)), _STRANGERS)
    seen = [*gold, *(papers[paper] for paper in strangers)]
    passages = tuple(
        Passage(f"{number}.{start}", paper.id, paper.abstract[start:end].strip())
        for number, paper in enumerate(seen)
        for start, end in split(paper.abstract)
    )
    return Record(
        question=question.question,
        statements=tuple(Statement(each.quote or "", (each,)) for each in cited),
        passages=passages,
        documents={paper.id: paper.abstract for paper in seen},
        titles={paper.id: paper.title for paper in seen},
        ranked=(*question.papers, *strangers),
    )


def _gold_citation(sentence: str, papers: Sequence[Paper]) -> Cited | None:
    for paper in papers:
        start = paper.abstract.find(sentence)
        if start >= 0:
            return Cited(paper.id, paper.id, sentence, sentence, start, start + len(sentence))
    return None


def _unharmed(scored: Sequence[Mapping[str, object]]) -> Moved:
    """Good answers must score well, or moving means nothing."""
    faults, short = [], {}
    for metric in METRICS:
        values = [each[metric.name].value for each in scored if each[metric.name].value is not None]  # type: ignore[attr-defined]
        if not values or metric.name in _NOT_OF_SCORERS:
            continue
        mean = statistics.fmean(values)
        short[metric.name] = (1 - mean) if metric.better == "higher" else mean
        if short[metric.name] > 1 - GOOD:
            faults.append(f"{metric.name} of good answers is {mean:.3f}")
    if len(scored) < FEWEST:
        faults.append(f"only {len(scored)} good answers")
    return Moved("none", "good answers, unharmed", len(scored), short, tuple(faults))


def _try(corruption: Corruption, good: Sequence[tuple[Question, Record]], judge: Judge, seed: int) -> Moved:
    worsened: dict[str, list[float]] = {}
    answers = 0
    for number, (question, record) in enumerate(good):
        harmed = corruption.corrupt(record, random.Random(f"{seed}:{corruption.name}:{number}"))
        if harmed is None:
            continue
        answers += 1
        before, after = score(question, record, judge), score(question, harmed, judge)
        for name, old in before.items():
            new = after[name].value
            if old.value is not None and new is not None:
                sign = 1 if BY_NAME[name].better == "higher" else -1
                worsened.setdefault(name, []).append(sign * (old.value - new))
    means = {name: statistics.fmean(values) for name, values in worsened.items()}
    return Moved(corruption.name, corruption.what, answers, means, tuple(_faults(corruption, answers, means)))


def _faults(corruption: Corruption, answers: int, means: Mapping[str, float]) -> list[str]:
    faults = [] if answers >= FEWEST else [f"applies to only {answers} answers"]
    for name, least in corruption.moves.items():
        moved = means.get(name, 0.0)
        if moved < least:
            faults.append(f"{name} should worsen by {least:.2f}, worsened by {moved:.3f}")
    for name, moved in means.items():
        if name not in corruption.moves and name not in corruption.may and abs(moved) > STAYS:
            faults.append(f"{name} should stay, moved by {moved:+.3f}")
    return faults
