"""The answers to the questions of one message, as one: sentences in the order of asking, each once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rag.extract.choose import Extracted
from rag.types import Draft


def together(first: Extracted, more: Sequence[Extracted]) -> Extracted:
    """`first`, and what answers the questions after it; the note says of which of them nothing does."""
    answers = (first, *(each for each in more if each.answered))
    sentences = {each.keys: each for one in answers for each in one.draft.sentences}
    evidence = {each.key: each for one in answers for each in one.evidence}
    statements = {each.text: each for one in answers for each in one.statements}
    notes = [
        each.note or ("" if each.answered else f"no answer to “{each.question.text}”: {each.reason}") for each in more
    ]
    return replace(
        first,
        draft=Draft(tuple(sentences.values())),
        evidence=tuple(evidence.values()),
        statements=tuple(statements.values()),
        note="; ".join(filter(None, notes)) or None,
        premise=next((one.premise for one in (first, *more) if one.premise == "contradicted"), first.premise),
    )
