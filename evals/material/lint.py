"""Finds what is wrong with a question file before a run spends time on it: `citewell eval lint`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from evals.material.cases import KINDS, Misread, Placed, Question
from evals.material.matching import bare, holds, spaced
from rag.text.normalise import fold
from rag.types import Paper

Weight = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Finding:
    """`rule` names the kind of trouble; a `warning` does not fail the lint."""

    place: str
    case_id: str
    rule: str
    weight: Weight
    reason: str

    def __str__(self) -> str:
        who = f" {self.case_id}" if self.case_id else ""
        return f"{self.place}:{who} {self.weight}: {self.reason} ({self.rule})"


def lint(questions: Sequence[Placed], misread: Sequence[Misread], papers: Mapping[str, Paper]) -> tuple[Finding, ...]:
    """Everything found, in the order of the files. `papers` are the corpus the questions are about, by id."""
    found = [Finding(each.place, "", "schema", "error", each.reason) for each in misread]
    found.extend(_duplicates(questions))
    corpus = _Corpus(papers)
    for each in questions:
        if isinstance(each.case, Question):
            for rule, weight, reason in _one(each.case, corpus):
                found.append(Finding(each.place, each.case.id, rule, weight, reason))
    return tuple(found)


_Found = tuple[str, Weight, str]


class _Corpus:
    """What gold is looked up in; abstracts folded once."""

    def __init__(self, papers: Mapping[str, Paper]) -> None:
        self.papers = papers
        self._folded: dict[str, str] = {}

    def holds_sentence(self, paper_id: str, sentence: str) -> bool:
        return bare(sentence) in bare(self.papers[paper_id].abstract)

    def holds_fact(self, paper_id: str, spellings: Sequence[str]) -> bool:
        if paper_id not in self._folded:
            paper = self.papers[paper_id]
            facts = (
                paper.title,
                paper.abstract,
                *paper.authors,
                paper.venue or "",
                paper.url or "",
                paper.doi or "",
            )
            self._folded[paper_id] = spaced(" ".join((*facts, str(paper.year or ""))))
        return any(holds(self._folded[paper_id], spelling) for spelling in spellings)


def _duplicates(questions: Sequence[Placed]) -> Iterator[Finding]:
    ids: dict[str, str] = {}
    wordings: dict[tuple[str, ...], tuple[str, str]] = {}
    for each in questions:
        case = each.case
        if case.id in ids:
            yield Finding(each.place, case.id, "duplicate", "error", f"this id stands at {ids[case.id]} already")
        ids.setdefault(case.id, each.place)
        if not isinstance(case, Question):
            continue
        wording = (*map(fold, case.history), fold(case.question))
        if wording in wordings:
            earlier_id, place = wordings[wording]
            yield Finding(each.place, case.id, "duplicate", "error", f"the same question as {earlier_id} ({place})")
        wordings.setdefault(wording, (case.id, each.place))


def _one(case: Question, corpus: _Corpus) -> Iterator[_Found]:
    if not case.question.strip():
        yield "empty", "error", "the question is empty"
    if case.kind not in KINDS:
        yield "kind", "warning", f"kind {case.kind!r} is not one of {', '.join(KINDS)}: scored like a fact"
    known = [paper for paper in case.papers if paper in corpus.papers]
    for paper in case.papers:
        if paper not in corpus.papers:
            yield "unknown paper", "error", f"no paper {paper!r} in the corpus{_meant(paper, corpus)}"
    yield from _gold(case, known, corpus)
    yield from _facts(case, known, corpus)
    yield from _leaks(case)


def _meant(name: str, corpus: _Corpus) -> str:
    """The id, where the title was written instead, whole or its beginning."""
    words = fold(name).strip()
    ids = [id_ for id_, paper in corpus.papers.items() if words and fold(paper.title).startswith(words)]
    return f": by that title it is {ids[0]!r}" if len(ids) == 1 else ""


def _gold(case: Question, known: Sequence[str], corpus: _Corpus) -> Iterator[_Found]:
    for sentence in case.sentences:
        if known and not any(corpus.holds_sentence(paper, sentence) for paper in known):
            yield "gold sentence", "error", f"no gold paper holds the sentence {_short(sentence)}"
    if case.answerable and not case.papers and case.kind != "metadata":
        yield "no gold", "error", "answerable, but names no paper"
    if not case.answerable and (case.papers or case.sentences or case.must):
        yield "gold of nothing", "error", "not answerable, but names papers, sentences or facts"


def _facts(case: Question, known: Sequence[str], corpus: _Corpus) -> Iterator[_Found]:
    forbidden = {fold(text) for text in case.must_not}
    for spellings in case.must:
        if not spellings or not all(text.strip() for text in spellings):
            yield "empty fact", "error", "a fact in `must` has no spelling"
        elif all(fold(text) in forbidden for text in spellings):
            yield "inconsistent", "error", f"{spellings[0]!r} both must and must not appear"
        elif case.kind != "metadata" and known and not any(corpus.holds_fact(paper, spellings) for paper in known):
            yield "fact not in gold", "warning", f"no gold paper holds {' / '.join(spellings)}"
    for text in case.must_not:
        in_gold = [sentence for sentence in case.sentences if holds(spaced(sentence), text)]
        if in_gold:
            yield "inconsistent", "error", f"{text!r} must not appear, yet the gold sentence holds it"


def _leaks(case: Question) -> Iterator[_Found]:
    """A fact that the question itself says cannot show that the answer knew it.

    Questions that name several papers, and premises that are turned around, share words with their answers by nature.
    """
    if case.kind in ("list", "comparison", "summary", "metadata"):
        return
    weight: Weight = "warning" if case.kind.endswith("_premise") else "error"
    asked = spaced(case.question)
    leaked = [spellings for spellings in case.must if any(holds(asked, text) for text in spellings)]
    if leaked and len(leaked) == len(case.must):
        yield "leak", weight, f"the question holds its own answer: {' / '.join(leaked[0])}"
    elif leaked:
        yield "leak", "warning", f"the question holds a part of its answer: {' / '.join(leaked[0])}"


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")
