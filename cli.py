"""citewell's command line: the commands put together. Importing it imports nothing heavy."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer
from typer.exceptions import TyperException

from rag.commands import asking, chat, checking, corpus, overview, records
from rag.commands import evals as evals_command
from rag.commands.run import Face, fail, leave
from rag.errors import UsageError
from rag.release import release

app = typer.Typer(
    name="citewell",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"citewell {release()}")
        raise typer.Exit


@app.callback()
def citewell(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the release and exit.")
    ] = False,
) -> None:
    """Answers from a corpus of paper abstracts, every sentence tied to exact words of a cited abstract.

    \b
    citewell ask "What speedup does DFlash reach?"
    citewell sync papers/ refs.bib          make the corpus match these files
    citewell search "offline reinforcement learning"
    citewell ask "Which papers propose samplers?" --json

    With no corpus synced yet, the shipped seeds (38 ICML 2026 abstracts) are used. No model and no network are needed.

    \b
    Exit codes: 0 answered, found, passed; 2 wrong usage; 3 nothing supported or
    found; 4 the model failed; 5 corpus missing or damaged; 10 a gate failed;
    11 nothing measured; 130 interrupted; 1 a bug of ours.
    """


asking.register(app)
corpus.register(app)
overview.register(app)
checking.register(app)
records.register(app)
chat.register(app)
evals_command.register(app)


def main() -> None:
    """The console command. Wrong usage is one line (or JSON under --json) and exit 2."""
    # A question's products take a millisecond: BLAS threads that wait for each other cost a third of its CPU.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        code = app(prog_name="citewell", standalone_mode=False)
    except TyperException as error:
        code = _help_or_wrong_usage(error)
    except typer.Abort:
        code = 130
    leave(code if isinstance(code, int) else 0)


def _help_or_wrong_usage(error: TyperException) -> int:
    from rag.terminal import Terminal

    message = error.format_message() if hasattr(error, "format_message") else str(error)
    if type(error).__name__ == "NoArgsIsHelpError":  # typer does not export it, and tells it by its name too
        typer.echo(message)
        return 0
    face = Face(json="--json" in sys.argv)
    context = getattr(error, "ctx", None)
    asked = context.command_path if context else "citewell"
    return fail(UsageError(message.rstrip("."), f"see `{asked} --help`"), Terminal(), face)


if __name__ == "__main__":
    main()
