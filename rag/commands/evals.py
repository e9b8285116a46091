"""eval run, report, diff, bless: is what citewell says still grounded? The other eval commands are in eval_tools."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rag.commands import eval_tools
from rag.commands.command import Run, command, plain_command
from rag.commands.options import Embedding, Group, ModelName
from rag.commands.verdict import FAILED, Gates, Judging, Questions, load_gates, show, tell
from rag.settings import NO_MODEL

if TYPE_CHECKING:
    from evals.report.figures import Figures

LOG = Path("citewell-eval.json")

_Log = Annotated[Path, typer.Argument(metavar="[LOG]", help="A log of `citewell eval run`.")]


@dataclass(frozen=True, slots=True)
class Cases(Group):
    """Which questions are asked, and how often."""

    only: Annotated[list[str] | None, typer.Option("--only", metavar="ID", help="Only these ids; * and ? match.")] = (
        None
    )
    kind: Annotated[
        list[str] | None, typer.Option("--kind", metavar="KIND", help="Only this kind; may be repeated.")
    ] = None
    split: Annotated[str | None, typer.Option("--split", metavar="SPLIT", help="Only fit or report.")] = None
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", help="Only the first N.")] = None
    repeat: Annotated[int, typer.Option("--repeat", metavar="N", help="Ask every question N times.")] = 1
    jobs: Annotated[int | None, typer.Option("--jobs", metavar="N", help="Processes [default: 2].")] = None


@dataclass(frozen=True, slots=True)
class Material(Group):
    """The questions, and the papers they are asked of."""

    over: Annotated[
        list[str] | None,
        typer.Option("--corpus", metavar="PATH|NAME", help="Files to index, or a synced corpus."),
    ] = None
    questions: Questions = None


@dataclass(frozen=True, slots=True)
class Replies(Group):
    """A model's replies, kept or used again."""

    record: Annotated[Path | None, typer.Option("--record", metavar="FILE", help="Keep the model's replies.")] = None
    replay: Annotated[Path | None, typer.Option("--replay", metavar="FILE", help="Answer from kept replies.")] = None


@dataclass(frozen=True, slots=True)
class Renderings(Group):
    """The files a report goes into."""

    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="One self-contained page.")] = None
    markdown: Annotated[Path | None, typer.Option("--markdown", metavar="FILE", help="For a summary.")] = None
    junit: Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="JUnit XML.")] = None
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="One row a case.")] = None


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
    for each in eval_tools.COMMANDS:
        app.command()(each)
    parent.add_typer(app)


@app.command("run")
@command
def run_(
    run: Run,
    *,
    which: Cases,
    material: Material,
    replies: Replies,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The log.")] = LOG,
    judging: Judging,
    embedding: Embedding,
    answering: ModelName,
) -> int:
    """Ask fixed questions, score every answer, judge the gates.

    \b
    citewell eval run
    citewell eval run --kind fact --limit 20
    citewell eval run --corpus abstracts/ --questions mine.jsonl -o mine.json
    citewell eval run --model gpt-4o-mini --record replies.jsonl; citewell eval run --replay replies.jsonl

    An interrupted run goes on where it stopped. Exits 10 when a gate fails, 11 when it could not measure.
    """

    from evals.command import session
    from evals.running.run import run as measure

    judged = load_gates(judging.gates)
    asked = session.Asked(
        only=tuple(which.only or ()),
        kinds=tuple(which.kind or ()),
        split=which.split,
        limit=which.limit,
        repeat=which.repeat,
        jobs=which.jobs,
        corpus=tuple(material.over or ()),
        questions=tuple(material.questions or ()),
        record=replies.record,
        replay=replies.replay,
    )
    # The environment's model is for questions: a gate is judged without one unless it is asked for.
    settings = run.settings if answering.model else replace(run.settings, model=NO_MODEL)
    with run.terminal.progress("eval") as bar:
        log = measure(session.plan(asked, settings, judged), output, _progress(bar))
    theirs = bool(asked.questions or asked.corpus) and judging.gates is None
    figures = session.figures(log, None if theirs else judged)
    return tell(figures, run.terminal, advisory=judging.advisory, as_json=run.json)


@app.command()
@plain_command
def report(
    run: Run,
    log: _Log = LOG,
    *,
    into: Renderings,
    judging: Judging,
) -> int:
    """Render a log: to the terminal, and to the files named.

    \b
    citewell eval report --html eval.html --junit eval.xml
    citewell eval report earlier.json --csv earlier.csv

    Appends Markdown to $GITHUB_STEP_SUMMARY when that is set. Exits as `run` does.
    """

    from evals.command import session
    from evals.gate import log as logs
    from evals.report import junit as xml
    from evals.report import markdown as md
    from evals.report import sheet

    figures = session.figures(logs.read(log), load_gates(judging.gates))
    _write(into.html, lambda: _page(figures))
    _write(into.markdown, lambda: md.render(figures))
    _write(into.junit, lambda: xml.render(figures))
    _write(into.csv, lambda: sheet.render(figures))
    return tell(figures, run.terminal, advisory=judging.advisory)


@app.command()
@plain_command
def diff(
    run: Run,
    before: Annotated[Path, typer.Argument(help="The earlier log, or a baseline.")],
    after: Annotated[Path, typer.Argument(help="The later log.")],
    same: Annotated[
        bool, typer.Option("--same", help="Exit 10 unless the logs are byte-equal but for their times.")
    ] = False,
) -> int:
    """Compare two runs case by case: what moved beyond the noise, and every case that turned.

    \b
    citewell eval diff main.json branch.json
    citewell eval run -o a.json; citewell eval run -o b.json; citewell eval diff --same a.json b.json
    """

    from evals.gate import log as logs
    from evals.gate.compare import compare, same_questions
    from evals.report import table

    if same:
        unlike = logs.unlike(logs.read(before), logs.read(after))
        run.terminal.note(f"not the same: {', '.join(unlike[:20])}" if unlike else "the same but for times")
        return FAILED if unlike else 0
    old, new = logs.read_or_baseline(before), logs.read(after)
    same_questions(old, new)
    found = compare(old, new)
    show(run.terminal, table.moved(found))
    show(run.terminal, table.turned(found, len(found.turned)))
    run.terminal.note(f"{len(found.turned)} cases turned, {found.same} did not")
    return 0


@app.command()
@plain_command
def bless(
    run: Run,
    log: _Log = LOG,
    gates: Gates = None,
) -> int:
    """Make a run the baseline that later runs are compared with.

    \b
    citewell eval run && citewell eval bless

    Refuses a run that left questions out, had errors, or asked other questions than the files hold now.
    """

    from evals.command import session
    from evals.gate import baseline
    from evals.gate import log as logs

    judged = load_gates(gates)
    path = session.baseline_file(judged)
    baseline.bless(logs.read(log), path, session.question_fingerprint(judged))
    run.terminal.note(f"blessed: {path}")
    return 0


def _page(figures: Figures) -> str:
    from evals.report import page

    return page.render(figures)


def _write(path: Path | None, render: Callable[[], str]) -> None:
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(render(), "utf-8")


def _progress(bar: Callable[[Any], None] | None) -> Callable[[int, int], None]:
    from rag.library.reports import Progress

    def update(done: int, total: int) -> None:
        if bar is not None:
            bar(Progress("cases", done, total))

    return update
