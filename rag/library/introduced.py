"""The names a paper introduces: how a reader calls it who does not know its title."""

from __future__ import annotations

import re

from rag.text.names import Name, names
from rag.types import Paper

_PRESENTING = re.compile(
    r"\b(?:[Ww]e|[Tt]his (?:paper|work|article|study))\b[^.;]{0,60}?"
    r"\b(?:propos|introduc|present|develop|releas|design|describ|contribut|construct|buil[dt]|curat|creat|devis)"
    r"|\b(?:called?|named?|dub(?:bed)?|term(?:ed)?|coined|namely|abbreviated)\b"
    r"|\b[Oo]ur (?:method|model|framework|approach|system|algorithm|benchmark|data ?set)\b"
)
_HEAD = re.compile(r"[^:]{1,60}(?=: )")


def introduced(paper: Paper, sentences: tuple[tuple[int, int], ...]) -> tuple[str, ...]:
    """Folded names, short and long forms, each once.

    The one before the title's colon and its definition in the abstract; without one, those that the abstract's own
    words present ("we propose", "called"). Only sentences that can hold one are searched for names.
    """
    titled = [name for name in _of_title(paper) if name.introduced]
    wanted = [_definition(name.text) for name in titled] or [_PRESENTING]
    found = titled[:]
    for start, end in sentences:
        if any(cue.search(paper.abstract, start, end) for cue in wanted):
            found.extend(
                name for name in names(paper.abstract[start:end]) if name.introduced or _defines(name, titled)
            )
    return tuple(dict.fromkeys(norm for name in found for norm in (name.norm, name.alias) if norm))


def _of_title(paper: Paper) -> tuple[Name, ...]:
    """Only what stands before a colon can be introduced by a title."""
    head = _HEAD.match(paper.title)
    return names(f"{head[0]}: ") if head else ()


def _definition(name: str) -> re.Pattern[str]:
    """`Long Form (NAME)` or `NAME (long form)`."""
    return re.compile(rf"\({re.escape(name)}|{re.escape(name)}[*_}}]*\s*\(")


def _defines(name: Name, titled: list[Name]) -> bool:
    return any(name.norm == other.norm or name.alias == other.norm for other in titled)
