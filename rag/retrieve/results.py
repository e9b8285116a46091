"""What a search hands on: ranked papers, where a list of them would end, and what the search saw on the way."""

from __future__ import annotations

from dataclasses import dataclass

from rag.types import Hit


@dataclass(frozen=True, slots=True)
class Signals:
    """How well a question was met; for whoever must decide whether the corpus holds an answer. Shares are by idf.

    `top` and `margin`: the best paper's score (0..1) and its lead over the second. `coverage`, `sentence_coverage`,
    `soft_coverage`: the largest share of the findable terms held by one paper, by one sentence, and by one sentence
    when a near word counts as nearly held. `similarity`: the largest cosine of a chunk. `known`: the share of content
    terms that stand in any paper; `unknown`: those that stand in none, as index terms. `named`: papers that the
    question names by id, title, system or author.
    """

    top: float = 0.0
    margin: float = 0.0
    coverage: float = 0.0
    sentence_coverage: float = 0.0
    soft_coverage: float = 0.0
    similarity: float = 0.0
    known: float = 0.0
    unknown: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    named: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Hits in order, ties by paper id. `hits[:belonging]` is what a question for several papers should get.

    Scores are estimated probabilities of relevance, between 0 and 1. `stuffed` are papers that would be
    hits, were their abstracts not stuffed with words to be found by. `logits` are what the scores were made of, one a
    hit: where scores round to the same, these still tell how far apart two papers are.
    """

    query: str
    hits: tuple[Hit, ...] = ()
    belonging: int = 0
    signals: Signals = Signals()
    stuffed: tuple[str, ...] = ()
    logits: tuple[float, ...] = ()
