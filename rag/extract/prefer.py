"""Which of a paper's sentences goes before the chosen one: rules over what it says, for what weights leave close.

The fitted chooser likes sentences that hold the system's own name; what answers often stands two sentences further,
under "we" or "it". A rule moves the answer within the paper that was chosen, never to another paper.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rag.extract.findings import asks_effect, asks_findings, before_findings, sums_up, tells_finding, work_begins
from rag.extract.forms import answers_by_form, answers_term
from rag.extract.instances import instance
from rag.extract.matching import Vector, speaks_of
from rag.extract.passage import Passage
from rag.extract.reversal import moved_by
from rag.extract.roles import own_work_begins, role_asked
from rag.extract.scene import Candidate
from rag.extract.stated import without_names
from rag.extract.tells import noun_of
from rag.question import Question
from rag.text.cues import has
from rag.text.function_words import COMPARATIVES
from rag.text.inquiry import asks, of_inquiry
from rag.text.normalise import fold
from rag.text.rarity import total
from rag.verify.lexicon import axis, poles

_OTHERS: Final = re.compile(
    r"\b(?:exist(?:ing|s)?|prior|previous(?:ly)?|earlier|current|conventional(?:ly)?|traditional(?:ly)?|standard|usual(?:ly)?|"
    r"typical(?:ly)?|other|common(?:ly)?|so far|wrong|fail|limit|problem|challeng)"
)
"""Asks after what was there before the paper."""
_WAY: Final = re.compile(
    r"\b(?:propos|introduc|present|develop|combin|design|formulat|us(?:e|es|ed|ing)\b|employ|leverag|construct|defin|enforc|"
    r"build|built|learn|train|via\b|through\b|by (?:\w+ly )?\w+ing\b)"
)
"""Says how a thing is done."""
_COMPARES: Final = re.compile(
    rf"\b(?:more|less|{COMPARATIVES}) (?:[\w-]+ ){{0,3}}?than\b"
    r"|\b(?:beats?|outperforms?|superior|inferior)\b"
)
_OUTCOME: Final = re.compile(
    r"\b(?:comparable|on par|match(?:es|ing)?|competitive|equal(?:s|ly)?|equivalent|"
    r"no (?:\w+ )?(?:improvement|difference|gain|benefit)|than|similar|outperform\w*|surpass\w*|superior\w*|inferior)\b"
)
_BASELINE: Final = re.compile(r"^(?:\w+ )?(?:baselines?|competitors?|rivals?)$")
_AGAINST: Final = re.compile(
    r"\b(?:than|over|against|compared (?:to|with)|outperform\w*|surpass\w*|exceed\w*|beat\w*)\b[^.;]*"
)
_HARDWARE: Final = re.compile(r"(?:\w+ )?(?:[gtc]pus?|hardware|graphics cards?|accelerators?|chips?|machines?)$")
_NAME: Final = re.compile(r"\b[A-Z][\w-]*[A-Z\d][\w-]*")
MUCH: Final = 0.3
"""How much more of the question's words, by rarity, a sentence must hold to go before the chosen one."""
_OPEN: Final = frozenset({"any", "means", "reason", "condition"})
"""What is asked for where words tell more than the type of the answer."""
FEWEST: Final = 2
WHOLE: Final = 0.99
HALF: Final = 0.5
SOME: Final = 0.01
"""Of what the chosen sentence of the background holds, what one of the own work must hold; more than nothing."""
BESIDE: Final = 30
"""Characters around a noun in which its name stands."""


def of_paper(found: Sequence[Candidate], at: int) -> list[int]:
    """The places of the sentences of one candidate's paper."""
    return [i for i, candidate in enumerate(found) if candidate.paper.id == found[at].paper.id]


def first_shown(question: Question, found: Sequence[Candidate], scores: Vector, at: int) -> int:
    """The place of the sentence of the chosen one's paper that is shown first."""
    own = of_paper(found, at)
    return own[preferred(question, [found[i] for i in own], scores[own], own.index(at))]


def preferred(question: Question, own: Sequence[Candidate], scores: Vector, at: int) -> int:
    """The place in `own` of the sentence that goes first; `at` is the chosen one, `scores` are of `own`."""
    folded = fold(question.text)
    for fits in (_by_form, _beside_noun, _against, _outcome, _finding, _own_way, _of_it, _whole):
        better = fits(question, folded, own, at)
        if better:
            return max(better, key=lambda place: scores[place])
    if question.kind == "yes_no" and asks(own[at].passage.text) and not of_inquiry(question.text):
        return max(range(len(own)), key=lambda place: (not asks(own[place].passage.text), scores[place]))
    return at


def _by_form(question: Question, folded: str, own: Sequence[Candidate], at: int) -> list[int]:
    """ "Does it lose quality?": the sentence that says "lossless"."""
    texts = [each.passage for each in own]
    if _met(question, own[at]) >= WHOLE and not has("prior", own[at].passage.folded):
        return []
    return [place for place, text in enumerate(texts) if answers_by_form(question, text, texts)]


def _beside_noun(question: Question, folded: str, own: Sequence[Candidate], at: int) -> list[int]:
    """ "Which optimizer": where the chosen sentence only holds names of the kind, those that have one at the noun."""
    noun = noun_of(question.asked.aspect)
    told = frozenset((*question.names, *question.words))
    if not noun or not re.match(r"(?:which|what|on (?:which|what)) ", folded):
        return []
    known = [place for place, each in enumerate(own) if instance(noun, each.passage, told) == 1.0]
    if at not in known:
        return known if _HARDWARE.match(noun) else []
    if _stands_by(noun, own[at].passage):
        return []
    return [place for place in known if _stands_by(noun, own[place].passage)]


