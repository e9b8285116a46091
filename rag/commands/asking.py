"""ask and search."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from rag.commands.command import Run, command
from rag.commands.files import write_bibliography
from rag.commands.options import Asking, Bib, Narrowed, Only, Ranked, Where, Writing
from rag.commands.question import question as read_question
from rag.commands.run import INTERRUPTED, NOTHING_FOUND
from rag.errors import ModelError, UsageError
from rag.types import Answer, Claim, Filters

if TYPE_CHECKING:
    from rag.assistant import Assistant
    from rag.terminal import Terminal

_QUESTION = typer.Argument(help="The question; - reads it from standard input, a pipe adds to it.", show_default=False)


def register(app: typer.Typer) -> None:
    app.command(short_help="Answer a question, every sentence cited.")(ask)
    app.command(short_help="Rank papers by words and meaning.")(search)


@command
def ask(
    run: Run,
    question: Annotated[str | None, _QUESTION] = None,
    *,
    where: Where,
    only: Narrowed,
    asking: Asking,
    writing: Writing,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the prompt and its evidence; call nothing.")
    ] = False,
    bib: Bib = None,
) -> int:
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
    assistant = run.assistant()
    filters = assistant.narrowed(only.filters(), only.paper or ())
    text = read_question(question)
    if dry_run:
        return _print_prompt(assistant, text, filters, run.terminal)
    telling = Telling(run)
    answer = assistant.ask(text, filters=filters, on_note=telling.note, on_claim=telling.claim)
    telling.rest(answer)
    write_bibliography(bib, [source.paper for source in answer.sources], run.terminal)
    return finished(assistant, answer, filters, run.terminal)


class Telling:
    """Shows an answer as it comes: each claim once it has passed its check, then the sources. JSON waits for it all."""

    def __init__(self, run: Run, numbers: dict[str, int] | None = None) -> None:
        """`numbers` are those that papers have already, by id."""
        from rag.render.answers import Stream

        self._run, self._stream = run, Stream(numbers)

    def note(self, text: str) -> None:
        from rag.render.answers import noted

        if not self._run.json:
            self._run.terminal.show([noted(text)])

    def claim(self, claim: Claim) -> None:
        if not self._run.json:
            self._run.terminal.show([self._stream.line(claim)])

    def rest(self, answer: Answer) -> None:
        from rag.render import jsonable

        if self._run.json:
            self._run.terminal.write(jsonable.dumps(jsonable.answer(answer)))
        else:
            self._run.terminal.show(self._stream.rest(answer))


def finished(assistant: Assistant, answer: Answer, filters: Filters, terminal: Terminal) -> int:
    """Logs the answer, says on stderr what the reader should know of it, and gives the exit code."""
    if assistant.settings.log:
        _log(assistant, answer, filters, terminal)
    for dropped in answer.dropped:
        terminal.detail(f"dropped: {dropped.text} ({dropped.reason})")
    whole = answer.fallback is None and answer.status != "partial"  # else one line says what went wrong
    tell = terminal.note if answer.usage.calls and whole else terminal.detail
    tell(_facts(answer))
    if answer.fallback:
        terminal.warn(f"citewell: {answer.fallback}; this is the answer without a model")
        return ModelError.exit_code
    if answer.status == "partial":
        terminal.warn(f"citewell: a partial answer: {answer.reason}; what is shown was checked")
        return INTERRUPTED if answer.interrupted else ModelError.exit_code
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


@command
def search(
    run: Run,
    words: Annotated[list[str], typer.Argument(help="What to look for; words, a name, an author, a title.")],
    *,
    where: Where,
    only: Only,
    ranked: Ranked,
    bib: Bib = None,
) -> int:
    """Rank papers by words and meaning; no model is called.

    \b
    citewell search offline reinforcement learning
    citewell search "Tom Rainforth" --json | jq -r .title

    Exits 3 when nothing is found.
    """

    from rag.render import answers, jsonable, papers

    filters = only.filters()
    if not "".join(words).strip():
        raise UsageError("nothing to look for was named", "citewell papers lists all, citewell search WORDS ranks them")
    found = run.assistant().search(" ".join(words), filters=filters)
    if run.json:
        for hit, paper in found:
            run.terminal.write(jsonable.dumps(jsonable.paper(paper, hit)))
    else:
        run.terminal.show(papers.hits(found))
    write_bibliography(bib, [paper for _, paper in found], run.terminal)
    if not found:
        held = answers.narrowed(filters)
        run.terminal.note("nothing found" + (f" in {held}; `citewell papers` lists what is there" if held else ""))
    return 0 if found else NOTHING_FOUND


def _facts(answer: Answer) -> str:
    from rag.render.lines import counted

    usage = answer.usage
    tokens = f"{usage.prompt_tokens}+{usage.completion_tokens} tokens"
    cost = "cost unknown" if usage.cost_usd is None else f"${usage.cost_usd:.4f}"
    parts = [
        f"corpus {answer.corpus.name}: {answer.corpus.papers} papers",
        f"model {usage.model}: {counted(usage.calls, 'call')}, {tokens}, {cost}",
        f"risk at most {answer.risk.bound:.3f}" if answer.risk.certified else "risk not certified",
        f"{usage.seconds:.2f} s",
    ]
    return "; ".join(parts)
