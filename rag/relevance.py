"""What of a model's answer is to the point of the question, and whether it says what a quotation would have said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rag.question.wanted import AMOUNTS
from rag.text.names import names
from rag.text.normalise import fold
from rag.text.orders import commands
from rag.text.quantities import Quantity, quantities
from rag.text.tokens import content_terms
from rag.types import Citation, Claim, DraftSentence, Paper
from rag.verify import model
from rag.verify.align import align
from rag.verify.checking import check
from rag.verify.lexicon import synonymous
from rag.verify.reading import Reading, Word, read
from rag.verify.support import leans, sentences_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rag.question import Question

_NAMES: Final = frozenset({"name", "dataset", "model", "several"})
_OF_MANY_PAPERS: Final = frozenset({"list", "summary", "comparison"})
_SAME_MATTER: Final = 0.5
"""Share of a drafted sentence's words that the abstract's own must hold to be shown in its place."""
_LEAST_COVERED: Final = 0.7
"""Share of a claim's words, by rarity, that its citations must hold. Of paraphrases that people wrote and the checker
passed, nine in ten hold as much."""
_LEAST_MET: Final = 0.6
"""The same share, each word counted alike, a synonym for less than the word itself, and names left out."""
_MOST_STRANGERS: Final = 2
"""Words of a claim that the paper does not use. Nineteen in twenty of those paraphrases have no more."""
_LEAST_OF_A_PART: Final = 0.4
"""The same of each part of a claim: what follows "and" may not ride on what stands before it."""
_REPETITION: Final = 0.8
"""Share of a claim's words that are the question's, at which it only repeats it."""
_FEWEST_WORDS: Final = 3
_JOINTS: Final = re.compile(
    r"[,;:]\s|\s(?:and|but|while|whereas|which|because|although|though|so that)\s", re.IGNORECASE
)
_AS_MUCH: Final = 0.6
"""Share of what a quotation adds to the question's words that an answer must hold to have said it."""
Place = tuple[str, str, int, int]


def beside_the_point(
    claim: Claim,
    sentence: DraftSentence,
    question: Question,
    own: Sequence[Citation],
    papers: Mapping[str, Paper],
) -> str | None:
    """Why a claim that its citations support is no part of an answer, or None.

    A word that is foreign to paper and field speaks against the checker, which knows words by their company. `own` are
    the words that the extracted answer rests on: always to the point. Anything else shares a word with the question,
    or, where the question asks for papers, with the cited paper's title.
    """
    if commands(claim.text):
        return "it gives orders"
    if claim.verdict == "quoted" and not _same_matter(sentence.text, claim):
        return "the abstract's own sentence says something else"
    overreach = _overreach(claim, papers, question) if claim.verdict == "supported" else None
    if overreach:
        return overreach
    if not places(claim).isdisjoint(_place(each) for each in own) or not question.terms:
        return None
    said = set(content_terms(" ".join([claim.text, *(each.quote for each in claim.citations)])))
    wanted = {*question.terms, *question.aspect}
    if question.kind in _OF_MANY_PAPERS:
        titles = (papers[each.paper_id].title for each in claim.citations if each.paper_id in papers)
        wanted |= set(content_terms(" ".join(titles)))
    return "it is beside the question" if said.isdisjoint(wanted) else None


def _overreach(claim: Claim, papers: Mapping[str, Paper], question: Question) -> str | None:
    """What the checker, which was fitted on claims that people write, may miss in what a weak model writes."""
    if _bare(claim.text) in {_bare(paper.title) for paper in papers.values()}:
        return "it is a title and says nothing"
    strangers = _strangers(claim, papers)
    unheard = [word.text for word in strangers if word.stem not in model.load().idf]
    if unheard or len(strangers) > _MOST_STRANGERS:
        return f"“{unheard[0] if unheard else strangers[0].text}” is nowhere in the paper"
    quotes = [each.quote for each in claim.citations]
    cited = {each.paper_id: papers[each.paper_id] for each in claim.citations if each.paper_id in papers}
    around = [text for paper in cited.values() for text in (paper.title, *sentences_of(paper))]
    covered = check(claim.text, quotes, context=around).coverage
    if covered < _LEAST_COVERED or _met(claim.text, quotes) < _LEAST_MET:
        return "too much of it is not in the cited sentences"
    if _repeats(claim.text, question.text) and not _word_for_word(claim.text, quotes):
        return "it repeats the question, not the cited sentences"
    for part in _parts(claim.text):
        if check(part, quotes, context=around).coverage < _LEAST_OF_A_PART:
            return f"“{part}” is not in the cited sentences"
    return None


