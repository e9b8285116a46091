"""A sample of the fixed questions, the same in every run: kinds take turns, and a quarter has no answer."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from evals.material import cases
from evals.material.cases import Question

FILES = tuple(cases.QUESTIONS / name for name in ("seeds_a.jsonl", "seeds_b.jsonl", "premises.jsonl"))
ANSWERABLE, UNANSWERABLE = 30, 10


def chosen(limit: int | None = None) -> tuple[Question, ...]:
    """Always the same: the first of every kind, then the second, until there are enough; a quarter unanswerable."""
    everything = [each for each in cases.load_questions(FILES) if not each.history]
    total = limit or ANSWERABLE + UNANSWERABLE
    without = total * UNANSWERABLE // (ANSWERABLE + UNANSWERABLE)
    answerable = in_turn([each for each in everything if each.answerable])[: total - without]
    return (*answerable, *in_turn([each for each in everything if not each.answerable])[:without])


def in_turn(questions: Sequence[Question]) -> list[Question]:
    kinds: dict[str, list[Question]] = {}
    for each in questions:
        kinds.setdefault(each.kind, []).append(each)
    rows = itertools.zip_longest(*kinds.values())
    return [each for row in rows for each in row if each is not None]
