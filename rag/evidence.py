"""Hits become keyed sentences within a budget, or nothing: too little to go on.

Keys are drawn from the sentence itself, so that the same sentence has the same key in every prompt, and look like
nothing that an abstract or a model writes on its own: no bracketed number, no author and year, no word.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from rag.text.parts import heading_length
from rag.types import Evidence, Hit, Paper, Sentence

KEY_LENGTH: Final = 5
_ALPHABET: Final = "bcdfghjkmnpqrstvwxz23456789"
"""No vowel (no word comes out), no 0, 1, l, o (no look-alike)."""
DEFAULT_CHARACTERS: Final = 24_000


def gather(
    hits: Iterable[Hit],
    papers: Mapping[str, Paper],
    sentences: Mapping[str, Sequence[Sentence]],
    *,
    max_characters: int = DEFAULT_CHARACTERS,
) -> tuple[Evidence, ...]:
    """Every sentence of the best papers, in rank order and reading order, whole papers while they fit the budget.

    A first paper larger than the budget gives its leading sentences. Hits whose paper is not in `papers` (removed
    since they were found) are passed over. () when nothing is left.
    """
    chosen: list[tuple[Paper, Sentence, float]] = []
    left = max_characters
    for hit in hits:
        paper = papers.get(hit.paper_id)
        if paper is None:
            continue
        size = sum(sentence.end - sentence.start for sentence in sentences.get(paper.id, ()))
        if size > left and chosen:
            continue
        for sentence in sentences.get(paper.id, ()):
            if (sentence.end - sentence.start) > left:
                break
            chosen.append((paper, sentence, hit.score))
            left -= sentence.end - sentence.start
    return keyed(chosen)


def keyed(chosen: Iterable[tuple[Paper, Sentence, float]]) -> tuple[Evidence, ...]:
    """Sentences under their keys, without the heading of a section ("RESULTS") that some begin with.

    A sentence given twice stands once; keys are unique and depend on nothing else.
    """
    found: dict[tuple[str, int, int], Evidence] = {}
    taken: set[str] = set()
    for paper, whole, score in chosen:
        sentence = _unheaded(paper, whole)
        place = (paper.id, sentence.start, sentence.end)
        if place in found:
            continue
        key = _key(place, taken)
        taken.add(key)
        found[place] = Evidence(key, paper, sentence, score)
    return tuple(found.values())


def _unheaded(paper: Paper, sentence: Sentence) -> Sentence:
    cut = heading_length(paper.abstract[sentence.start : sentence.end])
    return replace(sentence, start=sentence.start + cut) if cut else sentence


def _key(place: tuple[str, int, int], taken: set[str]) -> str:
    """Five characters of a digest, with a letter and a digit among them; the next salt when another has it."""
    salt = 0
    while True:
        digest = int.from_bytes(hashlib.sha256(repr((place, salt)).encode("utf-8", "surrogatepass")).digest()[:8])
        key = ""
        while len(key) < KEY_LENGTH:
            digest, at = divmod(digest, len(_ALPHABET))
            key += _ALPHABET[at]
        mixed = any(char.isdigit() for char in key) and any(char.isalpha() for char in key)
        if mixed and key not in taken:
            return key
        salt += 1
