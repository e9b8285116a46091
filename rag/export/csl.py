"""CSL-JSON, the citation processors' form (citationstyles.org, schema 1.0)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rag.export.entries import DERIVED_TITLE, clean, keys, kind, name
from rag.types import Paper

_TYPES = {"conference": "paper-conference", "article": "article-journal", "other": "document"}


def csl_json(papers: Sequence[Paper]) -> str:
    items = [_item(paper, key) for paper, key in zip(papers, keys(papers), strict=True)]
    return json.dumps(items, ensure_ascii=False, indent=2) + "\n"


def _item(paper: Paper, key: str) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "id": key,
        "type": _TYPES[kind(paper)],
        "title": clean(paper.title),
        "author": [_author(author) for author in paper.authors],
        "issued": {"date-parts": [[paper.year]]} if paper.year else None,
        "container-title": clean(paper.venue) if paper.venue else None,
        "DOI": paper.doi,
        "URL": paper.url,
        "note": DERIVED_TITLE if paper.title_source == "derived" else None,
    }
    return {field: value for field, value in fields.items() if value}


def _author(author: str) -> dict[str, str]:
    parted = name(author)
    if parted.family and parted.given:
        parts = {"family": parted.family, "given": parted.given, "suffix": parted.suffix}
        return {name: part for name, part in parts.items() if part}
    return {"literal": parted.literal}
