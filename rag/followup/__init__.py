"""A message in a conversation -> a question that stands alone, by rules over what was last spoken of.

The focus is the papers of the last answer. A message may point at them ("it", "the second one", "[2]"), narrow the
last question ("only 2025"), put another paper in its place ("and MuLoCo?"), or just leave out what both sides know
("which datasets?"). What it points at becomes a filter; a system's name is also put in the pronoun's place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rag.followup import leaning, lists
from rag.followup.asides import asked_language, is_courtesy, meant_instead
from rag.followup.focus import Focus, Understood, name_of, names_of, short_name, titles, topic_of
from rag.followup.pointers import Pointer, pointed_at
from rag.question import understand
from rag.text.normalise import fold
from rag.text.tokens import content_terms
from rag.types import Filters, Paper

if TYPE_CHECKING:
    from rag.library import Library
    from rag.retrieve import Retriever

__all__ = ["Focus", "Understood", "compares", "leans", "stand_alone"]

_FOREIGN_SURE: Final = 0.7
"""The least score at which another paper than the focus is taken to be meant by a message that names none."""
_FOREIGN_LEAD: Final = 3.0
"""And how many times the focus's own score that must be."""
_CATALOGUED: Final = {
    "authors": "Who are the {aspect} of {name}?", "author": "Who is the {aspect} of {name}?",
    "year": "When was {name} published?", "date": "When was {name} published?",
    "venue": "Where was {name} published?", "conference": "Where was {name} published?",
    "journal": "Where was {name} published?", "url": "What is the link to the paper {name}?",
    "link": "What is the link to the paper {name}?", "doi": "What is the DOI of {name}?",
    "title": "What is the title of the paper {name}?",
}  # fmt: skip
_SHORT: Final = 2
"""A message of no more content words than this says too little to mean anything but the focus."""


def stand_alone(message: str, focus: Focus, library: Library, retriever: Retriever) -> Understood:
    """Never raises for any message; one without anything to lean on stands as it is."""
    alone = Understood(message, Filters(), "as typed")
    if not focus.papers or is_courtesy(message):
        return alone
    language = asked_language(message)
    if language:
        return Understood(focus.question, Filters(), f"the last question, in {language}")
    narrowed = lists.narrowed(message, focus, library)
    if narrowed is not None:
        return narrowed
    meant = meant_instead(message)
    if meant and (corrected := _corrected(meant, focus, library)):
        return corrected
    pointed = pointed_at(message, focus.counted, focus.papers, focus.numbers, focus.before)
    if pointed:
        return _about_pointed(message, pointed, focus, understand(message, library).papers)
    of_list = lists.of_list(message, focus)
    if of_list is not None:
        return of_list
    named = [paper for paper in library.get(understand(message, library).papers).values() if paper not in focus.papers]
    if named:
        return _named(message, named, focus) or alone
    beside = leaning.BESIDE_IN.match(message)
    if beside and compares(focus.question) and len(focus.papers) > 1:
        ids = tuple(paper.id for paper in focus.papers)
        question = f"Compare {names_of(focus.papers)} {beside['said']}"
        return Understood(question, Filters(paper_ids=ids), "the last comparison, in this")
    if other := _other_topic(message, focus, retriever):
        return other
    if leaning.ANOTHER.search(message) and not leaning.SET_BESIDE.search(message):
        return _besides(message, focus)
    if leaning.THE_ONE.search(message) and focus.listed:
        return _among(message, focus, retriever, library)
    if leaning.OWN.search(message) or leaning.POINTING.search(message):
        return _about(message, _spoken_of(message, focus), "the last answer")
    if leaning.OPENS_AFRESH.search(message) or _means_another(message, focus, retriever):
        return alone
    return _about(message, _spoken_of(message, focus), "the last answer")


def compares(question: str) -> bool:
    """Whether a question sets papers beside each other, so that those it cites are no list to count in."""
    return leaning.SIDE_BY_SIDE.search(question.rstrip(" ?.!")) is not None


def leans(message: str) -> bool:
    """Whether a message says no more than what it leans on lets it say: "and its dataset?", "is it fast?"."""
    pointing = leaning.OWN.search(message) or leaning.POINTING.search(message)
    return leaning.ELLIPSIS.match(message) is not None or (pointing is not None and not understand(message).names)


