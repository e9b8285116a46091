"""Does the gate notice? The engine broken on purpose, one way at a time, in a copy: `python -m evals.sabotage`.

The whole gate is run there as CI runs it, and must fail on a gate of a metric that the sabotage is about. First the
copy is run unharmed: it must pass. `--keep` keeps the logs, `--judge` judges them again by changed gates in a second.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.report.table import columns
from evals.sabotages import SABOTAGES, Sabotage

_ROOT = Path(__file__).resolve().parent.parent
_COPIED = ("rag", "evals", "prompts", "seeds", "cli.py")
_FAILED, _UNMEASURED = 10, 11


_PAGE = """# What the gate notices

Written by `python -m evals.sabotage --page evals/SABOTAGE.md`: the engine broken on purpose, one way at a time, in a
copy, and the whole gate run there as CI runs it. It must fail, and name a metric that the sabotage is about.

{table}

{right} What the gate cannot see over 38 papers is the loss of the word index alone: it only chooses whom to rank,
and here everyone is ranked. `python -m evals.retrieval` sees it over thousands.
"""


@dataclass(frozen=True, slots=True)
class Caught:
    """What the gate said. `failed` are the metrics of its failed gates."""

    name: str
    what: str
    exit_code: int
    failed: tuple[str, ...]
    right: bool
    seconds: float


def run_one(
    sabotage: Sabotage | None, *, jobs: int = 2, options: Sequence[str] = (), keep: Path | None = None
) -> Caught:
    """The gate over a copy with this sabotage; unharmed for None. `options` go to `citewell eval run`."""
    with tempfile.TemporaryDirectory(prefix="citewell-sabotage-") as folder:
        tree = Path(folder)
        copy_tree(tree)
        if sabotage:
            module = tree / sabotage.module
            module.write_text(f"{module.read_text('utf-8')}\n{sabotage.code}", "utf-8")
        began = time.monotonic()
        code, failed = _gate(tree, jobs, options)
        seconds = time.monotonic() - began
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
            shutil.copy2(tree / "log.json", keep / f"{sabotage.name if sabotage else 'none'}.json")
    return _caught(sabotage, code, failed, seconds)


def copy_tree(into: Path) -> None:
    """What the gate needs of this checkout."""
    ignore = shutil.ignore_patterns("__pycache__", "*.pyc")
    for name in _COPIED:
        source = _ROOT / name
        if source.is_dir():
            shutil.copytree(source, into / name, ignore=ignore)
        else:
            shutil.copy2(source, into / name)


def _gate(tree: Path, jobs: int, options: Sequence[str]) -> tuple[int, tuple[str, ...]]:
    command = [
        sys.executable,
        "cli.py",
        "eval",
        "run",
        "--json",
        "-q",
        "--jobs",
        str(jobs),
        "-o",
        "log.json",
        *options,
    ]
    environment = {**os.environ, "PYTHONPATH": str(tree), "CITEWELL_HOME": str(tree / "home")}
    environment.pop("GITHUB_STEP_SUMMARY", None)
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in (0, _FAILED, _UNMEASURED):
        raise SystemExit(f"the gate did not run: {done.stdout[-500:]}{done.stderr[-1500:]}")
    gates = json.loads(done.stdout)["gates"]
    failed = [gate for gate in gates if gate["state"] in ("failed", "unmeasured")]
    return done.returncode, tuple(dict.fromkeys(gate["metric"] or gate["why"] for gate in failed))


def judged_again(sabotage: Sabotage | None, log: Path) -> Caught:
    """A kept log by the gates as they are now, without another run."""
    from evals import gates, session
    from evals.log import read

    found = read(log)
    outcomes = session.figures(found, gates.load(session.OWN)).gates
    failed = tuple(
        dict.fromkeys(gate.metric or gate.why for gate in outcomes if gate.state in ("failed", "unmeasured"))
    )
    return _caught(sabotage, gates.exit_code(outcomes), failed, found["times"]["seconds"])


def _caught(sabotage: Sabotage | None, code: int, failed: tuple[str, ...], seconds: float) -> Caught:
    if sabotage is None:
        return Caught("none", "unharmed", code, failed, code == 0, seconds)
    right = code == _FAILED and bool(set(failed) & set(sabotage.metrics))
    return Caught(sabotage.name, sabotage.what, code, failed, right, seconds)


def _rows(caught: Sequence[Caught]) -> Iterator[tuple[str, ...]]:
    yield "sabotage", "what it does", "exit", "right", "gates that failed name", "time"
    for each in caught:
        named = ", ".join(each.failed) or "nothing"
        right = "yes" if each.right else "NO"
        yield each.name, each.what, str(each.exit_code), right, named, f"{each.seconds:.0f} s"


def page(caught: Sequence[Caught]) -> str:
    """The table as it is kept in the repository, without the times."""
    header, *rows = (row[:-1] for row in _rows(caught))
    lines = [header, ("---",) * len(header), *rows]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    right = f"{sum(each.right for each in caught)} of {len(caught)} as they should be."
    return _PAGE.format(table=table, right=right)


def main(arguments: Sequence[str] | None = None) -> int:
    asked = _asked(arguments)
    chosen = [each for each in (None, *SABOTAGES) if not asked.only or (each.name if each else "none") in asked.only]
    options = ("--split", asked.split) if asked.split else ()
    caught = []
    for sabotage in chosen:
        kept = asked.judge / f"{sabotage.name if sabotage else 'none'}.json" if asked.judge else None
        if kept is None:
            caught.append(run_one(sabotage, jobs=asked.jobs, options=options, keep=asked.keep))
        elif kept.exists():
            caught.append(judged_again(sabotage, kept))
        else:
            continue
        told = "as it should" if caught[-1].right else "NOT AS IT SHOULD"
        failed = ", ".join(caught[-1].failed) or "nothing"
        print(f"{caught[-1].name}: {told}; failed: {failed}", file=sys.stderr, flush=True)
    print("\n".join(columns(list(_rows(caught)))))
    missed = [each.name for each in caught if not each.right]
    print(
        f"\n{len(caught) - len(missed)} of {len(caught)} as they should be"
        + (f"; not: {', '.join(missed)}" if missed else "")
    )
    if asked.page:
        asked.page.write_text(page(caught), "utf-8")
    return 1 if missed else 0


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m evals.sabotage", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--only", action="append", help="a sabotage by name; may be repeated; 'none' is the unharmed copy"
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--split", choices=("fit", "report"), help="half of the questions, in half the time")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep every log there")
    parser.add_argument(
        "--judge", type=Path, metavar="FOLDER", help="judge the logs kept there by the gates as they are now"
    )
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the table as Markdown")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
