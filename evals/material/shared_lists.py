"""Our list questions over 400 of the shared papers: evals/shared_lists.jsonl, whose first line names those papers.

The right papers were found by reading all 400 abstracts, and looked for again by their words. `maybe` are papers that
a reader could count in or leave out: they count neither way. Topics that are near each other are in the same half.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from evals.material import shared_questions
from evals.material.cases import Question
from evals.material.places import EVALS
from rag.types import Paper

OURS = EVALS / "shared_lists.jsonl"


@dataclass(frozen=True, slots=True)
class ListAsked:
    """A question and the ids of its papers; none where the corpus holds nothing of the kind."""

    text: str
    papers: frozenset[str]
    maybe: frozenset[str]
    split: str


def asked() -> tuple[ListAsked, ...]:
    rows = [json.loads(line) for line in OURS.read_text(encoding="utf-8").splitlines()[1:]]
    return tuple(
        ListAsked(row["question"], frozenset(row["papers"]), frozenset(row.get("maybe", ())), row["split"])
        for row in rows
    )


def corpus() -> tuple[Paper, ...]:
    """The papers they are asked of. Raises NotMeasured without the data."""
    first = json.loads(OURS.read_text(encoding="utf-8").splitlines()[0])
    everything = dict(shared_questions.pool())
    return tuple(everything[key] for key in first["corpus"])


def as_question(number: int, one: ListAsked) -> Question:
    """In the form of evals/questions: a list, or one that nothing answers."""
    kind = "list" if one.papers else "list_of_none"
    return Question(f"list-{number}", kind, one.text, bool(one.papers), tuple(sorted(one.papers)))
