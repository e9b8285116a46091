"""The line where a person types: editing, history, completion, long pastes. The only user of prompt_toolkit."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.patch_stdout import patch_stdout

from rag import private

if TYPE_CHECKING:
    from rag.commands.talk import Talk

COMMANDS = {
    "/help": "what can be typed",
    "/sources": "the papers of this conversation and their numbers",
    "/quote": "N: the words quoted from a paper",
    "/open": "N: a paper's page in the browser",
    "/papers": "[WORDS]: list or search papers",
    "/compare": "N N: papers side by side",
    "/summarise": "TOPIC: a topic across papers",
    "/why": "how the last message was understood, and what was searched",
    "/export": "FILE: the bibliography of this conversation",
    "/json": "the last answer as JSON",
    "/model": "[NAME]: show or change the model",
    "/cost": "what the model has cost so far",
    "/reset": "forget this conversation and begin another",
    "/exit": "leave (Ctrl-D does too)",
}
_MOST_COMPLETIONS = 30


class Prompt:
    """Yields what is typed. `ready` gives the conversation once it is open; titles complete from then on.

    `secrets` are blotted out of what the next conversations are offered again.
    """

    def __init__(
        self, home: Path, ready: Callable[[], Sequence[Talk]], *, secrets: Sequence[str | None] = ()
    ) -> None:
        self._session: PromptSession[str] = PromptSession(
            history=_history(home, secrets),
            completer=_Completer(ready),
            complete_while_typing=False,
            key_bindings=_bindings(),
            multiline=False,
            enable_open_in_editor=True,
        )
        # A terminal that does not report where its cursor is serves as well; the library's warning of it helps nobody.
        self._session.app.renderer.cpr_not_supported_callback = None

    def when_shown(self, begin: Callable[[], object]) -> None:
        """Calls `begin` once the first prompt is on the screen."""

        def first(_: object) -> None:
            self._session.app.after_render -= first
            begin()

        self._session.app.after_render += first

    def messages(self) -> Iterator[str]:
        """Until Ctrl-D. Ctrl-C empties the line. Alt-Enter breaks it; a paste of many lines stays one message."""
        while True:
            try:
                # What is said meanwhile, by whatever thread, stands above the line and not in it.
                with patch_stdout(raw=True):
                    message = self._session.prompt("> ").strip()
            except KeyboardInterrupt:
                continue
            except EOFError:
                return
            if message:
                yield message


class _Completer(Completer):
    """Commands after a slash; titles and ids of papers anywhere."""

    def __init__(self, ready: Callable[[], Sequence[Talk]]) -> None:
        self._ready = ready
        self._names: tuple[str, ...] | None = None

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        typed = document.text_before_cursor
        if typed.startswith("/") and " " not in typed:
            for command, said in COMMANDS.items():
                if command.startswith(typed):
                    yield Completion(command, -len(typed), display_meta=said)
            return
        word = typed.rsplit(" ", 1)[-1].casefold()
        if len(word) < 2:
            return
        matching = (name for name in self._known() if name.casefold().startswith(word))
        for name, _ in zip(matching, range(_MOST_COMPLETIONS), strict=False):
            yield Completion(name, -len(word))

    def _known(self) -> tuple[str, ...]:
        if self._names is None:
            for talk in self._ready():
                self._names = talk.names()
        return self._names or ()


def _bindings() -> KeyBindings:
    bindings = KeyBindings()

    @bindings.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    return bindings


class _Typed(FileHistory):
    """What was typed, without secrets. A disk that is full costs the next conversation a line, and this one nothing."""

    def __init__(self, path: Path, secrets: Sequence[str | None]) -> None:
        self._secrets = secrets
        super().__init__(str(path))

    def store_string(self, string: str) -> None:
        with contextlib.suppress(OSError):
            super().store_string(private.without(string, self._secrets))


def _history(home: Path, secrets: Sequence[str | None]) -> History:
    """Kept in the home; in memory where that cannot be written."""
    try:
        return _Typed(private.file(home / "chat-history"), secrets)
    except OSError:
        return InMemoryHistory()
