"""What the format readers hand over: a record as its file holds it, or a flaw where there was none to hand over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

MAX_LINE = 8 * 2**20
"""Bytes in a line of a line format. OpenAlex's longest are about 1 MB."""
MAX_DOCUMENT = 64 * 2**20
"""Bytes in one thing that has to be parsed whole: a JSON object, an XML record, a BibTeX entry."""
MAX_ABSTRACT = 200_000
"""Characters in an abstract. The longest real ones have some 10,000."""
MAX_FIELD = 4_000
"""Characters in a title, venue, link or name."""
MAX_AUTHORS = 20_000
"""Physics collaborations sign with some 5,000."""
MAX_PROBLEMS = 1_000
"""Problems told one by one in a file; the rest are counted and told in one."""


@dataclass(frozen=True, slots=True)
class Record:
    """One record: its fields under the names its file gives them, decoded, not yet understood.

    `line` is where it starts; formats without meaningful lines count records instead, in `number` (from 1).
    """

    fields: Mapping[str, object]
    line: int | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Flaw:
    """A record that could not be read, and why; or, where neither is given, what is wrong with the whole file."""

    reason: str
    line: int | None = None
    number: int | None = None


class Unusable(Exception):
    """The rest of this file cannot be read. The message says why and what to do."""