def names_hardware(question: Question, passage: Passage) -> bool:
    """Whether a sentence names a machine where one is asked for: nothing else in an abstract has such names."""
    noun = noun_of(question.asked.aspect)
    return bool(_HARDWARE.match(noun)) and instance(noun, passage, frozenset(question.words)) == 1.0


def _stands_by(noun: str, passage: Passage) -> bool:
    head = re.escape(noun.split()[-1].rstrip("s"))
    text = passage.text
    around = (text[max(0, m.start() - BESIDE) : m.end() + BESIDE] for m in re.finditer(head, text, re.IGNORECASE))
    return any(_NAME.search(each) or re.search(r"(?<=[a-z ] )[A-Z][a-z]+", each) for each in around)


def _against(question: Question, folded: str, own: Sequence[Candidate], at: int) -> list[int]:
    """ "Which baseline": a sentence that sets a name against the paper's own."""
    if not _BASELINE.match(noun_of(question.asked.aspect)) or _sets_against(question, own[at].passage):
        return []
    return [place for place, each in enumerate(own) if _sets_against(question, each.passage)]


def _sets_against(question: Question, passage: Passage) -> bool:
    known = {*question.names}
    return any(fold(name) not in known for found in _AGAINST.finditer(passage.text) for name in _NAME.findall(found[0]))


def _outcome(question: Question, folded: str, own: Sequence[Candidate], at: int) -> list[int]:
    """ "Is A better than B?": what came of the comparison, not that it was made."""
    if question.kind != "yes_no" or not _COMPARES.search(folded) or _tells_outcome(own[at].passage):
        return []
    held = _met(question, own[at])
    return [
        place
        for place, each in enumerate(own)
        if _tells_outcome(each.passage) and _met(question, each) >= min(0.5, held)
    ]


def _tells_outcome(passage: Passage) -> bool:
    axes = {axis for stem in passage.places for axis, _ in poles().get(stem, ())}
    return axis("improve") in axes or bool(_OUTCOME.search(passage.folded))


def _finding(question: Question, folded: str, own: Sequence[Candidate], at: int) -> list[int]:
    """ "Does it help?", "What did they find?": what came out, not what was done, or believed before."""
    whatever = asks_findings(folded)
    if not (whatever or asks_effect(question)) or _OTHERS.search(folded):
        return []
    begins = work_begins([each.passage for each in own])
    if at >= begins and not before_findings(own[at].passage):
        return []
    least = 0.0 if whatever else max(SOME, HALF * _met(question, own[at]))
    moved = [thing for _, thing in moved_by(question.text)]
    found = [
        place
        for place in range(begins, len(own))
        if tells_finding(own[place].passage)
        and (_met(question, own[place]) >= least or _any_of(moved, own[place].passage))
    ]
    summed_up = [place for place in found if whatever and sums_up(own[place].passage)]
    return summed_up or found


def _of_it(question: Question, folded: str, own: Sequence[Candidate], at: int) -> list[int]:
    """ "What is the mass of X?": after the sentence that only names X, the one that begins "Its mass"."""
    aspect = question.aspect
    after = at + 1
    if not aspect or question.asked.kind in _OPEN - {"any"} or after >= len(own) or _speaks(aspect, own[at].passage):
        return []
    return [after] if own[after].passage.leaning and _speaks(aspect, own[after].passage) else []


def _any_of(stems: Sequence[str], passage: Passage) -> bool:
    return any(speaks_of(stem, passage) for stem in stems)


def _speaks(stems: Sequence[str], passage: Passage) -> bool:
    return all(speaks_of(stem, passage) for stem in stems)


def _own_way(question: Question, folded: str, own: Sequence[Candidate], at: int) -> list[int]:
    """ "How is it done?" is told by what the paper does, not by what others lack."""
    if (
        not folded.startswith("how ")
        or question.asked.kind != "means"
        or _OTHERS.search(folded)
        or role_asked(folded) == "problem"
    ):
        return []
    begins = own_work_begins(each.passage.folded for each in own)
    if at >= begins or not (has("contrast", own[at].passage.folded) or has("prior", own[at].passage.folded)):
        return []
    least = HALF * _met(question, own[at])
    return [
        place
        for place in range(begins, len(own))
        if _WAY.search(own[place].passage.folded)
        and not has("implies", own[place].passage.folded)
        and " hope" not in own[place].passage.folded
        and _met(question, own[place]) >= max(least, SOME)
    ]


def _whole(question: Question, folded: str, own: Sequence[Candidate], at: int) -> list[int]:
    """Of a paper that is named, the sentence that holds all that is asked of it, where the chosen one lacks much."""
    asked = question.asked
    if not question.papers or asked.aspect or asked.kind not in _OPEN or len(without_names(question)) < FEWEST:
        return []
    held = _met(question, own[at])
    if held > WHOLE - MUCH:
        return []
    return [place for place, each in enumerate(own) if _met(question, each) >= WHOLE]


def _met(question: Question, candidate: Candidate) -> float:
    """The share of the question's words, names left out, that a sentence holds, by rarity."""
    wanted = without_names(question)
    if not wanted:
        return 1.0
    met = [t for t in wanted if answers_term(question, t, candidate.passage)]
    return total(met) / max(1e-9, total(wanted))
