"""The public Python API: ask, search, sync and look, composed of the rooms before this one.

from rag import Assistant
answer = Assistant().ask("What speedup does DFlash reach over EAGLE-3?")
for claim in answer.claims:
    print(claim.text, [citation.quote for citation in claim.citations])
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, BinaryIO

from rag import embed
from rag import settings as configuration
from rag.answering import Asked, OnClaim, quoted
from rag.errors import CitewellError, CorpusError, ModelUnreachable, UsageError
from rag.extract import answer as extract
from rag.library import Library
from rag.library.reports import Finding, Progress, SyncReport
from rag.question import understand
from rag.retrieve import Retriever
from rag.settings import Settings
from rag.shipped import corpus_name, open_corpus
from rag.types import Answer, Filters, Hit, Paper, Problem, Sentence

if TYPE_CHECKING:
    from rag.checking import CheckedText
    from rag.embed import Embedder
    from rag.manuscript import Manuscript, Reference
    from rag.model import Metered, Model, Prompt
    from rag.summarise import Comparison, Summary, Writer

_EVERYTHING = Filters()
_LEAST_RELEVANCE = 0.005
"""Estimated probability below which a paper is no find: the nearest of a corpus is near to anything."""
Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Examination:
    """What `doctor` found, and the exit code that says it."""

    findings: tuple[Finding, ...]
    exit_code: int


class Assistant:
    """One corpus, one embedder, one model or none. Opened on first use; sees a finished sync at its next question."""

    def __init__(self, settings: Settings | None = None, *, notify: Notify = lambda _: None) -> None:
        self.settings = settings or configuration.load()
        self._notify = notify

    @functools.cached_property
    def embedder(self) -> Embedder:
        return embed.load(self.settings.embedder, self.settings)

    @functools.cached_property
    def library(self) -> Library:
        return open_corpus(self.settings, self.embedder, self._notify)

    @functools.cached_property
    def retriever(self) -> Retriever:
        return Retriever(self.library, self.embedder)

    def ask(
        self,
        question: str,
        *,
        filters: Filters = _EVERYTHING,
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

    def consult(self, question: str, *, filters: Filters = _EVERYTHING) -> Asked:
        """The question understood, what was retrieved for it, and the sentences that answer it; no model is called."""
        self.library.refresh()
        understood = understand(question, self.library)
        narrowed = merged(filters, understood.filters)
        retrieval = self.retriever.search(understood.search, top_k=self.settings.top_k, filters=narrowed)
        understood = replace(understood, filters=narrowed, papers=self._within(understood.papers, narrowed))
        extracted = extract(understood, retrieval, self.library, self.embedder, self.retriever)
        return Asked(question, retrieval, extracted, self.library)

    def prompt(self, question: str, *, filters: Filters = _EVERYTHING) -> Prompt | None:
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

    def search(self, words: str, *, filters: Filters = _EVERYTHING) -> tuple[tuple[Hit, Paper], ...]:
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
        filters: Filters = _EVERYTHING,
        papers: int | None = None,
        tokens: int | None = None,
        progress: Callable[[Progress], None] | None = None,
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

    def _writer(self, tokens: int | None, progress: Callable[[Progress], None] | None) -> Writer:
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

    def papers(self, filters: Filters = _EVERYTHING) -> Iterator[Paper]:
        return self.library.papers(filters)

    def resolve(self, references: Iterable[str]) -> tuple[tuple[Paper, ...], tuple[str, ...]]:
        """The papers that ids, titles, system names, DOIs or URLs stand for, and the references that stand for none."""
        found: dict[str, Paper] = {}
        unknown = []
        for reference in references:
            papers = self.library.resolve(reference) or self._named(reference)
            found.update((paper.id, paper) for paper in papers)
            if not papers:
                unknown.append(reference)
        return tuple(found.values()), tuple(unknown)

    def sentences(self, paper: Paper) -> tuple[Sentence, ...]:
        return self.library.sentences([paper.id]).get(paper.id, ())

    def narrowed(self, filters: Filters, references: Sequence[str]) -> Filters:
        """`filters`, held to the papers the references stand for. Raises UsageError for one that stands for none."""
        if not references:
            return filters
        papers, unknown = self.resolve(references)
        if unknown:
            raise UsageError(
                f"no paper {unknown[0]!r} in this corpus", "`citewell search` finds papers by words"
            )
        return replace(filters, paper_ids=tuple(paper.id for paper in papers))

    def sync(
        self,
        paths: Sequence[str],
        *,
        stdin: BinaryIO | None = None,
        allow_empty: bool = False,
        rebuild: bool = False,
        progress: Callable[[Progress], None] | None = None,
    ) -> SyncReport:
        """Makes the corpus match these files. See `rag.library.sync.sync` for what it raises."""
        from rag.readers import read

        records = read(paths, stdin=stdin)
        return self.sync_records(records, allow_empty=allow_empty, rebuild=rebuild, progress=progress)

    def sync_records(
        self,
        records: Iterable[Paper | Problem],
        *,
        allow_empty: bool = False,
        rebuild: bool = False,
        progress: Callable[[Progress], None] | None = None,
    ) -> SyncReport:
        """The same from papers made in Python, e.g. by `rag.readers.documents`."""
        from rag.library.server import Store
        from rag.library.sync import sync

        given = self.settings.store
        return sync(
            self.settings.home,
            self.settings.corpus,
            records,
            self.embedder,
            allow_empty=allow_empty,
            rebuild=rebuild,
            progress=progress,
            store=Store(given, self.settings.store_token) if given else None,
            token=self.settings.store_token,
        )

    def move(self, to: str | None, *, progress: Callable[[Progress], None] | None = None) -> None:
        """Keep the corpus's vectors on the Chroma server `to` from now on, or on this machine where it is None.

        See `rag.library.sync.move` for what it raises.
        """
        from rag.library.server import Store
        from rag.library.sync import move

        store = Store(to, self.settings.store_token) if to else None
        move(self.settings.home, corpus_name(self.settings), self.embedder, store, progress)

    def doctor(self, *, repair: bool = False) -> Examination:
        """What works here and what does not: the settings, the embedder, the corpus."""
        findings = [Finding("citewell", True, f"{_version()}, home {self.settings.home}")]
        findings += [
            Finding(f"setting {name}", True, f"{value} ({origin})")
            for name, value, origin in configuration.describe(self.settings)
            if origin != "default"
        ]
        code = 0
        for looked_at in (self._corpus_findings(repair), self._model_findings()):
            try:
                found = list(looked_at)
                code = code or (0 if all(finding.well for finding in found) else CorpusError.exit_code)
                findings += found
            except CitewellError as error:
                findings.append(Finding(error.code.replace("_", " "), False, error.message, error.hint))
                code = code or error.exit_code
        return Examination(tuple(findings), code)

    def _model_findings(self) -> Iterator[Finding]:
        """One tiny call, where a model was asked for."""
        if not self.settings.uses_model:
            yield Finding("model", True, "none: answers are quoted from the abstracts")
            return
        from rag.model.probe import probe

        found = probe(self.model, seconds=self.settings.timeout)
        if not found.works:
            raise ModelUnreachable(f"{self.model.identity()} {found}", "see the server's own log")
        yield Finding("model", True, f"{self.model.identity()} {found}")

    def _corpus_findings(self, repair: bool) -> Iterator[Finding]:
        from rag.library import health

        yield Finding("embedder", True, self.embedder.identity)
        name, token = corpus_name(self.settings), self.settings.store_token
        if repair:
            found = health.repair(self.settings.home, name, self.embedder, token=token)
        else:
            found = health.examine(self.settings.home, name, self.embedder.identity, token=token)
        yield from (each for each in found if each.subject != "embedder" or not each.well)

    def _within(self, paper_ids: tuple[str, ...], filters: Filters) -> tuple[str, ...]:
        """Those that the filters let through: a paper that is named may still be of another year."""
        if not filters:
            return paper_ids
        within = tuple(each for each in paper_ids if not filters.paper_ids or each in filters.paper_ids)
        kept = {paper.id for paper in self.papers(replace(filters, paper_ids=within))} if within else set()
        return tuple(each for each in within if each in kept)

    def _named(self, name: str) -> tuple[Paper, ...]:
        ids = self.library.papers_named(name)
        return tuple(self.library.get(ids).values())


def _version() -> str:
    try:
        return version("citewell")
    except PackageNotFoundError:
        return "a checkout"


def merged(typed: Filters, said: Filters) -> Filters:
    """Filters from flags, and those the question says in words where no flag speaks of the same thing."""
    years = typed if typed.year_from or typed.year_to else said
    return Filters(
        years.year_from,
        years.year_to,
        typed.venues or said.venues,
        typed.authors or said.authors,
        typed.paper_ids or said.paper_ids,
    )
