"""The part each sentence plays in an abstract: background, aim, method, result, conclusion, or where the code
is.

A linear model of a sentence's words, cues and place, and the order parts follow one another in, decided for
the whole abstract at once (forward-backward). Numbers come from `rag/weights/parts.json`, written by `python
-m evals.fit_parts` from abstracts whose authors named the parts themselves; such headings, where an abstract
has them, decide at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from rag.text.cues import CUES
from rag.text.normalise import fold
from rag.weights import read_weights

Part = Literal["background", "aim", "method", "result", "conclusion", "code"]
Table = NDArray[np.float64]

PARTS: Final[tuple[Part, ...]] = ("background", "aim", "method", "result", "conclusion", "code")

_SECTIONS: Final[Mapping[Part, str]] = {
    "background": "background introduction context importance rationale motivation",
    "aim": "objective objectives aim aims purpose question hypothesis problem",
    "method": (
        "method methods methodology design setting settings participants patients subjects intervention interventions"
        " exposures measurements approach procedures materials data-sources study-selection data-extraction"
        " main-outcome-measures main-outcome-measure main-outcomes-and-measures study-design materials-and-methods"
        " patients-and-methods research-design-and-methods design-and-methods experimental-design search-strategy"
        " selection-criteria data-collection-and-analysis design,-setting,-and-participants design-and-setting"
        " design,-setting,-and-patients material-and-methods outcome-measures setting-and-participants"
    ),
    "result": "result results finding findings main-results principal-findings data-synthesis recent-findings",
    "conclusion": (
        "conclusion conclusions interpretation significance discussion implications summary conclusions-and-relevance"
        " conclusions/significance"
    ),
    "code": "availability availability-and-implementation data-availability code-availability",
}
_SECTION_OF: Final = {name.replace("-", " "): part for part, names in _SECTIONS.items() for name in names.split()}
_HEADING_WORDS: Final = frozenset(word for name in _SECTION_OF for word in re.split(r"[ ,/]+", name)) | {
    "principal", "trial", "registration", "funding", "limitations", "review", "primary", "secondary", "endpoints",
}  # fmt: skip
_HEADING: Final = re.compile(r"[A-Z][A-Za-z ,/&-]{2,40}:\s+|[A-Z]{3,}(?:[ ,/&-]+[A-Z]{2,})*\s+(?=\S)")

_CODE: Final = PARTS.index("code")
_IMPOSSIBLE: Final = 50.0
"""A logit that rules a part out: no sentence tells where the code is without a word for it."""
_WORD: Final = re.compile(r"[a-z][a-z'-]+")
_OPENING: Final = 6
_BINS: Final = 6


@dataclass(frozen=True, slots=True)
class Model:
    """`weights` is (features, parts); `transitions` (parts, parts) and `first` (parts,) are logarithms."""

    rows: Mapping[str, int]
    weights: Table
    offsets: Table
    transitions: Table
    first: Table


def part_chances(sentences: Sequence[str], model: Model | None = None) -> Table:
    """(sentences, len(PARTS)): the chance of each part for each sentence of one abstract, in order."""
    if not sentences:
        return np.zeros((0, len(PARTS)))
    model = model or shipped()
    headed = tuple(sections(sentences))
    scores = np.array([_score(names, model) for names in features(sentences)])
    chances = _marginals(scores, model)
    for row, part in enumerate(headed):
        if part is not None:
            chances[row] = np.eye(len(PARTS))[PARTS.index(part)]
    return chances


def sections(sentences: Sequence[str]) -> Iterator[Part | None]:
    """What the authors' own headings say, each until the next; None above the first, and under a mixed one."""
    current: Part | None = None
    for sentence in sentences:
        found = heading(sentence)
        current = found[1] if found else current
        yield current


