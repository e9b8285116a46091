"""Numbers that stand for the sources of the last answer: `citewell show 2`, `citewell compare 1 3`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rag.settings import Settings

_LONGEST = 3
"""Digits; a longer number is an identifier."""


def is_number(reference: str) -> bool:
    bare = reference.strip("[] ")
    return bare.isdigit() and len(bare) <= _LONGEST


def shown(settings: Settings, references: Iterable[str]) -> dict[int, str]:
    """Paper ids by their numbers in the last answer; none where no reference is a number."""
    if not any(map(is_number, references)):
        return {}
    from rag.history import History

    entries = History(settings.home).latest(1)
    sources = entries[0].answer.get("sources", []) if entries else []
    return {source["number"]: source["paper_id"] for source in sources}


def named(settings: Settings, references: Sequence[str]) -> list[str]:
    """The references, numbers of the last answer replaced by the ids of its papers."""
    ids = shown(settings, references)
    return [ids.get(int(each.strip("[] ")), each) if is_number(each) else each for each in references]
