"""ask and search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from rag.commands import options
from rag.commands.question import question as read_question
from rag.commands.run import NOTHING_FOUND, Face, run
from rag.settings import Settings
from rag.types import Answer

if TYPE_CHECKING:
    from rag.assistant import Assistant
    from rag.terminal import Terminal

_QUESTION = typer.Argument(help="The question; - reads it from standard input, a pipe adds to it.", show_default=False)


def register(app: typer.Typer) -> None:
    app.command()(ask)
    app.command()(search)


def ask(
    question: Annotated[str | None, _QUESTION] = None,
    corpus: options.Corpus = None,
    year: options.Year = None,
    venue: options.Venue = None,
    author: options.Author = None,
    paper: options.PaperRef = None,
    top_k: options.TopK = None,
    embedder: options.Embedder = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_color: options.NoColor = False,
) -> None:
    """Answer a question, every sentence cited.

    \b
    citewell ask "What speedup does DFlash reach over EAGLE-3?"
    citewell ask "Which papers propose samplers?" --year 2026 --json
    echo "Who wrote MuLoCo?" | citewell ask

    Exits 3 when the corpus does not hold the answer; stdout then says so and names the nearest papers.
    """

    def work(settings: Settings, terminal: Terminal) -> int:
        filters = options.filters(year, venue, author)
        assistant = _assistant(settings, terminal)
        answer = assistant.ask(read_question(question), filters=assistant.narrowed(filters, paper or ()))
        _print_answer(answer, terminal, as_json=json)
        terminal.detail(_facts(answer))
        return NOTHING_FOUND if answer.status == "abstained" else 0

    run(Face(json, quiet, verbose, no_color), {"corpus": corpus, "top_k": top_k, "embedder": embedder}, work)


def search(
    words: Annotated[list[str], typer.Argument(help="What to look for; words, a name, an author, a title.")],
    corpus: options.Corpus = None,
    year: options.Year = None,
    venue: options.Venue = None,
    author: options.Author = None,
    top_k: options.TopK = None,
    embedder: options.Embedder = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_color: options.NoColor = False,
) -> None:
    """Rank papers by words and meaning; no model is called.

    \b
    citewell search offline reinforcement learning
    citewell search "Tom Rainforth" --json | jq -r .title

    Exits 3 when nothing is found.
    """

    def work(settings: Settings, terminal: Terminal) -> int:
        filters = options.filters(year, venue, author)
        found = _assistant(settings, terminal).search(" ".join(words), filters=filters)
        if json:
            from rag.render import jsonable

            for hit, paper in found:
                terminal.write(jsonable.dumps(jsonable.paper(paper, hit)))
        else:
            from rag.render import answers

            terminal.show(answers.hits(found))
        if not found:
            terminal.note("nothing found")
        return 0 if found else NOTHING_FOUND

    run(Face(json, quiet, verbose, no_color), {"corpus": corpus, "top_k": top_k, "embedder": embedder}, work)


def _assistant(settings: Settings, terminal: Terminal) -> Assistant:
    from rag.assistant import Assistant

    return Assistant(settings, notify=terminal.note)


def _print_answer(answer: Answer, terminal: Terminal, *, as_json: bool) -> None:
    if as_json:
        from rag.render import jsonable

        terminal.write(jsonable.dumps(jsonable.answer(answer)))
        return
    from rag.render import answers

    terminal.show(answers.answer(answer))


def _facts(answer: Answer) -> str:
    parts: Sequence[str] = (
        f"corpus {answer.corpus.name}: {answer.corpus.papers} papers",
        f"model {answer.usage.model}, {answer.usage.calls} calls",
        f"risk at most {answer.risk.bound:.3f}" if answer.risk.certified else "risk not certified",
        f"{answer.usage.seconds:.2f} s",
    )
    return "; ".join(parts)
