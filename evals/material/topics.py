"""List questions made from a corpus itself: a two-word topic of some title, and every paper that speaks of it.

Their truth is what can be counted: a paper belongs when the two words stand side by side in its title or abstract. So
they teach how scores fall where a list ends, at any size of corpus; what a reader would count in is taught by the
questions written by hand.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from evals.material.corpora import Judged
from rag.text.sentences import split
from rag.text.tokens import STOPWORDS, terms, tokenise
from rag.types import Paper

_WAYS = (
    "Which papers are about {}?",
    "What work is there on {}?",
    "papers on {}",
    "Which of the papers deal with {}?",
    "Is there anything on {}? Name all papers.",
    "Show me everything that mentions {}.",
    "list the abstracts which study {}",
    "who works on {}?",
)


def topics(
    papers: Sequence[Paper],
    count: int,
    least: int,
    most: int,
    seed: int = 3,
    titles: Sequence[str] | None = None,
) -> tuple[Judged, ...]:
    """Up to `count` questions, each with `least` to `most` papers that belong.

    `titles` are where topics are taken from: the papers' own unless given.
    """
    chance = random.Random(seed)
    speaking = _speaking(papers)
    chosen: dict[tuple[str, str], str] = {}
    names = [paper.title for paper in papers] if titles is None else titles
    for title in chance.sample(list(names), len(names)):
        for left, right in pairwise(tokenise(title)):
            pair = (left.stem, right.stem)
            words = (left.norm, right.norm)
            if (
                left.kind == right.kind == "word"
                and not STOPWORDS & set(words)
                and least <= len(speaking[pair]) <= most
            ):
                chosen.setdefault(pair, " ".join(words))
                break
        if len(chosen) == count:
            break
    return tuple(
        Judged(_WAYS[number % len(_WAYS)].format(text), frozenset(speaking[pair]))
        for number, (pair, text) in enumerate(chosen.items())
    )


def _speaking(papers: Sequence[Paper]) -> dict[tuple[str, str], set[str]]:
    """Neighbouring terms -> the papers where they are."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for paper in papers:
        sentences = (paper.abstract[start:end] for start, end in split(paper.abstract))
        for text in (paper.title, *sentences):
            for pair in pairwise(terms(text)):
                found[pair].add(paper.id)
    return found