def _corrected(meant: str, focus: Focus, library: Library) -> Understood | None:
    """The last question again, of the paper that was meant; None where what was meant is no paper."""
    pointed = pointed_at(meant, focus.counted, focus.papers, focus.numbers, focus.before)
    if len(pointed) == 1 and not content_terms(meant[: pointed[0].start] + meant[pointed[0].end :]):
        return _instead(pointed[0].papers, focus)
    named = tuple(library.get(understand(meant, library).papers).values())
    short = named and len(content_terms(meant)) <= len(content_terms(name_of(named[0]))) + 1
    return _instead(named[:1], focus) if short else None


def _about_pointed(message: str, pointed: Sequence[Pointer], focus: Focus, named: Sequence[str]) -> Understood:
    """Each pointer replaced by names. A pronoun beside one means it too, unless the two are compared."""
    papers = [paper for each in pointed for paper in each.papers]
    first = pointed[0]
    rest = message[first.end :]
    if (
        len(papers) == 1
        and not message[: first.start].strip()
        and (re.match(r"\s*[:,]\s*\S", rest) or leaning.ASPECT_ALONE.match(rest))
    ):
        return _about(rest.lstrip(" :,"), papers, "the paper that was pointed at")
    instead = leaning.INSTEAD.match(message)
    bare = instead["rest"] if instead else message.strip(" ?.!")
    if bare in message[first.start : first.end] and len(pointed) == 1:
        return _instead(first.papers, focus)
    pronoun = leaning.POINTING.search(message)
    if pronoun and len(papers) == 1 and leaning.COMPARING.search(message) and focus.papers[0] != papers[0]:
        pointed = sorted([*pointed, Pointer(*pronoun.span(), focus.papers[:1])], key=lambda each: each.start)
        papers = [paper for each in pointed for paper in each.papers]
    question = message
    for each in reversed(pointed):
        question = question[: each.start] + names_of(each.papers) + question[each.end :]
    filters = Filters(paper_ids=tuple(dict.fromkeys([*(paper.id for paper in papers), *named])))
    return Understood(
        question, filters, f"the {'paper' if len(papers) == 1 else 'papers'} pointed at: {titles(papers)}"
    )


def _instead(papers: Sequence[Paper], focus: Focus) -> Understood:
    """ "and the other one?": the last question, of these papers; where it named none, what they are about."""
    filters = Filters(paper_ids=tuple(paper.id for paper in papers))
    old = name_of(focus.papers[0])
    if len(focus.papers) == 1 and old in focus.question:
        again = focus.question.replace(old, names_of(papers))
        return Understood(again, filters, f"the last question, of {titles(papers)}")
    question = f"What {'is' if len(papers) == 1 else 'are'} {names_of(papers)} about?"
    return Understood(question, filters, f"pointed at: {titles(papers)}")


def _named(message: str, named: Sequence[Paper], focus: Focus) -> Understood | None:
    """Another paper is named: in the focus's place ("and MuLoCo?"), or beside it ("does it compare with MuLoCo?")."""
    instead = leaning.INSTEAD.match(message)
    old = short_name(focus.papers[0])
    new = short_name(named[0])
    if instead and new and len(content_terms(instead["rest"])) <= len(content_terms(new)) + 1:
        again = re.sub(re.escape(old), new, focus.question, flags=re.IGNORECASE) if old else focus.question
        if again != focus.question:
            return Understood(again, Filters(), "the last question, of another paper")
    if leaning.POINTING.search(message):
        both = Filters(paper_ids=(focus.papers[0].id, *(paper.id for paper in named)))
        question = _replaced(message, name_of(focus.papers[0]))
        return Understood(question, both, "the last answer beside another paper")
    return None


def _other_topic(message: str, focus: Focus, retriever: Retriever) -> Understood | None:
    """ "What about reinforcement learning?" of papers that say nothing of it, in a corpus that does."""
    about = leaning.ABOUT.match(message)
    if about is None or leaning.OWN.search(message) or leaning.POINTING.search(message):
        return None
    terms = set(content_terms(about["rest"]))
    spoken = _spoken_of(message, focus)
    held = set(content_terms(" ".join(f"{paper.title} {paper.abstract}" for paper in spoken)))
    if len(terms) < _SHORT or terms <= held or not _means_another(about["rest"], focus, retriever, fewest=_SHORT):
        return None
    return Understood(f"Which papers are about {about['rest']}?", Filters(), "another topic")


