"""Processes beside this one that call functions for it, as many as there are processors to spare.

A second thread of Python from end to end would only wait for the first. A process is sent a
function and its arguments through a pipe, answers in the order it was asked, and ends when the pipe does, however this
process ends. Where none can be started, or one dies or falls silent, who asked does the work himself.

`multiprocessing` is not used: it needs shared memory, and a spawned process of it runs the caller's script again.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from threading import Lock
from types import TracebackType
from typing import Any, TypeVar

if sys.platform == "linux":
    import fcntl

T = TypeVar("T")

PATIENCE = 60.0
"""Seconds without an answer after which a process is given up."""
_MOST = 3
_PIPE = 2**20
"""Bytes that a pipe holds before who writes must wait for who reads, on Linux; elsewhere what the system gives."""
_PROGRAM = "import sys; sys.path[:] = sys.argv[1:]; from rag.library.processes import serve; serve()"


class Processes:
    """None until `start`. May be asked by several threads. A context manager: leaving it ends them."""

    def __init__(self) -> None:
        self.started = False
        self._running: list[_Process] = []
        self._lock = Lock()

    def start(self) -> None:
        """Once; as many as there are processors to spare, which may be none."""
        if not self.started:
            self._running = [_Process() for _ in range(_spare_processors())]
            self.started = bool(self._running)

    def ask(self, function: Callable[..., T], *arguments: object, ahead: int = sys.maxsize) -> Future[T] | None:
        """What a function of a module will return, called by the process with the least to do.

        None where there is no process, or each has as many questions as `ahead` before it. Whatever befalls the process
        or the call is raised by the answer, which no one should wait for longer than PATIENCE.
        """
        with self._lock:
            idlest = min(self._running, key=_Process.waiting, default=None)
            if idlest is None or idlest.waiting() >= ahead:
                return None
            return idlest.ask(function, arguments)

    def end(self) -> None:
        with self._lock:
            running, self._running = self._running, []
        for process in running:
            process.end()

    def __enter__(self) -> Processes:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()


class _Process:
    """One of them, and the threads that write to it and wait for it.

    Two, and pipes that hold a batch: so it finds the next batch there when it is done with one, and need not wait
    until this process, busy with another, has read its answer.
    """

    def __init__(self) -> None:
        self._sending = ThreadPoolExecutor(1, "ask")
        self._receiving = ThreadPoolExecutor(1, "answer")
        self._asked: deque[Future[Any]] = deque()
        self._running: subprocess.Popen[bytes] | None = None
        with suppress(OSError):
            self._running = _started()

    def waiting(self) -> int:
        """Questions it has before it."""
        while self._asked and self._asked[0].done():
            self._asked.popleft()
        return len(self._asked)

    def ask(self, function: Callable[..., T], arguments: tuple[object, ...]) -> Future[T]:
        self._sending.submit(self._send, (function, arguments))
        answer: Future[T] = self._receiving.submit(self._receive)
        self._asked.append(answer)
        return answer

    def _send(self, question: object) -> None:
        if self._running is not None and self._running.stdin is not None:
            pickle.dump(question, self._running.stdin, pickle.HIGHEST_PROTOCOL)
            self._running.stdin.flush()

    def _receive(self) -> Any:
        if self._running is None or self._running.stdout is None:
            raise ChildProcessError("not started")
        return pickle.load(self._running.stdout)

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
    return min(usable - 1, _MOST)


def serve() -> None:
    """What such a process does, until the pipe is closed. An interrupt is for the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while True:
            function, arguments = pickle.load(sys.stdin.buffer)
            pickle.dump(function(*arguments), sys.stdout.buffer, pickle.HIGHEST_PROTOCOL)
            sys.stdout.buffer.flush()
