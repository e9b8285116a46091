"""Candidates: every sentence of the best papers, read, embedded and measured against the question at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from rag.extract.abbreviations import spelled_out
from rag.extract.features import FEATURES, Ranked, Scene, measure
from rag.extract.matching import Vector, matches
from rag.extract.passage import Passage, read
from rag.extract.vectors import embedded
from rag.question import Question
from rag.text.orders import stating
from rag.types import Hit, Paper, Sentence

if TYPE_CHECKING:
    from rag.embed import Embedder
    from rag.library import Library

_ASKS: Final = re.compile(r"[?？]\W*\Z")


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A sentence that may answer, and its features in the order of FEATURES."""

    paper: Paper
    sentence: Sentence
    passage: Passage
    rank: int
    features: Vector


def measured(question: Question, hits: Sequence[Hit], library: Library, embedder: Embedder) -> tuple[Candidate, ...]:
    """Every sentence of the papers found that states something, in rank and reading order. One batch for texts, one
    for words."""
    ids = [hit.paper_id for hit in hits]
    papers = library.get(ids)
    sentences = {
        paper_id: able_to_answer(papers[paper_id].abstract, own)
        for paper_id, own in library.sentences(ids).items()
        if paper_id in papers
    }
    held = [(hit, papers[hit.paper_id]) for hit in hits if sentences.get(hit.paper_id)]
    read_out = [spelled_out(question, _passages(paper, sentences[paper.id])) for _, paper in held]
    flat = [passage for passages in read_out for passage in passages]
    if not flat:
        return ()
    vectors = embedded([question.search, *(passage.text for passage in flat)], embedder)
    cosines = vectors[1:] @ vectors[0]
    ranked, at = [], 0
    for rank, ((hit, paper), passages) in enumerate(zip(held, read_out, strict=True), start=1):
        ranked.append(Ranked(paper.id, passages, cosines[at : at + len(passages)], rank, hit.score))
        at += len(passages)
    scene = Scene(question, matches(question, flat, _word_vectors(question, flat, embedder)), tuple(ranked))
    return tuple(
        Candidate(paper, sentence, passage, place.rank, row)
        for (_, paper), place, rows in zip(held, ranked, measure(scene), strict=True)
        for sentence, passage, row in zip(sentences[paper.id], place.passages[1:], rows, strict=True)
    )


def able_to_answer(abstract: str, sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Those that may answer: neither orders nor questions of the abstract's own."""
    return tuple(each for each in stating(abstract, sentences) if not _ASKS.search(abstract, each.start, each.end))


def table(candidates: Sequence[Candidate]) -> Vector:
    """(candidates, FEATURES)."""
    return np.array([candidate.features for candidate in candidates]).reshape(-1, len(FEATURES))


def _passages(paper: Paper, sentences: Sequence[Sentence]) -> tuple[Passage, ...]:
    title = paper.title if paper.title_source == "given" else ""
    return (read(title), *(read(paper.abstract[sentence.start : sentence.end]) for sentence in sentences))


def _word_vectors(
    question: Question, passages: Sequence[Passage], embedder: Embedder
) -> dict[str, NDArray[np.float32]]:
    found = dict.fromkeys([*question.words, *question.aspect, *(w for p in passages for w in p.words.values())])
    words = [word for word in found if word.isalpha()]
    if not words:
        return {}
    return dict(zip(words, embedded(words, embedder), strict=True))
