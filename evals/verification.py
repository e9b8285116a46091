"""How well claims are told apart: `python -m evals.verification`.

On papers that neither the fit nor the calibration has read: AUROC of supported against the rest, with word coverage,
a plain logistic model and the mere number of words beside it; how many claims of each edit pass at the default target,
and how many true paraphrases do; the realised rate of wrong claims that pass under each target, with its 95 % upper
bound; time a claim.
Needs the shared papers (CITEWELL_DATA, or ../shared/data beside the checkout); exits 11 without them.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from evals.material.exchanged import exchanged
from evals.material.labelled import CONTRADICTED, ELSEWHERE, SUPPORTED, Example, edited, handwritten, scifact, seeds
from evals.material.places import shared
from evals.material.shared_claims import AUTHORED, shared_claims, titles
from rag.verify.checking import TARGET, Check, check
from rag.verify.features import NAMES, compare
from rag.verify.model import load
from rag.verify.risk import upper_bound

TARGETS = (0.01, 0.05, 0.1)
LISTED = ("number", "negation", "direction", "name", "swap", "other paper", "wrong paper")
PLAIN = (
    "coverage",
    "stem_coverage",
    "best_sentence",
    "pairs",
    "length",
    "evidence_length",
    "gap_share",
    "number",
    "name",
    "negation",
)


@dataclass(frozen=True, slots=True)
class Scored:
    """An example with what the checker said, and its features for the baselines."""

    example: Example
    found: Check
    values: tuple[float, ...]

    @property
    def right(self) -> bool:
        return self.example.label == SUPPORTED

    @property
    def authored(self) -> bool:
        return self.example.origin in AUTHORED

    def passes(self, target: float) -> bool:
        return self.found.risk <= target


def examples(folder: Path) -> tuple[list[Example], list[Example]]:
    """(fit, held out). The fit side only trains the logistic baseline; no paper of it is held out."""
    everything = list(chain(scifact(folder), handwritten(folder), seeds(), shared_claims()))
    fit = [e for e in everything if not e.held_out] + list(edited(folder, 150, "fit"))
    held = [e for e in everything if e.held_out] + list(edited(folder, 500, "report"))
    seen, kept = titles("fit"), titles("report")
    return [e for e in fit if e.context[0] not in kept], [e for e in held if e.context[0] not in seen]


def score(items: Iterable[Example]) -> list[Scored]:
    idf = load().idf
    return [
        Scored(
            e,
            check(e.text, e.citations, context=e.context),
            compare(e.text, e.citations, e.context, idf).values,
        )
        for e in items
    ]


def auroc(scores: Sequence[float], labels: Sequence[bool]) -> float:
    """The chance that a right one scores above a wrong one, ties counted half (Mann-Whitney)."""
    order = np.argsort(np.asarray(scores), kind="stable")
    ranked, truth = np.asarray(scores)[order], np.asarray(labels)[order]
    ranks = np.empty(len(ranked))
    _, first, counts = np.unique(ranked, return_index=True, return_counts=True)
    for start, count in zip(first, counts, strict=True):
        ranks[start : start + count] = start + (count + 1) / 2
    right = int(truth.sum())
    wrong = len(truth) - right
    return float((ranks[truth].sum() - right * (right + 1) / 2) / (right * wrong)) if right and wrong else math.nan


def logistic(rows: Sequence[Scored]) -> np.ndarray:
    """Weights of a plain logistic model of ten surface features, by gradient descent: the baseline."""
    x, y = _plain(rows), np.array([row.right for row in rows], dtype=float)
    weights = np.zeros(x.shape[1])
    for _ in range(3000):
        weights -= 0.3 * (x.T @ (1 / (1 + np.exp(-x @ weights)) - y) / len(y) + 1e-4 * weights)
    return weights


def _plain(rows: Sequence[Scored]) -> np.ndarray:
    columns = [NAMES.index(name) for name in PLAIN]
    x = np.array([[row.values[c] for c in columns] for row in rows])
    return np.hstack([np.clip(x, 0, 5), np.ones((len(x), 1))])


def ranking(rows: Sequence[Scored], weights: np.ndarray) -> list[str]:
    science = [r for r in rows if r.example.origin == "scifact"]
    groups = {
        "all but authored": [r for r in rows if not r.authored],
        "scifact": science,
        "  against contradicting": [r for r in science if r.right or r.example.label == CONTRADICTED],
        "  against not found": [r for r in science if r.example.label != CONTRADICTED],
        "ICML, by hand": [r for r in rows if r.example.origin.startswith("icml")],
        "ICML, by rule": [r for r in rows if r.example.origin == "edited"],
        "seeds, by hand": [r for r in rows if r.example.origin == "seeds"],
        "authored, machine learning": [r for r in rows if r.example.origin == "authored"],
        "authored, biomedicine": [r for r in rows if r.example.origin == "authored-bio"],
    }  # fmt: skip
    lines = [
        f"{'AUROC, supported against the rest':36s}{'n':>6s}{'checker':>9s}"
        f"{'logistic':>10s}{'coverage':>10s}{'words':>8s}"
    ]
    for name, group in groups.items():
        truth = [row.right for row in group]
        ours = auroc([row.found.probability for row in group], truth)
        plain = auroc(list(_plain(group) @ weights), truth)
        cover = auroc([row.values[0] for row in group], truth)
        words = auroc([len(row.example.text.split()) for row in group], truth)
        lines.append(f"{name:36s}{len(group):6d}{ours:9.3f}{plain:10.3f}{cover:10.3f}{words:8.3f}")
    return lines


def passing(rows: Sequence[Scored]) -> list[str]:
    """What passes at the default target, by origin and kind."""
    lines = [f"{f'passing at {TARGET:g}':44s}{'n':>6s}{'pass':>8s}{'rate':>8s}"]
    keys = sorted({(not r.right, r.example.origin, r.example.edit) for r in rows})
    for wrong, origin, edit in keys:
        group = [r for r in rows if (not r.right, r.example.origin, r.example.edit) == (wrong, origin, edit)]
        lines.append(_rate(f"{'wrong' if wrong else 'right'}  {origin}: {edit}", group, TARGET))
    older = [r for r in rows if not r.authored]
    listed = [r for r in older if not r.right and r.example.edit in LISTED]
    true = [r for r in older if r.right and r.example.origin != "scifact"]
    written = [r for r in rows if r.authored]
    lines += [
        _rate("EDITED CLAIMS (the listed kinds)", listed, TARGET),
        _rate("TRUE PARAPHRASES", true, TARGET),
        _rate("  of these by hand", [r for r in true if r.example.edit == "paraphrase"], TARGET),
        _rate("AUTHORED, wrong", [r for r in written if not r.right], TARGET),
        _rate("AUTHORED, true", [r for r in written if r.right], TARGET),
    ]
    return lines


def rearranged(rows: Sequence[Scored]) -> list[str]:
    """What passes of claims that are their evidence's own words, put together otherwise or only moved about."""
    lines = []
    for name, after in (("written beside the rules", False), ("written after them", True)):
        for label, right in (("wrong", False), ("true", True)):
            group = [row for row in rows if row.right is right and row.example.held_out is after]
            lines.append(_rate(f"EXCHANGED, {label}, {name}", group, TARGET))
    return lines


