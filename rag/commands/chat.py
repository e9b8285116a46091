"""chat: a conversation in the terminal, or one answer a line from a pipe."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from rag.commands.command import Run, command
from rag.commands.options import Asking, Only, Where, Writing
from rag.commands.run import INTERRUPTED, NOTHING_FOUND
from rag.commands.slash import COMMANDS
from rag.errors import CitewellError, ModelError

if TYPE_CHECKING:
    from rag.commands.talk import Talk

_MOST_LINE = 20_000


def register(app: typer.Typer) -> None:
    app.command(short_help="Ask in a conversation, with follow-ups.")(chat)


@command
def chat(
    run: Run,
    continued: Annotated[bool, typer.Option("--continue", help="Go on with the last conversation.")] = False,
    resume: Annotated[str | None, typer.Option("--resume", metavar="ID", help="Go on with this conversation.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="List earlier conversations.")] = False,
    *,
    where: Where,
    only: Only,
    asking: Asking,
    writing: Writing,
) -> int:
    """Ask in a conversation; "and its dataset?", "the second one", "only 2025" are understood.

    \b
    citewell chat
    citewell chat --continue
    printf 'What is DFlash?\\nwho wrote it?\\n' | citewell chat --json

    /help lists the commands. Ctrl-C ends a reply, Ctrl-D the conversation. From a pipe: a question a line, an answer
    each.
    """
    if listed:
        return _list(run)

    def begin() -> Talk:
        from rag.commands.talk import Talk

        talk = Talk(run, only.filters())
        if continued or resume:
            talk.go_on(resume)
        return talk

    if sys.stdin.isatty() and sys.stdout.isatty() and not run.json:
        only.filters()  # what is wrong with them is said before the first prompt
        return _converse(run, begin)
    return _answer_lines(begin(), run)


def _converse(run: Run, begin: Callable[[], Talk]) -> int:
    """The prompt is there at once: the engine is imported and the corpus opened while the person types."""
    from rag.prompt import Prompt

    opened: list[Talk] = []
    trouble: list[Exception] = []

    def prepare() -> None:
        try:
            opened.append(begin())
        except Exception as error:  # it is the reader's only once something was typed
            trouble.append(error)

    thread = threading.Thread(target=prepare, daemon=True)

    def names() -> list[str]:
        return [name for talk in opened for name in talk.names()]

    prompt = Prompt(run.settings.home, COMMANDS, names, secrets=[run.settings.api_key])
    # Not before: two threads that import at once would keep the prompt waiting.
    prompt.when_shown(thread.start)
    for message in prompt.messages():
        thread.join()
        if trouble:
            raise trouble[0]
        try:
            if not all(_turn(opened[0], each, run) for each in _each(message)):
                break
        except KeyboardInterrupt:
            run.terminal.warn("interrupted")
    return 0


def _each(message: str) -> list[str]:
    """The messages of a paste: several lines that are each a question or a command; any other paste is one message."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    return lines if all(line.endswith(("?", "？")) or line.startswith("/") for line in lines) else [message]


def _turn(talk: Talk, message: str, run: Run) -> bool:
    """One message; False when it ends the conversation. What goes wrong in a turn ends the turn."""
    try:
        return talk.say(message)
    except CitewellError as error:
        if run.json:
            from rag.render import jsonable

            run.terminal.write(jsonable.dumps(jsonable.error(error)))
        else:
            run.terminal.warn(error.line)
    return True


def _answer_lines(talk: Talk, run: Run) -> int:
    """Exit 3 when no line was answered, 4 when a model failed, 130 at Ctrl-C, which nobody is there to go on after."""
    answered = failed = asked = 0
    for message in _lines():
        asked += not message.startswith("/")
        before = len(talk.conversation.exchanges)
        if not _turn(talk, message, run):
            break
        for exchange in talk.conversation.exchanges[before:]:
            answered += exchange.answer.status != "abstained"
            failed += exchange.answer.fallback is not None
            if exchange.answer.interrupted:
                return INTERRUPTED
    if failed:
        return ModelError.exit_code
    return 0 if answered or not asked else NOTHING_FOUND


def _lines() -> Iterator[str]:
    for raw in sys.stdin.buffer:
        message = raw[: 4 * _MOST_LINE].decode("utf-8-sig", errors="replace").replace("\x00", "").strip()
        if message:
            yield message[:_MOST_LINE]


def _list(run: Run) -> int:
    from rag.render import jsonable
    from rag.render.lines import Span, counted, line
    from rag.sessions import Sessions

    sessions = Sessions(run.settings.home)
    found = [sessions.load(session_id) for session_id in sessions.ids()]
    for session in found:
        first = session.turns[0].message if session.turns else ""
        if run.json:
            listed = {"session": session.id, "corpus": session.corpus, "turns": len(session.turns), "first": first}
            run.terminal.write(jsonable.dumps(listed))
            continue
        turns = Span(f"{counted(len(session.turns), 'turn')}  ", "meta")
        run.terminal.show([line(Span(f"{session.id}  ", "number"), turns, first)])
    if not found:
        run.terminal.note("no earlier conversation")
    return 0 if found else NOTHING_FOUND
