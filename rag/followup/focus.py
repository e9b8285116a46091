"""What was last spoken of, what a message was understood as, and how papers are called in a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from rag.text.normalise import fold, plain
from rag.types import Filters, Paper

_LONGEST_NAME: Final = 30


@dataclass(frozen=True, slots=True)
class Focus:
    """What was last spoken of: the question as understood, its papers in the order shown, everyone's numbers.

    `listed` are the papers of the last answer that had several: what "the second one" counts; `listing` is what it
    answered. `before` is the one paper that was spoken of alone before `papers`, if there was one.
    """

    question: str = ""
    papers: tuple[Paper, ...] = ()
    listed: tuple[Paper, ...] = ()
    listing: str = ""
    before: tuple[Paper, ...] = ()
    numbers: Mapping[int, Paper] = field(default_factory=dict)

    @property
    def counted(self) -> tuple[Paper, ...]:
        """What "the second one" counts: the last list, or where there was none all papers by their numbers."""
        shown = tuple(self.numbers[number] for number in sorted(self.numbers))
        return self.listed or (shown if len(shown) > 1 else ())


@dataclass(frozen=True, slots=True)
class Understood:
    """A question that stands alone, where to look for its answer, and how that was concluded, in words."""

    question: str
    filters: Filters
    why: str


def name_of(paper: Paper) -> str:
    """What stands for the paper in a question: its short name, else its title in quotation marks."""
    return short_name(paper) or f"“{plain(paper.title)}”"


def names_of(papers: Sequence[Paper]) -> str:
    """ "DFlash, MuLoCo and EAGLE-3"."""
    *most, last = map(name_of, papers)
    return f"{', '.join(most)} and {last}" if most else last


def short_name(paper: Paper) -> str | None:
    """What the paper is called in a sentence: the name before its title's colon, or a title that is hardly longer.

    Several words before a colon are a name only where the abstract uses them as one.
    """
    title = plain(paper.title)
    head = title.partition(":")[0].strip()
    if len(head) > _LONGEST_NAME or (head == title and len(head.split()) > 2):
        return None
    used = len(head.split()) == 1 or head == title or fold(head) in fold(paper.abstract)
    return head if used else None


def topic_of(paper: Paper) -> str:
    """What a paper is about: its title, without the name that stands before a colon."""
    title = plain(paper.title)
    return title.partition(":")[2].strip() or title


def titles(papers: Sequence[Paper]) -> str:
    """In quotation marks, each once."""
    return ", ".join(f"“{plain(paper.title)}”" for paper in dict.fromkeys(papers))
