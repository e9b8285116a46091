"""Two questions in one message: "How many are there, and where do they come from?" asks twice."""

from __future__ import annotations

import re
from typing import Final

from rag.text.function_words import AUXILIARIES

MOST: Final = 3
_AUX: Final = rf"(?:{AUXILIARIES})"
_ASKS: Final = (
    rf"(?:(?:by|on|in|at|for|with|to) )?(?:who|what|when|where|why|how|which) (?:[\w-]+ ){{0,4}}?{_AUX}\b"
    r"|(?:who|what|which [\w-]+) (?!(?:this|its|is|was|has|does)\b)\w+(?:s|ed)\b"
    rf"|{_AUX} (?:it|they|this|that|these|those|its|their|the|there)\b"
)
"""How a question of its own begins: with its verb before its subject, as no clause within a question does."""
_BEGINS: Final = re.compile(rf"^(?:so |and |but |ok,? )?(?:{_ASKS}|{_AUX} )", re.IGNORECASE)
_BETWEEN: Final = re.compile(
    rf"[?？]\s+(?:(?:and|but|also)\s+)?(?={_ASKS})|(?:\s*,)?\s+(?:and|but)\s+(?:also\s+)?(?={_ASKS})", re.IGNORECASE
)


def questions_in(text: str) -> tuple[str, ...]:
    """The questions of a message, each with a mark of its own; the message as it is where it asks once."""
    bare = " ".join(text.split()).rstrip("?？ ")
    parts = [part.strip(" ,") for part in _BETWEEN.split(bare)]
    if not 1 < len(parts) <= MOST or not all(_BEGINS.match(part) for part in parts):
        return (text,)
    return tuple(f"{part}?" for part in parts)
