"""Papers taken apart, here and in the processes beside this one, and handed on in the order they came.

Once there is enough to do, processes are started; what they have no room for is done here, with the same results.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from operator import attrgetter
from types import TracebackType
from typing import Any, Generic, TypeVar

from rag.library.chunks import chunks
from rag.library.prepare import Prepared, prepare
from rag.library.processes import PATIENCE, Processes
from rag.types import Paper

T = TypeVar("T")
Sent = tuple[Any, ...]

ENOUGH = 250
"""Papers taken apart here before another process pays: to start one costs what two hundred papers do."""
_BATCH = 50
_AHEAD = 6
"""Batches a process has before it: enough for the time in which this one writes rows, or waits for Chroma."""
_MOST_WAITING = 12
"""Batches that may wait for an earlier one; then nothing more is taken in until it is done."""
_read_of = attrgetter("title", "abstract", "authors", "venue")
_made_of = attrgetter(
    "sentences",
    "texts",
    "vector_keys",
    "title_terms",
    "abstract_terms",
    "venue",
    "authors",
    "names",
    "folded_title",
)


class Preparing(Generic[T]):
    """`then(prepared, mark)` for every paper and mark that are `put`, in that order, in the caller's thread.

    A context manager: leaving it waits for the rest, unless an error is the reason.
    """

    def __init__(self, identity: str, processes: Processes, then: Callable[[Prepared, T], None]) -> None:
        """`identity` is the embedder's."""
        self._identity, self._processes, self._then = identity, processes, then
        self._batch: list[tuple[Paper, T]] = []
        self._pending: deque[tuple[list[tuple[Paper, T]], Future[list[Sent]] | list[Prepared]]] = deque()
        self._taken = 0

    def put(self, paper: Paper, mark: T) -> None:
        """May block, and may raise what `then` raises for an earlier paper."""
        self._batch.append((paper, mark))
        if len(self._batch) >= _BATCH:
            self._take()
            self._hand_on(_MOST_WAITING)

    def _take(self) -> None:
        """Give the batch to the process with the least to do, or do it here where all have enough."""
        batch, self._batch = self._batch, []
        self._taken += len(batch)
        if self._taken >= ENOUGH:
            self._processes.start()
        texts = [_read_of(paper) for paper, _ in batch]
        asked = self._processes.ask(taken_apart, self._identity, texts, ahead=_AHEAD)
        self._pending.append((batch, asked or self._prepared(batch)))

    def _prepared(self, batch: Sequence[tuple[Paper, T]]) -> list[Prepared]:
        return [prepare(paper, self._identity) for paper, _ in batch]

    def _hand_on(self, most_waiting: int) -> None:
        """What is done and whose turn it is; and wait until no more than so many batches are left."""
        while self._pending:
            batch, made = self._pending[0]
            if isinstance(made, Future):
                if not made.done() and len(self._pending) <= most_waiting:
                    return
                made = self._answered(batch, made)
            self._pending.popleft()
            for (_, mark), each in zip(batch, made, strict=True):
                self._then(each, mark)

    def _answered(self, batch: list[tuple[Paper, T]], answer: Future[list[Sent]]) -> list[Prepared]:
        try:
            sent = answer.result(PATIENCE)
            return [_received(paper, each) for (paper, _), each in zip(batch, sent, strict=True)]
        except Exception:  # whatever befell it: what is wrong with a paper itself will be raised here
            self._processes.end()
            return self._prepared(batch)

    def __enter__(self) -> Preparing[T]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._take()
            self._hand_on(0)


def taken_apart(identity: str, texts: list[Sent]) -> list[Sent]:
    """What a process makes of papers: only what is read is sent to it, only what is made comes back."""
    papers = [Paper("", title, "given", text, who, venue=venue) for title, text, who, venue in texts]
    return [_made_of(prepare(paper, identity)) for paper in papers]


def _received(paper: Paper, sent: Sent) -> Prepared:
    sentences, *rest = sent
    return Prepared(paper, sentences, chunks(paper.id, sentences), *rest)
