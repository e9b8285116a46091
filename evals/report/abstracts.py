"""An abstract cut into runs of characters, each cited, gold, both or neither: what the page highlights."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any


@dataclass(frozen=True, slots=True)
class Run:
    text: str
    cited: bool
    gold: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """One paper of a case: gold or not, and its abstract in runs that make it whole."""

    id: str
    title: str
    gold: bool
    runs: tuple[Run, ...]


def shown(entry: Mapping[str, Any], papers: Mapping[str, Any]) -> tuple[Shown, ...]:
    """The papers that a case cites or should, gold first."""
    cited = _citations(entry)
    wanted = dict.fromkeys((*entry["papers"], *cited))
    return tuple(
        Shown(
            paper,
            papers[paper]["title"],
            paper in entry["papers"],
            _runs(papers[paper]["abstract"], entry, cited.get(paper, ())),
        )
        for paper in wanted
        if paper in papers
    )


def cut(text: str, cited: Iterable[tuple[int, int]], gold: Iterable[tuple[int, int]]) -> tuple[Run, ...]:
    """`text` at every edge of a span."""
    cited, gold = list(cited), list(gold)
    edges = sorted({0, len(text), *(min(max(edge, 0), len(text)) for span in (*cited, *gold) for edge in span)})
    return tuple(
        Run(text[start:end], _inside(start, end, cited), _inside(start, end, gold)) for start, end in pairwise(edges)
    )


def find(text: str, sentence: str) -> tuple[int, int] | None:
    """Where a sentence stands, white space aside."""
    words = sentence.split()
    found = re.search(r"\s+".join(map(re.escape, words)), text) if words else None
    return found.span() if found else None


def _runs(abstract: str, entry: Mapping[str, Any], cited: Iterable[tuple[int, int]]) -> tuple[Run, ...]:
    gold = [span for sentence in entry["gold_sentences"] if (span := find(abstract, sentence)) is not None]
    return cut(abstract, cited, gold)


def _citations(entry: Mapping[str, Any]) -> dict[str, list[tuple[int, int]]]:
    spans: dict[str, list[tuple[int, int]]] = {}
    for claim in (entry["answer"] or {}).get("claims", ()):
        for citation in claim["citations"]:
            span = spans.setdefault(citation["paper_id"], [])
            if citation.get("field", "abstract") == "abstract":
                span.append((citation["start"], citation["end"]))
    return spans


def _inside(start: int, end: int, spans: Iterable[tuple[int, int]]) -> bool:
    return any(first <= start and end <= last for first, last in spans)
