"""Fits the thresholds of `citewell check`: `python -m evals.fit_check [--home FOLDER]` writes rag/weights/check.json.

Every sentence goes the whole way (retrieval over its corpus, the closest sentences of the papers found, clauses), so
that the bound on calling a wrong one supported counts all the chances it had; and is scored by the one forest of the
checker that was fitted without its paper. Papers kept for reporting are never read.
Run it again whenever rag/weights/verify.json has changed. Needs the shared papers (CITEWELL_DATA).
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from evals.fitting.folds import fold_of
from evals.material import check_cases
from evals.material.check_cases import Case
from evals.material.places import shared
from rag import embed
from rag.checking import Judge
from rag.checking.checkable import why_not
from rag.checking.evidence import most_against
from rag.checking.weights import ANY, Weights
from rag.library import Library
from rag.manuscript import decode, read
from rag.retrieve import Retriever
from rag.verify.model import Model, load
from rag.verify.risk import Calibration, threshold
from rag.weights import FOLDER

OUT = FOLDER / "check.json"
TARGETS = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
SENTENCES, AUTHORED = 40, 900
ABOUT, LEAST_AGAINST = 0.4, 0.5
NOTHING_SUPPORTED = Weights(supported=2.0, calibration=Calibration({}), against=2.0, about=0.0, max_risk=-1.0)
"""Weights that look at everything and decide nothing."""


@dataclass(frozen=True, slots=True)
class Row:
    """What a case scored, and how much of it the words that say otherwise cover (0 where none do)."""

    case: Case
    points: float
    against: float


def rows(cases: Iterable[Case], library: Library, retriever: Retriever) -> Iterator[Row]:
    for case in cases:
        if case.edit in ("cited", "wrong_paper") or case.label == "unchecked":
            continue
        manuscript = read(decode(case.text.encode(), "case", case.form))
        statements = [each for each in manuscript.statements if not each.heading]
        if len(statements) != 1 or why_not(statements[0].reading, cites=bool(statements[0].marks)):
            continue
        judge = Judge(manuscript, library, retriever, weights=NOTHING_SUPPORTED, model=unseen(case))
        finding = judge.find(statements[0])
        ground = most_against(finding.papers.values())
        yield Row(case, finding.points, ground.coverage if ground else 0.0)


def unseen(case: Case) -> Model:
    """The checker without the forests that were fitted on the case's paper."""
    model = load()
    return replace(model, forests=(model.forests[fold_of(case.paper)],)) if case.paper else model


def fitted(scored: list[Row]) -> dict[str, object]:
    """The weights. Citations are judged by the same points: they need no fit."""
    wrong = [row.points for row in scored if row.case.label == "wrong"]
    right = sorted(row.points for row in scored if row.case.label == "right")
    found = [(target, threshold(wrong, target)) for target in TARGETS]
    table = [[target, round(least, 6)] for target, least in found if least is not None and math.isfinite(least)]
    supported = _balanced(right, wrong)
    return {"supported": supported, "calibration": {ANY: table}, "against": _against(scored), "about": ABOUT}


def _balanced(right: list[float], wrong: list[float]) -> float:
    """The points from which the share of wrong sentences that pass and of right ones that are flagged differ least."""
    best, least, said = 1.0, 1.0, ""
    for points in sorted({math.floor(each * 1000) / 1000 for each in right}):
        passed = sum(each >= points for each in wrong) / len(wrong)
        flagged = sum(each < points for each in right) / len(right)
        if max(passed, flagged) < least:
            best, least = points, max(passed, flagged)
            said = f"{passed:.1%} of the wrong ones pass, {flagged:.1%} of the right ones are flagged"
    print(f"from {best}: {said}")
    return best


def _against(scored: list[Row]) -> float:
    """The least coverage from which one in twenty right sentences that lack support would be called contradicted."""
    right = sorted((row.against for row in scored if row.case.label == "right"), reverse=True)
    return round(max(LEAST_AGAINST, min(0.9, right[len(right) // 20] + 0.01)), 2)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--home", type=Path, help="keep the libraries here (default: a temporary folder)")
    given = parser.parse_args().home
    if shared() is None:
        print("fit_check: no shared papers; set CITEWELL_DATA", file=sys.stderr)
        return 11
    with tempfile.TemporaryDirectory() as temporary:
        scored = list(all_rows(given or Path(temporary)))
    source = f"python -m evals.fit_check on {dict(Counter(f'{r.case.origin} {r.case.label}' for r in scored))}"
    OUT.write_text(json.dumps({"source": source, **fitted(scored)}, indent=1) + "\n", encoding="utf-8")
    print(f"{source}\nwrote {OUT.name}")
    return 0


def all_rows(home: Path) -> Iterator[Row]:
    embedder = embed.load("wordllama")
    for library, cases in check_cases.corpora(home, embedder, kept=False, edits=SENTENCES, claims=AUTHORED):
        yield from rows(cases, library, Retriever(library, embedder))


if __name__ == "__main__":
    raise SystemExit(main())
