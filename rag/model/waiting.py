"""A blocking iterator, read in a thread of its own, so that every wait for it has an end.

Socket timeouts bound the wait for the next byte only: a server that drips one byte a second holds its reader for ever,
and an SDK may block where it likes. Here the reader waits on a queue, with a deadline, and Ctrl-C reaches it.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Ended(Exception):
    """There are no more items."""


class Waiting(Generic[T]):
    """Items of `items`, each waited for at most so long. `release` is called on closing, to wake a blocked read."""

    def __init__(self, items: Iterator[T], release: Callable[[], None] = lambda: None) -> None:
        self._items = items
        self._release = release
        self._left = threading.Event()
        self._done = threading.Event()
        self._queue: queue.SimpleQueue[tuple[T] | BaseException] = queue.SimpleQueue()
        threading.Thread(target=self._read, name="citewell-model", daemon=True).start()

    def next(self, seconds: float) -> T:
        """The next item. Raises Ended at the end, TimeoutError after `seconds`, and what `items` raises."""
        try:
            item = self._queue.get(timeout=max(0.0, seconds))
        except queue.Empty:
            raise TimeoutError from None
        if isinstance(item, BaseException):
            raise item
        return item[0]

    def close(self) -> None:
        self._left.set()
        if not self._done.is_set():
            self._release()

    def _read(self) -> None:
        """Runs in the thread. The iterator is closed here too, by the thread that runs it."""
        try:
            for item in self._items:
                self._queue.put((item,))
                if self._left.is_set():
                    break
            self._queue.put(Ended())
        except BaseException as error:
            self._queue.put(error)
        finally:
            self._done.set()
            close = getattr(self._items, "close", None)
            if close is not None:
                close()
