"""What WordNet knows of two stems: one meaning, one made of the other, opposites, a kind and its genus.

The table (`rag/weights/wordnet.json`, with WordNet's notice) is written by `python -m evals.fit_wordnet`. Its relations
are looser than the checker's own lists, so they stand behind those, and no guard forbids support on their word alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import permutations

from rag.weights import read_weights

Related = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class WordNet:
    """Each relation: stem -> stems. `genera` are what a stem is a kind of, one step up."""

    synonyms: Related
    derived: Related
    opposites: Related
    genera: Related


@cache
def load() -> WordNet:
    """The shipped table."""
    written = read_weights("wordnet")
    return WordNet(
        both_ways(written["synonyms"]),
        both_ways(written["derived"]),
        both_ways(written["opposites"]),
        _grouped(tuple(line.split()) for line in written["hypernyms"]),
    )


def both_ways(lines: Iterable[str]) -> Related:
    """Lines of stems that are all related -> each with the others."""
    return _grouped(pair for line in lines for pair in permutations(line.split(), 2))


def _grouped(pairs: Iterable[tuple[str, ...]]) -> Related:
    table: dict[str, set[str]] = {}
    for first, second in pairs:
        table.setdefault(first, set()).add(second)
    return {stem: frozenset(held) for stem, held in table.items()}


_NONE: frozenset[str] = frozenset()


def synonymous(first: str, second: str) -> bool:
    """Whether two stems say the same."""
    return second in load().synonyms.get(first, _NONE)


def derived(first: str, second: str) -> bool:
    """Whether one word is made of the other, or the adjective of it (`heart`, `cardiac`)."""
    return second in load().derived.get(first, _NONE)


def opposed(first: str, second: str) -> bool:
    """Whether two stems are opposites."""
    return second in load().opposites.get(first, _NONE)


def kind_of(kind: str, genus: str) -> bool:
    """Whether the second says of the first what it is (`aspirin`, `drug`): what holds of the kind is said of one."""
    return genus in load().genera.get(kind, _NONE)


def siblings(first: str, second: str) -> bool:
    """Whether both are kinds of one thing: alike, and not the same."""
    return not load().genera.get(first, _NONE).isdisjoint(load().genera.get(second, _NONE))
