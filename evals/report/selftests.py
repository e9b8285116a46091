"""The scorers' own test in a terminal: what each harm moved, and what is wrong with that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evals.report.table import columns
from evals.scorers.selftest import Moved

_SEEN = 0.005


def lines(moved: Sequence[Moved]) -> Iterator[str]:
    rows = [("harm", "answers", "", "worsened")]
    for each in moved:
        told = ", ".join(f"{name} {value:.2f}" for name, value in each.worsened.items() if abs(value) > _SEEN)
        rows.append((each.name, str(each.answers), "FAILED" if each.faults else "ok", told or "nothing"))
    yield from columns(rows)
    for each in moved:
        for fault in each.faults:
            yield f"  FAILED: {each.name} ({each.what}): {fault}"
    failed = sum(bool(each.faults) for each in moved)
    yield ""
    yield f"{len(moved) - failed} of {len(moved)} harms move what they should and nothing else"
