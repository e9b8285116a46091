"""eval lint, selftest, score, init: question files, the scorers themselves, other assistants' answers, a first gate."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rag.commands.command import Run, command, plain_command
from rag.commands.verdict import FAILED, Gates, Judging, Questions, load_gates, show, tell


@plain_command
def lint(
    run: Run,
    questions: Annotated[list[Path] | None, typer.Argument(metavar="[PATH]...", help="Question files.")] = None,
    corpus: Annotated[
        list[str] | None, typer.Option("--corpus", metavar="PATH", help="The papers they are about.")
    ] = None,
    gates: Gates = None,
) -> int:
    """Find what is wrong with question files: duplicates, unknown papers, gold that is not there, leaked answers.

    \b
    citewell eval lint
    citewell eval lint mine.jsonl --corpus abstracts/
    """

    from evals.command import session

    found, count = session.linted(questions or (), corpus or (), load_gates(gates))
    show(run.terminal, map(str, found))
    errors = sum(each.weight == "error" for each in found)
    run.terminal.note(f"{count} questions: {errors} errors, {len(found) - errors} warnings")
    return FAILED if errors else 0


@plain_command
def selftest(run: Run) -> int:
    """Try the scorers on good answers, and on the same answers harmed in known ways.

    Exits 10 when a harm does not move the metric it should, or moves another.
    """

    from evals.command import session
    from evals.report import selftests

    moved = session.self_tested()
    show(run.terminal, selftests.lines(moved))
    return FAILED if any(each.faults for each in moved) else 0


@command
def score(
    run: Run,
    file: Annotated[Path, typer.Argument(help="JSONL: question, answer with citation marks, passages; - is stdin.")],
    questions: Questions = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="A log to report on.")] = None,
    *,
    judging: Judging,
) -> int:
    """Score answers that another assistant wrote.

    \b
    citewell eval score answers.jsonl
    citewell eval score answers.jsonl --questions mine.jsonl --gates gates.toml

    A line: {"question": "...", "answer": "... [1].", "passages": [{"id": "1", "text": "..."}]}; also what LlamaIndex's
    query engines and paper-qa return, as JSON. With --questions, answers are found by `id` or by the question's words.
    """

    from evals.command import session
    from evals.gate import log as logs
    from evals.others import scoring

    scored = scoring.score_file(file, tuple(questions or ()))
    if output:
        logs.write(output, scored)
    judged = load_gates(judging.gates) if judging.gates else None
    return tell(session.figures(scored, judged), run.terminal, advisory=judging.advisory, as_json=run.json)


@plain_command
def init(
    run: Run,
    corpus: Annotated[Path, typer.Argument(help="The abstracts: a file or a folder.")],
    folder: Annotated[Path, typer.Option("--into", help="The repository to write into.")] = Path(),
) -> int:
    """Write a question file, gates and a GitHub workflow into a repository, and say what to do next.

    \b
    citewell eval init abstracts/
    """

    from evals.command import newcomer

    show(run.terminal, newcomer.write(folder, corpus))
    return 0


COMMANDS = (lint, selftest, score, init)
