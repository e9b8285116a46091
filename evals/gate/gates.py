"""Gates: floors, allowed drops from a blessed baseline, metrics that must hold in every case, all-N-pass for repeats.

A gate compares what was measured; where nothing was, it says so (exit 11) and does not pass. A floor gives way by
twice the standard error of the repeats' means, a drop counts only when its paired interval leaves zero out, so that
noise never fails a run; what must hold has no tolerance at all.
"""

from __future__ import annotations

import math
import statistics
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from evals.gate.compare import compare
from evals.gate.summary import value_of, values
from evals.scorers import BY_NAME
from rag.errors import UsageError

State = Literal["passed", "failed", "unmeasured", "skipped"]
_INPUTS = ("questions", "claims", "corpus", "baseline")
_TABLES = ("limits", "kinds", "drops", "must", "run")


@dataclass(frozen=True, slots=True)
class Gates:
    """`limits` are floors where higher is better and ceilings where lower is; `kinds` the same for one kind each."""

    limits: Mapping[str, float]
    kinds: Mapping[str, Mapping[str, float]]
    drops: Mapping[str, float]
    must: Mapping[str, float]
    most_errors: float = 0.0
    """Share of cases that may end in an error before the run counts as unmeasured."""
    all_pass: float | None = None
    """Share of the cases that passed at all which must pass in every repeat."""
    inputs: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)
    """Paths of `questions`, `claims`, `corpus` and `baseline`, relative to the gates file; what [run] names."""


@dataclass(frozen=True, slots=True)
class Gate:
    """One gate's outcome, told in one line."""

    name: str
    metric: str
    state: State
    why: str


def load(path: Path) -> Gates:
    """Raises UsageError for a file that is not there, is no TOML, or names a metric that does not exist."""
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", "`citewell eval init` writes one") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {error}") from None
    unknown = sorted(set(table) - set(_TABLES))
    if unknown:
        raise UsageError(f"{path}: no table [{unknown[0]}]; known are {', '.join(_TABLES)}")
    for where, metrics in _metric_tables(table):
        for name, value in metrics.items():
            if name not in BY_NAME:
                raise UsageError(f"{path}: [{where}] names no metric: {name!r}", f"known: {', '.join(BY_NAME)}")
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise UsageError(f"{path}: [{where}] {name} must be a number")
    run = _run_table(table, path)
    return Gates(
        table.get("limits", {}),
        table.get("kinds", {}),
        table.get("drops", {}),
        table.get("must", {}),
        float(run.get("most_errors", 0.0)),
        run.get("all_pass"),
        {name: tuple(path.parent / each for each in _listed(run[name])) for name in _INPUTS if name in run},
    )


def judge(log: Mapping[str, Any], gates: Gates, baseline: Mapping[str, Any] | None) -> tuple[Gate, ...]:
    """Every gate on this run. Without a baseline, drops are skipped and said so."""
    entries = log["cases"]
    return (
        _measured(log, gates),
        *(_limit(f"limit on {name}", name, wanted, entries, log["repeat"]) for name, wanted in gates.limits.items()),
        *_by_kind(log, gates),
        *(_must(name, wanted, entries) for name, wanted in gates.must.items()),
        *_all_pass(log, gates),
        *_drops(log, gates, baseline),
    )


def exit_code(outcomes: Sequence[Gate]) -> int:
    """0 all passed; 11 where something could not be measured; else 10 where a gate failed."""
    states = {gate.state for gate in outcomes}
    return 11 if "unmeasured" in states else 10 if "failed" in states else 0


