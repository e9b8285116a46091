"""Hits become keyed sentences within a budget, or nothing: too little to go on.

A key is the sentence's place, so that sentences keyed apart can be put together. A model never sees it: each prompt has
keys of its own (`rag.generate.keys`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from rag.text.parts import heading_length
from rag.types import Evidence, Hit, Paper, Sentence

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

    A sentence given twice stands once, with the score it had first.
    """
    found: dict[str, Evidence] = {}
    for paper, whole, score in chosen:
        sentence = _unheaded(paper, whole)
        key = f"{paper.id}:{sentence.start}-{sentence.end}"
        found.setdefault(key, Evidence(key, paper, sentence, score))
    return tuple(found.values())


def _unheaded(paper: Paper, sentence: Sentence) -> Sentence:
    cut = heading_length(paper.abstract[sentence.start : sentence.end])
    return replace(sentence, start=sentence.start + cut) if cut else sentence
