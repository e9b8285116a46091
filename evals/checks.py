"""How well `citewell check` tells right sentences from wrong ones: `python -m evals.checks [--home FOLDER] [-v]`.

Sentences of papers that nothing was fitted on: hand-written ones over the seeds and, where the shared papers are,
over ICML 2026; controlled edits of ICML abstracts; citations of the right and of another paper. Every sentence is a
manuscript of its own and goes the whole way. Exits 10 when less than 90 % of the wrong ones or more than 10 % of the
right ones are flagged (contradicted, not found, or cited wrongly).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from evals.material import check_cases
from evals.material.check_cases import Case
from evals.material.places import shared
from rag import embed
from rag.checking import Checked, Judge
from rag.library import Library
from rag.manuscript import decode, read
from rag.retrieve import Retriever

LEAST_WRONG, MOST_RIGHT = 0.9, 0.1
SENTENCES, AUTHORED = 60, 500


@dataclass(frozen=True, slots=True)
class Outcome:
    case: Case
    sentences: tuple[Checked, ...]

    @property
    def flagged(self) -> bool:
        return any(each.flagged for each in self.sentences)


def outcomes(cases: Iterable[Case], library: Library, retriever: Retriever) -> Iterator[Outcome]:
    for case in cases:
        manuscript = read(decode(case.text.encode(), "case", case.form))
        yield Outcome(case, Judge(manuscript, library, retriever).run().sentences)


def measured(home: Path, *, held_out: bool, count: int) -> Iterator[Outcome]:
    """Every case of one side of the split; those over ICML only where its papers are."""
    embedder = embed.load("wordllama")
    if shared() is None:
        print("no shared papers (CITEWELL_DATA): the seeds alone", file=sys.stderr)
    for library, cases in check_cases.corpora(home, embedder, kept=held_out, edits=count, claims=AUTHORED):
        yield from outcomes(cases, library, Retriever(library, embedder))


def table(found: list[Outcome]) -> Iterator[str]:
    rows: dict[tuple[str, str, str], list[Outcome]] = defaultdict(list)
    for each in found:
        rows[each.case.label, each.case.origin, each.case.edit].append(each)
        rows[each.case.label, each.case.origin, ""].append(each)
        rows[each.case.label, "", ""].append(each)
    for (label, origin, edit), group in sorted(rows.items()):
        flagged = sum(each.flagged for each in group)
        verdicts = [s.verdict for each in group for s in each.sentences]
        counts = ", ".join(f"{verdicts.count(v)} {v}" for v in dict.fromkeys(verdicts))
        name = f"{label:10s}{origin or 'all':12s}{edit or 'all':14s}"
        yield f"{name}{flagged:4d}/{len(group):<4d} flagged {flagged / len(group):5.0%}   {counts}"


def rate(found: list[Outcome], *labels: str) -> float:
    group = [each.flagged for each in found if each.case.label in labels]
    return sum(group) / len(group) if group else 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--home", type=Path, help="keep the libraries here (default: a temporary folder)")
    parser.add_argument("--split", choices=("report", "fit"), default="report")
    parser.add_argument("--sentences", type=int, default=SENTENCES, help="ICML sentences to edit")
    parser.add_argument("-v", "--verbose", action="store_true", help="show what was judged wrongly")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        home = given.home or Path(temporary)
        found = list(measured(home, held_out=given.split == "report", count=given.sentences))
    print("\n".join(table(found)))
    for each in found if given.verbose else ():
        if each.flagged is not (each.case.label == "wrong"):
            said = "; ".join(f"{s.verdict} {s.reason} {[c.verdict for c in s.cited]}" for s in each.sentences)
            print(f"\n{each.case.label} {each.case.origin} {each.case.edit}: {each.case.text}\n  {said}")
    wrong, right = rate(found, "wrong"), rate(found, "right", "unchecked")
    print(
        f"wrong flagged {wrong:.1%} (at least {LEAST_WRONG:.0%}), right flagged {right:.1%} (at most {MOST_RIGHT:.0%})"
    )
    return 0 if wrong >= LEAST_WRONG and right <= MOST_RIGHT else 10


if __name__ == "__main__":
    raise SystemExit(main())