def heading(sentence: str) -> tuple[int, Part | None] | None:
    """(length, part) of the heading a sentence begins with; the part is None for one such as "METHODS AND
    RESULTS"."""
    found = _HEADING.match(sentence)
    name = found[0].strip(" :\n\t").casefold() if found else ""
    if found and name in _SECTION_OF:
        return len(found[0]), _SECTION_OF[name]
    words = [word for word in re.split(r"[\s,/&-]+", name) if word not in ("", "and", "of", "main", "study")]
    if found and words and all(word in _HEADING_WORDS for word in words):
        told = {_SECTION_OF[word] for word in words if word in _SECTION_OF}
        return len(found[0]), told.pop() if len(told) == 1 else None
    return None


def heading_length(sentence: str) -> int:
    """How many characters of heading a sentence begins with; 0 for none."""
    found = heading(sentence)
    return found[0] if found else 0


def features(sentences: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The names of what is true of each sentence: cues of it and its neighbours, words, opening pairs, place."""
    folded = [fold(sentence[heading_length(sentence) :]) for sentence in sentences]
    cues = [tuple(f"cue:{name}" for name, pattern in CUES.items() if pattern.search(text)) for text in folded]
    made = next(
        (i for i, found in enumerate(cues) if {"cue:we_make", "cue:we_study", "cue:this_paper"} & {*found}),
        -1,
    )
    for place, text in enumerate(folded):
        words = _WORD.findall(text)
        opening = words[:_OPENING]
        yield (
            *cues[place],
            *(f"before:{name[4:]}" for name in (cues[place - 1] if place else ())),
            *(f"after:{name[4:]}" for name in (cues[place + 1] if place + 1 < len(cues) else ())),
            *(f"word:{word}" for word in sorted(set(words))),
            *(f"opening:{first} {second}" for first, second in pairwise(opening)),
            *_place(place, len(folded), made),
        )


def _place(place: int, total: int, made: int) -> Iterator[str]:
    yield f"place:{min(_BINS - 1, place * _BINS // max(1, total))}"
    if place == 0:
        yield "place:first"
    if place == total - 1:
        yield "place:last"
    if made >= 0:
        yield "place:before_aim" if place < made else "place:aim" if place == made else "place:after_aim"


def _score(names: Sequence[str], model: Model) -> Table:
    rows = [model.rows[name] for name in names if name in model.rows]
    logits: Table = model.weights[rows].sum(axis=0) + model.offsets
    if "cue:code" not in names:
        logits[_CODE] = -_IMPOSSIBLE
    return logits - _log_sum(logits)


def _marginals(scores: Table, model: Model) -> Table:
    """Forward-backward over the chain (Rabiner, 1989), in logarithms."""
    count = len(scores)
    forward, backward = np.zeros_like(scores), np.zeros_like(scores)
    forward[0] = scores[0] + model.first
    for i in range(1, count):
        forward[i] = scores[i] + _log_sum(forward[i - 1][:, None] + model.transitions, axis=0)
    for i in range(count - 2, -1, -1):
        backward[i] = _log_sum(model.transitions + scores[i + 1] + backward[i + 1], axis=1)
    joint = forward + backward
    chances: Table = np.exp(joint - _log_sum(joint, axis=1)[:, None])
    return chances


def _log_sum(values: Table, axis: int = -1) -> Table:
    top = values.max(axis=axis, keepdims=True)
    total: Table = np.squeeze(top, axis=axis) + np.log(np.exp(values - top).sum(axis=axis))
    return total


def from_weights(weights: Mapping[str, Any]) -> Model:
    """From the parsed file. Raises KeyError where something is missing."""
    names = list(weights["features"])
    return Model(
        {name: row for row, name in enumerate(names)},
        np.array([weights["features"][name] for name in names], dtype=np.float64).reshape(-1, len(PARTS)),
        np.array(weights["offsets"], dtype=np.float64),
        np.array(weights["transitions"], dtype=np.float64),
        np.array(weights["first"], dtype=np.float64),
    )


@lru_cache(maxsize=1)
def shipped() -> Model:
    return from_weights(read_weights("parts"))
