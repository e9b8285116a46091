"""citewell's command line: the commands put together. Importing it imports nothing heavy."""

from __future__ import annotations

import sys

import typer
from typer.exceptions import TyperException

from rag.commands import asking, chat, checking, corpus, overview, records
from rag.commands import evals as evals_command
from rag.commands.run import Face, fail, leave
from rag.errors import UsageError

app = typer.Typer(
    name="citewell",
    help="""Answers from a corpus of paper abstracts, every sentence tied to exact words of a cited abstract.

    \b
    citewell ask "What speedup does DFlash reach?"
    citewell sync papers/ refs.bib          make the corpus match these files
    citewell search "offline reinforcement learning"
    citewell ask "Which papers propose samplers?" --json

    With no corpus synced yet, the shipped seeds (38 ICML 2026 abstracts) are used. No model and no network are needed.

    \b
    Exit codes: 0 answered, found, passed; 2 wrong usage; 3 nothing supported or found; 4 model not reachable;
    5 corpus missing or damaged; 10 a gate failed; 11 nothing measured; 130 interrupted; 1 a bug of ours.
    """,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
asking.register(app)
corpus.register(app)
overview.register(app)
checking.register(app)
records.register(app)
chat.register(app)
evals_command.register(app)


def main() -> None:
    """The console command. Wrong usage is one line (or JSON under --json) and exit 2."""
    try:
        code = app(standalone_mode=False)
    except TyperException as error:
        code = _wrong_usage(error)
    except typer.Abort:
        code = 130
    leave(code if isinstance(code, int) else 0)


def _wrong_usage(error: TyperException) -> int:
    from rag.terminal import Terminal

    face = Face(json="--json" in sys.argv)
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    return fail(UsageError(message.rstrip("."), "see `citewell --help`"), Terminal(), face)


if __name__ == "__main__":
    main()
