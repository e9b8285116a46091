"""One corpus: made to match files, kept here or on a server, looked through. What answers from it is the assistant."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO

from rag import embed
from rag import settings as configuration
from rag.errors import UsageError
from rag.library import Library
from rag.settings import Settings
from rag.shipped import corpus_name, open_corpus
from rag.types import Filters, Paper, Problem, Sentence

if TYPE_CHECKING:
    from rag.doctor import Examination
    from rag.embed import Embedder
    from rag.library.reports import Progress, SyncReport

EVERYTHING = Filters()
Notify = Callable[[str], None]
OnProgress = Callable[["Progress"], None]


class Corpus:
    """The corpus that the settings name, with its embedder. Opened on first use; nothing of it is loaded before."""

    def __init__(self, settings: Settings | None = None, *, notify: Notify = lambda _: None) -> None:
        self.settings = settings or configuration.load()
        self._notify = notify

    @functools.cached_property
    def embedder(self) -> Embedder:
        return embed.load(self.settings.embedder, self.settings)

    @functools.cached_property
    def library(self) -> Library:
        return open_corpus(self.settings, self.embedder, self._notify)

    def papers(self, filters: Filters = EVERYTHING) -> Iterator[Paper]:
        return self.library.papers(filters)

    def sentences(self, paper: Paper) -> tuple[Sentence, ...]:
        return self.library.sentences([paper.id]).get(paper.id, ())

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
        progress: OnProgress | None = None,
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
        progress: OnProgress | None = None,
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

    def move(self, to: str | None, *, progress: OnProgress | None = None) -> None:
        """Keep the corpus's vectors on the Chroma server `to` from now on, or on this machine where it is None.

        See `rag.library.sync.move` for what it raises.
        """
        from rag.library.server import Store
        from rag.library.sync import move

        store = Store(to, self.settings.store_token) if to else None
        move(self.settings.home, corpus_name(self.settings), self.embedder, store, progress)

    def doctor(self, *, repair: bool = False) -> Examination:
        """What works here and what does not. See `rag.doctor.examine`."""
        from rag.doctor import examine

        return examine(self.settings, repair=repair)

    def _named(self, name: str) -> tuple[Paper, ...]:
        ids = self.library.papers_named(name)
        return tuple(self.library.get(ids).values())
