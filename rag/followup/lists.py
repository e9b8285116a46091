"""What is asked of a list that was shown: only some of it, which of them, others than those, the whole of it again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from rag.followup import leaning
from rag.followup.focus import Focus, Understood, name_of, names_of, titles, topic_of
from rag.question import understand
from rag.text.tokens import content_terms
from rag.types import Filters, Paper

if TYPE_CHECKING:
    from rag.library import Library

_NARROWING: Final = re.compile(
    r"^\s*(?:and\s+|but\s+|now\s+)?(?:only|just|restrict(?:ed)? to|limit(?:ed)? to|filter)\b", re.I
)
_YEAR_FIRST: Final = re.compile(
    r"^\s*(?:the |those |ones )*(?:(?:in|of|from) )?(?=(?:19|20)\d\d\b(?!\s*(?:-|–|to|on)))", re.I
)
_AGAIN: Final = re.compile(
    r"^\s*(?:(?:ok(?:ay)?|please|so|now|go|and),? )*(?:(?:list|show|give)(?: me)?|back to|repeat)? ?"
    r"(?:them|these|those|the (?:whole )?(?:list|papers|others))(?: all)?(?: again)?(?:,? please)?\s*[?.!]*$"
    r"|^\s*(?:and )?how many (?:are|were) (?:there|they|these|those|in the list)(?: in all| in total)?\s*[?.!]*$",
    re.I,
)
_OTHERS: Final = re.compile(
    r"^\s*(?:(?:ok(?:ay)?|and|so|but),? )*(?:(?:are|is) there |(?:do you |you )?(?:have|know|got) |show me |give me )?"
    r"(?:(?:any|some) )?(?:others|other ones|more(?: (?:of (?:them|these|those)|like (?:this|that|these|it|them)))?"
    r"|any(?:thing|one) else|something else|what else|who else)(?: here| papers?| then| please)*\s*[?.!]*$",
    re.I,
)
_MORE: Final = re.compile(
    r"^\s*(?:(?:ok(?:ay)?|and|so|please),? )*(?:more|go on|continue|tell me more|say more|more details?|details"
    r"|elaborate|keep going)(?:,? please)?\s*[?.!]*$",
    re.I,
)
_OF_SET: Final = re.compile(
    r"\b(?:which|who|what|how many|all|each|any|none|some|most|both|neither|either|one) of "
    r"(?:them|these|those|the papers)\b"
    r"|\b(?:they|these|those|the papers)\b.*\b(?:in common|agree|disagree|differ|contradict|overlap|relate)\b"
    r"|\bcompare (?:them|these|those|the papers)\b|\beach other\b"
    r"|^\s*(?:and |so |but )?which ones?\b(?!,)"
    r"|^\s*(?:and |so |but )?which (?:is|are|was|were|has|have|does|do|uses?|gives?|reports?|needs?|performs?|works?)\b"
    r"(?! (?:it|they|that|this)\b)",
    re.I,
)
"""Speaks of several papers together, or picks among them."""
_WHICH: Final = re.compile(
    r"^(?P<before>\s*(?:and |so |but )?)(?P<which>which)(?: ones?| of (?:them|these|those))?(?= (?!of\b))", re.I
)
_TOGETHER: Final = re.compile(r"\b(?:they|them|these|those|the papers)\b", re.I)
_COMPARES: Final = re.compile(
    rf"\b(?:{leaning.COMPARED}|\w+est|most|least|in common|agree|disagree|contradict|overlap|relate)\b", re.I
)
"""Sets papers beside each other, rather than asks each for something."""
_FEW: Final = 4
"""As many as a question can name."""


def narrowed(message: str, focus: Focus, library: Library) -> Understood | None:
    """ "only 2025", "and in 2024?", "only the ones on diffusion": the last list's question again, with less."""
    only = _NARROWING.search(message)
    instead = leaning.INSTEAD.match(message)
    rest = _NARROWING.sub("", message) if only else instead["rest"] if instead else message
    said = understand(f"papers {_YEAR_FIRST.sub('in ', rest)}", library)
    if said.filters and not _topic(rest, said.filters):
        return Understood(focus.listing or focus.question, said.filters, "the last question, narrowed")
    if not only:
        return None
    ids = tuple(paper.id for paper in focus.papers)
    topic = re.sub(r"^\s*(?:to\s+)?(?:the |those |these )?(?:ones? |papers? )?(?:that |which )?", "", rest, flags=re.I)
    return Understood(
        f"Which papers are {topic.rstrip(' ?.')}?", replace(said.filters, paper_ids=ids), "narrowing the last answer"
    )


def of_list(message: str, focus: Focus) -> Understood | None:
    """The list again, others than those it held, more of the one paper spoken of, or what is picked among several."""
    if focus.listed and _AGAIN.match(message):
        return Understood(focus.listing, _only(focus.listed), "the last list again")
    one = len(focus.papers) == 1
    if one and _MORE.match(message):
        return Understood(
            f"Tell me more about {name_of(focus.papers[0])}", _only(focus.papers), f"more of {titles(focus.papers)}"
        )
    if _OTHERS.match(message):
        question = focus.listing or f"Which papers are about {topic_of(focus.papers[0])}?"
        known = tuple(dict.fromkeys([*focus.numbers.values(), *focus.listed, *focus.papers]))
        return Understood(question, Filters(without=tuple(paper.id for paper in known)), f"others than {titles(known)}")
    several = focus.papers if not one else focus.counted
    return _picked(message, several) if len(several) > 1 and _OF_SET.search(message) else None


def _picked(message: str, several: Sequence[Paper]) -> Understood:
    """ "Which of them has code?" asks for papers; a few that are compared are named."""
    if _COMPARES.search(message) and len(several) <= _FEW:
        question = _TOGETHER.sub(names_of(several), message, count=1)
        question = question if leaning.SIDE_BY_SIDE.search(question) else f"Compare {names_of(several)}: {message}"
    else:
        question = _WHICH.sub(r"\g<before>which papers", message)
    return Understood(question, _only(several), f"among {titles(several)}")


def _only(papers: Sequence[Paper]) -> Filters:
    return Filters(paper_ids=tuple(paper.id for paper in papers))


def _topic(text: str, filters: Filters) -> list[str]:
    """What a message names beside its filters."""
    held = {*filters.venues, *filters.authors, str(filters.year_from), str(filters.year_to)}
    spoken = set(content_terms(" ".join(held))) | set(content_terms("ones those papers from since after before year"))
    return [term for term in content_terms(text) if term not in spoken]
