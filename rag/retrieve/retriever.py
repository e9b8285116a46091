"""Question + library -> ranked papers, in four steps.

1. Who may be meant: the best by words (BM25), the nearest by meaning, and the papers that the question names.
2. What speaks for each: `rag.retrieve.features`.
3. A linear score, then pseudo-relevance feedback from its best, then the final score.
4. Papers that are named come first; the rest by score, ties by id. Of these, a stuffed abstract is no hit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rag.embed import load
from rag.embed.contract import Embedder, embed_query
from rag.library.forward import chunk_cosines, index_terms, titles
from rag.library.library import Library
from rag.retrieve.features import NAMES, Candidates, Matrix, features
from rag.retrieve.feedback import feedback
from rag.retrieve.lexicon import Lexicon
from rag.retrieve.named import Named, named, titled
from rag.retrieve.query import Query, analyse, asked_terms
from rag.retrieve.results import Retrieval, Signals
from rag.retrieve.scorer import Scorer, probability, shipped
from rag.text.stuffing import is_stuffed
from rag.types import Filters, Hit

RETRIEVER = "fused"
_BY_WORDS, _BY_MEANING, _RERANKED = 100, 60, 60
_TITLES_READ = 20
_FREQUENCIES_KEPT = 200_000
_EVERYTHING = Filters()
_COLUMN = {name: place for place, name in enumerate(NAMES)}
_SYSTEM_LOGIT = 2.0
"""What it adds to a paper's logit that the question names its system: what tells the first rank from the fifth."""
_AUTHOR_LOGIT, _BESIDES_AUTHOR = 3.0, 0.125
"""A paper by an author who is named is meant, whatever it is about; what it is about orders an author's papers."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Candidates best first, with what spoke for each: what the scorer is fitted on."""

    query: Query
    named: Named
    ids: tuple[str, ...]
    features: Matrix
    logits: Matrix


