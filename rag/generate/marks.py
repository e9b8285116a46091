"""Citation marks as models really write them: found, read into keys, taken out of the sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

_BRACKETED = re.compile(
    r"[\[【〔［]\s*(?:\^|(?:source|sources|key|keys|ref|evidence|sentence|paper|doc)s?\s*:?\s*)?"
    r"([\w#†.:-]+(?:\s*(?:,|;|/|&|and|–|-)\s*(?:\^|(?:source|key|sentence)\s+)?[\w#†.:-]+)*)\s*[\]】〕］](?!\()",
    re.IGNORECASE,
)
_LIST = re.compile(r"\s*(?:,|;|/|&|\band\b)\s*", re.IGNORECASE)
_RANGE = re.compile(r"(\d{1,3})\s*[-–]\s*(\d{1,3})")
_AUTHOR_YEAR = re.compile(
    r"\(\s*((?:[^\W\d_][\w'’.-]+(?:\s+(?:et\s+al\.?|and|&)\s*|\s*,\s*|\s+)){1,8}(?:19|20)\d\d[a-z]?"
    r"(?:\s*;\s*[^();]{3,60}(?:19|20)\d\d[a-z]?)*)\s*\)"
)
_PROSE = re.compile(
    r"^\s*(?:according\s+to|as\s+(?:stated|shown|noted|described|reported)\s+(?:in|by)|based\s+on|per|in)\s+"
    r"(?:the\s+)?(?:source|evidence|sentence|document|passage|key|ref(?:erence)?)s?\s*#?\s*"
    r"\[?([A-Za-z]?\d+[a-z]?)\]?\s*,?\s*(?:that\s+)?",
    re.IGNORECASE,
)
_SPACE_BEFORE_STOP = re.compile(r"\s+([.,;:!?。！？])")


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence without its marks, and the keys they named, each once, in order."""

    text: str
    keys: tuple[str, ...]


def take_marks(sentence: str, known: frozenset[str], evidence_text: str = "") -> Marked:
    """Reads the marks of one drafted sentence.

    `known` are the keys that were given. A bracket or an author-year that stands in `evidence_text` itself (`x[i]`,
    `(Charles et al., 2025)`) belongs to the sentence and stays, unless it is a known key.
    """
    keys: list[str] = []

    def bracket(match: re.Match[str]) -> str:
        named = _named(match.group(1))
        if not known.intersection(named) and (match.group() in evidence_text or not any(map(_looks_like_key, named))):
            return match.group()
        keys.extend(named)
        return ""

    def author_year(match: re.Match[str]) -> str:
        if match.group() in evidence_text:
            return match.group()
        keys.append(match.group(1))
        return ""

    def prose(match: re.Match[str]) -> str:
        keys.append(match.group(1))
        return ""

    text = _PROSE.sub(prose, sentence)
    text = _AUTHOR_YEAR.sub(author_year, _BRACKETED.sub(bracket, text))
    if keys:
        text = _SPACE_BEFORE_STOP.sub(r"\1", " ".join(text.split()))
    return Marked(_capitalised(text.strip(), sentence), tuple(dict.fromkeys(keys)))


def _named(inside: str) -> list[str]:
    named: list[str] = []
    for part in _LIST.split(inside):
        word = re.sub(r"^(?:source|key|sentence)\s+", "", part.strip(), flags=re.IGNORECASE).strip("^#† ")
        span = _RANGE.fullmatch(word)
        if span and int(span[1]) <= int(span[2]) <= int(span[1]) + 20:
            named.extend(str(number) for number in range(int(span[1]), int(span[2]) + 1))
        elif word:
            named.append(word)
    return named


def _looks_like_key(word: str) -> bool:
    """`3`, `k2f`, `S12`: short, with a digit. `[sic]` and `[mask]` are words."""
    return len(word) <= 6 and any(c.isdigit() for c in word)


def _capitalised(text: str, before: str) -> str:
    """A sentence whose "According to Source 2," was taken off begins with a capital again."""
    if text and text[0].islower() and before.lstrip()[:1].isupper() and not before.lstrip().startswith(text[:1]):
        return text[0].upper() + text[1:]
    return text
