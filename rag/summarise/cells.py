"""Cells of a table: the sentence of a paper that says its problem, method, data, result or code; None where none does."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from rag.summarise import choosing
from rag.summarise.reading import Read, Said
from rag.text.cues import has
from rag.types import Sentence

_DATA: Final = re.compile(
    r"\b(?:data ?sets?|benchmarks?|corpus|corpora|testbeds?|suites?|collections?|images|videos|patients|participants|cohorts?"
    r"|subjects|trials?|mice|cells|samples from|records|simulat\w+|environments?|tasks|synthetic|real-world data|domains|graphs"
    r"|languages|models? (?:trained|ranging)|games|queries|examples|instances|tournaments)\b"
)
_TRIED: Final = re.compile(
    r"\b(?:experiments?|evaluat\w+|tested?|validat\w+|benchmark\w*|trained|measured|collected|recruited|enrolled|analy[sz]ed|applied"
    r"|across|on|using|comprising|consisting|cover\w*|spanning|include[sd]?)\b"
)
_COLLECTED: Final = re.compile(r"\b(?:data ?set|benchmark|corpus|suite|collection)s?\b.{0,50}\b(?:of|with|comprising|containing|covering|from)\b")


def _problem(one: Said) -> float:
    return choosing.problem(one) + 0.02 * one.slice.index


def _method(one: Said) -> float:
    return choosing.approach(one)


def _result(one: Said) -> float:
    return choosing.result(one)


def _data(one: Said) -> float:
    folded = one.passage.folded
    if not _DATA.search(folded):
        return 0.0
    worth = 0.45 + 0.3 * bool(_TRIED.search(folded)) + 0.25 * bool(one.passage.names) + 0.2 * bool(one.passage.numbers)
    worth += 0.2 * bool(_COLLECTED.search(folded)) + 0.15 * has("experiments", folded)
    worth -= 0.9 * one.chance("background") + 0.3 * one.chance("conclusion") + 0.8 * one.chance("code")
    return worth - 0.3 * one.leaning


def _code(one: Said) -> float:
    return one.chance("code") if has("code", one.passage.folded) else 0.0


_SCORES: Final[Mapping[str, tuple[Callable[[Said], float], float]]] = {
    "problem": (_problem, 0.45),
    "method": (_method, 0.35),
    "data": (_data, 0.75),
    "result": (_result, 0.4),
    "code": (_code, 0.4),
}
"""The score of a sentence for a column, and the least that says it."""
_OTHER_NAMES: Final = {
    "approach": "method", "methods": "method", "contribution": "method", "aim": "method", "technique": "method",
    "dataset": "data", "datasets": "data", "data set": "data", "data sets": "data", "benchmark": "data", "benchmarks": "data",
    "results": "result", "finding": "result", "findings": "result", "outcome": "result", "problems": "problem",
    "motivation": "problem", "background": "problem", "availability": "code", "source code": "code", "repository": "code",
}  # fmt: skip
_CUT_OFF: Final = 0.6
"""What a sentence that is cut off, or holds LaTeX that cannot be read, loses: only where nothing else says it."""


def known(column: str) -> str | None:
    """The column of ours that a reader's word means, or None."""
    name = " ".join(column.casefold().split())
    name = _OTHER_NAMES.get(name, name)
    return name if name in _SCORES else None


def cell(paper: Read, column: str) -> Sentence | None:
    """The slice of the abstract that says it, after the sentence it leans on where it does; None when not stated.

    Raises KeyError for a column that is not `known`.
    """
    score, least = _SCORES[column]
    rated = [(score(one) - _CUT_OFF * (not _shown(one, column)), -place, one) for place, one in enumerate(paper.said)]
    best = max(rated, key=lambda each: each[:2], default=None)
    if best is None or best[0] < _required(best[2], least):
        return None
    return with_antecedent(paper, best[2])


def _shown(one: Said, column: str) -> bool:
    return one.clean or (column == "code" and len(one.text) < 400)


def _required(one: Said, least: float) -> float:
    """A sentence that leans on the one before it is shown together with it: it need not stand on its own."""
    return least - 0.9 if one.leaning else least


def with_antecedent(paper: Read, one: Said) -> Sentence:
    """The sentence, from the beginning of those that it leans on, at most two."""
    start, place = one.slice.start, paper.said.index(one)
    for earlier in reversed(paper.said[max(0, place - 2) : place]):
        if not paper.said[paper.said.index(earlier) + 1].leaning:
            break
        start = earlier.slice.start
    return Sentence(one.slice.paper_id, one.slice.index, start, one.slice.end)