class Retriever:
    """Searches one library. Keep it: what it has read of papers and words makes the next search faster."""

    def __init__(self, library: Library, embedder: Embedder, scorer: Scorer | None = None) -> None:
        self._library, self._embedder = library, embedder
        self._scorer = scorer or shipped()
        self._lexicon = Lexicon(load())
        self._generation = library.generation
        self._frequencies: dict[str, int] = {}

    def search(
        self,
        query: str,
        *,
        top_k: int = 10,
        filters: Filters = _EVERYTHING,
        terms: Sequence[str] | None = None,
    ) -> Retrieval:
        """At most `top_k` papers. `terms` replace the question's own as index terms (`rag.text.tokens.terms`).

        An empty query finds nothing. Raises CorpusError, ModelError.
        """
        if top_k < 1 or not query.strip():
            return Retrieval(query)
        ranking = self.rank(query, filters=filters, terms=terms, depth=max(top_k, _RERANKED))
        scores = probability(ranking.logits)
        honest, stuffed = self._told_apart(ranking, top_k)
        hits = tuple(
            Hit(ranking.ids[row], round(float(scores[row]), 4), rank, RETRIEVER)
            for rank, row in enumerate(honest, start=1)
        )
        cut = self._scorer.belonging(ranking.features, ranking.logits, self._library.info.papers)
        return Retrieval(
            query,
            hits,
            sum(row < cut for row in honest),
            _signals(ranking, scores),
            tuple(stuffed),
            tuple(float(ranking.logits[row]) for row in honest),
        )

    def rank(
        self,
        query: str,
        *,
        filters: Filters = _EVERYTHING,
        terms: Sequence[str] | None = None,
        depth: int = _RERANKED,
    ) -> Ranking:
        """Every candidate that was looked at closely, best first."""
        self._keep_up()
        asked = asked_terms(query, terms)
        frequency = self._frequency(asked)
        who = named(query, self._library, frequency, filters)
        understood = analyse(query, asked, frequency, self._library.info.papers)
        ids, cosines = self._candidates(understood, who, filters, depth)
        if not ids:
            return Ranking(understood, who, (), np.zeros((0, len(NAMES)), np.float32), np.zeros(0, np.float32))
        who = self._with_titles(query, who, ids)
        made = self._features(understood, ids, cosines)
        return _ordered(understood, who, ids, made, self._logits(made, ids, who))

    def _told_apart(self, ranking: Ranking, wanted: int) -> tuple[list[int], list[str]]:
        """The first rows that may be shown, and the ids of those passed over: stuffed, and not asked for by name."""
        honest: list[int] = []
        stuffed: list[str] = []
        named = frozenset(ranking.named.all)
        for first in range(0, len(ranking.ids), wanted):
            ids = ranking.ids[first : first + wanted]
            papers = self._library.get(ids)
            for row, id_ in enumerate(ids, first):
                if id_ not in named and is_stuffed(papers[id_].abstract):
                    stuffed.append(id_)
                else:
                    honest.append(row)
                if len(honest) == wanted:
                    return honest, stuffed
        return honest, stuffed

    def _keep_up(self) -> None:
        if self._generation != self._library.generation:
            self._generation = self._library.generation
            self._lexicon.forget_papers()
            self._frequencies.clear()
        if len(self._frequencies) > _FREQUENCIES_KEPT:
            self._frequencies.clear()
        self._lexicon.make_room()

    def _frequency(self, terms: Sequence[str]) -> Mapping[str, int]:
        """As the library's, which counts a term's papers one by one: slow for the words that feedback brings."""
        known = self._frequencies
        if new := [term for term in terms if term not in known]:
            known.update(self._library.document_frequency(new))
        return {term: known[term] for term in terms}

    def _candidates(self, query: Query, who: Named, filters: Filters, depth: int) -> tuple[tuple[str, ...], Matrix]:
        """Ids in order, and the cosines of each: its best chunk's, and the mean of its chunks'."""
        vector = embed_query(self._embedder, query.meaning)
        words = dict(self._library.search_words(query.searched, max(_BY_WORDS, depth), filters))
        near = dict(self._library.search_vectors(vector, max(_BY_MEANING, depth), filters))
        both = fused(words, near)
        best = sorted(both, key=lambda id_: (-both[id_], id_))[:depth]
        ids = tuple(dict.fromkeys((*who.all, *best)))
        return ids, chunk_cosines(self._library, vector, ids)

    def _with_titles(self, text: str, who: Named, ids: Sequence[str]) -> Named:
        """Add the candidates whose title the question spells out."""
        spelled = titled(text, titles(self._library, ids[:_TITLES_READ]))
        return replace(who, cited=tuple(dict.fromkeys((*who.cited, *spelled))))

    def _features(self, query: Query, ids: Sequence[str], cosines: Matrix) -> Matrix:
        self._lexicon.add(index_terms(self._library, self._lexicon.missing(ids)))
        candidates = Candidates([self._lexicon.paper(id_) for id_ in ids])
        made = features(query, self._lexicon, candidates, cosines)
        made[:, _COLUMN["feedback"]] = feedback(
            query,
            self._lexicon,
            candidates,
            made @ self._scorer.first,
            self._frequency,
            self._library.info.papers,
        )
        return made

    def _logits(self, made: Matrix, ids: Sequence[str], who: Named) -> Matrix:
        logits = self._scorer.relevance(made, self._library.info.papers)
        logits[[id_ in who.systems for id_ in ids]] += _SYSTEM_LOGIT
        by_author = np.array([id_ in who.authors for id_ in ids])
        return np.where(by_author, np.maximum(logits, _AUTHOR_LOGIT + _BESIDES_AUTHOR * logits), logits)


def fused(words: dict[str, float], near: dict[str, float]) -> dict[str, float]:
    """Both scores scaled to 0..1 over what was found, and added; what one did not find gets its 0."""
    fused: dict[str, float] = {}
    for found in (words, near):
        low, high = min(found.values(), default=0.0), max(found.values(), default=0.0)
        for id_, score in found.items():
            fused[id_] = fused.get(id_, 0.0) + ((score - low) / (high - low) if high > low else 1.0)
    return fused


def _ordered(query: Query, who: Named, ids: Sequence[str], made: Matrix, logits: Matrix) -> Ranking:
    cited = {id_: place for place, id_ in enumerate(who.cited)}
    order = sorted(range(len(ids)), key=lambda row: (cited.get(ids[row], len(cited)), -logits[row], ids[row]))
    falling = np.maximum.accumulate(logits[order][::-1])[::-1]
    return Ranking(query, who, tuple(ids[row] for row in order), made[order], falling)


def _signals(ranking: Ranking, scores: Matrix) -> Signals:
    query, made = ranking.query, ranking.features
    asked = len(query.terms) + len(query.unknown)
    known = len(query.terms) / asked if asked else 0.0
    if not len(scores):
        return Signals(known=known, unknown=query.unknown, terms=query.terms, named=ranking.named.all)
    most = made.max(axis=0)
    return Signals(
        float(scores[0]),
        float(scores[0] - scores[1]) if len(scores) > 1 else float(scores[0]),
        float(most[_COLUMN["covered"]]),
        float(most[_COLUMN["covered_by_sentence"]]),
        float(most[_COLUMN["soft_by_sentence"]]),
        float(most[_COLUMN["best_chunk"]]),
        known,
        query.unknown,
        query.terms,
        ranking.named.all,
    )
