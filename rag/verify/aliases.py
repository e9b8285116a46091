"""Names that are one thing: an acronym and its long form, a paper's own system and its `we`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from rag.text.names import names
from rag.text.normalise import fold, plain

_DEFINED = re.compile(r"((?:[\w'’$-]+\s+){1,9}[\w'’$-]+)\s*\(\s*([A-Za-z][\w$^{}+-]{1,14}?)s?\s*[),;]")
_INTRODUCED = re.compile(
    r"\b(?:introduc(?:es?|ing)|propos(?:es?|ing)|presents?|presenting|develop(?:s|ing)?|call(?:ed|s)?|named?|dubbed|termed|"
    r"describes?|designs?|builds?)\b"
    r"|^[^,:]{1,40}[,:]\s+(?:an?|the)\b",
    re.IGNORECASE,
)
_ACRONYM = re.compile(r"^[A-Z][A-Za-z]*[A-Z]s?$")


def definitions(texts: Iterable[str]) -> dict[str, str]:
    """Folded acronym -> folded long form, from every `Long Form (LF)` whose letters answer its words."""
    found: dict[str, str] = {}
    for text in texts:
        for acronym, long_form in _defined(text):
            found.setdefault(acronym, long_form)
    return found


@lru_cache(maxsize=8192)
def _defined(text: str) -> tuple[tuple[str, str], ...]:
    if "(" not in text:
        return ()
    found = []
    for match in _DEFINED.finditer(plain(text) + "."):
        long_form = _spelled(match.group(1).split(), match.group(2))
        if long_form:
            found.append((fold(match.group(2)), fold(long_form)))
    return tuple(found)


def _spelled(words: Sequence[str], acronym: str) -> str | None:
    """The last words whose letters spell the acronym, each beginning a word (Schwartz and Hearst, PSB 2003)."""
    letters = [c.casefold() for c in acronym if c.isalnum()]
    if len(letters) < 2:
        return None
    for count in range(max(1, (len(letters) + 1) // 2), min(len(words), len(letters) + 4) + 1):
        phrase = " ".join(words[-count:]).casefold()
        if phrase[:1] == letters[0] and _subsequence(letters, phrase):
            return " ".join(words[-count:])
    return None


def _subsequence(letters: Sequence[str], phrase: str) -> bool:
    rest = iter(phrase)
    return all(letter in rest for letter in letters)


def differing(known: Mapping[str, str], ours: str, theirs: str) -> dict[str, str]:
    """Those definitions where one text has only the acronym and the other only the long form."""
    first, second = fold(ours), fold(theirs)
    here, there = _unhyphened(ours), _unhyphened(theirs)
    return {
        acronym: long_form
        for acronym, long_form in known.items()
        for spelled in [_unhyphened(long_form)]
        if (_has(first, acronym) and not _has(second, acronym) and spelled in there)
        or (spelled in here and spelled not in there and _has(second, acronym))
    }


def _unhyphened(text: str) -> str:
    return fold(text).replace("-", " ")


def _has(text: str, acronym: str) -> bool:
    return re.search(rf"(?<![^\W_]){re.escape(acronym)}s?(?![^\W_])", text) is not None


def renamed(known: Mapping[str, str], claim: str) -> str | None:
    """A name that the claim puts in brackets after a long form whose acronym is another, or None."""
    folded = fold(claim)
    for acronym, long_form in known.items():
        after = re.search(rf"(?<!\w){re.escape(long_form)}s? \(([^()]{{2,15}})\)", folded)
        if after and after[1].rstrip("s") != acronym.rstrip("s"):
            return after[1]
    return None


def contract(text: str, known: Mapping[str, str]) -> str:
    """The text with every known long form (and `Long Form (LF)`) written as its acronym."""
    folded = text.casefold()
    for acronym, long_form in known.items():
        if long_form.split()[0] in folded:
            text = _long_form(acronym, long_form).sub(acronym.upper(), text)
    return text


@lru_cache(maxsize=4096)
def _long_form(acronym: str, long_form: str) -> re.Pattern[str]:
    words = r"[\s-]+".join(re.escape(word) for word in re.split(r"[\s-]+", long_form) if word)
    return re.compile(rf"\b{words}s?\b(?:\s*\(\s*{re.escape(acronym)}s?\s*\))?", re.IGNORECASE)


def own_names(context: Iterable[str]) -> frozenset[str]:
    """Folded names that a paper's text introduces as its own, for `we` and `our method` to answer to."""
    return frozenset(name for text in context for name in _introduced(text))


@lru_cache(maxsize=8192)
def _introduced(text: str) -> tuple[str, ...]:
    match = _INTRODUCED.search(text)
    if match is None:
        return ()
    return tuple([name.norm for name in names(text) if name.start >= match.start() - 40][:3])


def initials_match(acronym: str, words: Sequence[str]) -> bool:
    """Whether consecutive words begin with an acronym's letters (`LLMs`, `large language models`)."""
    if not _ACRONYM.match(acronym):
        return False
    letters = acronym.rstrip("s").casefold()
    starts = "".join(word[:1].casefold() for word in words)
    return len(letters) >= 2 and letters in starts
