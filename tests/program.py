"""The real program in a temporary home, as its users run it."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import cli

ROOT = Path(__file__).resolve().parent.parent
SEEDS = ROOT / "seeds"


@dataclass(frozen=True, slots=True)
class Run:
    """What a finished command said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Citewell = Callable[..., Run]


def environment(home: Path, **more: str) -> dict[str, str]:
    """A bare environment: no keys, no settings of whoever runs the tests."""
    kept = {
        name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT", "OPENBLAS_CORETYPE") if name in os.environ
    }
    return {**kept, "HOME": str(home), "CITEWELL_HOME": str(home / "citewell"), "PYTHONUTF8": "1", **more}


def run_in(home: Path) -> Citewell:
    def citewell(*args: str, input: str | bytes = "", timeout: float = 300, **env: str) -> Run:
        given = input.encode() if isinstance(input, str) else input
        done = subprocess.run(
            [sys.executable, "-W", "error", str(ROOT / "cli.py"), *args],
            input=given,
            capture_output=True,
            timeout=timeout,
            env=environment(home, **env),
            cwd=home,
        )
        return Run(done.returncode, done.stdout.decode(), done.stderr.decode())

    return citewell


def run_inside(home: Path) -> Citewell:
    """The same program in this process, which spares each run the start of one: for tests of what is said, not of how
    a process lives and ends."""

    def citewell(*args: str, input: str | bytes = "", timeout: float = 0, **env: str) -> Run:
        given = input.encode() if isinstance(input, str) else input
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
        with (
            mock.patch.dict(os.environ, environment(home, **env), clear=True),
            mock.patch.object(sys, "argv", ["citewell", *args]),
            mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), "utf-8")),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            contextlib.chdir(home),
        ):
            try:
                cli.main()
            except SystemExit as left:
                code = left.code
        said = [stream.buffer.getvalue().decode() for stream in (out, err)]  # type: ignore[attr-defined]
        return Run(code if isinstance(code, int) else 0, *said)

    return citewell
