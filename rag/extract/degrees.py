"""Questions of degree: "how old" wants an age, and "which is the least biased" the least of several.

A number alone tells neither: "45 patients" is no age, and the sentence on the best model names no worst one.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from rag.extract.matching import alike
from rag.extract.passage import Passage
from rag.question import Question
from rag.text.normalise import fold
from rag.text.tokens import stem_of
from rag.verify.lexicon import DESIRED, stems

_DIMENSIONS: Final = tuple(
    (re.compile(rf"\bhow (?:\w+ly )?(?:{asked})\b"), re.compile(rf"\b(?:{spoken})"))
    for asked, spoken in (
        (
            r"fast|quick(?:ly)?|slow(?:ly)?|rapid(?:ly)?|soon",
            r"fast\w*|quick\w*|rapid\w*|speed\w*|slow\w*|accelerat\w*|throughput|latency|delay\w*|(?:run)?times?\b|"
            r"seconds?\b|minutes?\b|hours?\b|days?\b|weeks?\b|months?\b|years?\b|ms\b|real-time|rates?\b|velocity|"
            r"converge\w*|steps?\b|iterations?\b|efficien\w*|one-step|single[- ](?:step|pass)|(?:sub)?linear\w*|"
            r"quadratic\w*|exponential\w*|logarithmic\w*|instant\w*|immediate\w*|episodes?\b|samples?\b|fps\b",
        ),
        (r"old|young", r"age[ds]?\b|old(?:er|est)?\b|young\w*|elderly|infants?\b|newborns?\b"),
        (r"heavy", r"weigh\w*|mass\b|heav\w*|(?:kilo)?grams?\b|kg\b|pounds?\b"),
        (
            r"expensive|costly|cheap",
            r"costs?\b|costl\w*|pric\w*|cheap\w*|expens\w*|budgets?\b|dollars?\b|usd\b",
        ),
        (r"hot|cold|warm", r"temperatures?\b|degrees?\b|kelvin\b|celsius\b|hot\w*|cold\w*|warm\w*"),
    )
)
_LOW: Final = "least|fewest|worst|lowest|smallest|slowest|weakest|shortest|poorest|cheapest|youngest|lightest|rarest"
_HIGH: Final = (
    "most|best|highest|largest|greatest|biggest|fastest|strongest|longest|richest|oldest|heaviest|hardest|latest|"
    "broadest|widest|deepest|closest|easiest|simplest|earliest"
)
_ASKS_EXTREME: Final = re.compile(
    r"^(?:which|what|who|on which|on what|in which|for which|where)\b(?!.*\b(?:at (?:most|least)|most of|state-of)\b)"
    rf"(?!.*\b(?:do|does|did|can|could|even) (?:even )?(?:the )?(?:{_LOW}|{_HIGH})\b)"
    rf".*?\b(?P<word>{_LOW}|{_HIGH})\b(?: (?P<of>[a-z-]{{4,}}))?"
)
"""Not where it only describes who does something: "what does even the strongest model prove?"."""
_EXTREMES: Final = {
    -1: re.compile(rf"\b(?:{_LOW}|minim\w+|bottom|inferior|underperform\w*)\b"),
    1: re.compile(
        rf"\b(?:{_HIGH}|maxim\w+|top|peak\w*|leading|dominant\w*|predominant\w*|only|main(?:ly)?|primar\w+|major|"
        r"superior|outperform\w*|surpass\w*|especially|particularly|notably|than (?:any|all)(?: the)? other\w*)\b"
    ),
}
_QUALITY: Final = frozenset({"best", "worst"})
_AMOUNTS: Final = frozenset({"number", "percent", "factor", "time", "money", "memory", "complexity", "score"})
""" "What is the greatest gain?" is told by its number."""
BESIDE: Final = 2
"""Tokens between "best" and the quality that it is said of: "the best accuracy" tells the most accurate."""
SHORTEST: Final = 4
"""Letters of an adjective's stem that its noun begins with."""
FEWEST: Final = 2
"""Numbers that set several things beside each other."""
Told = Literal["tells", "open", "silent"]


def degree_told(question: Question, passage: Passage) -> Told:
    """Whether a sentence speaks of the dimension of "how old", with a number, or tells which is the most or least."""
    folded = fold(question.text)
    for asked, spoken in _DIMENSIONS:
        if asked.search(folded):
            if not spoken.search(passage.folded):
                return "silent"
            return "tells" if passage.numbers else "open"
    if question.asked.kind in _AMOUNTS:
        return "open"
    return "open" if _tells_extreme(folded, passage) else "silent"


def _tells_extreme(folded: str, passage: Passage) -> bool:
    """Whether a sentence says which is the most where that is asked: it has an extreme of the same side, or at least
    the numbers to read it off."""
    asked = _ASKS_EXTREME.search(folded)
    if asked is None or len(passage.numbers) >= FEWEST or (asked["of"] or "").endswith("ly"):
        return True
    side = -1 if re.fullmatch(_LOW, asked["word"]) else 1
    here = set(_EXTREMES[side].findall(passage.folded))
    described = stem_of(asked["of"]) if asked["word"] in ("most", "least") and asked["of"] else None
    if not described:
        return bool(here)
    return bool(here - _QUALITY) or _best_is(described, side, passage)


def _best_is(described: str, side: int, passage: Passage) -> bool:
    """Whether the best, or the worst, of a sentence is the most, or the least (`side`), of what is described: where it
    is said of that ("the best accuracy"), or where both are spoken of and less of it is better."""
    places = [place for stem, at in passage.places.items() if _of_one(described, stem) for place in at]
    wanted = any(_of_one(described, stem) for stem in stems(DESIRED))
    extreme = passage.places.get("best" if (side > 0) == wanted else "worst", ())
    beside = passage.places.get("best" if side > 0 else "worst", ())
    said = any(0 < place - at <= BESIDE for place in places for at in beside)
    return said or bool(places and extreme)


def _of_one(adjective: str, stem: str) -> bool:
    """Whether a word is the adjective, or the noun of it: "accurate", "accuracy"."""
    return alike(adjective, stem) or (len(adjective) >= SHORTEST and stem.startswith(adjective))
