"""A reader's filters as SQL over the catalogue."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from rag.text.normalise import fold
from rag.types import Filters


def condition(filters: Filters) -> tuple[str, list[object]]:
    """A condition on `p` (papers) and its parameters. Several venues, or several authors, mean any of them."""
    parts: list[str] = ["1"]
    values: list[object] = []
    if filters.year_from is not None:
        parts.append("p.year >= ?")
        values.append(filters.year_from)
    if filters.year_to is not None:
        parts.append("p.year <= ?")
        values.append(filters.year_to)
    for column, wanted in (("venue", filters.venues), ("authors", filters.authors)):
        if wanted:
            parts.append("p.key IN (SELECT rowid FROM facets WHERE facets MATCH ?)")
            values.append(f"{column} : ({any_of(fold(text) for text in wanted)})")
    if filters.paper_ids:
        parts.append("p.id IN (SELECT value FROM json_each(?))")
        values.append(json.dumps(filters.paper_ids))
    if filters.without:
        parts.append("p.id NOT IN (SELECT value FROM json_each(?))")
        values.append(json.dumps(filters.without))
    return " AND ".join(parts), values


def any_of(phrases: Iterable[str]) -> str:
    """An FTS5 expression for any of these phrases. Whatever they hold is text, never syntax."""
    return " OR ".join('"' + phrase.replace('"', '""').replace("\0", " ") + '"' for phrase in phrases)


def marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
