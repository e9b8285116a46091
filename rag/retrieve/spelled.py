"""Stems as words: a static model knows "generalise", not the stem that an index holds of it.

The table is the commonest word of each stem, in 32,000 abstracts and in the static model's own vocabulary
(`python -m evals.fit_words`); a stem that it does not hold is no English word, or a very rare one.
"""

from __future__ import annotations

from functools import cache

from rag.weights import read_weights


@cache
def _table() -> dict[str, str]:
    table: dict[str, str] = read_weights("words")["words"]
    return table


def spelled(stem: str) -> str:
    """The stem's commonest word; the stem itself where none is known."""
    return _table().get(stem, stem)


def is_word(stem: str) -> bool:
    """Whether the stem is that of a word in the table."""
    return stem in _table()
