"""A conversation: each message becomes a question that stands alone, and is searched for and answered as any other.

Earlier answers are never evidence. A paper keeps its number for the whole conversation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rag.assistant import Assistant, merged
from rag.errors import ModelError
from rag.followup import Focus, Understood, compares, stand_alone
from rag.followup.asides import asked_language, asked_shorter
from rag.question import understand
from rag.text.normalise import fold, plain
from rag.text.tokens import content_terms
from rag.types import Answer, Claim, Filters, Paper, Source, Usage

_TURNS_FOR_MODEL = 4
_KEPT = 0.5
"""The share of a message's own words that a rewritten one must keep: the rest may have been pronouns' company."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One turn: what was typed, how it was understood, and the answer under the conversation's numbers."""

    message: str
    understood: Understood
    answer: Answer


@dataclass(slots=True)
class Conversation:
    """Turns with one assistant. `filters` are those of the command line and hold throughout."""

    assistant: Assistant
    filters: Filters = field(default_factory=Filters)
    exchanges: list[Exchange] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    """Paper id to number, in the order papers were first cited."""
    _focus: Focus = field(default_factory=Focus)

    def ask(
        self,
        message: str,
        *,
        on_note: Callable[[str], None] = lambda _: None,
        on_claim: Callable[[Claim], None] = lambda _: None,
    ) -> Exchange:
        """The next turn. Raises what Assistant.ask raises; the conversation is then as it was."""
        if short := self._shorter(message):
            for claim in short.answer.claims:
                on_claim(claim)
            self.exchanges.append(short)
            return short
        understood = self.understand(message)
        filters = merged(understood.filters, self.filters)

        def numbered(claim: Claim) -> None:
            self._number(claim)
            on_claim(claim)

        answer = self.assistant.ask(understood.question, filters=filters, on_note=on_note, on_claim=numbered)
        for claim in answer.claims:
            self._number(claim)
        answer = self._renumbered(replace(answer, question=message, understood=understood.question))
        exchange = Exchange(message, understood, answer)
        self.exchanges.append(exchange)
        self._attend_to(answer, understood.question)
        return exchange

    def _shorter(self, message: str) -> Exchange | None:
        """ "Shorter": the last answer's first sentences, which were checked; a refusal is as short as it can be."""
        last = self.exchanges[-1] if self.exchanges else None
        fewer = asked_shorter(message, len(last.answer.claims)) if last else None
        if last is None or fewer is None or not last.answer.claims:
            return None
        claims = last.answer.claims[:fewer]
        cited = {citation.paper_id for claim in claims for citation in claim.citations}
        sources = tuple(source for source in last.answer.sources if source.paper.id in cited)
        answer = replace(
            last.answer, question=message, claims=claims, sources=sources, usage=Usage(last.answer.usage.model)
        )
        return Exchange(message, replace(last.understood, why="the last answer, shorter"), answer)

    def show(self, question: str, papers: Sequence[Paper]) -> tuple[Source, ...]:
        """Papers that were shown in answer to a question by other means than `ask`: numbered, and spoken of next."""
        for paper in papers:
            self._give_number(paper.id)
        self._attend(question, tuple(papers))
        return tuple(Source(self.numbers[paper.id], paper) for paper in papers)

    def _attend_to(self, answer: Answer, question: str) -> None:
        asked = understand(question, self.assistant.library)
        if asked.metadata == "count" and not asked.terms and not asked.filters:
            return  # of the whole corpus: its papers were counted, not spoken of
        cited = tuple(source.paper for source in answer.sources)
        named = tuple(self.assistant.library.get(asked.papers).values())
        if cited:
            self._attend(question, cited)
        elif named and set(named) != set(self._focus.papers):
            self._attend(question, named, told=False)
        elif not self._focus.papers and asked.kind != "list":
            self._attend(question, _told_of(answer))

    def understand(self, message: str) -> Understood:
        """By the model where there is one, else, or where it fails, by rules."""
        library, retriever = self.assistant.library, self.assistant.retriever
        library.refresh()
        by_rules = stand_alone(message, self._focus, library, retriever)
        if not self.exchanges or not self.assistant.settings.uses_model or asked_language(message):
            return by_rules
        rewritten = self._by_model(message)
        if rewritten is None or not self._is_faithful(rewritten, message, by_rules.question):
            return by_rules
        # What the message points at is known exactly; the model only words it.
        return replace(by_rules, question=rewritten, why=f"{by_rules.why}; worded by the model")

    def _by_model(self, message: str) -> str | None:
        from rag.generate.followup import standalone
        from rag.render.prose import prose

        recent = self.exchanges[-_TURNS_FOR_MODEL:]
        turns = [(each.understood.question, prose(each.answer)) for each in recent]
        try:
            settings = self.assistant.settings
            return standalone(self.assistant.metered_model(), turns, message, seconds=settings.timeout)
        except ModelError:
            return None

    def _is_faithful(self, rewritten: str, message: str, by_rules: str) -> bool:
        """Whether a rewritten message keeps what was asked, and adds nothing that was not spoken of."""
        if by_rules != message and fold(rewritten) == fold(message):
            return False  # it repeats a message that leans on what came before
        recent = self.exchanges[-_TURNS_FOR_MODEL:]
        spoken = [message, by_rules, *(each.understood.question for each in recent)]
        spoken += [claim.text for each in recent for claim in each.answer.claims]
        papers = [source.paper for each in recent for source in each.answer.sources]
        spoken += [f"{paper.title} {' '.join(paper.authors)}" for paper in papers]
        held, said = set(content_terms(" ".join(spoken))), set(content_terms(rewritten))
        asked = set(content_terms(message))
        return said <= held and len(asked & said) >= _KEPT * len(asked)

    def paper(self, number: int) -> Paper | None:
        """The paper that has this number in the conversation."""
        for paper_id, own in self.numbers.items():
            if own == number:
                return self.assistant.library.get([paper_id]).get(paper_id)
        return None

    def restore(self, message: str, understood: str, answer: Mapping[str, Any]) -> None:
        """A turn of an earlier run, from its JSON: its numbers and its focus, without asking again."""
        sources = answer.get("sources", ())
        for source in sources:
            self.numbers.setdefault(str(source["paper_id"]), int(source["number"]))
        papers = self.assistant.library.get([str(source["paper_id"]) for source in sources])
        if papers:
            self._attend(understood, tuple(papers.values()))

    def reset(self) -> None:
        self.exchanges.clear()
        self.numbers.clear()
        self._focus = Focus()

    def _number(self, claim: Claim) -> None:
        for citation in claim.citations:
            self._give_number(citation.paper_id)

    def _give_number(self, paper_id: str) -> None:
        self.numbers.setdefault(paper_id, max(self.numbers.values(), default=0) + 1)

    def _renumbered(self, answer: Answer) -> Answer:
        sources = (Source(self.numbers[source.paper.id], source.paper) for source in answer.sources)
        return replace(answer, sources=tuple(sources))

    def _attend(self, question: str, papers: tuple[Paper, ...], *, told: bool = True) -> None:
        """What was cited is what is spoken of next, or what was asked of in vain by its name; nothing else changes it.

        Two papers compared that were shown before are no list to count in, nor are papers of which nothing was told.
        """
        if papers:
            pair = len(papers) == 2 and compares(question)
            again = pair and set(papers) <= set(self._focus.numbers.values())
            is_list = told and len(papers) > 1 and not again
            was = self._focus
            listed, listing = (papers, question) if is_list else (was.listed, was.listing)
            before = was.papers if len(was.papers) == 1 and papers != was.papers else was.before
            self._focus = Focus(question, papers, listed, listing, before, self._numbered_papers())

    def _numbered_papers(self) -> dict[int, Paper]:
        papers = self.assistant.library.get(list(self.numbers))
        return {number: papers[paper_id] for paper_id, number in self.numbers.items() if paper_id in papers}


def _told_of(answer: Answer) -> tuple[Paper, ...]:
    """The nearest paper, where an abstention names it: all that there is to speak of when a conversation begins so."""
    nearest = answer.nearest[0].paper if answer.nearest else None
    return (nearest,) if nearest and plain(nearest.title) in (answer.reason or "") else ()
