"""Answers of several sentences: one or two a side for a comparison, a few of a paper for a summary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rag.extract.choose import Extracted, as_asked, place_of, quoting, why_not
from rag.extract.listing import LEAST_MET, READ, SOFT, best_of, listing, most, own_work
from rag.extract.model import shipped
from rag.extract.passage import read
from rag.extract.roles import Role, roles_of
from rag.extract.scene import Candidate, measured, table
from rag.extract.showing import joined
from rag.question import Question, understand
from rag.text.normalise import fold
from rag.types import Hit

if TYPE_CHECKING:
    from rag.embed import Embedder
    from rag.library import Library
    from rag.retrieve import Retrieval, Retriever

OF_A_SIDE: Final = 3
SENTENCES_OF_WORDS: Final = 2
"""Sentences shown of each paper compared, and of each side that is told in words."""
_PARTS: Final[tuple[Role, ...]] = ("contribution", "evaluation")


def _close(own: Sequence[Candidate]) -> list[Candidate]:
    """The best sentence of one paper, and a second when the choice was close."""
    scores = shipped().select(table(own))
    return [own[i] for i in joined(own, scores, int(scores.argmax()))]


def summary(question: Question, retrieval: Retrieval, library: Library, embedder: Embedder) -> Extracted:
    """Of one paper what it contributes and what came of it; of a topic one sentence a paper."""
    found = measured(question, retrieval.hits[:READ], library, embedder)
    if not found:
        return Extracted(question, reason="no paper is about this")
    named = set(question.papers) or set(retrieval.signals.named)
    if not named and question.terms and most(found, SOFT) < LEAST_MET:
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
        found = measured(question, hits, library, embedder)
        own = [[c for c in found if c.paper.id == hit.paper_id] for hit in hits]
        chosen = [one for of_one in own if of_one for one in _of_named(question, of_one)]
        return quoting(question, chosen, found, probability=1.0)
    if len(question.sides) != 2:
        return listing(question, retrieval, library, embedder)
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
        found = measured(asked, hits, library, embedder)
        everything += found
        own = _of_side(of_side, found, chosen)
        if not own:
            return Extracted(question, reason=f"no paper that was found mentions {as_asked(question, side)}")
        chosen += own
    return quoting(question, _together(question, chosen, everything), everything, probability=1.0)


def _together(question: Question, chosen: Sequence[Candidate], everything: Sequence[Candidate]) -> Sequence[Candidate]:
    """Where sentences set both sides beside each other by their names, the best of those first, then what was chosen
    that names either."""
    first, second = ([name for name in question.names if name in fold(side)] for side in question.sides)
    both = [c for c in everything if _names_any(first, c) and _names_any(second, c)]
    if not both:
        return chosen
    best = best_of(both)
    rest = [c for c in chosen if _names_any((*first, *second), c) and place_of(c) != place_of(best)]
    return [best, *rest]


def _names_any(names: Sequence[str], candidate: Candidate) -> bool:
    return any(name in candidate.passage.places or name in candidate.passage.folded for name in names)


def _of_named(question: Question, own: Sequence[Candidate]) -> list[Candidate]:
    """Of one paper compared: what it contributes and finds; where an aspect is asked for, what it says of that."""
    named = {*question.names, *read(own[0].paper.title).places}
    aspect = [term for term in question.terms if term not in named]
    work = own_work(question, own)
    spoken = [c for c in work if any(term in c.passage.places for term in aspect)]
    if not spoken:
        return _parts(work)
    best = [*_close(spoken), *_parts(work)]
    return sorted(dict.fromkeys(best[:OF_A_SIDE]), key=work.index)


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
