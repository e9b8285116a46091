"""Which word of a claim rests on which word of its evidence, and how well.

A claim word may meet the same stem, a derived form or a synonym; or its opposite, which is remembered as such. Among
several places that fit, the one whose neighbours fit too is taken, as monolingual aligners do (Sultan, Bethard and
Sumner, TACL 2014).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rag.verify import lexicon
from rag.verify.reading import Reading, Word

SAME, KIN, SYNONYM = 1.0, 0.9, 0.85
_OPPOSITE = 0.6
_WINDOW = 3


@dataclass(frozen=True, slots=True)
class Link:
    """Claim word -> evidence word; `weight` in (0, 1], `opposite` when it met its antonym."""

    claim: int
    evidence: int
    weight: float
    opposite: bool = False


@dataclass(frozen=True, slots=True)
class Alignment:
    """Which word of the evidence each word of a claim is met by."""

    claim: Reading
    evidence: Reading
    links: dict[int, Link]
    """By claim word; content words only."""

    def place(self, claim_word: int) -> int | None:
        link = self.links.get(claim_word)
        return None if link is None else link.evidence


def align(claim: Reading, evidence: Reading, own: frozenset[str] = frozenset()) -> Alignment:
    """The best evidence place of each content word of the claim. Names in `own` (folded) also answer to `we`, `it`."""
    options = {place: _options(claim.words[place], evidence.words, own) for place in claim.content}
    links: dict[int, Link] = {}
    for place, found in options.items():
        if found:
            best = found[0] if len(found) == 1 else max(found, key=lambda link: _fitness(link, place, options))
            links[place] = Link(place, best.evidence, best.weight, best.opposite)
    return Alignment(claim, evidence, links)


def _options(word: Word, others: Sequence[Word], own: frozenset[str]) -> list[Link]:
    found = []
    for place, other in enumerate(others):
        if not other.content:
            if other.norm in lexicon.SELF and word.norm in own:
                found.append(Link(-1, place, SYNONYM))
            continue
        weight, opposite = relate(word, other)
        if weight or opposite:
            found.append(Link(-1, place, weight or _OPPOSITE, opposite))
    return found


def relate(word: Word, other: Word) -> tuple[float, bool]:
    """(weight, opposite): how two words answer one another by form and lexicon."""
    if word.norm == other.norm or word.stem == other.stem:
        return SAME, False
    if word.name or other.name:
        return 0.0, False
    return _relate(word.stem, other.stem)


@lru_cache(maxsize=262144)
def _relate(first: str, second: str) -> tuple[float, bool]:
    if lexicon.one_verb(first, second):
        return SAME, False
    if lexicon.opposed(first, second):
        return 0.0, True
    if _kin(first, second) or first == "re" + second or second == "re" + first:
        return KIN, False
    return (SYNONYM if lexicon.synonymous(first, second) or lexicon.allied(first, second) else 0.0), False


def _kin(first: str, second: str) -> bool:
    """Derived forms: a long common beginning (`general|iz`, `general|is`), none of them a denial of the other."""
    shorter, longer = sorted((first, second), key=len)
    if len(shorter) < 4 or len(longer) - len(shorter) > 5:
        return False
    shared = next((i for i, (a, b) in enumerate(zip(shorter, longer, strict=False)) if a != b), len(shorter))
    return shared >= max(4, len(shorter) - 2) and shared >= 0.6 * len(longer)


def _fitness(link: Link, place: int, options: dict[int, list[Link]]) -> float:
    """The link's own weight, and a little for each neighbour of the claim word that fits nearby too."""
    support = 0.0
    for offset in range(-_WINDOW, _WINDOW + 1):
        neighbours = options.get(place + offset) if offset else None
        if neighbours:
            support += max(
                (n.weight / (1 + abs(abs(n.evidence - link.evidence) - abs(offset))) for n in neighbours),
                default=0.0,
            )
    return link.weight + 0.12 * support
