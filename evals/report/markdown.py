"""The run as Markdown, for a job summary or a comment. Text of questions and papers is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evals.report import figures
from evals.report.figures import Figures

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~$&@-])")
_MOST_CASES = 50


def render(report: Figures) -> str:
    return "\n".join(_lines(report)) + "\n"


def escaped(text: str) -> str:
    """One line that Markdown shows as it is: no markup, no HTML, no mention."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _lines(report: Figures) -> Iterator[str]:
    bad = [gate for gate in report.gates if gate.state in ("failed", "unmeasured")]
    yield f"## Grounding evals: {_verdict(report, len(bad))}"
    yield ""
    yield figures.headline(report.log)
    if bad:
        yield from ("", *(f"- **{gate.state}**: {escaped(gate.name)}: {escaped(gate.why)}" for gate in bad))
    yield from _turned(report)
    yield from _failed(report)
    yield from _metrics(report)
    yield from ("", "| | answered | abstained |", "|---|---:|---:|")
    for row in figures.abstention(report.log):
        yield f"| {row[0]} | {row[1]} | {row[2]} |"
    yield ""
    for name, value in figures.facts(report.log):
        yield f"- {name}: {escaped(value)}"


def _verdict(report: Figures, bad: int) -> str:
    if not report.gates:
        return "no gates"
    return "passed" if not bad else f"{bad} of {len(report.gates)} gates failed"


def _turned(report: Figures) -> Iterator[str]:
    turned = report.comparison.turned if report.comparison else ()
    if turned:
        yield from ("", f"### {len(turned)} cases turned", "")
    for each in turned[:_MOST_CASES]:
        yield f"- {each.before} → {each.after}: `{each.key}` {escaped(each.question)}"


def _failed(report: Figures) -> Iterator[str]:
    failed = [entry for entry in report.log["cases"] if not entry["passed"]]
    if not failed:
        return
    yield from ("", f"<details><summary>{len(failed)} cases failed</summary>", "")
    for entry in failed[:_MOST_CASES]:
        why = entry["error"]["message"] if entry["error"] else "; ".join(entry["failures"])
        yield f"- `{entry['id']}` {escaped(entry['question'])}: {escaped(why)}"
    if len(failed) > _MOST_CASES:
        yield f"- and {len(failed) - _MOST_CASES} more"
    yield from ("", "</details>")


def _metrics(report: Figures) -> Iterator[str]:
    yield from ("", "| metric | mean | 95 % interval | micro | scored, undefined, error | change |")
    yield "|---|---:|---|---:|---|---|"
    for tile in figures.tiles(report):
        row = (f"`{tile.name}`", tile.value, tile.interval, tile.micro, tile.counts, tile.change)
        yield f"| {' | '.join(row)} |"
