"""One run of a command: its settings and its terminal; errors become one clear line and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from rag.commands.options import Json, NoColor, Quiet, Verbose
from rag.errors import CitewellError, CorpusError, starved
from rag.settings import Settings, load
from rag.terminal import Terminal

NOTHING_FOUND = 3
INTERRUPTED = 130
_OUT_OF_MEMORY = CorpusError("there is not enough memory for this", "free some, or raise the limit (ulimit -v)")


@dataclass(frozen=True, slots=True)
class Face:
    """How this run talks: JSON or lines, quiet, verbose, in colour. Every command has these options."""

    json: Json = False
    quiet: Quiet = False
    verbose: Verbose = False
    no_color: NoColor = False


def run(face: Face, flags: dict[str, object], work: Callable[[Settings, Terminal], int]) -> NoReturn:
    """Does `work` and leaves with its exit code.

    Expected errors print one line and a hint (as JSON on stdout under --json). A closed pipe ends quietly with 1,
    Ctrl-C with 130. Anything else is a bug of ours: it says so, with the traceback only under -v.
    """
    terminal = Terminal(color=not (face.no_color or os.environ.get("NO_COLOR")), quiet=face.quiet, verbose=face.verbose)
    try:
        code = work(load(flags), terminal)
        sys.stdout.flush()
    except CitewellError as error:
        code = fail(error, terminal, face)
    except BrokenPipeError:
        code = _closed_pipe()
    except KeyboardInterrupt:
        terminal.warn("interrupted")
        code = INTERRUPTED
    except MemoryError:
        code = fail(_OUT_OF_MEMORY, terminal, face)
    except (SystemExit, GeneratorExit):
        raise
    except BaseException as error:  # a panic in a dependency's Rust is no Exception
        if face.verbose:
            raise
        code = fail(_bug(error), terminal, face)
    leave(code)


def fail(error: CitewellError, terminal: Terminal, face: Face) -> int:
    """Says it on one line of stderr, or as JSON on stdout; its exit code."""
    try:
        if face.json:
            from rag.render import jsonable

            terminal.write(jsonable.dumps(jsonable.error(error)))
        else:
            terminal.warn(f"citewell: {error.line}")
    except BrokenPipeError:
        return _closed_pipe()
    return error.exit_code


def leave(code: int) -> NoReturn:
    """Ends the process with `code`; a reader who has gone away makes it 1."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (BrokenPipeError, ValueError):
            code = code or 1
    sys.exit(code)


def _bug(error: BaseException) -> CitewellError:
    if starved(error):
        return _OUT_OF_MEMORY
    return CitewellError(
        f"this is a bug in citewell: {type(error).__name__}: {error}", "run again with -v and report what it prints"
    )


def _closed_pipe() -> int:
    """Nobody reads on. stdout is pointed at nothing, so that the interpreter's own flush cannot complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1
