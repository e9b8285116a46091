"""Papers taken apart by several processes at once, and handed on in the order they came.

Taking a text apart is Python from end to end: a second thread would only wait for the first. So once there is enough
to do, processes are started beside this one, as many as there are processors to spare; what they have no room for is
done here. They are sent texts through a pipe, and end when it does, however this process ends. Where one cannot be
started, dies or falls silent, its papers are done here, with the same results.

`multiprocessing` is not used: it needs shared memory, and a spawned process of it runs the caller's script again.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from operator import attrgetter
from types import TracebackType
from typing import Any, Generic, TypeVar

from rag.library.chunks import chunks
from rag.library.prepare import Prepared, prepare
from rag.types import Paper

if sys.platform == "linux":
    import fcntl

T = TypeVar("T")
Sent = tuple[Any, ...]

ENOUGH = 250
"""Papers taken apart here before another process pays: to start one costs what two hundred papers do."""
_BATCH = 50
_AHEAD = 6
"""Batches a process has before it: enough for the time in which this one embeds, or waits for Chroma."""
_MOST_WAITING = 12
"""Batches that may wait for an earlier one; then nothing more is taken in until it is done."""
_MOST_PROCESSES = 3
_PIPE = 2**20
"""Bytes that a pipe holds before who writes must wait for who reads, on Linux; elsewhere what the system gives."""
_PATIENCE = 60.0
"""Seconds without an answer after which a process is given up."""
_PROGRAM = "import sys; sys.path[:] = sys.argv[1:]; from rag.library.preparing import serve; serve()"
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

    def __init__(self, identity: str, then: Callable[[Prepared, T], None]) -> None:
        """`identity` is the embedder's."""
        self._identity, self._then = identity, then
        self._batch: list[tuple[Paper, T]] = []
        self._pending: deque[tuple[list[tuple[Paper, T]], Future[list[Sent]] | list[Prepared]]] = deque()
        self._processes: list[_Process] = []
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
        if self._taken < ENOUGH <= self._taken + len(batch):
            self._processes = [_Process(self._identity) for _ in range(_spare_processors())]
        self._taken += len(batch)
        idlest = min(self._processes, key=_Process.waiting, default=None)
        if idlest and idlest.waiting() < _AHEAD:
            self._pending.append((batch, idlest.ask([_read_of(paper) for paper, _ in batch])))
        else:
            self._pending.append((batch, self._prepared(batch)))

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
            sent = answer.result(_PATIENCE)
            return [_received(paper, each) for (paper, _), each in zip(batch, sent, strict=True)]
        except Exception:  # whatever befell it: what is wrong with a paper itself will be raised here
            self._end()
            return self._prepared(batch)

    def _end(self) -> None:
        processes, self._processes = self._processes, []
        for process in processes:
            process.end()

    def __enter__(self) -> Preparing[T]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._take()
                self._hand_on(0)
        finally:
            self._end()


def _received(paper: Paper, sent: Sent) -> Prepared:
    sentences, *rest = sent
    return Prepared(paper, sentences, chunks(paper.id, sentences), *rest)


class _Process:
    """A process that takes papers apart, and the threads that write to it and wait for it.

    Two, and pipes that hold a batch: so it finds the next batch there when it is done with one, and need not wait
    until this process, busy with another, has read its answer.
    """

    def __init__(self, identity: str) -> None:
        self._identity = identity
        self._sending = ThreadPoolExecutor(1, "prepare-send")
        self._receiving = ThreadPoolExecutor(1, "prepare")
        self._asked: deque[Future[list[Sent]]] = deque()
        self._running: subprocess.Popen[bytes] | None = None
        with suppress(OSError):
            self._running = _started()

    def waiting(self) -> int:
        """Batches it has before it."""
        while self._asked and self._asked[0].done():
            self._asked.popleft()
        return len(self._asked)

    def ask(self, texts: list[Sent]) -> Future[list[Sent]]:
        self._sending.submit(self._send, texts)
        answer = self._receiving.submit(self._receive)
        self._asked.append(answer)
        return answer

    def _send(self, texts: list[Sent]) -> None:
        if self._running is not None and self._running.stdin is not None:
            pickle.dump((self._identity, texts), self._running.stdin, pickle.HIGHEST_PROTOCOL)
            self._running.stdin.flush()

    def _receive(self) -> list[Sent]:
        if self._running is None or self._running.stdout is None:
            raise ChildProcessError("not started")
        answer: list[Sent] = pickle.load(self._running.stdout)
        return answer

    def end(self) -> None:
        if self._running is not None:
            self._running.kill()
        for thread in (self._sending, self._receiving):  # they may still write and read: closing comes after
            thread.shutdown(cancel_futures=True)
        if self._running is not None:
            with suppress(OSError), self._running:
                pass


def _started() -> subprocess.Popen[bytes]:
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    command = [sys.executable, "-c", _PROGRAM, *sys.path]
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    running = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nothing, creationflags=flags)
    if sys.platform == "linux":
        with suppress(OSError):  # more than this user may have
            for end in filter(None, (running.stdin, running.stdout)):
                fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, _PIPE)
    return running


def _spare_processors() -> int:
    if not sys.executable or getattr(sys, "frozen", False):
        return 0
    allowed = getattr(os, "sched_getaffinity", None)
    usable = len(allowed(0)) if allowed else os.cpu_count() or 1
    return min(usable - 1, _MOST_PROCESSES)


def serve() -> None:
    """What such a process does, until the pipe is closed. An interrupt is for the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while True:
            identity, texts = pickle.load(sys.stdin.buffer)
            papers = [Paper("", title, "given", text, who, venue=venue) for title, text, who, venue in texts]
            made = [_made_of(prepare(paper, identity)) for paper in papers]
            pickle.dump(made, sys.stdout.buffer, pickle.HIGHEST_PROTOCOL)
            sys.stdout.buffer.flush()
