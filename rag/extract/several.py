"""Answers of several sentences: one a paper for a list, one a side for a comparison, a few of a paper for a summary."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from rag.extract.choose import Extracted, as_asked, joined, place_of, quoting, why_not
from rag.extract.features import FEATURES
from rag.extract.matching import same_form
from rag.extract.model import shipped
from rag.extract.passage import read
from rag.extract.roles import Role, role_asked, roles_of
from rag.extract.scene import Candidate, candidates_of, table
from rag.question import Question, understand
from rag.text.normalise import fold
from rag.text.rarity import total
from rag.types import Hit, Paper

if TYPE_CHECKING:
    from rag.embed import Embedder
    from rag.library import Library
    from rag.retrieve import Retrieval, Retriever

MOST: Final = 20
"""Papers shown in a list."""
LOOKED_AT: Final = 40
"""Papers looked at for a list: what holds the whole topic belongs, wherever the ranking puts it."""
READ: Final = 12
"""Papers read for a summary, and for a list of several topics."""
BEST: Final = 3
"""Papers at the top that tell whether any holds the whole topic."""
_SOFT: Final = FEATURES.index("paper_soft")
_OR: Final = re.compile(r",| or | and/or |/|;| as well as |[():]", re.IGNORECASE)
LEAST_MET: Final = 0.5
"""The share of a list's topic that its best paper must hold, by rarity; below, no paper is about it."""
ALL_MET: Final = 0.95
MOST_MET: Final = 0.75
"""The shares that say "as good as the whole topic" and "most of it", set by reading 32 lists over 38 and 5,000 papers:
few of the papers that belong hold less where another holds it whole."""
_CONTRIBUTES: Final = re.compile(
    r"\b(?:we|this (?:paper|work|study|article|position paper)|here) (?:\w+ )?(?:propos|introduc|present|develop|"
    r"design|formulat|devis|stud[iy]|deriv|establish|prove|show|investigat|examin|describ|argu|demonstrat|provid|find|found|"
    r"analy|consider|address|report|used?|compar|assess|evaluat|identif|built|build|revisit|characteri)"
    r"|\b(?:aims?|objectives?|purpose) (?:of this|was|is)\b|^(?:objective|aims?|methods?|results?|design)\b"
)
"""Where an abstract turns from what is known to its own work."""
_PROPOSALS: Final = re.compile(r"\b(?:propos|introduc|develop|present)\w*")
_PROPOSES: Final = re.compile(
    r"\b(?:we|this (?:paper|work|study|article)|here) (?:\w+ )?"
    r"(?:propos|introduc|present|develop|design|devis|formulat)"
)
OF_A_SIDE: Final = 3
SENTENCES_OF_WORDS: Final = 2
"""Sentences shown of each paper compared, and of each side that is told in words."""
_PARTS: Final[tuple[Role, ...]] = ("contribution", "evaluation")


def listed(question: Question, retrieval: Retrieval, library: Library) -> list[Hit]:
    """The papers that belong in a list, in rank order.

    What holds as good as the whole topic belongs wherever the ranking ends. Where the best paper does, another must
    hold most of it; of a topic of several parts ("LLMs or graphs") one is soon held, so there the ranking decides.
    """
    hits = list(retrieval.hits)
    topics = alternatives(question)
    papers = library.get([hit.paper_id for hit in hits])
    met = [topic_met(topics, papers[hit.paper_id]) if topics else 0.0 for hit in hits]
    single = len(topics) == 1
    least = MOST_MET if single and max(met[:BEST], default=0.0) >= ALL_MET else 0.0
    deep = len(hits) if single else READ
    ends = max(1, retrieval.belonging)
    belongs = [
        share >= least if place < ends else share >= ALL_MET and place < deep
        for place, share in enumerate(met)
    ]
    return [hit for hit, holds in zip(hits, belongs, strict=True) if holds][:MOST]


def listing(question: Question, retrieval: Retrieval, library: Library, embedder: Embedder) -> Extracted:
    """The best sentence of each paper that belongs, in rank order."""
    if not retrieval.hits:
        return Extracted(question, reason="no paper is about this")
    if question.unheld:
        return Extracted(question, reason=f"no paper here holds “{' '.join(question.unheld)}”")
    found = _measured(question, listed(question, retrieval, library), library, embedder)
    if not found:
        return Extracted(question, reason="no paper is about this")
    if question.terms and _topic_unmet(question, found):
        return Extracted(question, reason=why_not(question, found, 0))
    best = [_belongs_by(question, [c for c in found if c.paper.id == id_]) for id_ in _papers(found)]
    return quoting(question, best, found, probability=1.0)


