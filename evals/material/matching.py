"""Finding a fact's spelling in shown text: folded on both sides, whole words only."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag.text.normalise import fold

_EDGE = r"[^\W_]"


def spaced(text: str) -> str:
    """`text` folded for `holds`."""
    return fold(text)


def bare(text: str) -> str:
    """A gold sentence or a passage to compare: as it reads, whatever LaTeX, case and spaces it is written with."""
    return "".join(fold(text).split())


def holds(folded: str, spelling: str) -> bool:
    """Whether the folded text holds the spelling, not inside a longer word or number ("2.5" is not in "12.5")."""
    wanted = fold(spelling)
    if not wanted:
        return False
    before = rf"(?<!{_EDGE})" + (r"(?<!\d[.,])" if wanted[0].isdigit() else "")
    after = rf"(?!{_EDGE})" + (r"(?![.,]\d)" if wanted[-1].isdigit() else "")
    if not (wanted[0].isascii() and wanted[0].isalnum()):
        before = ""
    if not (wanted[-1].isascii() and wanted[-1].isalnum()):
        after = ""
    if wanted[-1].isdigit():  # "2.5" stands in "2.5x" and "2.5%": a unit may follow without a space
        after = r"(?![.,]?\d)"
    return re.search(before + re.escape(wanted) + after, folded) is not None


def first_of(folded: str, spellings: Sequence[str]) -> str | None:
    """The first spelling that the text holds."""
    return next((each for each in spellings if holds(folded, each)), None)
