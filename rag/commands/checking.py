"""check: does this corpus support a text someone wrote?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from rag.commands.command import Run, command
from rag.commands.files import write_file
from rag.commands.options import Where, Written
from rag.commands.run import NOTHING_FOUND
from rag.errors import CitewellError, Unreadable, UsageError

if TYPE_CHECKING:
    from rag.checking import CheckedText
    from rag.manuscript import Manuscript, Reference, Source
    from rag.terminal import Terminal

Format = Literal["text", "md", "tex", "json", "html"]
_FORMATS = ("text", "md", "tex", "json", "html")
_MOST_BIB_BYTES = 32 * 2**20

_FILES = typer.Argument(
    metavar="FILE...", help="Plain text, markdown or LaTeX; - reads standard input.", show_default=False
)
_BIB = typer.Option(
    "--bib", metavar="FILE", help=r"A .bib for the keys cited; what \bibliography names is found by itself."
)


@dataclass(frozen=True, slots=True)
class CheckForm(Written):
    """Of a checked text: by itself, or as comments in a copy of it."""

    form: Annotated[
        str | None,
        typer.Option("--format", metavar="FORM", help="text, md or tex (the file itself with comments), json, html."),
    ] = None
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write there, not to stdout; its name may say the format."),
    ] = None


def register(app: typer.Typer) -> None:
    app.command(short_help="Does the corpus support a text someone wrote?")(check)


@command
def check(
    run: Run,
    files: Annotated[list[str], _FILES],
    bib: Annotated[list[str] | None, _BIB] = None,
    written_in: Annotated[
        str | None,
        typer.Option("--from", metavar="FORM", help="plain, markdown or latex, where the name does not say."),
    ] = None,
    flagged: Annotated[bool, typer.Option("--flagged", help="Show only what someone should look at.")] = False,
    max_risk: Annotated[
        float | None,
        typer.Option("--max-risk", metavar="P", help="Call less supported: a bound on a wrong sentence passing."),
    ] = None,
    *,
    written: CheckForm,
    where: Where,
) -> int:
    """Does the corpus support a text someone wrote? A verdict a sentence, a verdict a citation; no model is called.

    \b
    citewell check related_work.tex
    citewell check draft.md --format md -o draft.md      the verdicts as comments, nothing else changed
    pbpaste | citewell check - --json

    Supported (by which words of which paper), contradicted, not found, or not checkable (a question, an opinion).
    Citations (\\cite, [@key], (Chen et al., 2026), numbers with a list) are right, of the wrong paper, or unknown.
    Exits 3 when anything is contradicted, not found or wrongly cited.
    """
    from rag.manuscript.source import form_named

    named = form_named(written_in)
    form = cast(Format, written.chosen(_FORMATS, as_json=run.json))
    if form in ("md", "tex") and written.output and len(files) > 1:
        raise UsageError("several annotated files do not go into one", "check them one at a time")
    if max_risk is not None and not 0 <= max_risk <= 1:
        raise UsageError(f"--max-risk {max_risk:g} is no probability", "give a number from 0 to 1")
    listed = [reference for file in bib or () for reference in _bibliography(Path(file))]
    checker = _Checker(run, form, listed, max_risk)
    values = [value for file in files if (value := checker.check(file, named)) is not None]
    _write(values, form, written.output, run.terminal, flagged_only=flagged)
    flags = sum(len(value.flagged) for value in values)
    return checker.failure or (NOTHING_FOUND if flags else 0)


class _Checker:
    """Checks file after file; one that cannot be read costs only itself, and the exit code."""

    def __init__(self, run: Run, form: Format, listed: Sequence[Reference], max_risk: float | None) -> None:
        self._assistant, self._terminal = run.assistant(), run.terminal
        self._format, self._listed, self._max_risk = form, tuple(listed), max_risk
        self.failure = 0

    def check(self, file: str, named: str | None) -> CheckedText | None:
        """None where it cannot be read."""
        from rag.manuscript import read
        from rag.manuscript.source import form_named

        try:
            source = self._source(file, form_named(named))
        except Unreadable as error:
            self._terminal.warn(f"citewell: {error.line}")
            self.failure = error.exit_code
            return None
        manuscript = read(source)
        references = (*self._listed, *self._named(manuscript, file))
        with self._terminal.progress(source.name) as progress:
            return self._assistant.check(
                manuscript, references=references, max_risk=self._max_risk, step=_stepping(progress)
            )

    def _source(self, file: str, named: object) -> Source:
        from rag.manuscript import Form, decode
        from rag.manuscript.annotations import strip

        source = decode(_read(file), "standard input" if file == "-" else file, cast("Form | None", named))
        if self._format not in ("md", "tex"):
            return source
        if (source.form == "latex") is not (self._format == "tex"):
            right = "tex" if source.form == "latex" else "md"
            raise UsageError(
                f"{source.name} is {source.form}: comments go into it as --format {right}", "or see --from"
            )
        return replace(source, text=strip(source.text, source.form))

    def _named(self, manuscript: Manuscript, file: str) -> list[Reference]:
        r"""The entries of the files that `\bibliography` names, beside the manuscript."""
        found: list[Reference] = []
        folder = Path() if file == "-" else Path(file).parent
        for name in manuscript.layout.bibliographies:
            path = folder / (name if name.lower().endswith(".bib") else f"{name}.bib")
            try:
                found += _bibliography(path)
            except CitewellError as error:
                self._terminal.note(f"citewell: {error.message}; its keys are matched by what they say")
        return found


def _stepping(progress: Callable[..., None] | None) -> Callable[[int, int], None]:
    from rag.library.reports import Progress

    def step(done: int, total: int) -> None:
        if progress is not None:
            progress(Progress("sentences", done, total))

    return step


def _read(file: str) -> bytes:
    """At most one byte more than may be: what is too large is then refused without being read. Raises Unreadable."""
    from rag.manuscript.source import MOST_BYTES

    if file == "-":
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    return _bytes(Path(file), MOST_BYTES + 1)


def _bytes(path: Path, most: int) -> bytes:
    if path.is_dir():
        raise Unreadable(f"{path} is a folder", "name the files in it")
    if path.exists() and not path.is_file():
        raise Unreadable(f"{path} is no regular file", "give it on standard input: citewell check - < FILE")
    try:
        with path.open("rb") as stream:
            return stream.read(most)
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {error.strerror}", "check its name and permissions") from error


def _bibliography(path: Path) -> tuple[Reference, ...]:
    from rag.manuscript.references import bibliography

    raw = _bytes(path, _MOST_BIB_BYTES + 1)
    if len(raw) > _MOST_BIB_BYTES:
        raise Unreadable(f"{path} has over {_MOST_BIB_BYTES // 2**20} MB", "give the part that is cited")
    return bibliography(raw)


def _write(
    values: Sequence[CheckedText], form: Format, output: str | None, terminal: Terminal, *, flagged_only: bool
) -> None:
    from rag.render import checked

    if form == "text" and output is None:
        for value in values:
            terminal.show(checked.report(value, flagged_only=flagged_only))
        return
    made = _made(values, form, flagged_only=flagged_only)
    if output is not None:
        write_file(output, made.encode())
        terminal.note("; ".join(f"{value.source.name}: {checked.summary(value)}" for value in values))
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(made.encode())
    sys.stdout.buffer.flush()


def _made(values: Sequence[CheckedText], form: Format, *, flagged_only: bool) -> str:
    from rag.render import checked
    from rag.render.jsonable import dumps
    from rag.render.lines import to_text

    if form == "text":
        return "".join(to_text(checked.report(value, flagged_only=flagged_only)) for value in values)
    if form == "json":
        return "".join(f"{dumps(checked.json_of(value))}\n" for value in values)
    if form == "html":
        from rag.render.checked_page import page

        return page(values)
    return "".join(checked.annotated(value) for value in values)
