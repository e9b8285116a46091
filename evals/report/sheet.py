"""The run as CSV: one row a case, one column a metric; an undefined score is an empty cell."""

from __future__ import annotations

import csv
import io

from evals.report.figures import Figures
from evals.scorers import BY_NAME

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def render(report: Figures) -> str:
    out = io.StringIO()
    metrics = [name for name in BY_NAME if name in report.log["summary"]["metrics"]]
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(("id", "repeat", "kind", "split", "question", "status", "state", "failures", "seconds", *metrics))
    for entry in report.log["cases"]:
        state = "error" if entry["error"] else "passed" if entry["passed"] else "failed"
        why = entry["error"]["message"] if entry["error"] else "; ".join(entry["failures"])
        status = (entry["answer"] or {}).get("status", "")
        seconds = report.log["times"]["cases"].get(f"{entry['id']}#{entry['repeat']}", "")
        values = [(entry["scores"].get(name) or {}).get("value") for name in metrics]
        first = (_text(entry["id"]), entry["repeat"], entry["kind"], entry["split"], _text(entry["question"]))
        rows.writerow(
            (
                *first,
                status,
                state,
                _text(why),
                seconds,
                *("" if value is None else value for value in values),
            )
        )
    return out.getvalue()


def _text(text: str) -> str:
    """A cell that a spreadsheet does not take for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
