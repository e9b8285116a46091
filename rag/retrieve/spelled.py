"""Stems as words: a static model knows "generalise", not the stem that an index holds of it.

The table is the commonest word of each stem, in 32,000 abstracts and in the static model's own vocabulary
(`python -m evals.fit_words`); a stem that it does not hold is no English word, or a very rare one.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files


@cache
def _table() -> dict[str, str]:
    text = files("rag.weights").joinpath("words.json").read_text(encoding="utf-8")
    table: dict[str, str] = json.loads(text)["words"]
    return table


def spelled(stem: str) -> str:
    """The stem's commonest word; the stem itself where none is known."""
    return _table().get(stem, stem)


def is_word(stem: str) -> bool:
    """Whether the stem is that of a word in the table."""
    return stem in _table()
