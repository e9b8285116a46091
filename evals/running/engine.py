"""The engine under test, seen through its public API: a corpus indexed anew, questions asked, claims verified.

The corpus is always made afresh in a folder of its own, so that a run measures the readers and the library too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from evals.material.cases import ClaimCase, Question
from evals.scorers.claims import Checked
from evals.scorers.record import Cited, Passage, Record, Spent, Statement
from rag.assistant import Assistant
from rag.model.contract import Model
from rag.retrieve import Retrieval
from rag.settings import Settings
from rag.types import Answer, Claim, Draft, DraftSentence, Evidence, Paper, field_text
from rag.verify import check_against, verify

CORPUS = "evaluated"
_FOUND = 3


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer twice: in the neutral shape for scorers, and as `ask --json` would print it."""

    record: Record
    shown: dict[str, Any]


class Engine:
    """An assistant over one corpus. Cheap to make; opened on first use."""

    def __init__(self, settings: Settings, assistant: Assistant | None = None) -> None:
        self.settings = settings
        self.assistant = assistant or Assistant(settings)
        self._retrieved: Retrieval | None = None
        self._watch()

    @cached_property
    def papers(self) -> Mapping[str, Paper]:
        return {paper.id: paper for paper in self.assistant.papers()}

    def use_model(self, model: Model) -> None:
        """Answers with this model from now on, whatever the settings name."""
        self.assistant.model = model

    def ask(self, question: Question, repeat: int = 1) -> Answered:
        """Asks as a reader would, a follow-up after its history. Raises what the engine raises."""
        from rag.render import jsonable

        self._retrieved = None
        answer = self._answer(question, repeat)
        return Answered(self.record(question, answer), jsonable.answer(answer))

    def check(self, case: ClaimCase) -> Checked:
        """A labelled claim through `check` and, as a draft that cites every sentence of its papers, through `verify`.

        A claim that names no paper is held against those that a search for it finds.
        """
        papers = case.papers or tuple(paper.id for _, paper in self.assistant.search(case.text)[:_FOUND])
        evidence = self._evidence(papers)
        context = tuple(dict.fromkeys(each.paper.title for each in evidence))
        _, found = check_against(case.text, [each.text for each in evidence], context=context)
        keys = tuple(each.key for each in evidence)
        verified = verify(Draft((DraftSentence(case.text, keys),)), evidence, max_risk=self.settings.max_risk)
        shown = any(claim.text == case.text.strip() for claim in verified.claims)
        return Checked(found.outcome, shown, found.reasons, round(found.probability, 6), round(found.risk, 6))

    def record(self, question: Question, answer: Answer) -> Record:
        """The answer in the neutral shape."""
        ranked = self._ranked(answer.understood or question.question)
        cited = [source.paper.id for source in answer.sources]
        known = {**{source.paper.id: source.paper for source in answer.sources}, **self.papers}
        seen = tuple(dict.fromkeys((*cited, *ranked)))
        return Record(
            question=question.question,
            statements=tuple(_statement(claim, self.papers) for claim in answer.claims),
            abstained=answer.status == "abstained",
            passages=tuple(self._passages(seen)),
            documents={paper: known[paper].abstract for paper in seen if paper in self.papers},
            titles={paper: known[paper].title for paper in seen if paper in known},
            ranked=ranked,
            spent=_spent(answer),
        )

    def _watch(self) -> None:
        """Keeps what was retrieved for the last question asked: the ranking that its answer was made from."""
        consult = self.assistant.consult

        def watched(*given: Any, **named: Any) -> Any:
            asked = consult(*given, **named)
            self._retrieved = asked.retrieval
            return asked

        self.assistant.consult = watched  # type: ignore[method-assign]

    def _ranked(self, searched: str) -> tuple[str, ...]:
        if self._retrieved is not None:
            return tuple(hit.paper_id for hit in self._retrieved.hits)
        return tuple(paper.id for _, paper in self.assistant.search(searched))

    def _answer(self, question: Question, repeat: int) -> Answer:
        if not question.history:
            return self.assistant.ask(question.question, repeat=repeat - 1)
        from rag.chat import Conversation

        conversation = Conversation(self.assistant)
        for earlier in question.history:
            conversation.ask(earlier)
        return conversation.ask(question.question).answer

    def _passages(self, papers: Sequence[str]) -> list[Passage]:
        return [Passage(each.key, each.paper.id, each.text) for each in self._evidence(papers)]

    def _evidence(self, papers: Sequence[str]) -> tuple[Evidence, ...]:
        """Every sentence of those papers that are in the corpus, in their order."""
        papers = [paper for paper in papers if paper in self.papers]
        sentences = self.assistant.library.sentences(papers)
        return tuple(
            Evidence(f"{number}.{sentence.index}", self.papers[paper], sentence)
            for number, paper in enumerate(papers)
            for sentence in sentences[paper]
        )


def record_of(answer: Answer) -> Record:
    """An answer alone, judged by the papers it brings along."""
    papers = {source.paper.id: source.paper for source in answer.sources}
    return Record(
        question=answer.question,
        statements=tuple(_statement(claim, papers) for claim in answer.claims),
        abstained=answer.status == "abstained",
        documents={paper.id: paper.abstract for paper in papers.values()},
        titles={paper.id: paper.title for paper in papers.values()},
        spent=_spent(answer),
    )


def index(settings: Settings, paths: Sequence[Path]) -> tuple[str, ...]:
    """Makes `settings.home` hold the corpus of these files; the records that could not be read, and why."""
    report = Assistant(settings).sync([str(path) for path in paths])
    return tuple(str(problem) for problem in report.problems)


def settings_for(home: Path, **changes: Any) -> Settings:
    """Settings of a run: nothing remembered between questions, nothing logged, no answer cached."""
    return replace(Settings(home=home, corpus=CORPUS, cache=False, log=False, origins={"corpus": "the run"}), **changes)


def _statement(claim: Claim, papers: Mapping[str, Paper]) -> Statement:
    """`passage` is cut from the corpus by the offsets, so that a wrong offset or paper cannot vouch for itself.

    What the catalogue says (authors, year, ...) is no claim about an abstract: its quotes are checked, in their field.
    """
    cited = []
    for each in claim.citations:
        paper = papers.get(each.paper_id)
        text = field_text(paper, each.field) if paper else None
        passage = text[each.start : each.end] if text is not None else None
        within = None if each.field == "abstract" else text
        cited.append(Cited(each.paper_id, each.paper_id, passage, each.quote, each.start, each.end, within))
    of_catalogue = claim.verdict == "metadata"
    return Statement(claim.text, tuple(cited), not of_catalogue, claim.verdict == "quoted", claim.risk)


def _spent(answer: Answer) -> Spent:
    usage = answer.usage
    return Spent(usage.cost_usd, usage.prompt_tokens + usage.completion_tokens, usage.seconds)