def _besides(message: str, focus: Focus) -> Understood:
    """ "Is there another paper on this?": what was spoken of is left out; "this" is its topic."""
    pointing = leaning.OWN.search(message) or leaning.POINTING.search(message)
    question = message
    if pointing and not pointing[0].lower().startswith("the "):
        topic = topic_of(focus.papers[0])
        question = message[: pointing.start()] + topic + message[pointing.end() :]
    left_out = Filters(without=tuple(paper.id for paper in focus.papers))
    return Understood(question, left_out, f"other papers than {titles(focus.papers)}")


def _among(message: str, focus: Focus, retriever: Retriever, library: Library) -> Understood:
    """ "the one with analogies": the paper of the last list that fits the words best, else of all that were shown."""
    chosen = _best(message, focus.listed, retriever, library)
    if not set(content_terms(message)) & set(content_terms(" ".join(f"{p.title} {p.abstract}" for p in chosen))):
        chosen = _best(message, tuple(focus.numbers.values()), retriever, library)
    chosen = chosen or focus.listed[:1]
    instead = leaning.INSTEAD.match(message)
    if instead and re.match(r"(?:the |that )?\w* ?(?:ones?|papers?) (?:about|on|with)\b", instead["rest"], re.I):
        return _instead(chosen, focus)
    return _about(message, chosen, "the paper of the last answer that fits")


def _best(message: str, papers: Sequence[Paper], retriever: Retriever, library: Library) -> tuple[Paper, ...]:
    found = retriever.search(message, top_k=1, filters=Filters(paper_ids=tuple(paper.id for paper in papers))).hits
    return tuple(library.get([hit.paper_id for hit in found]).values())


def _spoken_of(message: str, focus: Focus) -> tuple[Paper, ...]:
    """All papers for "they" and "these" after a list, else the one the answer was about."""
    several = re.search(r"\b(?:they|them|their|these|those|all)\b", message, re.IGNORECASE)
    return focus.papers if several else focus.papers[:1]


def _about(message: str, papers: Sequence[Paper], why: str) -> Understood:
    filters = Filters(paper_ids=tuple(paper.id for paper in papers))
    name = names_of(papers) if len(papers) == 1 or leaning.COMPARING.search(message) else None
    question = _replaced(message, name) if name and fold(name) not in fold(message) else message
    return Understood(question, filters, f"{why}: {titles(papers)}")


def _replaced(message: str, name: str) -> str:
    """Half a question made whole, or the pronoun replaced by the name; set before the message where nothing points."""
    half = leaning.ELLIPSIS.match(message) or leaning.ASPECT_ALONE.match(message)
    if half:
        return _aspect_of(half["aspect"], name)
    for pattern, said in ((leaning.OWN, f"{name}'s"), (leaning.POINTING, name)):
        match = pattern.search(message)
        if match:
            return message[: match.start()] + said + message[match.end() :]
    # A title that asks something would else be taken for the question of a message that ends without a mark.
    return f"{name}: {message}" + ("?" if "?" in name and not message.rstrip().endswith(("?", ".", "!")) else "")


def _aspect_of(aspect: str, name: str) -> str:
    """The question for a part of a paper that was only named; those of the catalogue as they are asked for."""
    last = aspect.lower().split()[-1]
    known = next((question for start, question in _CATALOGUED.items() if last.startswith(start)), None)
    if known:
        return known.format(aspect=aspect, name=name)
    return f"What {'are' if last.endswith('s') else 'is'} the {aspect} of {name}?"


def _means_another(message: str, focus: Focus, retriever: Retriever, *, fewest: int = _SHORT + 1) -> bool:
    """Whether a message that names and points at nothing is about another paper than the focus all the same."""
    if leaning.WHOLE.match(message) and _names_a_stranger(message, focus):
        return True
    if len(content_terms(message)) < fewest:
        return False
    hits = retriever.search(message, top_k=10).hits
    ids = {paper.id for paper in _spoken_of(message, focus)}
    own = max((hit.score for hit in hits if hit.paper_id in ids), default=0.0)
    best = hits[0] if hits else None
    if best is None or best.paper_id in ids:
        return False
    return best.score >= _FOREIGN_SURE and best.score >= _FOREIGN_LEAD * own


def _names_a_stranger(message: str, focus: Focus) -> bool:
    """Whether it names something that no paper of the focus speaks of."""
    held = fold(" ".join(f"{paper.title} {paper.abstract}" for paper in focus.papers))
    return any(name not in held for name in understand(message).names)