def _topic_unmet(question: Question, found: Sequence[Candidate]) -> bool:
    """Whether no paper holds enough of the topic, neither by its words nor by their kin."""
    topics = alternatives(question)
    papers = {candidate.paper.id: candidate.paper for candidate in found}
    met = max(topic_met(topics, paper) for paper in papers.values())
    return bool(topics) and met < LEAST_MET and _most(found, _SOFT) < LEAST_MET


def _most(found: Sequence[Candidate], feature: int) -> float:
    return max(float(candidate.features[feature]) for candidate in found)


def _papers(found: Sequence[Candidate]) -> list[str]:
    return list(dict.fromkeys(candidate.paper.id for candidate in found))


def alternatives(question: Question) -> tuple[tuple[str, ...], ...]:
    """The topics of a list, each as index stems: "LLMs or diffusion models" names two; of "discrete or combinatorial
    optimization" both are optimization."""
    parts = [understand(part).terms for part in _OR.split(question.search)]
    kept = [tuple(term for term in part if term in question.terms) for part in parts]
    kept = [part for part in kept if part]
    head = kept[-1][-1:] if kept and len(kept[-1]) > 1 else ()
    return tuple(dict.fromkeys(part if len(part) > 1 else (*part, *head) for part in kept))


def topic_met(topics: Sequence[Sequence[str]], paper: Paper) -> float:
    """The share of its best topic, by rarity, that a paper's title and abstract hold."""
    held = {*read(paper.title).places, *read(paper.abstract).places}
    shares = [
        total(t for t in topic if t in held or any(same_form(t, h) for h in held)) / max(1e-9, total(topic))
        for topic in topics
    ]
    return max(shares, default=0.0)


def _best(own: Sequence[Candidate]) -> Candidate:
    return own[int(shipped().select(table(own)).argmax())]


def _close(own: Sequence[Candidate]) -> list[Candidate]:
    """The best sentence of one paper, and a second when the choice was close."""
    scores = shipped().select(table(own))
    return [own[i] for i in joined(own, scores, int(scores.argmax()))]


def _own_work(question: Question, own: Sequence[Candidate]) -> Sequence[Candidate]:
    """A paper's sentences without its background: what it does and finds, unless the question asks for the problem."""
    if role_asked(fold(question.text)) == "problem":
        return own
    begins = next((i for i, c in enumerate(own) if _CONTRIBUTES.search(c.passage.folded)), 0)
    return own[begins:]


def _belongs_by(question: Question, own: Sequence[Candidate]) -> Candidate:
    """The sentence that shows why a paper is in a list: one of its own work that speaks of the topic, if any does; of
    "papers that propose" one that proposes."""
    wanted = set(question.terms)
    work = [c for c in _own_work(question, own) if not wanted.isdisjoint(c.passage.places)]
    if _PROPOSALS.search(fold(question.text)):
        proposed = [c for c in work or own if _PROPOSES.search(c.passage.folded)]
        work = proposed or [c for c in own if _PROPOSES.search(c.passage.folded)] or work
    return _best(work or own)


def summary(question: Question, retrieval: Retrieval, library: Library, embedder: Embedder) -> Extracted:
    """Of one paper what it contributes and what came of it; of a topic one sentence a paper."""
    found = _measured(question, retrieval.hits[:READ], library, embedder)
    if not found:
        return Extracted(question, reason="no paper is about this")
    named = set(question.papers) or set(retrieval.signals.named)
    if not named and question.terms and _most(found, _SOFT) < LEAST_MET:
        return Extracted(question, reason=why_not(question, found, 0))
    if not named and retrieval.belonging > 1:
        return listing(question, retrieval, library, embedder)
    one = next((c.paper.id for c in found if c.paper.id in named), found[0].paper.id)
    return quoting(question, _parts([c for c in found if c.paper.id == one]), found, probability=1.0)


def _parts(own: Sequence[Candidate]) -> list[Candidate]:
    """The sentence that best says what is contributed, and the one that best says what was found."""
    chosen: list[Candidate] = []
    for part in _PARTS:
        of_part = [c for c in own if part in roles_of(c.passage.folded) and c not in chosen]
        if of_part:
            named = [c for c in of_part if c.passage.names] or of_part
            chosen.append(named[0] if part == "contribution" else named[-1])
    return chosen or list(own[:1])


