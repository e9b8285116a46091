"""Numbers as every report shows them: a value with its unit, its interval, its counts, its change from the baseline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evals.gate.compare import Comparison, Moved
from evals.gate.gates import Gate
from evals.scorers import BY_NAME


@dataclass(frozen=True, slots=True)
class Figures:
    """What a report is made of: the log, the gates' outcomes, and the comparison with the baseline if there is one."""

    log: Mapping[str, Any]
    gates: Sequence[Gate] = ()
    comparison: Comparison | None = None


@dataclass(frozen=True, slots=True)
class Tile:
    """One metric, ready to be shown. `better`: whether it improved, None without a baseline or within the noise."""

    name: str
    meaning: str
    value: str
    interval: str
    micro: str
    counts: str
    change: str
    better: bool | None
    higher: bool


def tiles(figures: Figures) -> Iterator[Tile]:
    """Every metric of the summary, in the scorers' order."""
    measured = {**figures.log["summary"]["metrics"], **_latency(figures.log)}
    moved = {each.metric: each for each in figures.comparison.moved} if figures.comparison else {}
    for name, metric in BY_NAME.items():
        if name in measured:
            yield _tile(name, metric.meaning, measured[name], moved.get(name))


def number(value: float | None, metric: str) -> str:
    """A value in its unit; a dash for what is undefined."""
    if value is None:
        return "–"
    unit = BY_NAME[metric].unit
    return {
        "share": f"{value:.3f}",
        "usd": f"${value:.4f}",
        "tokens": f"{value:.0f}",
        "seconds": f"{value:.3f} s",
    }[unit]


def counts(measured: Mapping[str, Any]) -> str:
    """Always all three."""
    return f"{measured['scored']} scored, {measured['undefined']} undefined, {measured['error']} error"


def headline(log: Mapping[str, Any]) -> str:
    found = log["summary"]["cases"]
    told = f"{found['passed']} of {found['total']} passed, {found['failed']} failed, {found['errors']} errors"
    rounds = log["summary"]["repeats"]
    if rounds["rounds"] < 2:
        return told
    rates = rounds["pass_rates"]
    mean = sum(rates) / len(rates)
    spread = max(rates) - min(rates)
    return (
        f"{told}; {rounds['rounds']} repeats: mean {mean:.3f}, spread {spread:.3f}, {rounds['always']} always pass, "
        f"{rounds['sometimes']} sometimes, {rounds['never']} never"
    )


def abstention(log: Mapping[str, Any]) -> tuple[tuple[str, int, int], ...]:
    """The 2x2: rows (answerable, not answerable), columns (answered, abstained)."""
    table = log["summary"]["abstention"]
    return (
        ("answerable", table["answered"], table["refused"]),
        ("not answerable", table["answered_wrongly"], table["abstained"]),
    )


def facts(log: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """What was run on what."""
    git, questions, corpus = log["git"], log["questions"], log["corpus"]
    commit = (git["commit"] or "not in a repository")[:12] + (" with changes" if git["dirty"] else "")
    chosen = ", ".join(f"{name} {value}" for name, value in questions["chosen"].items())
    return (
        ("commit", ", code ".join(filter(None, (commit, log.get("code"))))),
        ("corpus", f"{corpus['papers']} papers, {corpus['fingerprint']}, embedder {corpus['embedder']}"),
        ("questions", f"{questions['count']}, {questions['fingerprint']}{f' ({chosen})' if chosen else ''}"),
        ("model", f"{log['model']['identity']}{', replayed' if log['replayed'] else ''}"),
        ("settings", ", ".join(f"{name} {value}" for name, value in log["settings"].items())),
        ("prompts", ", ".join(f"{name} {value}" for name, value in log["prompts"].items()) or "none"),
        ("versions", ", ".join(f"{name} {value}" for name, value in log["versions"].items())),
        ("started", f"{log['times']['started']}, {log['times']['seconds']:.1f} s"),
    )


def _tile(name: str, meaning: str, measured: Mapping[str, Any], moved: Moved | None) -> Tile:
    mean = measured["mean"]
    interval = "" if mean is None else f"{number(measured['low'], name)} – {number(measured['high'], name)}"
    higher = BY_NAME[name].better == "higher"
    change, better = _change(moved)
    micro = number(measured.get("micro"), name)
    return Tile(name, meaning, number(mean, name), interval, micro, counts(measured), change, better, higher)


def _change(moved: Moved | None) -> tuple[str, bool | None]:
    if moved is None:
        return "", None
    if abs(moved.change) < 5e-5:
        return "unchanged", None
    told = f"{moved.change:+.4f}"
    if not moved.beyond_noise:
        return f"{told}, within the noise", None
    return told, moved.worsened < 0


def _latency(log: Mapping[str, Any]) -> dict[str, Any]:
    """From the times, which no other figure is made of."""
    taken = list(log["times"]["cases"].values())
    if not taken:
        return {}
    ordered = sorted(taken)
    low, high = ordered[len(ordered) // 20], ordered[-1 - len(ordered) // 20]
    mean = sum(taken) / len(taken)
    return {"latency": {"scored": len(taken), "undefined": 0, "error": 0, "mean": mean, "low": low, "high": high}}