def _bare(text: str) -> str:
    return fold(text).strip(" .:\"'“”")


def _met(text: str, quotes: Sequence[str]) -> float:
    """The share of a claim's words that the citations meet, its names aside: they outweigh what is said of them."""
    said = read(text)
    links = align(said, read(" ".join(quotes))).links
    words = [place for place in said.content if not said.words[place].name]
    met = sum(links[place].weight for place in words if place in links and not links[place].opposite)
    return met / len(words) if words else 1.0


def _repeats(text: str, question: str) -> bool:
    """Whether it says little but what the question says: what a model does to please."""
    asked = {word.stem for word in read(question).words}
    words = [word for word in read(text).words if word.content]
    return sum(word.stem in asked for word in words) >= _REPETITION * len(words)


def _word_for_word(text: str, quotes: Sequence[str]) -> bool:
    """Whether one cited sentence holds every word of it: a premise is confirmed by nothing less."""
    wanted = {word.stem for word in read(text).words if word.content and not word.name}
    return any(wanted <= {word.stem for word in read(quote).words} for quote in quotes)


def _parts(text: str) -> list[str]:
    """What stands between commas and conjunctions, where it says enough to be looked for by itself."""
    parts = [part.strip() for part in _JOINTS.split(text)]
    return [part for part in parts if len(read(part).content) >= _FEWEST_WORDS]


def _strangers(claim: Claim, papers: Mapping[str, Paper]) -> list[Word]:
    """Words that the cited papers do not use, nor synonyms of them. A paraphrase needs one or two of the field's."""
    cited = {each.paper_id: papers[each.paper_id] for each in claim.citations if each.paper_id in papers}
    texts = [text for paper in cited.values() for text in (paper.title, *sentences_of(paper))]
    used = {word.stem for text in texts for word in read(text).words}
    own = [word for word in read(claim.text).words if word.content and not word.name and word.stem not in used]
    return [word for word in own if not any(synonymous(word.stem, stem) for stem in used)]


def _same_matter(drafted: str, claim: Claim) -> bool:
    wanted = set(content_terms(drafted))
    return not wanted or len(wanted & set(content_terms(claim.text))) >= _SAME_MATTER * len(wanted)


def lacking(quotes: Sequence[Claim], shown: Sequence[Claim], question: Question) -> tuple[Claim, ...]:
    """The quotations whose answer the shown claims leave out, each with the one that it leans on."""
    lacks = [not _said(quote, shown, question) for quote in quotes]
    for at in range(len(quotes) - 1):
        lacks[at] = lacks[at + 1] if leans(quotes[at + 1].text) else lacks[at]
    return tuple(quote for quote, wanted in zip(quotes, lacks, strict=True) if wanted)


def _said(quote: Claim, shown: Sequence[Claim], question: Question) -> bool:
    """Whether claims on the same words hold the amounts, names or matter of this quotation that answer."""
    mine = [claim for claim in shown if not places(claim).isdisjoint(places(quote))]
    if any(claim.verdict != "supported" and places(claim) >= places(quote) for claim in mine):
        return True
    told = " ".join(claim.text for claim in mine)
    asked = question.asked.kind
    amounts = _amounts(read(quote.text), set(question.terms)) if asked in AMOUNTS else ()
    if amounts:
        given = {(each.low, each.high) for each in quantities(told)}
        return all((each.low, each.high) in given for each in amounts)
    if asked in _NAMES and not _named(quote.text) - _named(question.text) <= _named(told):
        return False
    new = set(content_terms(quote.text)) - set(question.terms)
    return bool(mine) and len(new & set(content_terms(told))) >= _AS_MUCH * len(new)


def _amounts(reading: Reading, wanted: set[str]) -> tuple[Quantity, ...]:
    """The amounts of the clause that shares most words with the question, of all clauses that have any."""
    clauses = {word.clause: 0 for word in reading.words}
    for word in reading.words:
        clauses[word.clause] += not wanted.isdisjoint(content_terms(word.text))
    held = [(clauses[_clause(reading, each)], each) for each in reading.quantities]
    most = max((shared for shared, _ in held), default=0)
    return tuple(each for shared, each in held if shared == most)


def _clause(reading: Reading, quantity: Quantity) -> int:
    return min(reading.words, key=lambda word: abs(word.start - quantity.start)).clause


def _named(text: str) -> set[str]:
    return {name.norm for name in names(text)}


def places(claim: Claim) -> set[Place]:
    """The slices that a claim cites."""
    return {_place(each) for each in claim.citations}


def _place(citation: Citation) -> Place:
    return citation.paper_id, citation.field, citation.start, citation.end
