"""RIS, written by rispy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rag.export.entries import DERIVED_TITLE, clean, keys, kind, name
from rag.types import Paper

_TYPES = {"conference": "CONF", "article": "JOUR", "other": "GEN"}


def ris(papers: Sequence[Paper]) -> str:
    import rispy

    entries = [_entry(paper, key) for paper, key in zip(papers, keys(papers), strict=True)]

    class Writer(rispy.RisWriter):  # type: ignore[misc]  # rispy is untyped
        def set_header(self, count: int) -> None:
            """None: "1." before a record belongs to no tag, and some readers stop at it."""

    text: str = rispy.dumps(entries, implementation=Writer)
    return text


def _entry(paper: Paper, key: str) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "type_of_reference": _TYPES[kind(paper)],
        "id": key,
        "title": clean(paper.title),
        "authors": [_author(author) for author in paper.authors],
        "year": str(paper.year) if paper.year else None,
        "secondary_title": clean(paper.venue) if paper.venue else None,
        "doi": paper.doi,
        "urls": [paper.url] if paper.url else None,
        "notes": [DERIVED_TITLE] if paper.title_source == "derived" else None,
    }
    return {field: value for field, value in fields.items() if value}


def _author(author: str) -> str:
    parted = name(author)
    parts = (parted.family, parted.given, parted.suffix)
    return ", ".join(part for part in parts if part) if parted.family and parted.given else parted.literal
