"""Claims in our own words about the shared papers, the sentences they rest on as offsets.

As other authors would write them: freely reworded and true, or as tempting and false in one of ten ways, or true with
something added that the abstract does not say.

* evals/claims/shared.jsonl: the papers are those of `evals.material.shared_questions`, split the same way.
* evals/claims/tempting.jsonl: of other papers, all of them for fitting and calibrating; the wrong ones are no shorter
  and no blunter than the right ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from evals.material.labelled import SUPPORTED, Example, sentences
from evals.material.places import EVALS
from evals.material.shared_questions import pool
from rag.types import Paper

CLAIMS = EVALS / "claims"
ORIGINS = {
    "shared": {"icml2026": "authored", "ml_abstracts": "authored", "scifact": "authored-bio"},
    "tempting": {"icml2026": "tempting", "scifact": "authored-bio"},
}
"""File, and where its papers are from -> the claims' origin."""
AUTHORED = tuple(dict.fromkeys(origin for each in ORIGINS.values() for origin in each.values()))
"""Their wrong claims are shorter than the right ones, as others' need not be: weights are evened out by length."""


def shared_claims() -> Iterator[Example]:
    """Raises NotMeasured without the shared papers."""
    papers = _papers()
    for row in _rows():
        paper = papers[f"{row['of']}:{row['paper']}"]
        cited = tuple(paper.abstract[start:end] for start, end in row["sentences"])
        edit = "paraphrase" if row["label"] == SUPPORTED else row["edit"]
        yield Example(
            row["text"],
            cited,
            (paper.title, *sentences(paper.abstract)),
            row["label"],
            edit,
            ORIGINS[row["file"]][row["of"]],
            paper.id,
            row["split"] == "report",
        )


def titles(split: str) -> frozenset[str]:
    """Of the papers that one split's claims are about: no other set's other half may hold them."""
    papers = _papers()
    return frozenset(papers[f"{row['of']}:{row['paper']}"].title for row in _rows() if row["split"] == split)


@cache
def _papers() -> dict[str, Paper]:
    return dict(pool())


@cache
def _rows() -> tuple[dict[str, Any], ...]:
    return tuple(
        json.loads(line) | {"file": name}
        for name in ORIGINS
        for line in (CLAIMS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    )
