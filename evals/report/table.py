"""The run in a terminal: plain lines, failures first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from evals.gate.compare import Comparison
from evals.report import figures
from evals.report.figures import Figures

_MOST_CASES = 25
_STATES = {"passed": "ok", "failed": "FAILED", "unmeasured": "NOT MEASURED", "skipped": "skipped"}


def lines(report: Figures, *, verbose: bool = False) -> Iterator[str]:
    """Failed cases, metrics, the 2x2, and the gates. All cases and passed gates only when `verbose`."""
    yield from _failed(report, len(report.log["cases"]) if verbose else _MOST_CASES)
    yield from _metrics(report)
    yield ""
    yield from columns(
        [
            ("", "answered", "abstained"),
            *((row[0], str(row[1]), str(row[2])) for row in figures.abstention(report.log)),
        ]
    )
    if report.comparison:
        yield from turned(report.comparison, _MOST_CASES)
    yield from _gates(report, verbose=verbose)
    yield ""
    yield figures.headline(report.log)


def turned(comparison: Comparison, most: int) -> Iterator[str]:
    """Every case that turned."""
    if not comparison.turned:
        return
    yield ""
    yield f"{len(comparison.turned)} cases turned:"
    for each in comparison.turned[:most]:
        yield f"  {each.before} -> {each.after}  {each.key} [{each.kind}] {each.why}".rstrip()
    if len(comparison.turned) > most:
        yield f"  and {len(comparison.turned) - most} more"


def moved(comparison: Comparison) -> Iterator[str]:
    """Every metric of a comparison with its paired interval."""
    rows = [("metric", "before", "after", "change", "95 % interval", "")]
    for each in comparison.moved:
        told = "" if not each.beyond_noise else ("worse" if each.worsened > 0 else "better")
        before, after = figures.number(each.before, each.metric), figures.number(each.after, each.metric)
        rows.append((each.metric, before, after, f"{each.change:+.4f}", f"{each.low:+.4f} {each.high:+.4f}", told))
    yield from columns(rows)


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Left-aligned columns, two spaces apart."""
    widths = [max(len(row[number]) for row in rows) for number in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _failed(report: Figures, most: int) -> Iterator[str]:
    failed = [entry for entry in report.log["cases"] if not entry["passed"]]
    for entry in failed[:most]:
        why = f"error: {entry['error']['message']}" if entry["error"] else "; ".join(entry["failures"])
        yield f"{entry['id']} [{entry['kind']}] {entry['question']}"
        yield f"    {why}"
    if len(failed) > most:
        yield f"and {len(failed) - most} more; --html shows all"
    if failed:
        yield ""


def _metrics(report: Figures) -> Iterator[str]:
    change = "change" if report.comparison else ""
    rows = [("metric", "mean", "95 % interval", "micro", "scored/undefined/error", change)]
    for tile in figures.tiles(report):
        counts = "/".join(word for word in tile.counts.replace(",", "").split() if word.isdigit())
        rows.append((tile.name, tile.value, tile.interval, tile.micro, counts, tile.change))
    yield from columns(rows)


def _gates(report: Figures, *, verbose: bool) -> Iterator[str]:
    shown = [gate for gate in report.gates if verbose or gate.state != "passed"]
    states = Counter(gate.state for gate in report.gates)
    if report.gates:
        yield ""
        told = (f"{states[name]} {name}" for name in ("passed", "failed", "unmeasured", "skipped") if states[name])
        yield f"gates: {', '.join(told)}"
    for gate in sorted(shown, key=lambda gate: gate.state == "skipped"):
        yield f"  {_STATES[gate.state]}: {gate.name}: {gate.why}"
