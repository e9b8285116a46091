"""One corpus in any number of versions, so that a reader can tell which of them it sees, and whether it is whole."""

from __future__ import annotations

from rag.types import Paper

_WORDS = "graph risk draft token vision robot protein claim audio memory kernel policy reward sparse bound".split()


def version(number: int, papers: int) -> list[Paper]:
    """A third of the papers changes with every version, and so do the first and the last."""
    made = []
    for n in range(number % 50, number % 50 + papers):
        word, edition = _WORDS[n % len(_WORDS)], number if n % 3 == number % 3 else 0
        text = (
            f"We study {word} unique{n}x in depth. Its property{n} matters. Edition{edition} of it gains {n % 90}.5%. "
            f"Our {word} method{n} is simple. Code{n} is open. It runs in {n} seconds."
        )
        made.append(
            Paper(
                f"openreview:kill{n:06d}",
                f"Topic{n}: {word}",
                "given",
                text,
                year=2026,
                files=(f"v.jsonl:{n}",),
            )
        )
    return made