def _rate(name: str, group: Sequence[Scored], target: float) -> str:
    passed = sum(row.passes(target) for row in group)
    return f"{name:44s}{len(group):6d}{passed:8d}{passed / len(group) if group else math.nan:8.3f}"


def realised(rows: Sequence[Scored]) -> list[str]:
    """Of wrong claims, how many pass each target: all, those close to their evidence (which the bound is about), of
    these the ones written by hand; and, by themselves, the authored ones."""
    lines = [f"{'wrong claims that pass':28s}{'target':>8s}{'wrong':>8s}{'pass':>7s}{'rate':>8s}{'at most':>9s}"]
    wrong = [row for row in rows if not row.right and not row.authored]
    close = [row for row in wrong if row.example.edit not in ELSEWHERE]
    pools = {
        "all": wrong,
        "close": close,
        "close, by hand": [r for r in close if r.example.origin != "edited"],
        "authored": [r for r in rows if not r.right and r.authored],
    }
    for name, pool in pools.items():
        for target in TARGETS:
            passed = sum(row.passes(target) for row in pool)
            rate, most = passed / len(pool), upper_bound(passed, len(pool))
            lines.append(f"{name:28s}{target:8g}{len(pool):8d}{passed:7d}{rate:8.4f}{most:9.4f}")
    return lines


def timing(rows: Sequence[Scored]) -> str:
    """Milliseconds of one core's time a claim, nothing cached from it before."""
    from rag.verify.reading import read

    some = [row.example for row in rows[:: max(1, len(rows) // 400)]]
    read.cache_clear()
    started = time.process_time()
    for e in some:
        check(e.text, e.citations, context=e.context)
    return f"{(time.process_time() - started) / len(some) * 1000:.1f} ms a claim on one core ({len(some)} claims)"


def main() -> int:
    folder = shared()
    if folder is None:
        print("verification: no shared papers; set CITEWELL_DATA", file=sys.stderr)
        return 11
    fit, held = examples(folder)
    rows = score(held)
    weights = logistic(score(fit))
    print(f"{len(held)} held-out claims; weights: {load().source}\n")
    rest = [*passing(rows), *rearranged(score(exchanged())), "", *realised(rows), "", timing(rows)]
    print("\n".join([*ranking(rows, weights), "", *rest]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
