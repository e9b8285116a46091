"""Which words of a passage meet which words of the question: equal, synonyms, opposites, kin by form or by vector."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rag.extract.passage import Passage
from rag.question import Question
from rag.text.tokens import STOPWORDS, stem_of
from rag.verify.lexicon import groups, poles, synonymous

Vector = NDArray[np.float64]

SYNONYM: Final = 0.8
OPPOSITE: Final = 0.6
"""An opposite speaks of the same thing: "slower" answers "how much faster"."""
SAME_FORM: Final = 0.85
RELATED: Final = 0.55
"""Cosine of two words' vectors above which one may stand for the other."""
_STEM: Final = 5
_BESIDE: Final = 2
"""Tokens between the parts of a compound written apart: "mixture of models"."""
_PARTS: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Matches:
    """How well each of the question's stems (rows) is met by each vocabulary stem (columns), from 0 to 1."""

    rows: dict[str, int]
    columns: dict[str, int]
    grid: Vector
    close: Vector
    """The same with any kinship of the words' vectors, down to none."""

    def met(self, stems: Sequence[str], passages: Sequence[Passage], *, close: bool = False) -> Vector:
        """(passages, stems): each stem's best match in each passage; zeros for one without words."""
        rows = (self.close if close else self.grid)[[self.rows[stem] for stem in stems]]
        best = np.zeros((len(passages), len(stems)))
        for at, passage in enumerate(passages):
            columns = [self.columns[stem] for stem in passage.places]
            if columns and stems:
                best[at] = rows[:, columns].max(axis=1)
        for column, stem in enumerate(stems):
            for at, passage in enumerate(passages if parts_of(stem) else ()):
                if best[at, column] < SAME_FORM and in_parts(stem, passage):
                    best[at, column] = SAME_FORM
        return best


def matches(
    question: Question, passages: Sequence[Passage], word_vectors: Mapping[str, NDArray[np.float32]]
) -> Matches:
    """Every word of the question and its aspect against every word of the passages."""
    asked = dict(zip(question.terms, question.words, strict=True))
    asked.update((stem, stem) for stem in question.aspect if stem not in asked)
    found: dict[str, str] = {}
    for passage in passages:
        for stem, word in passage.words.items():
            found.setdefault(stem, word)
    columns = {stem: place for place, stem in enumerate(found)}
    grid = _by_form(tuple(asked), columns)
    related = _cosines([word_vectors.get(w) for w in asked.values()], [word_vectors.get(w) for w in found.values()])
    strong = np.maximum(grid, np.where(related >= RELATED, related, 0.0))
    return Matches({stem: row for row, stem in enumerate(asked)}, columns, strong, np.maximum(grid, related))


def _by_form(asked: Sequence[str], columns: Mapping[str, int]) -> Vector:
    """Matches that need no vectors, by inverted lists over the vocabulary."""
    grid = np.zeros((len(asked), len(columns)))
    alike: dict[object, list[int]] = {}
    for stem, column in columns.items():
        for key in (
            *groups().get(stem, ()),
            *poles().get(stem, ()),
            stem[:_STEM] if len(stem) >= _STEM else None,
        ):
            alike.setdefault(key, []).append(column)
    names = tuple(columns)
    for row, stem in enumerate(asked):
        for axis, sign in poles().get(stem, ()):
            grid[row, alike.get((axis, -sign), [])] = OPPOSITE
        for group in groups().get(stem, ()):
            grid[row, alike.get(group, [])] = SYNONYM
        for column in alike.get(stem[:_STEM], []) if len(stem) >= _STEM else []:
            if same_form(stem, names[column]):
                grid[row, column] = max(SAME_FORM, grid[row, column])
        if stem in columns:
            grid[row, columns[stem]] = 1.0
    return grid


def same_form(first: str, second: str) -> bool:
    """A shared beginning of three quarters: "optimis" and "optimiz"; digits make other names."""
    if any(char.isdigit() for char in first + second):
        return False
    shared = next(
        (i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b),
        min(len(first), len(second)),
    )
    return shared >= 0.75 * max(len(first), len(second))


@lru_cache(maxsize=4096)
def alike(first: str, second: str) -> bool:
    """Whether two stems are one word, or synonyms."""
    return first == second or same_form(first, second) or synonymous(first, second)


@lru_cache(maxsize=4096)
def parts_of(term: str) -> tuple[str, ...]:
    """Stems of the words that a hyphenated stem is made of, two at least; () for any other."""
    words = [part for part in _PARTS.findall(term) if part not in STOPWORDS]
    if len(words) < 2 or any(char.isdigit() for char in term):
        return ()
    return tuple(stem_of(word) for word in words)


def in_parts(term: str, passage: Passage) -> bool:
    """Whether the words of a hyphenated stem stand beside each other: "mixture model" for "mixture-model"."""
    places = [
        {at for stem, held in passage.places.items() if alike(part, stem) for at in held} for part in parts_of(term)
    ]
    return bool(places) and all(
        any(abs(ours - theirs) <= _BESIDE for ours in first for theirs in second) for first, second in pairwise(places)
    )


def speaks_of(term: str, passage: Passage) -> bool:
    """Whether a sentence holds a stem of the question, a word for it, or the parts of a hyphenated one together."""
    return any(alike(term, stem) for stem in passage.places) or in_parts(term, passage)


def _cosines(ours: Sequence[NDArray[np.float32] | None], theirs: Sequence[NDArray[np.float32] | None]) -> Vector:
    size = next((len(v) for v in (*ours, *theirs) if v is not None), 0)
    if not ours or not theirs or not size:
        return np.zeros((len(ours), len(theirs)))
    empty = np.zeros(size, dtype=np.float32)
    left = np.stack([empty if v is None else v for v in ours])
    right = np.stack([empty if v is None else v for v in theirs])
    result: Vector = (left @ right.T).astype(np.float64)
    return result
