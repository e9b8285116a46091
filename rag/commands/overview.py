"""summarise and compare: a topic across papers, and papers side by side."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from rag.commands.command import Run, command
from rag.commands.files import write_bibliography, write_file
from rag.commands.numbers import shown
from rag.commands.options import Bib, Only, Where, Writing, Written
from rag.commands.run import NOTHING_FOUND
from rag.errors import ModelError, UsageError

if TYPE_CHECKING:
    from rag.summarise.nouns import Comparison, Summary
    from rag.terminal import Terminal

_SUMMARY_FORMS = ("text", "md", "json", "html")
_TABLE_FORMS = ("table", "md", "csv", "json", "html")


@dataclass(frozen=True, slots=True)
class SummaryForm(Written):
    """Of a summary, and the bibliography beside it."""

    form: Annotated[
        str | None,
        typer.Option("--format", metavar="FORM", help="text, md, json or html [default: by -o, else text]."),
    ] = None
    bib: Bib = None


@dataclass(frozen=True, slots=True)
class TableForm(Written):
    """Of a comparison, and the bibliography beside it."""

    form: Annotated[
        str | None,
        typer.Option("--format", metavar="FORM", help="table, md, csv, json or html [default: by -o, else table]."),
    ] = None
    bib: Bib = None


def register(app: typer.Typer) -> None:
    app.command(short_help="A topic across papers, in themes, with a table.")(summarise)
    app.command("summarize", hidden=True)(summarise)
    app.command(short_help="Papers side by side, each cell quoted.")(compare)


@command
def summarise(
    run: Run,
    topic: Annotated[list[str], typer.Argument(help="The topic, in words or as a question.")],
    papers: Annotated[
        int | None,
        typer.Option("--papers", min=1, metavar="N", help="At most so many papers [default: those that belong]."),
    ] = None,
    tokens: Annotated[
        int | None, typer.Option("--tokens", min=1, metavar="N", help="Budget of a model's tokens [default: 60000].")
    ] = None,
    *,
    written: SummaryForm,
    where: Where,
    only: Only,
    writing: Writing,
) -> int:
    """Summarise a topic across papers: themes, agreements, differences, a table, and what was left out and why.

    \b
    citewell summarise "speculative decoding"
    citewell summarise "offline reinforcement learning" --papers 20 --year 2026 -o offline.html --bib offline.bib

    Exits 3 when the corpus does not cover the topic, 4 when the model fails; stdout then holds the quoted summary.
    """
    form = written.chosen(_SUMMARY_FORMS, as_json=run.json)
    filters = only.filters()
    with run.terminal.progress("summarise") as progress:
        found = run.assistant().summarise(
            _words(topic), filters=filters, papers=papers, tokens=tokens, progress=progress
        )
    _print_summary(found, form, written.output, run.terminal)
    if found.sources:
        write_bibliography(written.bib, [source.paper for source in found.sources], run.terminal)
    if found.status == "abstained":
        return NOTHING_FOUND
    return ModelError.exit_code if found.model_failed else 0


def _words(topic: list[str]) -> str:
    text = " ".join(sys.stdin.read() if word == "-" else word for word in topic).strip()
    if not text:
        raise UsageError("no topic was named", 'write it in quotes: citewell summarise "speculative decoding"')
    return text


def _print_summary(found: Summary, form: str, output: str | None, terminal: Terminal) -> None:
    from rag.render import jsonable, summary, summary_forms
    from rag.render.lines import to_text

    if form == "text" and output is None:
        terminal.show(summary.summary(found))
        return
    if form == "text":
        text = to_text(summary.summary(found))
    elif form == "json":
        text = jsonable.dumps(summary_forms.json(found))
    else:
        text = summary_forms.html(found) if form == "html" else summary_forms.markdown(found)
    _put(text, output, terminal)


def _put(text: str, output: str | None, terminal: Terminal) -> None:
    if output is None:
        terminal.write(text.rstrip("\n"))
        return
    write_file(output, text if text.endswith("\n") else f"{text}\n")
    terminal.note(f"written to {output}")


@command
def compare(
    run: Run,
    papers: Annotated[
        list[str],
        typer.Argument(
            metavar="ID...",
            help="Ids, titles, system names, DOIs, URLs, numbers of the last answer; or a question.",
        ),
    ],
    columns: Annotated[
        str | None,
        typer.Option(
            "--columns", metavar="A,B", help="Columns, ours or any words [default: problem,method,data,result,code]."
        ),
    ] = None,
    *,
    written: TableForm,
    where: Where,
) -> int:
    """Compare papers: each cell is quoted from its paper, or says "not stated".

    \b
    citewell compare DFlash MuLoCo
    citewell compare DFlash MuLoCo --columns "speedup,baseline,venue" -o table.csv
    citewell compare "How do DFlash and MuLoCo differ?"

    Exits 3 when a reference stands for no paper; the others are compared.
    """
    form = written.chosen(_TABLE_FORMS, as_json=run.json)
    chosen = _columns(columns)
    found = run.assistant().compare(papers, columns=chosen, shown=shown(run.settings, papers))
    run.not_found(found.unknown)
    if not found.unknown and len(found.rows) < 2:
        raise UsageError("that is one paper", "name two to compare, or `citewell show` it")
    if found.rows or form == "json":
        _print_comparison(found, form, written.output, run.terminal)
        write_bibliography(written.bib, [source.paper for source in found.sources], run.terminal)
    return NOTHING_FOUND if found.unknown else 0


def _columns(columns: str | None) -> tuple[str, ...]:
    if columns is None:
        return ()
    found = tuple(name.strip() for name in columns.split(",") if name.strip())
    if not found:
        raise UsageError("--columns names no column", "for example --columns problem,result")
    return found


def _print_comparison(found: Comparison, form: str, output: str | None, terminal: Terminal) -> None:
    from rag.render import comparison, jsonable
    from rag.render.lines import to_text

    if form == "table" and output is None:
        terminal.show(comparison.comparison(found))
        return
    if form == "table":
        text = to_text(comparison.comparison(found))
    elif form == "json":
        text = jsonable.dumps(comparison.json(found))
    elif form == "csv":
        text = comparison.csv_table(found)
    else:
        text = comparison.html(found) if form == "html" else comparison.markdown(found)
    _put(text, output, terminal)
