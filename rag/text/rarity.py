"""How much a word tells: rare words of research prose weigh more than common ones.

The table of document frequencies is fitted on 25,000 abstracts (`python -m evals.fit_extract`), so that a corpus of
ten papers, whose own counts say nothing, is weighed as well as one of ten thousand.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from typing import TypedDict

from rag.weights import read_weights


class _Table(TypedDict):
    papers: int
    df: dict[str, int]


@cache
def _table() -> _Table:
    table: _Table = read_weights("extract_terms")["terms"]
    return table


@cache
def weight(term: str) -> float:
    """From 0 (in every abstract) to 1 (unknown to the table): log-odds idf, scaled."""
    table = _table()
    held = table["df"].get(term, 0)
    top = math.log(table["papers"] + 1)
    return max(0.0, math.log((table["papers"] + 1) / (held + 1)) / top)


def total(terms: Iterable[str]) -> float:
    return sum(weight(term) for term in terms)


def known(term: str) -> bool:
    """Whether the term is research prose: one of the table."""
    return term in _table()["df"]


def share(term: str) -> float:
    """The share of research abstracts that hold a term, one added to its count: never 0."""
    table = _table()
    return (table["df"].get(term, 0) + 1) / (table["papers"] + 1)
