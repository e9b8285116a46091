"""A paper taken apart for the index: sentences, chunks, words, names. Pure, and the same in every process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import sha256

from rag.library.cache import vector_key
from rag.library.chunks import chunks, embedded_text
from rag.library.introduced import introduced
from rag.text.normalise import fold
from rag.text.sentences import split
from rag.text.tokens import spaced_terms
from rag.types import Chunk, Paper

BETWEEN = "\ue000"
"""Stands between two authors in the index, so that no phrase reaches from one into the next."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What the catalogue stores of a paper. `texts` and `vector_keys` go with `chunks`, one each.

    `abstract_terms` is one line a sentence, for the reranker (`rag.library.forward`).
    """

    paper: Paper
    sentences: tuple[tuple[int, int], ...]
    chunks: tuple[Chunk, ...]
    texts: tuple[str, ...]
    vector_keys: tuple[bytes, ...]
    title_terms: str
    abstract_terms: str
    venue: str
    authors: str
    names: tuple[str, ...]
    folded_title: str


def prepare(paper: Paper, identity: str) -> Prepared:
    """`identity` is the embedder's: vectors of another are never taken from the cache."""
    sentences = split(paper.abstract)
    windows = chunks(paper.id, sentences)
    texts = tuple(embedded_text(paper, window) for window in windows)
    return Prepared(
        paper,
        sentences,
        windows,
        texts,
        tuple(vector_key(identity, text) for text in texts),
        _searchable(spaced_terms(paper.title)),
        _searchable("\n".join([spaced_terms(paper.abstract[start:end]) for start, end in sentences])),
        _searchable(fold(paper.venue or "")),
        _searchable(f" {BETWEEN} ".join([fold(author) for author in paper.authors])),
        introduced(paper, sentences),
        fold(paper.title),
    )


_PROBE = Paper(
    "text:probe",
    "PROBE-2: A $\\beta$-VAE that reads C++ (and 论文) twice",
    "given",
    "We propose PROBE-2, a state-of-the-art system (e.g. for CIFAR-10/100). It gains 1.78$\\times$, i.e. 3.1\\%! "
    'Is it fast? Smith et al. say so. It isn\'t; "naïve" baselines (Fig. 2) use 3B tokens... 它很好。真的。 '
    "Long-Form Names (LFN) are analysed, modelling behaviours in C$^2$R. "
    "Unseen: $x$\u0601y, a\\\u202eb, c\U000e0061d, e\u3164f, g\\\u00adh.",
    authors=("Zoë O'Neil",),
    venue="Proc. 40th ICML",
)


@cache
def rules() -> str:
    """A digest of how text is taken apart. Where a corpus was made by other rules, it is indexed anew."""
    return sha256(repr(prepare(_PROBE, "")).encode()).hexdigest()[:16]


def _searchable(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
