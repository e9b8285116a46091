"""Claims in our own words about the shared papers: evals/claims/shared.jsonl, the sentences they rest on as offsets.

As other authors would write them: freely reworded and true, or as tempting and false in one of ten ways, or true with
something added that the abstract does not say. The papers are those of `evals.shared_questions`, split the same way.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from evals.corpora import ROOT
from evals.labelled import SUPPORTED, Example, sentences
from evals.shared_questions import pool

CLAIMS = ROOT / "evals" / "claims" / "shared.jsonl"


def shared_claims() -> Iterator[Example]:
    """Raises NotMeasured without the shared papers."""
    papers = dict(pool())
    for line in CLAIMS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        paper = papers[f"{row['of']}:{row['paper']}"]
        cited = tuple(paper.abstract[start:end] for start, end in row["sentences"])
        edit = "paraphrase" if row["label"] == SUPPORTED else row["edit"]
        yield Example(
            row["text"],
            cited,
            (paper.title, *sentences(paper.abstract)),
            row["label"],
            edit,
            row["of"],
            paper.id,
            row["split"] == "report",
        )
