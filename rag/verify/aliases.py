"""Names that are one thing: an acronym and its long form, a paper's own system and its `we`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from rag.text.names import names
from rag.text.normalise import fold

_DEFINED = re.compile(r"((?:[\w'’$-]+\s+){1,9}[\w'’$-]+)\s*\(\s*([A-Za-z][\w$^{}+-]{1,14}?)s?\s*[),;]")
_INTRODUCED = re.compile(
    r"\b(?:introduces?|proposes?|presents?|develops?|call(?:ed|s)?|named?|dubbed|termed|describes?|designs?|builds?)\b"
    r"|^[^,:]{1,40}[,:]\s+(?:an?|the)\b",
    re.IGNORECASE,
)
_ACRONYM = re.compile(r"^[A-Z][A-Za-z]*[A-Z]s?$")


def definitions(texts: Iterable[str]) -> dict[str, str]:
    """Folded acronym -> folded long form, from every `Long Form (LF)` whose letters answer its words."""
    found: dict[str, str] = {}
    for text in texts:
        for match in _DEFINED.finditer(text.replace("\\textbf{", " ").replace("}", " ")):
            long_form = _spelled(match.group(1).split(), match.group(2))
            if long_form:
                found.setdefault(fold(match.group(2)), fold(long_form))
    return found


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


def contract(text: str, known: Mapping[str, str]) -> str:
    """The text with every known long form (and `Long Form (LF)`) written as its acronym."""
    for acronym, long_form in known.items():
        pattern = r"\s+".join(re.escape(word) for word in re.split(r"[\s-]+", long_form) if word)
        pattern = pattern.replace(r"\s+", r"[\s-]+")
        text = re.sub(
            rf"\b{pattern}s?\b(?:\s*\(\s*{re.escape(acronym)}s?\s*\))?", acronym.upper(), text, flags=re.I
        )
    return text


def own_names(context: Iterable[str]) -> frozenset[str]:
    """Folded names that a paper's text introduces as its own, for `we` and `our method` to answer to."""
    found: set[str] = set()
    for text in context:
        match = _INTRODUCED.search(text)
        if match:
            after = [name.norm for name in names(text) if name.start >= match.start() - 40]
            found.update(after[:3])
    return frozenset(found)


def initials_match(acronym: str, words: Sequence[str]) -> bool:
    """Whether consecutive words begin with an acronym's letters (`LLMs`, `large language models`)."""
    if not _ACRONYM.match(acronym):
        return False
    letters = acronym.rstrip("s").casefold()
    starts = "".join(word[:1].casefold() for word in words)
    return len(letters) >= 2 and letters in starts
