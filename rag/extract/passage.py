"""A sentence as the chooser sees it: stems in order, names, numbers with their places, and cue words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rag.text.function_words import POINTING_BACK
from rag.text.normalise import fold
from rag.text.quantities import Quantity, quantities
from rag.text.tokens import STOPWORDS, stem_of, tokenise
from rag.text.units import TELLING

_PARTS: Final = re.compile(r"[^\W_]+")
_ADJECTIVE: Final = re.compile(r"-(?!fold)[a-z]")
"""What follows a number that only describes: "two-dimensional"."""
_AMOUNT: Final = re.compile(r"\d|[ΩΘ]|\bO ?\(")
_LETTERS: Final = re.compile(r"[a-z]+")
_LEANING: Final = re.compile(
    r"^(?:however, |moreover, |furthermore, |additionally, |in addition, "
    r"|specifically, |notably, |finally, |also, |then, |thus, |in particular, )?"
    rf"(?:{POINTING_BACK}|this|the (?:proposed|resulting|first|second|third) \w+|doing so|here)\b"
)


@dataclass(frozen=True, slots=True)
class Passage:
    """One text read once. `places` maps a stem to the token positions it stands at; `words` a stem to a folded word."""

    text: str
    folded: str
    places: dict[str, tuple[int, ...]]
    words: dict[str, str]
    names: frozenset[str]
    numbers: tuple[tuple[int, Quantity], ...]
    """(token position, quantity); digits inside names and years are not numbers."""
    length: int
    leaning: bool
    """Opens with a word that points back ("It", "These")."""


@lru_cache(maxsize=4096)
def read(text: str) -> Passage:
    """Cached: the best papers come back question after question."""
    places: dict[str, list[int]] = {}
    words: dict[str, str] = {}
    names: set[str] = set()
    named: list[tuple[int, int]] = []
    starts: list[int] = []
    for position, token in enumerate(tokenise(text)):
        starts.append(token.start)
        if token.kind == "name":
            names.add(token.norm)
            named.append((token.start, token.end))
        for stem, word in stems_of(token.norm, token.stem, token.kind):
            places.setdefault(stem, []).append(position)
            words.setdefault(stem, word)
    folded = fold(text)
    return Passage(
        text, folded, {k: tuple(v) for k, v in places.items()}, words, frozenset(names),
        _numbers(text, starts, named), len(starts), bool(_LEANING.match(folded)),
    )  # fmt: skip


def stems_of(norm: str, stem: str, kind: str) -> list[tuple[str, str]]:
    """(stem, word) of one token: the whole, and the parts of a compound; nothing for symbols and stop words."""
    if kind == "symbol" or norm in STOPWORDS:
        return []
    parts = _PARTS.findall(norm) if kind in ("word", "name") else []
    found = [(stem, norm)]
    if len(parts) > 1:
        found += [(stem_of(part), part) for part in parts if part not in STOPWORDS and not part.isdigit()]
    return found


def _numbers(text: str, starts: list[int], named: list[tuple[int, int]]) -> tuple[tuple[int, Quantity], ...]:
    found = []
    if not _AMOUNT.search(text) and TELLING.isdisjoint(_LETTERS.findall(text.lower())):
        return ()  # no quantity: most sentences need not be scanned
    for quantity in quantities(text):
        inside = any(start <= quantity.start < end for start, end in named)
        if inside or _is_year(quantity) or _ADJECTIVE.match(text, quantity.end):
            continue
        position = sum(1 for start in starts if start <= quantity.start) - 1
        found.append((position, quantity))
    return tuple(found)


def _is_year(quantity: Quantity) -> bool:
    """A year counts nothing: "2025 competition problems" is no number of problems."""
    plain = quantity.unit == "" and len(quantity.text) == 4 and quantity.text.isdigit()
    return quantity.unit == "year" or (plain and quantity.low != 2000 and 1990 <= quantity.low < 2040)
