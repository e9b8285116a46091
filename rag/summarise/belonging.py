"""Which papers a topic is about, which are left out and why, and whether the corpus covers the topic at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from rag.extract.listing import LOOKED_AT
from rag.extract.membership import alternatives, members
from rag.question import understand
from rag.summarise.nouns import Coverage, LeftOut
from rag.text.normalise import content_key, fold
from rag.text.orders import commands
from rag.text.tokens import terms, tokenise
from rag.types import Filters, Hit, Paper

if TYPE_CHECKING:
    from rag.library import Library
    from rag.retrieve import Retrieval, Retriever

MOST: Final = 300
"""Papers of one summary, unless fewer are asked for."""
_FIRST_LOOK, _WIDE_LOOK, _NEAR_THE_END = 100, 400, 80
_HELD, _HELD_WHEN_NEAR, _NEAR, _FAR = 0.62, 0.4, 0.5, 0.2
"""Share of the topic's words (by rarity) that one sentence must hold: more when no paper is near in meaning;
a word that is only mentioned, by a paper far from it in meaning, is no topic."""
_BEYOND: Final = "not enough about the topic"
_STUFFED: Final = "its abstract repeats words instead of saying something"


@dataclass(frozen=True, slots=True)
class Belonging:
    """Hits that are used, in rank order, and the coverage. `reason` is set when the corpus does not cover the
    topic."""

    retrieval: Retrieval
    hits: tuple[Hit, ...]
    papers: Mapping[str, Paper]
    coverage: Coverage
    reason: str | None = None


def belonging(
    topic: str, retriever: Retriever, library: Library, *, filters: Filters, most: int | None = None
) -> Belonging:
    """The papers of a topic, at most `most`. Raises CorpusError, ModelError."""
    retrieval = retriever.search(topic, top_k=_FIRST_LOOK, filters=filters)
    if retrieval.belonging >= _NEAR_THE_END:
        retrieval = retriever.search(topic, top_k=_WIDE_LOOK, filters=filters)
    return kept(retrieval, library, most=most)


def kept(retrieval: Retrieval, library: Library, *, most: int | None = None) -> Belonging:
    """What is used of a retrieval, and why the rest is not."""
    papers = library.get([hit.paper_id for hit in retrieval.hits])
    hits = [hit for hit in retrieval.hits if hit.paper_id in papers]
    reason = _uncovered(retrieval) if hits else "no paper of the corpus is about it"
    about = _about(retrieval, library) if reason is None else frozenset()
    left_out = dict(_left_out(hits, about, papers, most or MOST))
    used = tuple(hit for hit in hits if hit.paper_id not in left_out)
    left_out.update((id_, _STUFFED) for id_ in retrieval.stuffed)
    if reason is None and not used:
        reason = "no paper about it says anything that could be quoted"
    coverage = Coverage(
        len(hits) + len(retrieval.stuffed),
        tuple(hit.paper_id for hit in used),
        tuple(LeftOut(*each) for each in left_out.items()),
    )
    return Belonging(retrieval, used, papers, coverage, reason)


def _about(retrieval: Retrieval, library: Library) -> frozenset[str]:
    """Ids of the papers that the topic is about, told as for a list; of a topic with more papers than a list may have,
    and of one without words, what the ranking's own end leaves."""
    found = retrieval.hits[: retrieval.belonging]
    question = understand(retrieval.query, library)
    if len(found) <= LOOKED_AT and alternatives(question):
        near = replace(retrieval, hits=retrieval.hits[:LOOKED_AT], logits=retrieval.logits[:LOOKED_AT])
        found = tuple(near.hits[place] for place in members(question, near, library))
    return frozenset(hit.paper_id for hit in found)


def _left_out(
    hits: Sequence[Hit], about: frozenset[str], papers: Mapping[str, Paper], most: int
) -> Iterator[tuple[str, str]]:
    seen: dict[str, str] = {}
    used = 0
    for hit in hits:
        paper = papers[hit.paper_id]
        key = content_key(paper.abstract)
        if paper.id not in about:
            yield paper.id, _BEYOND
        elif not paper.abstract.strip():
            yield paper.id, "it has no abstract"
        elif key in seen or fold(paper.title) in seen:
            yield paper.id, f"the same text or title as {seen.get(key) or seen[fold(paper.title)]}"
        elif commands(paper.title):
            yield paper.id, "its title gives orders instead of naming something"
        elif used >= most:
            asked = f"beyond the {most} paper{'s' * (most > 1)} asked for"
            yield paper.id, asked if most < MOST else f"beyond {MOST} papers"
        else:
            used += 1
            seen[key] = paper.id
            if paper.title_source == "given":
                seen[fold(paper.title)] = paper.id


def _uncovered(retrieval: Retrieval) -> str | None:
    """Why the topic is not covered, or None. A paper named by the topic covers it."""
    signals = retrieval.signals
    if signals.named:
        return None
    if not signals.terms and not signals.unknown:
        return "the topic names nothing that could be looked up"
    held = signals.sentence_coverage * signals.known
    wanted = _HELD_WHEN_NEAR if signals.similarity >= _NEAR else _HELD
    if held >= wanted and signals.similarity >= _FAR:
        return None
    if signals.unknown:
        return f"no paper of the corpus mentions {', '.join(_as_typed(signals.unknown[:3], retrieval.query))}"
    return "no paper of the corpus is about it"


def _as_typed(unknown: Sequence[str], query: str) -> Sequence[str]:
    """Index terms, which are stems, as the reader wrote them."""
    typed = dict.fromkeys(token.text for token in tokenise(query) if not set(unknown).isdisjoint(terms(token.text)))
    return tuple(typed) or unknown
