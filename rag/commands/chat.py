"""chat: a conversation in the terminal, or one answer a line from a pipe."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from rag.commands import options
from rag.commands.run import NOTHING_FOUND, Face, run
from rag.errors import CitewellError, ModelError
from rag.settings import Settings
from rag.types import Filters

if TYPE_CHECKING:
    from rag.commands.talk import Talk
    from rag.terminal import Terminal

_MOST_LINE = 20_000


def register(app: typer.Typer) -> None:
    app.command(short_help="Ask in a conversation, with follow-ups.")(chat)


def chat(
    corpus: options.Corpus = None,
    year: options.Year = None,
    venue: options.Venue = None,
    author: options.Author = None,
    continued: Annotated[bool, typer.Option("--continue", help="Go on with the last conversation.")] = False,
    resume: Annotated[str | None, typer.Option("--resume", metavar="ID", help="Go on with this conversation.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="List earlier conversations.")] = False,
    top_k: options.TopK = None,
    embedder: options.Embedder = None,
    model: options.Model = None,
    max_risk: options.MaxRisk = None,
    timeout: options.Timeout = None,
    max_cost: options.MaxCost = None,
    judge: options.Judge = False,
    no_log: options.NoLog = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_color: options.NoColor = False,
) -> None:
    """Ask in a conversation; "and its dataset?", "the second one", "only 2025" are understood.

    \b
    citewell chat
    citewell chat --continue
    printf 'What is DFlash?\\nwho wrote it?\\n' | citewell chat --json

    /help lists the commands. Ctrl-C ends a reply, Ctrl-D the conversation. From a pipe: a question a line, an answer
    each.
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
        "log": False if no_log else None,
    }

    def work(settings: Settings, terminal: Terminal) -> int:
        if listed:
            return _list(settings, terminal)
        filters = options.filters(year, venue, author)
        if sys.stdin.isatty() and sys.stdout.isatty() and not json:
            return _converse(settings, filters, terminal, continued=continued, resume=resume)
        talk = _talk(settings, filters, terminal, continued=continued, resume=resume, json=json)
        return _answer_lines(talk, terminal)

    run(Face(json, quiet, verbose, no_color), flags, work)


def _talk(
    settings: Settings,
    filters: Filters,
    terminal: Terminal,
    *,
    continued: bool,
    resume: str | None,
    json: bool = False,
) -> Talk:
    from rag.commands.talk import Talk

    talk = Talk(settings, filters, terminal, json=json)
    if continued or resume:
        talk.go_on(resume)
    return talk


def _converse(settings: Settings, filters: Filters, terminal: Terminal, *, continued: bool, resume: str | None) -> int:
    """The prompt is there at once: the engine is imported and the corpus opened while the person types."""
    from rag.prompt import Prompt

    ready: list[Talk | CitewellError] = []

    def prepare() -> None:
        try:
            ready.append(_talk(settings, filters, terminal, continued=continued, resume=resume))
        except CitewellError as error:
            ready.append(error)

    thread = threading.Thread(target=prepare, daemon=True)

    def opened() -> list[Talk]:
        return [talk for talk in ready if not isinstance(talk, CitewellError)]

    prompt = Prompt(settings.home, opened, secrets=[settings.api_key])
    # Not before: two threads that import at once would keep the prompt waiting.
    prompt.when_shown(thread.start)
    for message in prompt.messages():
        thread.join()
        talk = ready[0]
        if isinstance(talk, CitewellError):
            raise talk
        if not _turn(talk, message, terminal):
            break
    return 0


def _turn(talk: Talk, message: str, terminal: Terminal) -> bool:
    """One message; False when it ends the conversation. What goes wrong in a turn ends the turn."""
    try:
        return talk.say(message)
    except KeyboardInterrupt:
        terminal.warn("interrupted")
    except CitewellError as error:
        terminal.warn(f"{error.message}" + (f" — {error.hint}" if error.hint else ""))
    return True


def _answer_lines(talk: Talk, terminal: Terminal) -> int:
    """Exit 3 when no line was answered, 4 when a model failed, else 0."""
    answered = failed = asked = 0
    for message in _lines():
        asked += 1
        if not _turn(talk, message, terminal):
            break
        last = talk.conversation.exchanges[-1].answer if talk.conversation.exchanges else None
        answered += last is not None and last.status != "abstained"
        failed += last is not None and last.fallback is not None
    if failed:
        return ModelError.exit_code
    return 0 if answered or not asked else NOTHING_FOUND


def _lines() -> Iterator[str]:
    for raw in sys.stdin.buffer:
        message = raw[: 4 * _MOST_LINE].decode("utf-8-sig", errors="replace").replace("\x00", "").strip()
        if message:
            yield message[:_MOST_LINE]


def _list(settings: Settings, terminal: Terminal) -> int:
    from rag.render.lines import Span, line
    from rag.sessions import Sessions

    sessions = Sessions(settings.home)
    found = [sessions.load(session_id) for session_id in sessions.ids()]
    for session in found:
        first = session.turns[0].message if session.turns else ""
        terminal.show([line(Span(f"{session.id}  ", "number"), Span(f"{len(session.turns)} turns  ", "meta"), first)])
    if not found:
        terminal.note("no earlier conversation")
    return 0 if found else NOTHING_FOUND
