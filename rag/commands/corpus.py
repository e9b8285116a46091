"""sync, move, papers, show, doctor: what the corpus holds, and whether it is whole."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from rag.commands.command import Run, command
from rag.commands.numbers import named
from rag.commands.options import ModelName, Only, Store, Where
from rag.commands.run import NOTHING_FOUND
from rag.errors import Unreadable

if TYPE_CHECKING:
    from rag.library.reports import SyncReport
    from rag.terminal import Terminal

_MOST_PROBLEMS = 20


def register(app: typer.Typer) -> None:
    for each in (sync, move, papers, show, doctor):
        app.command()(each)


@command
def sync(
    run: Run,
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH...", help="Files, folders, globs, or - for standard input.")
    ],
    *,
    where: Where,
    store: Store,
    allow_empty: Annotated[bool, typer.Option("--allow-empty", help="Let an empty input empty the corpus.")] = False,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Make the corpus anew, whatever is there.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 5 when any record could not be read.")] = False,
) -> int:
    """Make the corpus match these files: what is new goes in, what is gone out.

    \b
    citewell sync papers.bib
    citewell sync exports/ "more/*.jsonl.gz" --corpus thesis
    curl -s https://example.org/papers.jsonl | citewell sync - --corpus feed

    Reads plain text, JSON, JSONL, CSV, TSV, BibTeX, RIS, Web of Science, PubMed .nbib and arXiv Atom,
    told apart by content, .gz too.
    Records that cannot be read are listed with their file and line; all others go in.
    """
    from rag.render import jsonable

    with run.terminal.progress("sync") as progress:
        report = run.corpus().sync(
            paths, stdin=sys.stdin.buffer, allow_empty=allow_empty, rebuild=rebuild, progress=progress
        )
    if run.json:
        run.terminal.write(jsonable.dumps(jsonable.sync_report(report)))
    else:
        _show_report(report, run.terminal)
    return Unreadable.exit_code if strict and report.problems else 0


def _show_report(report: SyncReport, terminal: Terminal) -> None:
    from rag.render.lines import line

    for mended in report.healed:
        terminal.note(mended)
    for problem in report.problems[:_MOST_PROBLEMS]:
        terminal.warn(f"not read: {problem}")
    if len(report.problems) > _MOST_PROBLEMS:
        terminal.warn(f"not read: {len(report.problems) - _MOST_PROBLEMS} more; --json lists them all")
    counts = ", ".join(f"{getattr(report, name)} {name}" for name in ("added", "changed", "unchanged", "removed"))
    unread = f", {len(report.problems)} unreadable" if report.problems else ""
    terminal.show([line(f"corpus {report.corpus}: {counts}{unread} ({report.seconds:.1f} s)")])


@command
def move(
    run: Run,
    to: Annotated[str, typer.Argument(metavar="URL|local", help="A Chroma server, or this machine.")],
    *,
    where: Where,
) -> int:
    """Move a corpus's vectors to a Chroma server, or back.

    \b
    citewell move http://10.0.0.5:8000 --corpus thesis
    CITEWELL_STORE_TOKEN=... citewell move https://host/tenant/database
    citewell move local

    The catalogue stays on this machine; only the vectors and their index move, and nothing is embedded again. Until it
    is done, the old place serves.
    """
    from rag.render import jsonable
    from rag.render.lines import line
    from rag.shipped import corpus_name

    place = None if to == "local" else to
    with run.terminal.progress("move") as progress:
        run.corpus().move(place, progress=progress)
    name = corpus_name(run.settings)
    if run.json:
        run.terminal.write(jsonable.dumps({"corpus": name, "store": place}))
    else:
        now = f"on {place}" if place else "on this machine"
        run.terminal.show([line(f"corpus {name}: its vectors are now {now}")])
    return 0


@command
def papers(run: Run, *, where: Where, only: Only) -> int:
    """List the papers of the corpus, one a line.

    \b
    citewell papers --year 2026 --venue ICML
    citewell papers --json | jq -r .paper_id
    """
    from rag.render import jsonable
    from rag.render import papers as rendered

    count = 0
    for paper in run.corpus().papers(only.filters()):
        count += 1
        if run.json:
            run.terminal.write(jsonable.dumps(jsonable.paper(paper)))
        else:
            run.terminal.show([rendered.listed(paper)])
    if not count:
        run.terminal.note("no paper matches")
    return 0 if count else NOTHING_FOUND


@command
def show(
    run: Run,
    papers: Annotated[
        list[str],
        typer.Argument(metavar="ID...", help="Ids, titles, system names, DOIs, URLs, numbers of the last answer."),
    ],
    *,
    where: Where,
) -> int:
    """Show a paper with its sentences and their offsets.

    \b
    citewell show DFlash
    citewell show openreview:Oz335dV48X --json
    citewell ask "Which papers propose samplers?" && citewell show 2
    """
    from rag.render import jsonable
    from rag.render import papers as rendered

    corpus = run.corpus()
    found, unknown = corpus.resolve(named(run.settings, papers))
    for number, paper in enumerate(found):
        if run.json:
            run.terminal.write(jsonable.dumps(jsonable.paper(paper)))
        else:
            run.terminal.show([*rendered.gap(number), *rendered.paper(paper, corpus.sentences(paper))])
    run.not_found(unknown)
    return NOTHING_FOUND if unknown else 0


@command
def doctor(
    run: Run,
    *,
    where: Where,
    model: ModelName,
    repair: Annotated[bool, typer.Option("--repair", help="Mend what can be mended without the source files.")] = False,
) -> int:
    """Say what works here, what does not, and why.

    \b
    citewell doctor
    citewell doctor --corpus thesis --repair

    Exits 5 when the corpus is damaged, 4 when a model was asked for and does not answer.
    """
    from rag.doctor import examine
    from rag.render import answers, jsonable

    examination = examine(run.settings, repair=repair)
    if run.json:
        run.terminal.write(jsonable.dumps({"findings": [jsonable.finding(each) for each in examination.findings]}))
    else:
        run.terminal.show(answers.examination(examination.findings))
    return examination.exit_code
