"""sync, move, papers, show, doctor: what the corpus holds, and whether it is whole."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from rag.commands import options
from rag.commands.run import NOTHING_FOUND, Face, run
from rag.errors import Unreadable
from rag.settings import Settings

if TYPE_CHECKING:
    from rag.library.reports import SyncReport
    from rag.terminal import Terminal

_PATHS = typer.Argument(metavar="PATH...", help="Files, folders, globs, or - for standard input.")
_MOST_PROBLEMS = 20


def register(app: typer.Typer) -> None:
    for command in (sync, move, papers, show, doctor):
        app.command()(command)


def sync(
    paths: Annotated[list[str], _PATHS],
    corpus: options.Corpus = None,
    embedder: options.Embedder = None,
    store: options.Store = None,
    allow_empty: Annotated[bool, typer.Option("--allow-empty", help="Let an empty input empty the corpus.")] = False,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Make the corpus anew, whatever is there.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 5 when any record could not be read.")] = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_color: options.NoColor = False,
) -> None:
    """Make the corpus match these files: new papers in, changed ones anew, those gone out.

    \b
    citewell sync papers.bib
    citewell sync exports/ "more/*.jsonl.gz" --corpus thesis
    curl -s https://example.org/papers.jsonl | citewell sync - --corpus feed

    Reads plain text, JSON, JSONL, CSV, TSV, BibTeX, RIS, PubMed .nbib and arXiv Atom, told apart by content, .gz too.
    Records that cannot be read are listed with their file and line; all others go in.
    """

    def work(settings: Settings, terminal: Terminal) -> int:
        from rag.corpus import Corpus

        with terminal.progress("sync") as progress:
            report = Corpus(settings, notify=terminal.note).sync(
                paths, stdin=sys.stdin.buffer, allow_empty=allow_empty, rebuild=rebuild, progress=progress
            )
        _print_report(report, terminal, as_json=json)
        return Unreadable.exit_code if strict and report.problems else 0

    run(Face(json, quiet, verbose, no_color), {"corpus": corpus, "embedder": embedder, "store": store}, work)


def move(
    to: Annotated[str, typer.Argument(metavar="URL|local", help="A Chroma server, or this machine.")],
    corpus: options.Corpus = None,
    embedder: options.Embedder = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_color: options.NoColor = False,
) -> None:
    """Move a corpus's vectors to a Chroma server, or back, without embedding anything again.

    \b
    citewell move http://10.0.0.5:8000 --corpus thesis
    CITEWELL_STORE_TOKEN=... citewell move https://host/tenant/database
    citewell move local

    The catalogue stays on this machine; only the vectors and their index move. Until it is done, the old place serves.
    """

    def work(settings: Settings, terminal: Terminal) -> int:
        from rag.corpus import Corpus
        from rag.render import jsonable
        from rag.render.lines import line
        from rag.shipped import corpus_name

        place = None if to == "local" else to
        with terminal.progress("move") as progress:
            Corpus(settings, notify=terminal.note).move(place, progress=progress)
        name = corpus_name(settings)
        if json:
            terminal.write(jsonable.dumps({"corpus": name, "store": place}))
        else:
            terminal.show([line(f"corpus {name}: its vectors are now {f'on {place}' if place else 'on this machine'}")])
        return 0

    run(Face(json, quiet, verbose, no_color), {"corpus": corpus, "embedder": embedder}, work)


def _print_report(report: SyncReport, terminal: Terminal, *, as_json: bool) -> None:
    if as_json:
        from rag.render import jsonable

        terminal.write(jsonable.dumps(jsonable.sync_report(report)))
        return
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


def papers(
    corpus: options.Corpus = None,
    year: options.Year = None,
    venue: options.Venue = None,
    author: options.Author = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_color: options.NoColor = False,
) -> None:
    """List the papers of the corpus, one a line.

    \b
    citewell papers --year 2026 --venue ICML
    citewell papers --json | jq -r .paper_id
    """

    def work(settings: Settings, terminal: Terminal) -> int:
        from rag.corpus import Corpus
        from rag.render import answers, jsonable

        filters = options.filters(year, venue, author)
        count = 0
        for paper in Corpus(settings, notify=terminal.note).papers(filters):
            count += 1
            if json:
                terminal.write(jsonable.dumps(jsonable.paper(paper)))
            else:
                terminal.show([answers.listed(paper)])
        if not count:
            terminal.note("no paper matches")
        return 0 if count else NOTHING_FOUND

    run(Face(json, quiet, verbose, no_color), {"corpus": corpus}, work)


def show(
    papers: Annotated[list[str], typer.Argument(metavar="ID...", help="Ids, titles, system names, DOIs or URLs.")],
    corpus: options.Corpus = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_color: options.NoColor = False,
) -> None:
    """Show a paper with its sentences and their offsets.

    \b
    citewell show DFlash
    citewell show openreview:Oz335dV48X --json
    """

    def work(settings: Settings, terminal: Terminal) -> int:
        from rag.corpus import Corpus
        from rag.render import answers, jsonable

        kept = Corpus(settings, notify=terminal.note)
        found, unknown = kept.resolve(papers)
        for number, paper in enumerate(found):
            if json:
                terminal.write(jsonable.dumps(jsonable.paper(paper)))
            else:
                terminal.show([*answers.gap(number), *answers.paper(paper, kept.sentences(paper))])
        for reference in unknown:
            terminal.warn(f"no paper {reference!r} in corpus {settings.corpus}; `citewell search` finds by words")
        return NOTHING_FOUND if unknown else 0

    run(Face(json, quiet, verbose, no_color), {"corpus": corpus}, work)


def doctor(
    corpus: options.Corpus = None,
    embedder: options.Embedder = None,
    model: options.Model = None,
    repair: Annotated[bool, typer.Option("--repair", help="Mend what can be mended without the source files.")] = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_color: options.NoColor = False,
) -> None:
    """Say what works here, what does not, and why.

    \b
    citewell doctor
    citewell doctor --corpus thesis --repair

    Exits 5 when the corpus is damaged, 4 when a model was asked for and does not answer.
    """

    def work(settings: Settings, terminal: Terminal) -> int:
        from rag.corpus import Corpus
        from rag.render import answers, jsonable

        examination = Corpus(settings, notify=terminal.note).doctor(repair=repair)
        if json:
            found = [jsonable.finding(finding) for finding in examination.findings]
            terminal.write(jsonable.dumps({"findings": found}))
        else:
            terminal.show(answers.examination(examination.findings))
        return examination.exit_code

    run(Face(json, quiet, verbose, no_color), {"corpus": corpus, "embedder": embedder, "model": model}, work)
