"""A terminal to run a program in and look at: a real pty, and the screen that an emulator makes of what comes out.

with Screen(["citewell", "chat"], columns=100) as screen:
    screen.wait("> ")
    screen.type("What is DFlash?\\r")
    screen.wait("[1]")
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Self

import pexpect
import pyte

_KEPT = 5_000
"""Lines that have scrolled off and are kept."""
_QUIET = 0.15
"""Seconds without output after which a program is taken to wait."""
ENTER, ALT_ENTER, CTRL_C, CTRL_D, TAB = "\r", "\x1b\r", "\x03", "\x04", "\t"


class Screen:
    """One program in one terminal. `answers`: whether the terminal tells where its cursor is when it is asked."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        columns: int = 100,
        rows: int = 40,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        answers: bool = True,
    ) -> None:
        environment = {**(env or os.environ), "TERM": "xterm-256color"}
        self._child = pexpect.spawn(
            command[0],
            list(command[1:]),
            env=environment,
            cwd=str(cwd) if cwd else None,
            dimensions=(rows, columns),
            timeout=60,
        )
        self._screen = pyte.HistoryScreen(columns, rows, history=_KEPT, ratio=0.5)
        if answers:
            self._screen.write_process_input = self._child.send
        self._stream = pyte.ByteStream(self._screen)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._child.close(force=True)

    @property
    def columns(self) -> int:
        return int(self._screen.columns)

    @property
    def text(self) -> str:
        """Everything shown so far, what has scrolled off first."""
        above = ["".join(line[at].data for at in range(max(line, default=-1) + 1)) for line in self._screen.history.top]
        return "\n".join(line.rstrip() for line in (*above, *self._screen.display)).rstrip()

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(self.text.splitlines())

    def type(self, text: str) -> None:
        self._child.send(text)

    def paste(self, text: str) -> None:
        """As terminals do: between marks, so that a line break is no Enter."""
        self._child.send(f"\x1b[200~{text}\x1b[201~")

    def wait(self, shown: str | Callable[[str], bool], seconds: float = 300.0) -> str:
        """Until the screen shows it. Raises TimeoutError with what it shows instead."""
        until = time.monotonic() + seconds
        met = shown if callable(shown) else lambda text: shown in text
        while not met(self.text):
            if time.monotonic() > until:
                raise TimeoutError(f"never shown: {shown!r}; the screen:\n{self.text[-3000:]}")
            if not self._read(0.1) and not self._child.isalive() and not met(self.text):
                raise TimeoutError(f"the program ended before {shown!r} was shown; the screen:\n{self.text[-3000:]}")
        return self.text

    def settle(self) -> str:
        """Until nothing has come for a moment."""
        while self._read(_QUIET):
            pass
        return self.text

    def resize(self, columns: int, rows: int = 40) -> None:
        self._child.setwinsize(rows, columns)
        self._screen.resize(rows, columns)

    def kill(self) -> None:
        """As a crash does: no chance to write anything more."""
        self._child.kill(signal.SIGKILL)
        self._child.wait()

    def end(self, seconds: float = 300.0) -> int:
        """The exit code of a program that is leaving."""
        until = time.monotonic() + seconds
        while self._child.isalive() and time.monotonic() < until:
            self._read(0.05)
        while self._read(0.05):
            pass
        self._child.close(force=True)
        return int(self._child.exitstatus) if self._child.exitstatus is not None else -int(self._child.signalstatus)

    def _read(self, seconds: float) -> bool:
        """Whether anything came within so many seconds."""
        try:
            self._stream.feed(self._child.read_nonblocking(1 << 16, timeout=seconds))
        except pexpect.TIMEOUT:
            return False
        except pexpect.EOF:
            time.sleep(min(seconds, 0.02))
            return False
        return True
