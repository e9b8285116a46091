"""The names a paper introduces: how a reader calls it who does not know its title."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice

from rag.text.definitions import definitions
from rag.text.names import GENERIC, names
from rag.text.normalise import fold
from rag.text.readable import readable
from rag.text.tokens import tokenise
from rag.types import Paper

_PRESENTING = re.compile(
    r"\b(?:[Ww]e|[Tt]his (?:paper|work|article|study))\b[^.;]{0,60}?"
    r"\b(?:propos|introduc|present|develop|releas|design|describ|contribut|construct|buil[dt]|curat|creat|devis)"
    r"|\b(?:called?|named?|dub(?:bed)?|term(?:ed)?|coined|namely|abbreviated)\b"
    r"|\b[Oo]ur (?:method|model|framework|approach|system|algorithm|benchmark|data ?set)\b"
)
_HEAD = re.compile(r"[^:]{1,60}(?=: )")
_MOST = 4
"""Sentences that are searched: what a paper introduces, it introduces early or in its title."""
_END = 1 << 60


def introduced(paper: Paper, sentences: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """Folded names, short and long forms, each once.

    What stands before the title's colon and its long form in the abstract; where no name does, those that the
    abstract's own words present ("we propose", "called").
    """
    titled = _of_title(paper.title)
    found = (*titled, *_long_forms(titled, paper.abstract)) if titled else _presented(paper.abstract, sentences)
    return tuple(dict.fromkeys(filter(None, found)))


def _of_title(title: str) -> tuple[str, ...]:
    head = _HEAD.match(title)
    if not head:
        return ()
    if " " in head[0]:
        return tuple(name.norm for name in names(f"{head[0]}: ") if name.introduced)
    return tuple(token.norm for token in tokenise(head[0])[:1] if token.kind == "name" and token.norm not in GENERIC)


def _long_forms(short: Sequence[str], abstract: str) -> Iterator[str]:
    """`Long Form (NAME)` or `NAME (long form)` anywhere in the abstract."""
    if "(" not in abstract:
        return
    shown = readable(abstract)
    for definition in definitions(shown):
        if fold(shown[slice(*definition.short)]) in short:
            yield fold(shown[slice(*definition.long)])


def _presented(abstract: str, sentences: Sequence[tuple[int, int]]) -> Iterator[str]:
    places = (cue.end() - 1 for cue in islice(_PRESENTING.finditer(abstract), _MOST))
    for index in sorted({bisect_right(sentences, (place, _END)) - 1 for place in places}):
        start, end = sentences[max(0, index)]
        for name in names(abstract[start:end]):
            if name.introduced:
                yield from (name.norm, name.alias)
