"""Whether an abstract is stuffed with words to be found by, instead of saying something: retrieval spam.

Thresholds lie beyond what abstracts of ICML 2026 and SciFact come to (`python -m evals.spam --real` counts them).
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import chain, pairwise
from typing import Final

from rag.text.sentences import split
from rag.text.tokens import STOPWORDS, content_terms

_LETTERS: Final = re.compile(r"[^\W\d_]+")
_LEAST_WORDS, _FEWEST_SMALL, _MOST_OF_ONE = 12, 0.12, 0.22
_FEWEST_DISTINCT, _FEWEST_DISTINCT_LONG, _LONG = 0.5, 0.33, 60
"""At most 0.20 of any real abstract is one word, at least 0.62 (of long ones 0.37) of its words are distinct. Small
words (of three letters or fewer) hold sentences together in any Latin script."""
_LATIN: Final = 0.9
_BOUNDS: Final = re.compile(r"[,;|/\n\u2022\u3001\uff0c]")
_MOST_LISTED, _FEWEST_ITEMS, _ITEM = 0.6, 12, 5
"""Share of an abstract that is one list of as many items or more, each of so few words."""
_STOPS: Final = re.compile(r"[.!?…\n\u3002\uff01\uff1f\uff61]")
_SAME_FRAME, _FEWEST_FRAMED = 0.7, 6
"""Share of as many sentences or more that begin with the same two words."""
_FEWEST_SENTENCES, _FEWEST_TIED, _FRAME = 20, 0.3, 0.3
"""Of as many sentences or more, the share that have a word in common with the one before or after, words of more than
a share of all sentences aside. Real abstracts of that length have 0.57 and more; sentences that each name two other
topics have 0.25 at most. Of fewer sentences the two overlap, so shorter spam of that kind is not told."""


@lru_cache(maxsize=4096)
def is_stuffed(text: str) -> bool:
    """Kept, since it is asked of the best papers of every search, and neighbouring searches find the same ones."""
    words = _LETTERS.findall(text.casefold())
    content = [word for word in words if word not in STOPWORDS]
    if len(content) < _LEAST_WORDS:
        return False
    return _repeats(words, content) or _lists(text, len(words)) or _recites(text, words) or _wanders(text)


def _repeats(words: list[str], content: list[str]) -> bool:
    """Words without a sentence, or the same ones again and again."""
    counts = Counter(content)
    small = len([word for word in words if len(word) <= 3]) / len(words)
    bare = max(small, 1 - len(content) / len(words)) < _FEWEST_SMALL and _is_latin(words)
    distinct = len(counts) / len(content)
    return (
        bare
        or max(counts.values()) / len(content) > _MOST_OF_ONE
        or distinct < (_FEWEST_DISTINCT if len(content) < _LONG else _FEWEST_DISTINCT_LONG)
    )


def _is_latin(words: list[str]) -> bool:
    return sum(word.isascii() for word in words) > _LATIN * len(words)


def _lists(text: str, words: int) -> bool:
    """Most of it is one long list of a few words each."""
    parts = _BOUNDS.split(text)
    if len(parts) < max(_FEWEST_ITEMS, _MOST_LISTED * words / _ITEM):
        return False
    longest = listed = items = 0
    for item in parts:
        size = len(_LETTERS.findall(item))
        listed, items = (listed + size, items + 1) if 0 < size <= _ITEM else (0, 0)
        if items >= _FEWEST_ITEMS:
            longest = max(longest, listed)
    return longest > _MOST_LISTED * words


def _recites(text: str, words: list[str]) -> bool:
    """The same beginning of a sentence over and over."""
    if max(Counter(pairwise(words)).values(), default=0) < _SAME_FRAME * _FEWEST_FRAMED:
        return False  # the sentences need not be found
    openings = Counter(" ".join(_LETTERS.findall(text[start:end].casefold())[:2]) for start, end in split(text))
    total = sum(openings.values())
    return total >= _FEWEST_FRAMED and openings.most_common(1)[0][1] >= _SAME_FRAME * total


def _wanders(text: str) -> bool:
    """Many sentences, and none goes on from its neighbours: each is about something else."""
    if len(_STOPS.findall(text)) < _FEWEST_SENTENCES:
        return False
    said = [set(content_terms(text[start:end])) for start, end in split(text)]
    if len(said) < _FEWEST_SENTENCES:
        return False
    counts = Counter(chain.from_iterable(said))
    own = [{term for term in each if counts[term] <= _FRAME * len(said)} for each in said]
    tied = [bool(left & right) for left, right in pairwise(own)]
    alone = sum(not (before or after) for before, after in pairwise([False, *tied, False]))
    return len(said) - alone < _FEWEST_TIED * len(said)
