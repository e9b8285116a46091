"""eval run, report, diff, bless, lint, selftest, score, init: is what citewell says still grounded?"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rag.commands import options
from rag.commands.run import Face, run
from rag.settings import Settings

if TYPE_CHECKING:
    from evals.report.figures import Figures
    from rag.terminal import Terminal

FAILED = 10
LOG = Path("citewell-eval.json")

_Log = Annotated[Path, typer.Argument(metavar="[LOG]", help="A log of `citewell eval run`.")]
_Gates = Annotated[
    Path | None,
    typer.Option("--gates", metavar="FILE", help="Gates to judge by [default: grounding/gates.toml, else citewell's]."),
]
_Advisory = Annotated[bool, typer.Option("--advisory", help="Judge the gates, but exit 0 when one fails.")]
_Questions = Annotated[
    list[Path] | None, typer.Option("--questions", metavar="PATH", help="Question files or folders; may be repeated.")
]
_CorpusPaths = Annotated[
    list[str] | None, typer.Option("--corpus", metavar="PATH|NAME", help="Files to index, or a synced corpus.")
]

app = typer.Typer(
    name="eval",
    help="""Grounding evals: run fixed questions, judge gates, compare runs.

    \b
    citewell eval run                     all questions, offline; exit 10 when a gate fails
    citewell eval report --html out.html
    citewell eval init                    gates for your own abstracts and questions
    """,
    no_args_is_help=True,
    rich_markup_mode=None,
)


def register(parent: typer.Typer) -> None:
    parent.add_typer(app)


@app.command("run")
def run_(
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="ID", help="Only these ids; * and ? match.")
    ] = None,
    kind: Annotated[list[str] | None, typer.Option("--kind", help="Only this kind; may be repeated.")] = None,
    split: Annotated[str | None, typer.Option("--split", help="Only fit or report.")] = None,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", help="Only the first N.")] = None,
    repeat: Annotated[int, typer.Option("--repeat", metavar="N", help="Ask every question N times.")] = 1,
    jobs: Annotated[int | None, typer.Option("--jobs", metavar="N", help="Processes [default: 2].")] = None,
    corpus: _CorpusPaths = None,
    questions: _Questions = None,
    model: Annotated[str | None, typer.Option("--model", help="The model to answer with [default: none].")] = None,
    embedder: options.Embedder = None,
    record: Annotated[Path | None, typer.Option("--record", metavar="FILE", help="Keep the model's replies.")] = None,
    replay: Annotated[Path | None, typer.Option("--replay", metavar="FILE", help="Answer from kept replies.")] = None,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The log.")] = LOG,
    gates: _Gates = None,
    advisory: _Advisory = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_color: options.NoColor = False,
) -> None:
    """Ask fixed questions, score every answer, judge the gates.

    \b
    citewell eval run
    citewell eval run --kind fact --limit 20
    citewell eval run --corpus abstracts/ --questions mine.jsonl -o mine.json
    citewell eval run --model gpt-4o-mini --record replies.jsonl; citewell eval run --replay replies.jsonl

    An interrupted run goes on where it stopped. Exits 10 when a gate fails, 11 when it could not measure.
    """

    def work(settings: Settings, terminal: Terminal) -> int:
        from dataclasses import replace

        from evals import session
        from evals.run import run as measure

        judged = _load_gates(gates)
        asked = session.Asked(
            *(tuple(only or ()), tuple(kind or ()), split, limit, repeat, jobs),
            *(tuple(corpus or ()), tuple(questions or ()), gates, record, replay),
        )
        if model is None:
            settings = replace(settings, model="none")
        with terminal.progress("eval") as bar:
            log = measure(session.plan(asked, settings, judged), output, _progress(bar))
        theirs = bool(questions or corpus) and gates is None
        return _tell(session.figures(log, None if theirs else judged), terminal, advisory=advisory, as_json=json)

    run(Face(json, quiet, verbose, no_color), {"embedder": embedder, "model": model}, work)


@app.command()
def report(
    log: _Log = LOG,
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="One self-contained page.")] = None,
    markdown: Annotated[Path | None, typer.Option("--markdown", metavar="FILE", help="For a summary.")] = None,
    junit: Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="JUnit XML.")] = None,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="One row a case.")] = None,
    gates: _Gates = None,
    advisory: _Advisory = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_color: options.NoColor = False,
) -> None:
    """Render a log: to the terminal, and to the files named.

    \b
    citewell eval report --html eval.html --junit eval.xml
    citewell eval report earlier.json --csv earlier.csv

    Appends Markdown to $GITHUB_STEP_SUMMARY when that is set. Exits as `run` does.
    """

    def work(settings: Settings, terminal: Terminal) -> int:
        from evals import log as logs
        from evals import session
        from evals.report import junit as xml
        from evals.report import markdown as md
        from evals.report import sheet

        figures = session.figures(logs.read(log), _load_gates(gates))
        _write(html, lambda: _page(figures))
        _write(markdown, lambda: md.render(figures))
        _write(junit, lambda: xml.render(figures))
        _write(csv, lambda: sheet.render(figures))
        return _tell(figures, terminal, advisory=advisory)

    run(Face(False, quiet, verbose, no_color), {}, work)


@app.command()
def diff(
    before: Annotated[Path, typer.Argument(help="The earlier log, or a baseline.")],
    after: Annotated[Path, typer.Argument(help="The later log.")],
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_color: options.NoColor = False,
) -> None:
    """Compare two runs case by case: what moved beyond the noise, and every case that turned.

    \b
    citewell eval diff main.json branch.json
    """

    def work(settings: Settings, terminal: Terminal) -> int:
        from evals import log as logs
        from evals.compare import compare, same_questions
        from evals.report import table

        old, new = logs.read_or_baseline(before), logs.read(after)
        same_questions(old, new)
        found = compare(old, new)
        _show(terminal, table.moved(found))
        _show(terminal, table.turned(found, len(found.turned)))
        terminal.note(f"{len(found.turned)} cases turned, {found.same} did not")
        return 0

    run(Face(False, quiet, verbose, no_color), {}, work)


@app.command()
def bless(
    log: _Log = LOG,
    gates: _Gates = None,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_color: options.NoColor = False,
) -> None:
    """Make a run the baseline that later runs are compared with.

    \b
    citewell eval run && citewell eval bless

    Refuses a run that left questions out, had errors, or asked other questions than the files hold now.
    """

    def work(settings: Settings, terminal: Terminal) -> int:
        from evals import baseline, session
        from evals import log as logs

        judged = _load_gates(gates)
        path = session.baseline_file(judged)
        baseline.bless(logs.read(log), path, session.question_fingerprint(judged))
        terminal.note(f"blessed: {path}")
        return 0

    run(Face(False, quiet, verbose, no_color), {}, work)


@app.command()
def lint(
    questions: Annotated[list[Path] | None, typer.Argument(metavar="[PATH]...", help="Question files.")] = None,
    corpus: Annotated[
        list[str] | None, typer.Option("--corpus", metavar="PATH", help="The papers they are about.")
    ] = None,
    gates: _Gates = None,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_color: options.NoColor = False,
) -> None:
    """Find what is wrong with question files: duplicates, unknown papers, gold that is not there, leaked answers.

    \b
    citewell eval lint
    citewell eval lint mine.jsonl --corpus abstracts/
    """

    def work(settings: Settings, terminal: Terminal) -> int:
        from evals import session

        found, count = session.linted(questions or (), corpus or (), _load_gates(gates))
        _show(terminal, map(str, found))
        errors = sum(each.weight == "error" for each in found)
        terminal.note(f"{count} questions: {errors} errors, {len(found) - errors} warnings")
        return FAILED if errors else 0

    run(Face(False, quiet, verbose, no_color), {}, work)


@app.command()
def selftest(
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_color: options.NoColor = False,
) -> None:
    """Try the scorers on good answers, and on the same answers harmed in known ways.

    Exits 10 when a harm does not move the metric it should, or moves another.
    """

    def work(settings: Settings, terminal: Terminal) -> int:
        from evals import session
        from evals.report import selftests

        moved = session.self_tested()
        _show(terminal, selftests.lines(moved))
        return FAILED if any(each.faults for each in moved) else 0

    run(Face(False, quiet, verbose, no_color), {}, work)


@app.command()
def score(
    file: Annotated[Path, typer.Argument(help="JSONL: question, answer with citation marks, passages; - is stdin.")],
    questions: _Questions = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="A log to report on.")] = None,
    gates: _Gates = None,
    advisory: _Advisory = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_color: options.NoColor = False,
) -> None:
    """Score answers that another assistant wrote.

    \b
    citewell eval score answers.jsonl
    citewell eval score answers.jsonl --questions mine.jsonl --gates gates.toml

    A line: {"question": "...", "answer": "... [1].", "passages": [{"id": "1", "text": "..."}]}; also what LlamaIndex's
    query engines and paper-qa return, as JSON. With --questions, answers are found by `id` or by the question's words.
    """

    def work(settings: Settings, terminal: Terminal) -> int:
        from evals import log as logs
        from evals import scoring, session

        scored = scoring.score_file(file, tuple(questions or ()))
        if output:
            logs.write(output, scored)
        judged = _load_gates(gates) if gates else None
        return _tell(session.figures(scored, judged), terminal, advisory=advisory, as_json=json)

    run(Face(json, quiet, verbose, no_color), {}, work)


@app.command()
def init(
    corpus: Annotated[Path, typer.Argument(help="The abstracts: a file or a folder.")],
    folder: Annotated[Path, typer.Option("--into", help="The repository to write into.")] = Path(),
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_color: options.NoColor = False,
) -> None:
    """Write a question file, gates and a GitHub workflow into a repository, and say what to do next.

    \b
    citewell eval init abstracts/
    """

    def work(settings: Settings, terminal: Terminal) -> int:
        from evals import newcomer

        _show(terminal, newcomer.write(folder, corpus))
        return 0

    run(Face(False, quiet, verbose, no_color), {}, work)


def _load_gates(path: Path | None) -> Any:
    from evals import gates, session

    return gates.load(session.gates_file(path))


def _tell(figures: Figures, terminal: Terminal, *, advisory: bool, as_json: bool = False) -> int:
    """Prints the run and its gates; the exit code they come to."""
    from evals import gates
    from evals.report import markdown, table

    if as_json:
        from rag.render import jsonable

        told = [
            {"name": each.name, "metric": each.metric, "state": each.state, "why": each.why} for each in figures.gates
        ]
        terminal.write(jsonable.dumps({"schema_version": 1, "summary": figures.log["summary"], "gates": told}))
    else:
        _show(terminal, table.lines(figures, verbose=terminal.verbose))
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(markdown.render(figures))
    code = gates.exit_code(figures.gates)
    if code == FAILED and advisory:
        terminal.note("advisory: gates failed, exit 0 all the same")
        return 0
    return code


def _page(figures: Figures) -> str:
    from evals.report import page

    return page.render(figures)


def _write(path: Path | None, render: Callable[[], str]) -> None:
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(render(), "utf-8")


def _show(terminal: Terminal, lines: Iterable[str]) -> None:
    from rag.render.lines import line

    terminal.show(line(each) for each in lines)


def _progress(bar: Callable[[Any], None] | None) -> Callable[[int, int], None]:
    from rag.library.reports import Progress

    def update(done: int, total: int) -> None:
        if bar is not None:
            bar(Progress("read", done, total))

    return update
