"""ask and search."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from rag.commands import options
from rag.commands.question import question as read_question
from rag.commands.run import INTERRUPTED, NOTHING_FOUND, Face, run
from rag.errors import ModelError
from rag.settings import Settings
from rag.types import Answer, Claim, Filters

if TYPE_CHECKING:
    from rag.assistant import Assistant
    from rag.terminal import Terminal

_QUESTION = typer.Argument(help="The question; - reads it from standard input, a pipe adds to it.", show_default=False)


def register(app: typer.Typer) -> None:
    app.command(short_help="Answer a question, every sentence cited.")(ask)
    app.command(short_help="Rank papers by words and meaning.")(search)


def ask(
    question: Annotated[str | None, _QUESTION] = None,
    corpus: options.Corpus = None,
    year: options.Year = None,
    venue: options.Venue = None,
    author: options.Author = None,
    paper: options.PaperRef = None,
    top_k: options.TopK = None,
    embedder: options.Embedder = None,
    model: options.Model = None,
    max_risk: options.MaxRisk = None,
    timeout: options.Timeout = None,
    max_cost: options.MaxCost = None,
    judge: options.Judge = False,
    no_cache: options.NoCache = False,
    no_log: options.NoLog = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the prompt and its evidence; call nothing.")
    ] = False,
    bib: options.Bib = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_color: options.NoColor = False,
) -> None:
    """Answer a question, every sentence cited.

    \b
    citewell ask "How much faster is DFlash than EAGLE-3?"
    citewell ask "Which papers propose samplers?" --year 2026 --json
    echo "Who wrote MuLoCo?" | citewell ask
    OPENAI_BASE_URL=http://localhost:11434/v1 citewell ask "Compare DFlash and MuLoCo" --model llama3.2

    Exits 3 when the corpus does not hold the answer; stdout then says so and names the nearest papers. Exits 4 when
    the model fails; stdout then holds the answer without one. Where its reply breaks off or runs into a limit (4), or
    Ctrl-C stops it (130), stdout holds what was checked by then, completed by quotation, as a partial answer.
    """
    flags: dict[str, object] = {
        "corpus": corpus,
        "top_k": top_k,
        "embedder": embedder,
        "model": model,
        "max_risk": max_risk,
        "timeout": timeout,
        "max_cost": max_cost,
        "judge": judge or None,
        "cache": False if no_cache else None,
        "log": False if no_log else None,
    }

    def work(settings: Settings, terminal: Terminal) -> int:
        assistant = _assistant(settings, terminal)
        filters = assistant.narrowed(options.filters(year, venue, author), paper or ())
        text = read_question(question)
        if dry_run:
            return _print_prompt(assistant, text, filters, terminal)
        answer = _answered(assistant, text, filters, terminal, streamed=not json)
        if json:
            from rag.render import jsonable

            terminal.write(jsonable.dumps(jsonable.answer(answer)))
        options.write_bibliography(bib, [source.paper for source in answer.sources], terminal)
        return finished(assistant, answer, filters, terminal)

    run(Face(json, quiet, verbose, no_color), flags, work)


def _answered(assistant: Assistant, text: str, filters: Filters, terminal: Terminal, *, streamed: bool) -> Answer:
    """The answer; with `streamed`, shown claim by claim as each passes its check, then its sources."""
    if not streamed:
        return assistant.ask(text, filters=filters)
    from rag.render import answers

    stream = answers.Stream()

    def show(claim: Claim) -> None:
        terminal.show([stream.line(claim)])

    def note(text: str) -> None:
        terminal.show([answers.noted(text)])

    answer = assistant.ask(text, filters=filters, on_note=note, on_claim=show)
    terminal.show(stream.rest(answer))
    return answer


def finished(assistant: Assistant, answer: Answer, filters: Filters, terminal: Terminal) -> int:
    """Logs the answer, says on stderr what the reader should know of it, and gives the exit code."""
    if assistant.settings.log:
        _log(assistant, answer, filters, terminal)
    for dropped in answer.dropped:
        terminal.detail(f"dropped: {dropped.text} ({dropped.reason})")
    terminal.detail(_facts(answer))
    if answer.fallback:
        terminal.warn(f"citewell: {answer.fallback}; this is the answer without a model")
        return ModelError.exit_code
    if answer.status == "partial":
        from rag import answering

        terminal.warn(f"citewell: a partial answer: {answer.reason}; what is shown was checked")
        return INTERRUPTED if answer.reason == answering.INTERRUPTED else ModelError.exit_code
    if answer.usage.calls:
        terminal.note(_facts(answer))
    return NOTHING_FOUND if answer.status == "abstained" else 0


def _log(assistant: Assistant, answer: Answer, filters: Filters, terminal: Terminal) -> None:
    """A log that cannot be written costs a note, not the answer."""
    from rag.errors import CitewellError
    from rag.history import Entry, History, public
    from rag.render import jsonable

    settings, trace = assistant.settings, answer.trace
    entry = Entry(
        question=answer.question,
        answer=jsonable.answer(answer),
        filters=filters,
        settings=public(settings),
        fingerprint=answer.corpus.fingerprint,
    )
    if trace is not None:
        entry = replace(entry, model=trace.model, prompt=trace.fingerprint, raw=trace.raw)
    try:
        History(settings.home).add(entry, secrets=[settings.api_key])
    except CitewellError as error:
        terminal.detail(error.message)


def _print_prompt(assistant: Assistant, text: str, filters: Filters, terminal: Terminal) -> int:
    prompt = assistant.prompt(text, filters=filters)
    if prompt is None:
        terminal.note("no model would be called: the catalogue answers, or nothing does")
        return NOTHING_FOUND
    from rag.text.normalise import visible

    terminal.write(visible(f"{prompt.system}\n\n{prompt.user}"))
    return 0


def search(
    words: Annotated[list[str], typer.Argument(help="What to look for; words, a name, an author, a title.")],
    corpus: options.Corpus = None,
    year: options.Year = None,
    venue: options.Venue = None,
    author: options.Author = None,
    top_k: options.TopK = None,
    embedder: options.Embedder = None,
    bib: options.Bib = None,
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
        options.write_bibliography(bib, [paper for _, paper in found], terminal)
        if not found:
            terminal.note("nothing found")
        return 0 if found else NOTHING_FOUND

    run(Face(json, quiet, verbose, no_color), {"corpus": corpus, "top_k": top_k, "embedder": embedder}, work)


def _assistant(settings: Settings, terminal: Terminal) -> Assistant:
    from rag.assistant import Assistant

    return Assistant(settings, notify=terminal.note)


def _facts(answer: Answer) -> str:
    usage = answer.usage
    cost = "cost unknown" if usage.cost_usd is None else f"${usage.cost_usd:.4f}"
    parts = [
        f"corpus {answer.corpus.name}: {answer.corpus.papers} papers",
        f"model {usage.model}: {usage.calls} calls, {usage.prompt_tokens}+{usage.completion_tokens} tokens, {cost}",
        f"risk at most {answer.risk.bound:.3f}" if answer.risk.certified else "risk not certified",
        f"{usage.seconds:.2f} s",
    ]
    return "; ".join(parts)
