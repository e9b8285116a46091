"""The public Python API: ask, search, summarise, compare and check, composed of the rooms before this one.

from rag import Assistant
answer = Assistant().ask("What speedup does DFlash reach over EAGLE-3?")
for claim in answer.claims:
    print(claim.text, [citation.quote for citation in claim.citations])
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rag.answering import Asked, OnClaim, quoted
from rag.corpus import EVERYTHING, Corpus, Notify, OnProgress
from rag.extract import Extracted, depth
from rag.extract import answer as extract
from rag.extract.together import together
from rag.followup import Focus, stand_alone
from rag.question import understand
from rag.question.apart import questions_in
from rag.retrieve import Retriever
from rag.types import Answer, Filters, Hit, Paper

if TYPE_CHECKING:
    from rag.checking import CheckedText
    from rag.manuscript import Manuscript, Reference
    from rag.model import Metered, Model, Prompt
    from rag.summarise import Comparison, Summary, Writer

_LEAST_RELEVANCE = 0.005
"""Estimated probability below which a paper is no find: the nearest of a corpus is near to anything."""


class Assistant(Corpus):
    """A corpus that answers, with one model or none. It sees a finished sync at its next question."""

    @functools.cached_property
    def retriever(self) -> Retriever:
        return Retriever(self.library, self.embedder)

    def ask(
        self,
        question: str,
        *,
        filters: Filters = EVERYTHING,
        on_note: Notify = lambda _: None,
        on_claim: OnClaim = lambda _: None,
        repeat: int = 0,
    ) -> Answer:
        """An answer whose every claim was checked against the abstracts, or an abstention with the nearest papers.

        `on_note` is called first, with what the reader should know before reading (a premise that the abstract
        contradicts); `on_claim` with each claim as it passes, in the order of the answer. `repeat` tells repetitions
        of one question apart in the cache of replies. A model that fails leaves the answer without one, and
        `fallback` says why, as it does where there is no key for it. Ctrl-C while it writes leaves a partial answer of
        what was checked by then. Raises CorpusError, and ConfigError for a model that cannot be asked for.
        """
        started = time.perf_counter()
        asked = self.consult(question, filters=filters)
        if asked.extracted.note and asked.extracted.answered:
            on_note(asked.extracted.note)
        if self.settings.uses_model and asked.extracted.draft.sentences:
            from rag.woven import Weaving

            model = self.metered_model(repeat)
            answer = replace(Weaving(asked, model, self.settings, on_claim).answer(), usage=model.usage)
        else:
            answer = quoted(asked, self.settings.max_risk)
            for claim in answer.claims:
                on_claim(claim)
        return replace(answer, usage=replace(answer.usage, seconds=time.perf_counter() - started))

    def consult(self, question: str, *, filters: Filters = EVERYTHING) -> Asked:
        """The question understood, what was retrieved for it, and the sentences that answer it; no model is called.

        Of several questions in one message each is answered, those after the first about the paper that answers it.
        """
        self.library.refresh()
        first, *more = questions_in(question)
        if more:
            asked = self._consulted(first, filters, searched=question)
            papers = tuple({each.paper: None for each in asked.extracted.evidence})
            if papers:
                focus = Focus(first, papers)
                others = [self._after(each, focus, filters) for each in more]
                return replace(asked, question=question, extracted=together(asked.extracted, others))
        return self._consulted(question, filters)

    def _after(self, question: str, focus: Focus, filters: Filters) -> Extracted:
        """What answers a question that leans on the one before it."""
        meant = stand_alone(question, focus, self.library, self.retriever)
        found = self._consulted(meant.question, merged(filters, meant.filters)).extracted
        return replace(found, question=replace(found.question, text=question))

    def _consulted(self, question: str, filters: Filters, *, searched: str | None = None) -> Asked:
        """One question; `searched`, where papers are looked for by more than its own words."""
        understood = understand(question, self.library)
        narrowed = merged(filters, understood.filters)
        deep = depth(understood, self.settings.top_k)
        words = understand(searched, self.library).search if searched else understood.search
        retrieval = self.retriever.search(words, top_k=deep, filters=narrowed)
        understood = replace(understood, filters=narrowed, papers=self._within(understood.papers, narrowed))
        extracted = extract(understood, retrieval, self.library, self.embedder, self.retriever)
        return Asked(question, retrieval, extracted, self.library)

    def prompt(self, question: str, *, filters: Filters = EVERYTHING) -> Prompt | None:
        """What a model would be asked, without asking it, and without a key for it; None where it would not be."""
        from rag.woven import begin

        asked = self.consult(question, filters=filters)
        if not asked.extracted.draft.sentences:
            return None
        return begin(asked, self.metered_model(), self.settings).compose()[0]

    @functools.cached_property
    def model(self) -> Model:
        from rag.model import load

        return load(self.settings)

    def metered_model(self, repeat: int = 0) -> Metered:
        """The model for one answer: cached, counted, held to --max-cost."""
        from rag.model import metered

        return metered(self.model, self.settings, repeat=repeat)

    def search(self, words: str, *, filters: Filters = EVERYTHING) -> tuple[tuple[Hit, Paper], ...]:
        """Ranked papers, best first, at most `top_k`; none that nothing speaks for."""
        self.library.refresh()
        found = self.retriever.search(words, top_k=self.settings.top_k, filters=filters).hits
        hits = [hit for hit in found if hit.score >= _LEAST_RELEVANCE]
        papers = self.library.get([hit.paper_id for hit in hits])
        return tuple((hit, papers[hit.paper_id]) for hit in hits)

    def summarise(
        self,
        topic: str,
        *,
        filters: Filters = EVERYTHING,
        papers: int | None = None,
        tokens: int | None = None,
        progress: OnProgress | None = None,
    ) -> Summary:
        """A topic across papers, in themes; quoted, or with a model written within `tokens` and checked.

        Abstained where the corpus does not cover the topic. A model that fails leaves quotations; `fallback` says why.
        """
        from rag.summarise import summarise

        self.library.refresh()
        narrowed = merged(filters, understand(topic, self.library).filters)
        writer = self._writer(tokens, progress) if self.settings.uses_model else None
        return summarise(
            topic, self.library, self.retriever, self.embedder, filters=narrowed, papers=papers, writer=writer
        )

    def _writer(self, tokens: int | None, progress: OnProgress | None) -> Writer:
        from rag.summarise.written import DEFAULT_TOKENS, written

        return functools.partial(
            written,
            model=self.metered_model(),
            max_risk=self.settings.max_risk,
            seconds=self.settings.timeout,
            tokens=tokens or DEFAULT_TOKENS,
            progress=progress,
        )

    def compare(
        self,
        references: Sequence[str],
        *,
        columns: Sequence[str] = (),
        shown: Mapping[int, str] | None = None,
    ) -> Comparison:
        """Papers side by side, each cell quoted or None. See `rag.compare.compare`."""
        from rag.compare import compare

        self.library.refresh()
        return compare(references, self.library, self.retriever, self.embedder, columns=columns, shown=shown)

    def check(
        self,
        text: str | Manuscript,
        *,
        references: Sequence[Reference] = (),
        max_risk: float | None = None,
        step: Callable[[int, int], None] = lambda done, total: None,
    ) -> CheckedText:
        """A text someone wrote, sentence by sentence: does the corpus support it, are its citations right?

        A string is taken for what it looks like (plain, markdown, LaTeX); `rag.manuscript` reads files. `references`
        are entries of a bibliography beside the text's own, `step` is told how many sentences are done, of how many.
        """
        from rag import manuscript
        from rag.checking import Judge, weights

        self.library.refresh()
        if isinstance(text, str):
            text = manuscript.read(manuscript.Source("text", text, manuscript.form_of("", text)))
        fitted = weights.load()
        fitted = fitted if max_risk is None else replace(fitted, max_risk=max_risk)
        return Judge(text, self.library, self.retriever, references, fitted).run(step)

    def _within(self, paper_ids: tuple[str, ...], filters: Filters) -> tuple[str, ...]:
        """Those that the filters let through: a paper that is named may still be of another year."""
        if not filters:
            return paper_ids
        within = tuple(each for each in paper_ids if not filters.paper_ids or each in filters.paper_ids)
        kept = {paper.id for paper in self.papers(replace(filters, paper_ids=within))} if within else set()
        return tuple(each for each in within if each in kept)


def merged(typed: Filters, said: Filters) -> Filters:
    """Filters from flags, and those the question says in words where no flag speaks of the same thing."""
    years = typed if typed.year_from or typed.year_to else said
    return Filters(
        years.year_from,
        years.year_to,
        typed.venues or said.venues,
        typed.authors or said.authors,
        typed.paper_ids or said.paper_ids,
        typed.without or said.without,
    )
