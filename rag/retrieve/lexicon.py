"""Terms as numbers and as vectors, and papers as arrays of terms: what the reranker computes with.

The vectors are the static model's, whatever embedder the corpus was made with: they say which words are near a word
that was asked for. Everything here is a cache; nothing in it changes a score.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from rag.embed.contract import Embedder
from rag.retrieve.spelled import spelled
from rag.text.stemming import stem
from rag.text.tokens import STOPWORDS

MOST_TERMS = 60_000
MOST_PAPERS = 20_000
_NONE = 0
"""The number of no term: it begins every title, so that no unit is empty."""
_STOPPED = STOPWORDS | {stem(word) for word in STOPWORDS}


def is_stopped(term: str) -> bool:
    """Whether an index term is a stop word's."""
    return term in _STOPPED


@dataclass(frozen=True, slots=True)
class PaperTerms:
    """A paper's terms in order; `starts` are the first places of its units: the title, then each sentence."""

    terms: NDArray[np.int32]
    starts: NDArray[np.int32]


class _Numbers(dict[str, int]):
    """Term -> its place in `words`, given at first sight."""

    def __init__(self, words: list[str]) -> None:
        super().__init__((word, number) for number, word in enumerate(words))
        self._words = words

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self._words)
        self._words.append(term)
        return number


class Lexicon:
    """Numbers terms, remembers their vectors and the papers taken apart before. Starts anew when it has grown large."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._clear()

    def _clear(self) -> None:
        self._words: list[str] = [""]
        self._numbers = _Numbers(self._words)
        self._papers: dict[str, PaperTerms] = {}
        self._vectors: NDArray[np.float32] = np.zeros((1024, 0), dtype=np.float32)
        self._known = np.zeros(1024, dtype=bool)

    def make_room(self) -> None:
        """Between two searches: numbers given before are void after it."""
        if len(self._words) > MOST_TERMS or len(self._papers) > MOST_PAPERS:
            self._clear()

    def forget_papers(self) -> None:
        """The corpus has changed."""
        self._papers.clear()

    def numbers(self, terms: Sequence[str]) -> NDArray[np.int32]:
        """Each term's number, given at first sight."""
        return np.fromiter(map(self._numbers.__getitem__, terms), np.int32, len(terms))

    def words(self, numbers: Iterable[int]) -> list[str]:
        return [self._words[number] for number in numbers]

    def missing(self, ids: Sequence[str]) -> list[str]:
        """Those papers that are not yet taken apart."""
        return [id_ for id_ in ids if id_ not in self._papers]

    def add(self, papers: Mapping[str, Sequence[str]]) -> None:
        """Take papers apart: id -> the title's terms, then each sentence's, as one spaced string each."""
        for id_, lines in papers.items():
            units = [["", *lines[0].split()], *filter(None, [line.split() for line in lines[1:]])]
            starts = list(accumulate(map(len, units), initial=0))[:-1]
            terms = self.numbers(list(chain.from_iterable(units)))
            self._papers[id_] = PaperTerms(terms, np.array(starts, dtype=np.int32))

    def paper(self, id_: str) -> PaperTerms:
        return self._papers[id_]

    def vectors(self, numbers: NDArray[np.int32]) -> NDArray[np.float32]:
        """(n, d) unit rows; zero for stop words, numbers, and what the model has no token for."""
        self._reserve(len(self._words))
        wanted = np.append(numbers, np.int32(_NONE))  # so that the first call learns the model's dimension
        new = np.unique(wanted[~self._known[wanted]])
        if len(new):
            words = [self._vectored(self._words[number]) for number in new]
            rows = self._embedder.embed(words)
            if self._vectors.shape[1] != rows.shape[1]:
                self._vectors = np.zeros((len(self._known), rows.shape[1]), dtype=np.float32)
            self._vectors[new] = rows
            self._known[new] = True
        return self._vectors[numbers]

    def _reserve(self, size: int) -> None:
        if size > len(self._known):
            room = max(size, 2 * len(self._known))
            grown = np.zeros((room, self._vectors.shape[1]), dtype=np.float32)
            grown[: len(self._vectors)] = self._vectors
            known = np.zeros(room, dtype=bool)
            known[: len(self._known)] = self._known
            self._vectors, self._known = grown, known

    @staticmethod
    def _vectored(word: str) -> str:
        """A number is near every number, and a stop word near everything: neither may stand in for what was asked."""
        return "" if is_stopped(word) or not any(char.isalpha() for char in word) else spelled(word)
