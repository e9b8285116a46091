"""The line where a person types: editing, history, completion, long pastes. The only user of prompt_toolkit."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import AnyFormattedText
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.patch_stdout import patch_stdout

from rag import private

_MOST_COMPLETIONS = 30
_HINT: AnyFormattedText = [("class:auto-suggestion", "/help lists the commands, Ctrl-D leaves")]
"""Stands in the first line until something is typed."""


class Prompt:
    """Yields what is typed. `commands` complete with what they do, `names` once the corpus is open; none before.

    `secrets` are blotted out of what the next conversations are offered again.
    """

    def __init__(
        self,
        home: Path,
        commands: Mapping[str, str],
        names: Callable[[], Sequence[str]],
        *,
        secrets: Sequence[str | None] = (),
    ) -> None:
        self._session: PromptSession[str] = PromptSession(
            history=_history(home, secrets),
            completer=_Completer(commands, names),
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
        hint: AnyFormattedText = _HINT
        while True:
            try:
                # What is said meanwhile, by whatever thread, stands above the line and not in it.
                with patch_stdout(raw=True):
                    message = self._session.prompt("> ", placeholder=hint).strip()
            except KeyboardInterrupt:
                continue
            except EOFError:
                return
            hint = ""
            if message:
                yield message


class _Completer(Completer):
    """Commands after a slash; titles and ids of papers anywhere."""

    def __init__(self, commands: Mapping[str, str], names: Callable[[], Sequence[str]]) -> None:
        self._commands, self._names = commands, names
        self._known: Sequence[str] = ()

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        typed = document.text_before_cursor
        if typed.startswith("/") and " " not in typed:
            for command, said in self._commands.items():
                if command.startswith(typed):
                    yield Completion(command, -len(typed), display_meta=said)
            return
        word = typed.rsplit(" ", 1)[-1].casefold()
        if len(word) < 2:
            return
        matching = (name for name in self._titles() if name.casefold().startswith(word))
        for name, _ in zip(matching, range(_MOST_COMPLETIONS), strict=False):
            yield Completion(name, -len(word))

    def _titles(self) -> Sequence[str]:
        """Asked for until there are any: a corpus is listed once."""
        self._known = self._known or self._names()
        return self._known


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
