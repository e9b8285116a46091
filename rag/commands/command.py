"""A command as a function: groups of options come in whole, what they set is in its `Run`, its exit code goes out.

@command
def papers(run: Run, *, where: Where, only: Only) -> int: ...
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from inspect import Parameter
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

from rag.commands.numbers import is_number
from rag.commands.options import Group
from rag.commands.run import Face
from rag.commands.run import run as in_terminal
from rag.settings import Settings
from rag.terminal import Terminal

if TYPE_CHECKING:
    from rag.assistant import Assistant
    from rag.corpus import Corpus

_T = TypeVar("_T", bound=Group)


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a command: what is set, where it prints, and whether as JSON."""

    settings: Settings
    terminal: Terminal
    json: bool = False

    def corpus(self) -> Corpus:
        from rag.corpus import Corpus

        return Corpus(self.settings, notify=self.terminal.note)

    def assistant(self) -> Assistant:
        from rag.assistant import Assistant

        return Assistant(self.settings, notify=self.terminal.note)

    def not_found(self, references: Iterable[str]) -> None:
        """Says which references stand for no paper."""
        from rag.followup.focus import short_name
        from rag.shipped import corpus_name

        library = self.corpus().library
        for each in references:
            if is_number(each):
                self.terminal.warn(f"the last answer has no source [{each.strip('[] ')}]; `citewell history` tells it")
                continue
            name = corpus_name(self.settings)
            near = library.named_like(each)
            hint = f"did you mean {short_name(near) or near.title}?" if near else "`citewell search` finds by words"
            self.terminal.warn(f"no paper {each!r} in corpus {name}; {hint}")


def command(function: Callable[..., int], *, json: bool = True) -> Callable[..., None]:
    """`function` as typer takes it: without its `Run`, each group opened into its options, those of the face last."""
    faces = [option for option in _options(Face) if json or option.name != "json"]
    _, *parameters = inspect.signature(function, eval_str=True).parameters.values()
    groups: dict[str, type[Group]] = {each.name: each.annotation for each in parameters if _is_group(each)}

    @functools.wraps(function, assigned=("__module__", "__name__", "__qualname__", "__doc__"))
    def called(**typed: Any) -> None:
        face = Face(**{option.name: typed.pop(option.name) for option in faces})
        if typed.get("form") == "json":  # --format json is --json, for errors too
            face = replace(face, json=True)
        made = {name: _taken(kind, typed) for name, kind in groups.items()}
        flags = {name: value for group in made.values() for name, value in group.flags().items()}

        def work(settings: Settings, terminal: Terminal) -> int:
            return function(Run(settings, terminal, face.json), **made, **typed)

        in_terminal(face, flags, work)

    called.__annotations__ = {}  # the signature says what typer is to read
    vars(called)["__signature__"] = inspect.Signature([*_opened(parameters), *faces])
    return called


plain_command = functools.partial(command, json=False)
"""One that has nothing to say as JSON."""


def _is_group(parameter: Parameter) -> bool:
    return isinstance(parameter.annotation, type) and issubclass(parameter.annotation, Group)


def _opened(parameters: Iterable[Parameter]) -> Iterator[Parameter]:
    for each in parameters:
        if _is_group(each):
            yield from _options(each.annotation)
        else:
            yield each.replace(kind=Parameter.KEYWORD_ONLY)


def _options(kind: type[Face | Group]) -> Iterator[Parameter]:
    annotations = get_type_hints(kind, include_extras=True)
    for each in fields(kind):
        yield Parameter(each.name, Parameter.KEYWORD_ONLY, default=each.default, annotation=annotations[each.name])


def _taken(kind: type[_T], typed: dict[str, Any]) -> _T:
    return kind(**{each.name: typed.pop(each.name) for each in fields(kind)})
