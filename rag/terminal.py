"""The screen: colours, widths, links, progress. The only user of rich.

Text from documents reaches rich as `Text`, never as markup, with control characters already made visible.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TextIO

from rag.render.lines import Line, Span, one_line, to_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from rag.library.reports import Progress

MOST_COLUMNS = 100
_LEAST_COLUMNS = 20
"""Beside a label; where there are fewer, its text wraps below it."""
_STYLES = {
    "text": "",
    "claim": "",
    "number": "bold cyan",
    "title": "bold",
    "meta": "dim",
    "quote": "italic",
    "match": "italic underline",
    "note": "dim",
    "heading": "bold",
    "warning": "bold magenta",
}


class Terminal:
    """Writes lines to stdout and notes to stderr; styled only where a person looks at them."""

    def __init__(self, *, color: bool = True, quiet: bool = False, verbose: bool = False) -> None:
        self.quiet = quiet
        self.verbose = verbose
        self._color = color
        for stream in (sys.stdout, sys.stderr):
            _never_fail_to_encode(stream)

    @property
    def interactive(self) -> bool:
        return sys.stdout.isatty()

    def show(self, lines: Iterable[Line]) -> None:
        """Prints as they come: a generator's first line appears before its last is made."""
        if not self.interactive:
            for each in lines:
                sys.stdout.write(to_text([each]))
            sys.stdout.flush()
            return
        console = self._console(sys.stdout)
        for each in lines:
            _print_wrapped(console, each)

    def write(self, text: str) -> None:
        """One line to stdout as it is: JSON, exports."""
        sys.stdout.write(text + "\n")
        sys.stdout.flush()

    def note(self, text: str) -> None:
        """One line to stderr, unless -q."""
        if not self.quiet:
            self.warn(text)

    def detail(self, text: str) -> None:
        """One line to stderr, only with -v."""
        if self.verbose:
            self.warn(text)

    def warn(self, text: str) -> None:
        sys.stderr.write(one_line(text) + "\n")
        sys.stderr.flush()

    @contextlib.contextmanager
    def progress(self, title: str) -> Iterator[Callable[[Progress], None] | None]:
        """A progress bar on stderr while a person looks at it; None otherwise."""
        if self.quiet or not sys.stderr.isatty():
            yield None
            return
        from rich import progress as bars

        columns = (bars.TextColumn("{task.description}"), bars.BarColumn(), bars.MofNCompleteColumn())
        with bars.Progress(
            *columns, bars.TimeRemainingColumn(), console=self._console(sys.stderr), transient=True
        ) as bar:
            tasks: dict[str, bars.TaskID] = {}

            def update(step: Progress) -> None:
                if step.stage not in tasks:
                    tasks[step.stage] = bar.add_task(f"{title}: {step.stage}", total=step.total)
                bar.update(tasks[step.stage], completed=step.done, total=step.total)

            yield update

    def _console(self, stream: TextIO) -> Console:
        from rich.console import Console

        return Console(file=stream, no_color=not self._color, highlight=False, markup=False, emoji=False)


def _print_wrapped(console: Console, each: Line) -> None:
    from rich.padding import Padding
    from rich.text import Text

    if not each.spans:
        console.print()
        return
    width = min(console.width, MOST_COLUMNS)
    label, text = _styled(each.spans[: each.hang]), _styled(each.spans[each.hang :])
    indent = each.indent + label.cell_len
    if not each.hang or width - indent < _LEAST_COLUMNS:
        console.print(Padding(label + text, (0, 0, 0, each.indent), expand=False), width=width, soft_wrap=False)
        return
    for place, row in enumerate(text.wrap(console, width - indent, overflow="fold")):
        row.rstrip()
        before = Text(" " * each.indent) + label if place == 0 else Text(" " * indent)
        console.print(before + row, width=width, soft_wrap=False)


def _styled(spans: Iterable[Span]) -> Text:
    from rich.text import Text

    text = Text(overflow="fold")
    for span in spans:
        style = _STYLES[span.style]
        shown = span.text if span.text.isspace() else one_line_kept(span.text)
        text.append(shown, style=f"{style} link {span.link}".strip() if span.link else style)
    return text


def one_line_kept(text: str) -> str:
    """`one_line`, with the spaces at the end that part a span from the next."""
    return one_line(text + "|")[:-1]


def _never_fail_to_encode(stream: TextIO) -> None:
    """A terminal that cannot show a character shows its escape; it does not end the program."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
