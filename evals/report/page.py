"""The run as one HTML page that needs nothing else: no network, no inline handlers, a content policy of hashes alone.

All text of papers, questions and models goes through autoescaping, control characters made visible first.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.material.cases import CLAIM_KIND
from evals.report import abstracts, figures, plots, series
from evals.report.figures import Figures
from evals.scorers import BY_NAME
from rag.text.normalise import visible

_FOLDER = Path(__file__).resolve().parent
_OPEN = 3
"""Failed cases that stand open at first."""
_STATES = ("error", "failed", "passed")


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that must, or must not, be shown; `good` is whether that is so."""

    text: str
    good: bool


@dataclass(frozen=True, slots=True)
class CaseView:
    """One case as the page shows it."""

    anchor: str
    entry: Mapping[str, Any]
    state: str
    order: int
    seconds: float
    why: tuple[str, ...]
    papers: tuple[abstracts.Shown, ...]
    must: tuple[Fact, ...]
    must_not: tuple[Fact, ...]
    scores: tuple[tuple[str, str, str, str], ...]
    undefined: tuple[str, ...]
    retrieved: tuple[tuple[str, bool], ...]
    is_claim: bool
    open: bool = False


def render(report: Figures) -> str:
    """The page. Raises ImportError naming jinja2 where it is missing."""
    import jinja2
    from markupsafe import Markup

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    css, script = ((_FOLDER / name).read_text("utf-8") for name in ("page.css", "page.js"))
    drawn = [(each, Markup(plots.draw(each)) if plots.available() else None) for each in series.all_series(report)]
    views = sorted(_views(report.log), key=lambda view: (_STATES.index(view.state), view.order))
    return environment.get_template("page.html.jinja").render(
        csp=_policy(css, script),
        css=Markup(css),
        script=Markup(script),
        headline=figures.headline(report.log),
        verdict=_verdict(report),
        gates=sorted(report.gates, key=lambda gate: ("failed", "unmeasured", "passed", "skipped").index(gate.state)),
        tiles=list(figures.tiles(report)),
        turned=report.comparison.turned if report.comparison else (),
        cases=_opened(views),
        kinds=sorted({view.entry["kind"] for view in views}),
        splits=sorted({view.entry["split"] for view in views}),
        abstention=figures.abstention(report.log),
        by_kind=_by_kind(report.log),
        plots=drawn,
        plotted=plots.available(),
        facts=figures.facts(report.log),
    )


def _verdict(report: Figures) -> tuple[str, str]:
    """The state of the page in one word, and what it is about."""
    bad = [gate for gate in report.gates if gate.state in ("failed", "unmeasured")]
    if bad:
        return "failed", f"{len(bad)} of {len(report.gates)} gates failed"
    if report.gates:
        return "passed", "every gate passed"
    failed = report.log["summary"]["cases"]
    return ("passed" if failed["passed"] == failed["total"] else "failed"), "no gates were judged"


def _views(log: Mapping[str, Any]) -> Iterator[CaseView]:
    times = log["times"]["cases"]
    for order, entry in enumerate(log["cases"]):
        state = "error" if entry["error"] else "passed" if entry["passed"] else "failed"
        why = (
            (f"{entry['error']['type']}: {entry['error']['message']}",) if entry["error"] else tuple(entry["failures"])
        )
        is_claim = entry["kind"] == CLAIM_KIND
        scored = {name: score for name, score in entry["scores"].items() if score["value"] is not None}
        yield CaseView(
            anchor=f"case-{order}",
            entry=entry,
            state=state,
            order=order,
            seconds=times.get(f"{entry['id']}#{entry['repeat']}", 0.0),
            why=why,
            papers=abstracts.shown(entry, log["papers"]),
            must=tuple(_must(entry)),
            must_not=tuple(_must_not(entry)),
            scores=tuple(_score(name, score) for name, score in scored.items()),
            undefined=tuple(name for name in entry["scores"] if name not in scored),
            retrieved=tuple(
                (_title(log, paper), paper in entry["papers"]) for paper in entry.get("retrieved", ())[:10]
            ),
            is_claim=is_claim,
        )


def _opened(views: list[CaseView]) -> list[CaseView]:
    from dataclasses import replace

    return [replace(view, open=number < _OPEN and view.state != "passed") for number, view in enumerate(views)]


def _score(name: str, score: Mapping[str, Any]) -> tuple[str, str, str, str]:
    return name, figures.number(score["value"], name), score["why"], "; ".join(score.get("extracted", ()))


def _must(entry: Mapping[str, Any]) -> Iterator[Fact]:
    missing = entry["scores"].get("fact_recall", {}).get("extracted", ())
    for spellings in entry.get("must", ()):
        text = " / ".join(spellings)
        yield Fact(text, text not in missing)


def _must_not(entry: Mapping[str, Any]) -> Iterator[Fact]:
    found = entry["scores"].get("forbidden_facts", {}).get("extracted", ())
    for text in entry.get("must_not", ()):
        yield Fact(text, text not in found)


def _by_kind(log: Mapping[str, Any]) -> list[tuple[str, Mapping[str, int], list[tuple[str, str]]]]:
    """Each kind's counts and its shares."""
    rows = []
    for kind, found in log["summary"]["by_kind"].items():
        shares = [
            (name, figures.number(each["mean"], name))
            for name, each in found["metrics"].items()
            if BY_NAME[name].unit == "share"
        ]
        rows.append((kind, found["cases"], shares))
    return rows


def _title(log: Mapping[str, Any], paper: str) -> str:
    known = log["papers"].get(paper)
    return known["title"] if known else paper


def _policy(css: str, script: str) -> str:
    """Nothing but this page's own style and script, told by their hashes."""
    style, code = (base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in (css, script))
    return (
        f"default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{code}'; "
        "base-uri 'none'; form-action 'none'"
    )
