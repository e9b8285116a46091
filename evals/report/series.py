"""The numbers behind each plot, as a small table: the plots are drawn from it, and it is shown as their text form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from evals.material.cases import CLAIM_KIND
from evals.report.figures import Figures
from evals.scorers import BY_NAME

_BINS = (0.0, 0.0001, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0)
_LAST_RANK = 10


@dataclass(frozen=True, slots=True)
class Series:
    """A plot's table: `columns`, then rows of a label and numbers (None where there is none)."""

    name: str
    title: str
    told: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | float | None, ...], ...]


def all_series(report: Figures) -> tuple[Series, ...]:
    """In the order of the page; one without rows has nothing to show."""
    found = (metrics(report), reliability(report), verdicts(report), ranks(report), selective(report))
    return tuple(series for series in found if series.rows)


def metrics(report: Figures) -> Series:
    """Every share with its interval, and the baseline's mean."""
    before = {each.metric: each.before for each in report.comparison.moved} if report.comparison else {}
    rows = []
    found = report.log["summary"]["metrics"]
    for name, metric in BY_NAME.items():
        measured = found.get(name)
        if metric.unit == "share" and measured and measured["mean"] is not None:
            rows.append((name, measured["mean"], measured["low"], measured["high"], before.get(name)))
    told = "Mean over questions with its 95 % interval, clustered by paper; the baseline beside it."
    return Series(
        "metrics",
        "Metrics against the baseline",
        told,
        ("metric", "mean", "low", "high", "baseline"),
        tuple(rows),
    )


def reliability(report: Figures) -> Series:
    """Claims binned by the risk stated for them: the mean stated, and the share that is in fact unsupported."""
    pairs = list(_stated(report.log["cases"]))
    rows = []
    for low, high in pairwise(_BINS):
        inside = [(risk, wrong) for risk, wrong in pairs if low <= risk < high or (risk == high == 1.0)]
        if inside:
            stated = sum(risk for risk, _ in inside) / len(inside)
            seen = sum(wrong for _, wrong in inside) / len(inside)
            rows.append((f"{low:g}–{high:g}", stated, seen, float(len(inside))))
    told = "Claims by the risk stated for them: below the diagonal the bound holds, above it the risk was understated."
    columns = ("stated risk", "mean stated", "unsupported", "claims")
    return Series("reliability", "Reliability of the stated risk", told, columns, tuple(rows))


def verdicts(report: Figures) -> Series:
    """Shown claims by what the judge says of them, and sentences dropped."""
    found: Counter[str] = Counter()
    for entry in report.log["cases"]:
        if entry["kind"] != CLAIM_KIND and entry["answer"]:
            claims = zip(entry["answer"]["claims"], entry["verdicts"], strict=True)
            found.update(f"{claim['verdict']}, judged {outcome.replace('_', ' ')}" for claim, outcome in claims)
            found["dropped"] += len(entry["answer"]["dropped"])
    rows = tuple((name, float(count)) for name, count in sorted(found.items()) if count)
    told = "What was shown, by its verdict and the judge's; and what was held back."
    return Series("verdicts", "Claims by verdict", told, ("verdict", "claims"), rows)


def ranks(report: Figures) -> Series:
    """Where the first gold paper was ranked."""
    found: Counter[str] = Counter()
    for entry in report.log["cases"]:
        if entry["kind"] != CLAIM_KIND and entry["papers"] and not entry["error"]:
            ranked = entry["retrieved"][:_LAST_RANK]
            rank = next((number for number, paper in enumerate(ranked, 1) if paper in entry["papers"]), None)
            found[str(rank or "none")] += 1
    order = [*map(str, range(1, _LAST_RANK + 1)), "none"]
    rows = tuple((name, float(found[name])) for name in order) if found else ()
    told = "Questions by the rank of their first gold paper; none: not among the first ten."
    return Series("ranks", "Rank of the gold paper", told, ("rank", "questions"), rows)


def selective(report: Figures) -> Series:
    """Labelled claims accepted in the order of their stated risk: share accepted, and share wrong among them."""
    pairs = sorted(_labelled(report.log["cases"]))
    rows, wrong = [], 0
    for number, (risk, bad) in enumerate(pairs, 1):
        wrong += bad
        last_of_its_risk = number == len(pairs) or pairs[number][0] > risk
        if last_of_its_risk:
            rows.append((f"{risk:.4f}", number / len(pairs), wrong / number))
    told = "Labelled claims, safest first: the more are let through, the more are wrong."
    columns = ("risk up to", "coverage", "wrong among them")
    return Series("selective", "Risk against coverage", told, columns, _thinned(rows))


def _stated(entries: Sequence[Mapping[str, Any]]) -> list[tuple[float, bool]]:
    pairs = _labelled(entries)
    for entry in entries:
        if entry["kind"] != CLAIM_KIND and entry["answer"]:
            for claim, outcome in zip(entry["answer"]["claims"], entry["verdicts"], strict=True):
                if claim["risk"] is not None:
                    pairs.append((claim["risk"], outcome != "supported"))
    return pairs


def _labelled(entries: Sequence[Mapping[str, Any]]) -> list[tuple[float, bool]]:
    claims = [entry for entry in entries if entry["kind"] == CLAIM_KIND and entry["answer"]]
    return [(entry["answer"]["risk"], entry["label"] != "supported") for entry in claims]


def _thinned(rows: list[tuple[str, float, float]], most: int = 40) -> tuple[tuple[str, float, float], ...]:
    step = max(1, len(rows) // most)
    return tuple(row for number, row in enumerate(rows) if number % step == 0 or number == len(rows) - 1)
