"""The keys of one prompt: short, opaque, in no text the model is shown; and reading them back out of what it wrote."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator, Sequence

_PREFIXES = ("kx", "zq", "vj", "qz", "xk", "jv", "wq", "zx")
_SEPARATORS = re.compile(r"[,;/&|、，；\s]+|\band\b", re.IGNORECASE)
_DASHED = re.compile(r"\s*[-–—~]\s*")
_LABEL = re.compile(
    r"(?:sources?|keys?|refs?|references?|evidence|sentences?|papers?|docs?|documents?|passages?|cite|see)[\s:#.]*",
    re.IGNORECASE,
)
_KEYLIKE = re.compile(r"(?=[^\d]*\d)[\w.]{1,6}")
_RANGE = re.compile(r"([^\W\d_]*)(\d{1,3})-([^\W\d_]*)(\d{1,3})")
_LONGEST_RANGE = 20


def keys_for(count: int, texts: Sequence[str]) -> tuple[str, ...]:
    """`count` keys `kx1`, `kx2`, ... with a prefix that begins no word in any of `texts`.

    So no abstract can hold a key, whoever wrote it: the prefix is chosen after reading it.
    """
    everything = unicodedata.normalize("NFKC", "\n".join(texts)).casefold()
    for prefix in itertools.chain(_PREFIXES, _longer()):
        if not re.search(rf"{prefix}\d", everything):
            return tuple(f"{prefix}{number}" for number in range(1, count + 1))
    raise AssertionError("unreachable: there are always longer prefixes")


def _longer() -> Iterator[str]:
    for size in itertools.count(3):
        for letters in itertools.product("kxzqvj", repeat=size):
            yield "".join(letters)


class Keys:
    """Recognises given keys however they are spelled, and what only looks like one."""

    def __init__(self, given: Sequence[str]) -> None:
        self.given = tuple(given)
        self._given = {key.casefold(): key for key in given}
        any_key = "|".join(sorted(map(re.escape, self._given), key=len, reverse=True)) or "(?!)"
        self.bare = re.compile(rf"(?<![\w-])(?:{any_key})(?![\w])", re.IGNORECASE)
        """A given key standing on its own: it is in no shown text, so it can only be a citation."""

    def named(self, inside: str) -> tuple[str, ...]:
        """The keys that the inside of a bracket names, unknown ones as written; () when it is no list of keys."""
        found: list[str] = []
        text = _DASHED.sub("-", inside.partition("†")[0])
        for part in _SEPARATORS.split(text):
            word = _LABEL.sub("", part.strip("^#*.:()\\")).strip("^#*.:()\\")
            span = _RANGE.fullmatch(word)
            if span and int(span[2]) <= int(span[4]) <= int(span[2]) + _LONGEST_RANGE and span[3] in ("", span[1]):
                numbers = range(int(span[2]), int(span[4]) + 1)
                found.extend(self._spelled(f"{span[1]}{number}") for number in numbers)
            elif word.casefold() in self._given or _KEYLIKE.fullmatch(word):
                found.append(self._spelled(word))
            elif word and not self.knows(found):
                return tuple(self._spelled(key) for key in self.bare.findall(inside))
        return tuple(dict.fromkeys(found))

    def knows(self, keys: Sequence[str]) -> bool:
        """Whether any of them was given."""
        return any(key.casefold() in self._given for key in keys)

    def _spelled(self, key: str) -> str:
        return self._given.get(key.casefold(), key)
