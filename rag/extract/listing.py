"""A list: the papers that belong to a topic, each with the sentence that shows why."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rag.extract.choose import Extracted, quoting, why_not
from rag.extract.features import FEATURES
from rag.extract.matching import same_form
from rag.extract.membership import alternatives, members
from rag.extract.model import shipped
from rag.extract.passage import read
from rag.extract.roles import OURS, own_work_begins, role_asked
from rag.extract.scene import Candidate, measured, table
from rag.question import Question
from rag.text.normalise import fold
from rag.text.rarity import total
from rag.types import Hit, Paper

if TYPE_CHECKING:
    from rag.embed import Embedder
    from rag.library import Library
    from rag.retrieve import Retrieval

MOST: Final = 20
"""Papers shown in a list."""
LOOKED_AT: Final = 40
"""Papers looked at for a list."""
READ: Final = 12
"""Papers read for a summary."""
SOFT: Final = FEATURES.index("paper_soft")
LEAST_MET: Final = 0.5
"""The share of a list's topic that its best paper must hold, by rarity; below, no paper is about it."""
_CONTINUES: Final = re.compile(
    r"(?:however|in contrast|by contrast|but|yet|nevertheless|nonetheless|conversely|on the other hand|instead|"
    r"otherwise|unfortunately|still|moreover|furthermore|additionally|in addition|besides|also|then|thus|therefore|"
    r"consequently|hence|second(?:ly)?|third(?:ly)?|finally|lastly|next|as a result|for (?:example|instance)|"
    r"similarly|likewise)\b"
)
"""Opens a sentence that reads badly without the one before it."""
_PROPOSALS: Final = re.compile(r"\b(?:propos|introduc|develop|present)\w*")
_PROPOSES: Final = re.compile(rf"{OURS} (?:\w+ )?(?:propos|introduc|present|develop|design|devis|formulat)")


def listed(question: Question, retrieval: Retrieval, library: Library) -> list[Hit]:
    """The papers that belong in a list, in rank order; of a comparison at least two. A question without a topic has
    those that the ranking's own end leaves."""
    hits = retrieval.hits
    least = 2 if question.kind == "comparison" else 1
    if not alternatives(question):
        return list(hits[: max(least, retrieval.belonging)][:MOST])
    return [hits[place] for place in members(question, retrieval, library, least)][:MOST]


def listing(question: Question, retrieval: Retrieval, library: Library, embedder: Embedder) -> Extracted:
    """The best sentence of each paper that belongs, in rank order."""
    if not retrieval.hits:
        return Extracted(question, reason="no paper is about this")
    if question.unheld:
        return Extracted(question, reason=f"no paper here holds “{' '.join(question.unheld)}”")
    found = measured(question, listed(question, retrieval, library), library, embedder)
    if not found:
        return Extracted(question, reason="no paper is about this")
    if question.terms and _topic_unmet(question, found):
        return Extracted(question, reason=why_not(question, found, 0))
    best = [_belongs_by(question, [c for c in found if c.paper.id == id_]) for id_ in _near_enough(question, found)]
    return quoting(question, best, found, probability=1.0)


def _topic_unmet(question: Question, found: Sequence[Candidate]) -> bool:
    """Whether no paper holds enough of the topic, neither by its words nor by their kin."""
    topics = alternatives(question)
    papers = {candidate.paper.id: candidate.paper for candidate in found}
    met = max(topic_met(topics, paper) for paper in papers.values())
    return bool(topics) and met < LEAST_MET and most(found, SOFT) < LEAST_MET


def _near_enough(question: Question, found: Sequence[Candidate]) -> list[str]:
    """The papers of a list. Where none says the topic in its own words, only those that are as near by kin words as the
    topic's own test wants: the ranking's end means nothing there."""
    ids = _papers(found)
    topics = alternatives(question)
    papers = {candidate.paper.id: candidate.paper for candidate in found}
    if not topics or max(topic_met(topics, papers[id_]) for id_ in ids) >= LEAST_MET:
        return ids
    return [id_ for id_ in ids if most([c for c in found if c.paper.id == id_], SOFT) >= LEAST_MET]


def most(found: Sequence[Candidate], feature: int) -> float:
    return max(float(candidate.features[feature]) for candidate in found)


def _papers(found: Sequence[Candidate]) -> list[str]:
    return list(dict.fromkeys(candidate.paper.id for candidate in found))


def topic_met(topics: Sequence[Sequence[str]], paper: Paper) -> float:
    """The share of its best topic, by rarity, that a paper's title and abstract hold."""
    held = {*read(paper.title).places, *read(paper.abstract).places}
    shares = [
        total(t for t in topic if t in held or any(same_form(t, h) for h in held)) / max(1e-9, total(topic))
        for topic in topics
    ]
    return max(shares, default=0.0)


def best_of(own: Sequence[Candidate]) -> Candidate:
    return own[int(shipped().select(table(own)).argmax())]


def own_work(question: Question, own: Sequence[Candidate]) -> Sequence[Candidate]:
    """A paper's sentences without its background: what it does and finds, unless the question asks for the problem."""
    if role_asked(fold(question.text)) == "problem":
        return own
    return own[own_work_begins(c.passage.folded for c in own) :]


def _belongs_by(question: Question, own: Sequence[Candidate]) -> Candidate:
    """The sentence that shows why a paper is in a list: one of its own work that speaks of the topic, if any does; of
    "papers that propose" one that proposes."""
    wanted = set(question.terms)
    work = [c for c in own_work(question, own) if not wanted.isdisjoint(c.passage.places)]
    if _PROPOSALS.search(fold(question.text)):
        proposed = [c for c in work or own if _PROPOSES.search(c.passage.folded)]
        work = proposed or [c for c in own if _PROPOSES.search(c.passage.folded)] or work
    return _read_alone(wanted, work or own)


def _read_alone(wanted: set[str], own: Sequence[Candidate]) -> Candidate:
    """The best sentence; of those that hold as much of the topic, one that does not open with "However," if there is
    any."""
    best = best_of(own)
    if not _CONTINUES.match(best.passage.folded):
        return best
    held = len(wanted & best.passage.places.keys())
    equal = [c for c in own if len(wanted & c.passage.places.keys()) >= held and not _CONTINUES.match(c.passage.folded)]
    return best_of(equal or own)