def compare(
    question: Question,
    retrieval: Retrieval,
    library: Library,
    embedder: Embedder,
    retriever: Retriever | None,
) -> Extracted:
    """For each of two papers, or of two sides in words, the sentence that answers best."""
    named = list(dict.fromkeys([*question.papers, *retrieval.signals.named]))
    if len(named) >= 2:
        named = _in_order(named, question, library)
        hits = [Hit(paper_id, 1.0, rank, "named") for rank, paper_id in enumerate(named[:3], start=1)]
        found = _measured(question, hits, library, embedder)
        own = [[c for c in found if c.paper.id == hit.paper_id] for hit in hits]
        chosen = [one for of_one in own if of_one for one in _of_named(question, of_one)]
        return quoting(question, chosen, found, probability=1.0)
    if len(question.sides) != 2:
        return listing(question, replace(retrieval, belonging=max(2, retrieval.belonging)), library, embedder)
    return _sides(question, retrieval, library, embedder, retriever)


def _in_order(named: Sequence[str], question: Question, library: Library) -> list[str]:
    """As the question names them, by title or by a name of it; what it names otherwise stays behind."""
    asked = fold(question.text)
    titles = {paper_id: fold(paper.title) for paper_id, paper in library.get(named).items()}

    def place(paper_id: str) -> int:
        title = titles.get(paper_id, "")
        said = [name for name in (title, *question.names) if name and name in title and name in asked]
        return min(map(asked.index, said), default=len(asked))

    return sorted(named, key=place)


def _sides(
    question: Question,
    retrieval: Retrieval,
    library: Library,
    embedder: Embedder,
    retriever: Retriever | None,
) -> Extracted:
    chosen: list[Candidate] = []
    everything: list[Candidate] = []
    for side, other in (question.sides, question.sides[::-1]):
        of_side = understand(side, library)
        hits = retrieval.hits[:5]
        if retriever is not None:
            hits = retriever.search(of_side.search, top_k=3, filters=question.filters).hits
        asked = understand(question.search.replace(other, " "), library)
        found = _measured(asked, hits, library, embedder)
        everything += found
        own = _of_side(of_side, found, chosen)
        if not own:
            return Extracted(question, reason=f"no paper that was found mentions {as_asked(question, side)}")
        chosen += own
    return quoting(question, _together(question, chosen, everything), everything, probability=1.0)


def _together(
    question: Question, chosen: Sequence[Candidate], everything: Sequence[Candidate]
) -> Sequence[Candidate]:
    """Where sentences set both sides beside each other by their names, the best of those first, then what was chosen
    that names either."""
    first, second = ([name for name in question.names if name in fold(side)] for side in question.sides)
    both = [c for c in everything if _names_any(first, c) and _names_any(second, c)]
    if not both:
        return chosen
    best = _best(both)
    rest = [c for c in chosen if _names_any((*first, *second), c) and place_of(c) != place_of(best)]
    return [best, *rest]


def _names_any(names: Sequence[str], candidate: Candidate) -> bool:
    return any(name in candidate.passage.places or name in candidate.passage.folded for name in names)


def _of_named(question: Question, own: Sequence[Candidate]) -> list[Candidate]:
    """Of one paper compared: what it contributes and finds; where an aspect is asked for, what it says of that."""
    named = {*question.names, *read(own[0].paper.title).places}
    aspect = [term for term in question.terms if term not in named]
    work = _own_work(question, own)
    spoken = [c for c in work if any(term in c.passage.places for term in aspect)]
    if not spoken:
        return _parts(work)
    best = [*_close(spoken), *_parts(work)]
    return sorted(dict.fromkeys(best[:OF_A_SIDE]), key=work.index)


def _measured(
    question: Question, hits: Sequence[Hit], library: Library, embedder: Embedder
) -> tuple[Candidate, ...]:
    ids = [hit.paper_id for hit in hits]
    return candidates_of(question, hits, library.get(ids), library.sentences(ids), embedder)


def _of_side(side: Question, found: Sequence[Candidate], taken: Sequence[Candidate]) -> list[Candidate]:
    """The best sentence on a side, and the next of its paper; none when the side's names are in none of the papers,
    save where brackets say what is meant. Never a sentence that was taken for the other side."""
    for name in side.names if "(" not in side.text else ():
        if not any(_names_any([name], c) for c in found):
            return []
    places = {place_of(c) for c in taken}
    free = [c for c in found if place_of(c) not in places]
    free = [c for c in free if c.rank == 1] or free
    if not free:
        return []
    scores = shipped().select(table(free))
    best = sorted(range(len(free)), key=lambda at: -scores[at])[:SENTENCES_OF_WORDS]
    return [free[at] for at in sorted(best)]