def _run_table(table: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
    run: Mapping[str, Any] = table.get("run", {})
    unknown = sorted(set(run) - {"most_errors", "all_pass", *_INPUTS})
    if unknown:
        raise UsageError(
            f"{path}: [run] does not know {unknown[0]!r}",
            f"known: most_errors, all_pass, {', '.join(_INPUTS)}",
        )
    for name in ("most_errors", "all_pass"):
        if name in run and not (isinstance(run[name], int | float) and 0 <= run[name] <= 1):
            raise UsageError(f"{path}: [run] {name} must be a share from 0 to 1")
    return run


def _listed(value: object) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else [str(value)]


def _metric_tables(table: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name in ("limits", "drops", "must"):
        yield name, table.get(name, {})
    for kind, metrics in table.get("kinds", {}).items():
        yield f"kinds.{kind}", metrics


def _measured(log: Mapping[str, Any], gates: Gates) -> Gate:
    found = log["summary"]["cases"]
    if not found["total"]:
        return Gate("something was measured", "", "unmeasured", "no case ran")
    share = found["errors"] / found["total"]
    if share > gates.most_errors:
        first = next(entry for entry in log["cases"] if entry["error"] is not None)
        told = f"{found['errors']} of {found['total']} cases ended in an error, first {first['id']}"
        return Gate("something was measured", "", "unmeasured", f"{told}: {first['error']['message']}")
    return Gate("something was measured", "", "passed", f"{found['total']} cases, {found['errors']} errors")


def _by_kind(log: Mapping[str, Any], gates: Gates) -> Iterator[Gate]:
    for kind, limits in gates.kinds.items():
        mine = [entry for entry in log["cases"] if entry["kind"] == kind]
        for name, wanted in limits.items():
            if not mine:
                state: State = "unmeasured" if log["questions"]["whole"] else "skipped"
                yield Gate(f"{kind}: limit on {name}", name, state, f"no question of kind {kind!r} was asked")
            else:
                yield _limit(f"{kind}: limit on {name}", name, wanted, mine, log["repeat"])


def _limit(name: str, metric: str, wanted: float, entries: Sequence[Mapping[str, Any]], repeat: int) -> Gate:
    values = _values(metric, entries)
    if not values:
        return Gate(name, metric, "skipped", "no case scored it")
    mean, slack = statistics.fmean(values), _noise(metric, entries, repeat)
    higher = BY_NAME[metric].better == "higher"
    passed = mean + slack >= wanted - 1e-9 if higher else mean - slack <= wanted + 1e-9
    noise = f" (noise of the repeats {slack:.3f})" if slack else ""
    told = f"{mean:.4f}{noise}, {'at least' if higher else 'at most'} {wanted:g} wanted, {len(values)} cases"
    return Gate(name, metric, "passed" if passed else "failed", told)


def _noise(metric: str, entries: Sequence[Mapping[str, Any]], repeat: int) -> float:
    """Twice the standard error of the repeats' means."""
    if repeat < 2:
        return 0.0
    rounds = [
        _values(metric, [each for each in entries if each["repeat"] == number]) for number in range(1, repeat + 1)
    ]
    means = [statistics.fmean(values) for values in rounds if values]
    return 2 * statistics.stdev(means) / math.sqrt(len(means)) if len(means) > 1 else 0.0


def _must(metric: str, wanted: float, entries: Sequence[Mapping[str, Any]]) -> Gate:
    higher = BY_NAME[metric].better == "higher"
    scored = [(entry, value) for entry in entries if (value := value_of(metric, entry)) is not None]
    if not scored:
        return Gate(f"{metric} must hold", metric, "skipped", "no case scored it")
    broken = [entry["id"] for entry, value in scored if (value < wanted - 1e-9 if higher else value > wanted + 1e-9)]
    if broken:
        told = f"broken in {len(broken)} of {len(scored)} cases: {', '.join(broken[:5])}"
        return Gate(f"{metric} must hold", metric, "failed", told)
    return Gate(f"{metric} must hold", metric, "passed", f"holds in all {len(scored)} cases")


def _all_pass(log: Mapping[str, Any], gates: Gates) -> Iterator[Gate]:
    if gates.all_pass is None or log["repeat"] < 2:
        return
    found = log["summary"]["repeats"]
    passed_once = found["always"] + found["sometimes"]
    name = f"all {log['repeat']} repeats pass"
    if not passed_once:
        yield Gate(name, "", "failed", "no case passed in any repeat")
        return
    share = found["always"] / passed_once
    told = f"{found['always']} of {passed_once} that pass do so every time ({share:.3f}, {gates.all_pass:g} wanted)"
    yield Gate(name, "", "passed" if share >= gates.all_pass else "failed", told)


def _drops(log: Mapping[str, Any], gates: Gates, baseline: Mapping[str, Any] | None) -> Iterator[Gate]:
    if not gates.drops:
        return
    if baseline is None or not log["questions"]["whole"]:
        why = (
            "there is no baseline yet; `citewell eval bless LOG` makes one"
            if baseline is None
            else "not all were asked"
        )
        yield Gate("no drop from the baseline", "", "skipped", why)
        return
    if baseline["questions"]["fingerprint"] != log["questions"]["fingerprint"]:
        why = "the baseline was blessed for other questions; `citewell eval bless LOG` renews it"
        yield Gate("no drop from the baseline", "", "unmeasured", why)
        return
    moved = {each.metric: each for each in compare(baseline, log).moved}
    for metric, allowed in gates.drops.items():
        name = f"no drop of {metric}"
        found = moved.get(metric)
        if found is None:
            yield Gate(name, metric, "skipped", "no case is scored in both")
            continue
        failed = found.worsened > allowed + 1e-9 and found.beyond_noise
        noise = f"95 % {found.low:+.4f}..{found.high:+.4f}"
        told = f"{found.before:.4f} -> {found.after:.4f} ({noise}), {allowed:g} allowed"
        yield Gate(name, metric, "failed" if failed else "passed", told)


def _values(metric: str, entries: Sequence[Mapping[str, Any]]) -> list[float]:
    return [value for _, value in values(metric, entries)]
