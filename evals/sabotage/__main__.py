"""Does the gate notice? The engine broken on purpose, one way at a time, in a copy: `python -m evals.sabotage`.

The whole gate is run there as CI runs it, and must fail on a gate of a metric that the sabotage is about. First the
copy is run unharmed: it must pass. `--keep` keeps the logs, `--judge` judges them again by changed gates in a second.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from evals.report.table import columns
from evals.sabotage.copies import Caught, judged_again, run_one
from evals.sabotage.ways import SABOTAGES

_PAGE = """# What the gate notices

Written by `python -m evals.sabotage --page evals/SABOTAGE.md`: the engine broken on purpose, one way at a time, in a
copy, and the whole gate run there as CI runs it. It must fail, and name a metric that the sabotage is about.

{table}

{right} What the gate cannot see over 38 papers is the loss of the word index alone: it only chooses whom to rank,
and here everyone is ranked. `python -m evals.retrieval` sees it over thousands.
"""


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
