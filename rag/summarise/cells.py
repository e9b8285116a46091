"""Cells of a table: the sentence of a paper that says its problem, method, data, result or code; None where
none does."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from rag.summarise import choosing
from rag.summarise.reading import Read, Said
from rag.text.cues import has
from rag.text.names import GENERIC
from rag.types import Sentence

_DATA: Final = re.compile(
    r"\b(?:data ?sets?|benchmarks?|corpus|corpora|testbeds?|test suites?|images|videos|patients|participants|cohorts?"
    r"|volunteers|trials|mice|rats|records|simulations?|simulators?|environments|synthetic|real-world data"
    r"|languages|queries|problems from|instances|tournaments|tokens|samples)\b"
)
_TRIED: Final = re.compile(
    r"\b(?:experiments?|evaluat\w+|test(?:ed|s|ing)?|validat\w+|benchmark\w*|train(?:ed|ing)|measured"
    r"|collected|recruited"
    r"|enrolled|analy[sz]ed|applied|comprising|consisting|cover\w*|spanning|include[sd]?|curat\w+"
    r"|construct\w*|random(?:ly|i[sz]ed))\b"
)
_COLLECTED: Final = re.compile(
    r"\b(?:data ?set|benchmark|corpus|suite)s?\b.{0,50}\b(?:of|with|comprising|containing|covering|from)\b"
)
_GIVEN_AWAY: Final = re.compile(
    r"https?://|\b(?:github|hugging ?face)\b"
    r"|\b(?:we|and) (?:\w+ly |also |will |further ){0,2}(?:open-?source|release)\b"
    r"|\bwill be (?:\w+ ){0,2}(?:open-?sourced|released|available|public)\b"
    r"|\b(?:code|codes|codebase|implementations?|software|repository|project page|demos?|checkpoints|scripts)\b"
    r"[^.;]{0,60}\b(?:available|released?|open-?sourced?|found|provided|public(?:ly)?)\b"
    r"|\b(?:public|open|free)ly (?:available|releas|accessib|shar)|\bavailable (?:at|on|from|upon|in (?:the|our))\b"
)
"""The writers give something away. "When more models are available" gives nothing."""
_ON: Final = re.compile(r"\b(?:on|across|including|over|in|using|with|and)\s+(?:the\s+|both\s+)?(?:\S+\s+){0,2}$")


def _problem(one: Said, own: frozenset[str]) -> float:
    return choosing.problem(one, alone=False) + 0.02 * one.slice.index


def _method(one: Said, own: frozenset[str]) -> float:
    return choosing.approach(one, alone=False)


def _result(one: Said, own: frozenset[str]) -> float:
    return choosing.result(one, alone=False)


def _data(one: Said, own: frozenset[str]) -> float:
    """A word for data, something done with it, and which data: a name that is not the paper's own, or how much."""
    folded = one.passage.folded
    worth = 0.4 * bool(_DATA.search(folded)) + 0.45 * _on_named(one, own)
    if not worth:
        return 0.0
    worth += (
        0.25 * bool(_TRIED.search(folded)) + 0.15 * bool(one.passage.names - own) + 0.15 * bool(one.passage.numbers)
    )
    worth += 0.15 * bool(_COLLECTED.search(folded)) + 0.1 * has("experiments", folded)
    return worth - 0.9 * one.chance("background") - 0.2 * one.chance("aim") - 0.3 * one.chance("conclusion")


def _on_named(one: Said, own: frozenset[str]) -> bool:
    """ "on GSM8K", "across MMLU and MATH": a preposition that governs a name of something else."""
    folded = one.passage.folded
    for name in one.passage.names - own - GENERIC:
        at = folded.find(name)
        if at > 0 and _ON.search(folded[:at]):
            return True
    return False


def _code(one: Said, own: frozenset[str]) -> float:
    return one.chance("code") if _GIVEN_AWAY.search(one.passage.folded) else 0.0


_SCORES: Final[Mapping[str, tuple[Callable[[Said, frozenset[str]], float], float]]] = {
    "problem": (_problem, 0.45),
    "method": (_method, 0.35),
    "data": (_data, 0.7),
    "result": (_result, 0.3),
    "code": (_code, 0.4),
}
"""The score of a sentence for a column, given the paper's own names, and the least that says it."""
_OTHER_NAMES: Final = {
    other: column
    for column, names in {
        "problem": "problems,motivation,background",
        "method": "methods,approach,contribution,aim,technique",
        "data": "dataset,datasets,data set,data sets,benchmark,benchmarks",
        "result": "results,finding,findings,outcome",
        "code": "availability,source code,repository",
    }.items()
    for other in names.split(",")
}
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
    rated = [
        (score(one, paper.own_names) - _CUT_OFF * (not _shown(one, column)), -place, one)
        for place, one in enumerate(paper.said)
    ]
    best = max(rated, key=lambda each: each[:2], default=None)
    if best is None or best[0] < least:
        return None
    return with_antecedent(paper, best[2])


def _shown(one: Said, column: str) -> bool:
    return one.clean or (column == "code" and len(one.text) < 400)


def with_antecedent(paper: Read, one: Said) -> Sentence:
    """The sentence, from the beginning of those that it leans on, at most two. "To address this" stands in its row."""
    if has("to_fix", one.passage.folded):
        return one.slice
    start, place = one.slice.start, paper.said.index(one)
    for earlier in reversed(paper.said[max(0, place - 2) : place]):
        if not paper.said[paper.said.index(earlier) + 1].leaning:
            break
        start = earlier.slice.start
    return Sentence(one.slice.paper_id, one.slice.index, start, one.slice.end)
