"""What a run comes to: each metric overall and by kind and split, counts of scored, undefined and error beside it.

The headline is the macro mean over cases with its 95 % interval; `micro` pools what was counted. A case that ended in
an error stays in the denominator of every share that could have been scored, as the worst value; it is never dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from evals.gate import stats
from evals.gate.log import Entry
from evals.material.cases import CLAIM_KIND
from evals.scorers import BY_NAME, CLAIM_METRICS, METRICS, Metric

NO_PAPER = "no paper"


def summarise(entries: Sequence[Entry]) -> dict[str, Any]:
    """The summary as it stands in the log."""
    kinds = sorted({entry["kind"] for entry in entries})
    splits = sorted({entry["split"] for entry in entries})
    return {
        "cases": counts(entries),
        "metrics": metrics(entries),
        "by_kind": {kind: group([each for each in entries if each["kind"] == kind]) for kind in kinds},
        "by_split": {split: group([each for each in entries if each["split"] == split]) for split in splits},
        "abstention": abstention_table(entries),
        "repeats": repeats(entries),
    }


def group(entries: Sequence[Entry]) -> dict[str, Any]:
    return {"cases": counts(entries), "metrics": metrics(entries)}


def counts(entries: Sequence[Entry]) -> dict[str, int]:
    """Passed, failed and errors apart."""
    errors = sum(entry["error"] is not None for entry in entries)
    passed = sum(entry["passed"] for entry in entries)
    return {
        "total": len(entries),
        "passed": passed,
        "failed": len(entries) - passed - errors,
        "errors": errors,
    }


def metrics(entries: Sequence[Entry]) -> dict[str, Any]:
    """Every metric that any case scored or should have."""
    found = {}
    for metric in (*METRICS, *CLAIM_METRICS):
        measured = measure(metric, entries)
        if measured["scored"] or measured["error"]:
            found[metric.name] = measured
    return found


def measure(metric: Metric, entries: Sequence[Entry]) -> dict[str, Any]:
    """One metric over the cases it belongs to."""
    of_claims = metric in CLAIM_METRICS
    mine = [entry for entry in entries if (entry["kind"] == CLAIM_KIND) == of_claims]
    pairs = values(metric.name, mine)
    errors = sum(entry["error"] is not None for entry, _ in pairs)
    result: dict[str, Any] = {
        "scored": len(pairs) - errors,
        "undefined": len(mine) - len(pairs),
        "error": errors,
        "mean": None,
    }
    if pairs:
        found = stats.interval([value for _, value in pairs], [cluster(entry) for entry, _ in pairs])
        result.update(mean=round(found.mean, 6), low=round(found.low, 6), high=round(found.high, 6))
        result["micro"] = _micro(metric.name, [entry for entry, _ in pairs if entry["error"] is None])
    return result


def values(metric: str, entries: Iterable[Mapping[str, Any]]) -> list[tuple[Mapping[str, Any], float]]:
    """Cases with their score; one that ended in an error, where it could have been scored, with the worst."""
    worst = 0.0 if BY_NAME[metric].better == "higher" else 1.0
    pairs = []
    for entry in entries:
        value = value_of(metric, entry)
        if value is not None:
            pairs.append((entry, value))
        elif entry["error"] is not None and _belongs(metric, entry):
            pairs.append((entry, worst))
    return pairs


def _belongs(metric: str, entry: Mapping[str, Any]) -> bool:
    """Whether an answer to this question could have been scored."""
    if BY_NAME[metric].unit != "share" or (BY_NAME[metric] in CLAIM_METRICS) != (entry["kind"] == CLAIM_KIND):
        return False
    needed = _NEEDS.get(metric)
    return bool(entry.get("answerable") if needed is None else needed(entry))


_NEEDS: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    **dict.fromkeys(
        ("recall_at_10", "ndcg_at_10", "mrr", "first_paper", "paper_recall", "paper_precision"),
        lambda entry: entry["papers"],
    ),
    "sentence_recall": lambda entry: entry["gold_sentences"],
    "fact_recall": lambda entry: entry["must"],
    "forbidden_facts": lambda entry: entry["must_not"],
    "abstention": lambda entry: True,
    "precision": lambda entry: True,
    "unsupported_answer": lambda entry: not entry["answerable"],
    "premise_corrected": lambda entry: entry["kind"] == "false_premise",
    "premise_confirmed": lambda entry: entry["kind"] == "false_premise",
    "coverage": lambda entry: entry["kind"] == "summary",
    "claims_kept": lambda entry: entry["label"] == "supported",
    "claims_leaked": lambda entry: entry["label"] != "supported",
    "claims_told_apart": lambda entry: entry["label"] != "not_checkable",
    "edits_missed": lambda entry: entry["label"] != "supported",
}
"""What a case must have for a metric to say anything about its answer; for the others, an answer to give."""


def value_of(metric: str, entry: Mapping[str, Any]) -> float | None:
    """The case's score, None where it has none."""
    score = entry["scores"].get(metric)
    return None if score is None or entry["error"] is not None else score["value"]


def cluster(entry: Mapping[str, Any]) -> str:
    """Cases about one paper hang together; those about none stand each for itself."""
    papers = entry.get("papers") or ()
    return papers[0] if papers else f"{NO_PAPER}: {entry['id']}"


def abstention_table(entries: Iterable[Entry]) -> dict[str, int]:
    """The 2x2, and the errors that belong in neither column."""
    table = dict.fromkeys(("answered", "refused", "answered_wrongly", "abstained", "errors"), 0)
    for entry in entries:
        if entry["kind"] == CLAIM_KIND or entry["answerable"] is None:
            continue
        if entry["error"] is not None:
            table["errors"] += 1
        elif entry["answerable"]:
            table["refused" if entry["answer"]["status"] == "abstained" else "answered"] += 1
        else:
            table["abstained" if entry["answer"]["status"] == "abstained" else "answered_wrongly"] += 1
    return table


def repeats(entries: Sequence[Entry]) -> dict[str, Any]:
    """Over repeats: pass rate of each, cases that always, sometimes and never pass."""
    rounds = sorted({entry["repeat"] for entry in entries})
    passes: dict[str, list[bool]] = {}
    for entry in entries:
        passes.setdefault(entry["id"], []).append(entry["passed"])
    rates = [_rate([entry["passed"] for entry in entries if entry["repeat"] == each]) for each in rounds]
    return {
        "rounds": len(rounds),
        "pass_rates": rates,
        "always": sum(all(each) for each in passes.values()),
        "sometimes": sum(any(each) and not all(each) for each in passes.values()),
        "never": sum(not any(each) for each in passes.values()),
    }


def _rate(passed: Sequence[bool]) -> float:
    return round(sum(passed) / len(passed), 6) if passed else 0.0


def _micro(metric: str, entries: Sequence[Mapping[str, Any]]) -> float | None:
    if BY_NAME[metric].unit != "share":
        return None
    hits = sum(entry["scores"][metric].get("hits", 0.0) for entry in entries)
    of = sum(entry["scores"][metric].get("of", 0.0) for entry in entries)
    return round(hits / of, 6) if of else None
