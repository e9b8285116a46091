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
from rag.errors import CitewellError, CorpusError, UsageError
from rag.evidence import gather
from rag.library import Library
from rag.library.reports import Finding, Progress, SyncReport
from rag.retrieve import Retriever
from rag.settings import Settings
from rag.shipped import corpus_name, open_corpus
from rag.text.tokens import content_terms
from rag.types import (
    Answer,
    CorpusInfo,
    Draft,
    DraftSentence,
    Evidence,
    Filters,
    Hit,
    Nearest,
    Paper,
    Problem,
    Sentence,
    Source,
    Status,
    Usage,
)
from rag.verify import Verified, verify

if TYPE_CHECKING:
    from rag.embed import Embedder

NEAREST = 3
_EVERYTHING = Filters()
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
        return embed.load(self.settings.embedder)

    @functools.cached_property
    def library(self) -> Library:
        return open_corpus(self.settings, self.embedder, self._notify)

    @functools.cached_property
    def retriever(self) -> Retriever:
        return Retriever(self.library, self.embedder)

    def ask(self, question: str, *, filters: Filters = _EVERYTHING) -> Answer:
        """An answer whose every claim was checked against the abstracts, or an abstention with the nearest papers."""
        started = time.perf_counter()
        self.library.refresh()
        retrieval = self.retriever.search(question, top_k=self.settings.top_k, filters=filters)
        papers = self.library.get([hit.paper_id for hit in retrieval.hits])
        evidence = gather(retrieval.hits, papers, self.library.sentences(list(papers)))
        verified = verify(_closest_sentence(question, evidence), evidence, max_risk=self.settings.max_risk)
        answer = _answer(question, verified, papers, self.library.info)
        if not verified.claims:
            answer = replace(
                answer, reason="no sentence of the corpus says so", nearest=_nearest(retrieval.hits, papers)
            )
        return replace(answer, usage=Usage(seconds=time.perf_counter() - started))

    def search(self, words: str, *, filters: Filters = _EVERYTHING) -> tuple[tuple[Hit, Paper], ...]:
        """Ranked papers, best first, at most `top_k`."""
        self.library.refresh()
        hits = self.retriever.search(words, top_k=self.settings.top_k, filters=filters).hits
        papers = self.library.get([hit.paper_id for hit in hits])
        return tuple((hit, papers[hit.paper_id]) for hit in hits)

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
            raise UsageError(f"no paper {unknown[0]!r} in this corpus", "`citewell search` finds papers by words")
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
        from rag.library.sync import sync

        return sync(
            self.settings.home,
            self.settings.corpus,
            records,
            self.embedder,
            allow_empty=allow_empty,
            rebuild=rebuild,
            progress=progress,
        )

    def doctor(self, *, repair: bool = False) -> Examination:
        """What works here and what does not: the settings, the embedder, the corpus."""
        findings = [Finding("citewell", True, f"{_version()}, home {self.settings.home}")]
        findings += [
            Finding(f"setting {name}", True, f"{value} ({origin})")
            for name, value, origin in configuration.describe(self.settings)
            if origin != "default"
        ]
        try:
            findings += self._corpus_findings(repair)
            code = 0 if all(finding.well for finding in findings) else CorpusError.exit_code
        except CitewellError as error:
            findings.append(Finding(error.code.replace("_", " "), False, error.message, error.hint))
            code = error.exit_code
        return Examination(tuple(findings), code)

    def _corpus_findings(self, repair: bool) -> Iterator[Finding]:
        from rag.library import health

        yield Finding("embedder", True, self.embedder.identity)
        name = corpus_name(self.settings)
        if repair:
            yield from health.repair(self.settings.home, name, self.embedder)
        else:
            yield from health.examine(self.settings.home, name, self.embedder.identity)

    def _named(self, name: str) -> tuple[Paper, ...]:
        ids = self.library.papers_named(name)
        return tuple(self.library.get(ids).values())


def _version() -> str:
    try:
        return version("citewell")
    except PackageNotFoundError:
        return "a checkout"


def _closest_sentence(question: str, evidence: Sequence[Evidence]) -> Draft:
    """The sentence of the best paper that shares most of the question's words."""
    asked = set(content_terms(question))
    best = max(evidence, key=lambda each: (each.score, len(asked.intersection(content_terms(each.text)))), default=None)
    if best is None or not asked.intersection(content_terms(best.text)):
        return Draft(())
    return Draft((DraftSentence(best.text, (best.key,)),))


def _answer(question: str, verified: Verified, papers: Mapping[str, Paper], corpus: CorpusInfo) -> Answer:
    """Sources are numbered by first use."""
    cited = dict.fromkeys(citation.paper_id for claim in verified.claims for citation in claim.citations)
    sources = tuple(Source(number, papers[paper_id]) for number, paper_id in enumerate(cited, start=1))
    status: Status = "abstained" if not verified.claims else "answered" if verified.complete else "partial"
    return Answer(question, status, verified.claims, sources, corpus, dropped=verified.dropped, risk=verified.risk)


def _nearest(hits: Sequence[Hit], papers: Mapping[str, Paper]) -> tuple[Nearest, ...]:
    return tuple(Nearest(papers[hit.paper_id], hit.score) for hit in hits[:NEAREST] if hit.paper_id in papers)
