"""Where a sentence that makes several claims may be cut, so that each can be found in a paper of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag.manuscript import Layout, Statement
from rag.manuscript.layout import blank
from rag.manuscript.statements import parted
from rag.text.tokens import content_terms

_JOINING = "and|but|yet|while|whereas"
_CUT = re.compile(rf";\s+|,\s+(?=(?:{_JOINING}|although|though)\s)", re.IGNORECASE)
_AFTER_MARK = re.compile(rf"\s*,?\s*(?=(?:{_JOINING})\s|;)")
_OPENING = re.compile(rf"^(?:{_JOINING}|although|though|;)\s+", re.IGNORECASE)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|will|would|may|does|do|did|[a-z]{3,}(?:es|ed|s)|show|use|learn|train|"
    r"achieve|improve|reduce|propose|introduce|outperform|reach|find|prove|run|work|need|make|give|keep|apply)\b(?! *$)"
)
_FEWEST_TERMS = 3
_MOST_PARTS = 4


def parts(text: str, layout: Layout, whole: Statement) -> tuple[Statement, ...]:
    """The clauses of a statement, or () where it is better not cut."""
    cuts = sorted(set(_cuts(text, whole)))[: _MOST_PARTS - 1]
    if not cuts:
        return ()
    found = parted(text, layout, whole, cuts)
    return found if len(found) > 1 and all(_stands_alone(part.reading) for part in found) else ()


def _cuts(text: str, whole: Statement) -> Iterator[int]:
    shown = blank(
        text[whole.start : whole.end],
        [(m.start - whole.start, m.end - whole.start) for m in whole.marks],
        "X",
    )
    for found in _CUT.finditer(shown):
        yield whole.start + found.end()
    for mark in whole.marks:
        after = _AFTER_MARK.match(shown, mark.end - whole.start)
        if after and not mark.textual:
            yield whole.start + after.end()


def _stands_alone(reading: str) -> bool:
    """Whether a clause has a verb of its own after a subject, and enough words."""
    bare = _OPENING.sub("", reading)
    verb = _VERB.search(bare)
    return verb is not None and verb.start() > 0 and len(content_terms(bare)) >= _FEWEST_TERMS
