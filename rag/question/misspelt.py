"""Words typed wrongly: one letter too many, missing, changed or exchanged with its neighbour (Damerau 1964)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from string import ascii_lowercase
from typing import TYPE_CHECKING, Final

from rag.question.words import FRAME
from rag.retrieve.spelled import is_word, spelled
from rag.text.rarity import known, share
from rag.text.tokens import STOPWORDS, stem_of

if TYPE_CHECKING:
    from rag.library import Library

_WORD: Final = re.compile(r"(?<![\w-])[a-z]{6,}(?![\w-])")
"""Shorter ones are near too many others; what has a capital, a digit or a hyphen may be a name."""

_PREFIXES: Final = frozenset(
    """
    anti auto bi bio co cross de dis down en extra fore hyper il im in inter intra ir macro meta micro mid mini
    mis mono multi neuro non out over photo poly post pre pro pseudo psycho quasi re self semi sub super tele
    thermo trans tri ultra un under uni up
    """.split()
)
SHORTEST: Final = 4
"""Letters of each of two words, and of what follows a prefix."""


def corrected(text: str, library: Library | None) -> str:
    """The text with words that neither the corpus nor research at large knows as the commonest they are one slip from.

    A word that is near none stays: it may be a name.
    """
    return _WORD.sub(lambda found: _meant(found[0], library), text)


def _meant(word: str, library: Library | None) -> str:
    stem = stem_of(word)
    if word in FRAME or word in STOPWORDS:
        return word
    if is_word(stem) or _made_of_words(word) or (library is not None and library.document_frequency([stem])[stem]):
        return word
    return _nearest(word)


def _made_of_words(word: str) -> bool:
    """ "miscount", "beekeeping": a prefix and a word, or two words."""
    return any(
        (word[:at] in _PREFIXES or (at >= SHORTEST and known(stem_of(word[:at])))) and known(stem_of(word[at:]))
        for at in range(2, len(word) - SHORTEST + 1)
    )


@lru_cache(maxsize=256)
def _nearest(word: str) -> str:
    near = {each: stem_of(each) for each in _slips(word)}
    words = [each for each, stem in near.items() if known(stem)]
    return max(words, key=lambda each: (spelled(near[each]) == each, share(near[each])), default=word)


def _slips(word: str) -> Iterator[str]:
    """What one slip may have made the word of; the first letter is hardly ever wrong."""
    for at in range(1, len(word) + 1):
        head, tail = word[:at], word[at:]
        yield from (head + letter + tail for letter in ascii_lowercase)
        if tail:
            yield head + tail[1:]
            yield from (head + letter + tail[1:] for letter in ascii_lowercase if letter != tail[0])
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
