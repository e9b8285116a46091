"""What the eval commands have in common: options, the gates they judge by, a run and its verdict told."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rag.commands.options import Group

if TYPE_CHECKING:
    from evals.report.figures import Figures
    from rag.terminal import Terminal

FAILED = 10

Gates = Annotated[
    Path | None,
    typer.Option("--gates", metavar="FILE", help="Gates to judge by [default: grounding/gates.toml, else citewell's]."),
]
Questions = Annotated[
    list[Path] | None,
    typer.Option("--questions", metavar="PATH", help="Question files or folders; may be repeated."),
]


@dataclass(frozen=True, slots=True)
class Judging(Group):
    """What a run is judged by, and whether that decides the exit code."""

    gates: Gates = None
    advisory: Annotated[bool, typer.Option("--advisory", help="Judge the gates, but exit 0 when one fails.")] = False


def load_gates(path: Path | None) -> Any:
    """The `evals.gate.gates.Gates` to judge by. Raises UsageError for a file that is none."""
    from evals.command import session
    from evals.gate import gates

    return gates.load(session.gates_file(path))


def tell(figures: Figures, terminal: Terminal, *, advisory: bool, as_json: bool = False) -> int:
    """Prints the run and its gates; the exit code they come to."""
    from evals.gate import gates
    from evals.report import markdown, table

    if as_json:
        from rag.render import jsonable

        told = [
            {"name": each.name, "metric": each.metric, "state": each.state, "why": each.why} for each in figures.gates
        ]
        terminal.write(jsonable.dumps({"schema_version": 1, "summary": figures.log["summary"], "gates": told}))
    else:
        show(terminal, table.lines(figures, verbose=terminal.verbose))
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(markdown.render(figures))
    code = gates.exit_code(figures.gates)
    if code == FAILED and advisory:
        terminal.note("advisory: gates failed, exit 0 all the same")
        return 0
    return code


def show(terminal: Terminal, lines: Iterable[str]) -> None:
    from rag.render.lines import line

    terminal.show(line(each) for each in lines)
