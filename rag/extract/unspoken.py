"""The thing that a question asks of a paper and of which no sentence of it speaks.

"Does X use a transformer?" shares X with every sentence of its paper, and is told by none that speaks of no
transformer. So what such a question turns on, the object of its verb, must be spoken of somewhere in the paper.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rag.extract.matching import alike, same_form
from rag.extract.passage import Passage, read
from rag.question import Question
from rag.text.normalise import fold
from rag.text.tokens import STOPWORDS, stem_of, stemmed
from rag.types import Paper

_VERBS: Final = (
    r"us(?:e|es|ed|ing)|needs?|requires?|rel(?:y|ies) (?:up)?on|depends? (?:up)?on|employs?|supports?|handles?|"
    r"includes?|contains?|involves?|ha(?:s|ve)|appl(?:y|ies)|adopts?|utili[sz]es?|leverages?|incorporates?|replays?|"
    r"works? (?:with|on|for)|runs? on|generated (?:by|with)|learns? from|exploits?|assumes?|"
    r"(?:train|test|evaluat|validat|buil|bas|deploy|pre-?train|fine-?tun)(?:ed|t) (?:up)?(?:on|with|from)"
)
_OBJECT: Final = re.compile(
    rf"^(?:so |and |but )?(?:do|does|did|is|are|was|were|has|have|can|could|will|would) (?:\S+ ){{0,4}}?(?:{_VERBS}) "
    r"(?P<object>.+)$"
)
_AGENT: Final = re.compile(
    r"\b(?:judged|evaluated|tested|rated|checked|validated|reviewed|labell?ed|annotated) by (?P<object>.+)$"
)
_PROPERTY: Final = re.compile(
    r"^(?:what|how (?:large|big|high)) (?:is|are|was|were) (?:the )?(?P<object>\S+(?: \S+)?) of (?!the )\S+$"
)
_ENDS: Final = re.compile(
    r"\b(?:for|in|on|at|by|with|without|from|to|of|as|than|that|which|when|while|during|between|across|over|under|or|and|"
    r"instead|rather)\b|[,;:(?]"
)
_MADE: Final = re.compile(r"(?:er|or)s?$")
"""A noun for what does a thing, whose stem is the verb's: a transformer is in no sentence that changes something."""
_WHATEVER: Final = stemmed(
    """
    thing kind type way method approach technique information knowledge help advantage benefit effect impact
    assumption limit limitation access cost work result any
    """
)
"""Objects so wide that what tells them need not say the word."""


def unspoken(question: Question, paper: Paper, own: Sequence[Passage]) -> str | None:
    """What is asked of a named paper, as words of the question, when neither its title nor its sentences (`own`) hold
    its noun or a word for it; None where any of them may tell, and for questions of another form."""
    if paper.id not in question.papers:
        return None
    folded = fold(question.text).replace(fold(paper.title), "it").rstrip(" ?!.")
    form = _OBJECT if question.kind == "yes_no" else _PROPERTY
    found = form.match(folded) or _AGENT.search(folded)
    if not found:
        return None
    phrase = _noun_phrase(found["object"])
    noun = _head(phrase, question)
    if not noun or any(_speaks_of(noun, passage) for passage in (read(paper.title), *own)):
        return None
    return phrase


def _noun_phrase(text: str) -> str:
    """The first noun phrase, without its article: "labelled data" of "any labelled data for training"."""
    words = (_ENDS.split(text.strip(), maxsplit=1)[0] or text).split()
    start = next((at for at, word in enumerate(words) if word not in STOPWORDS), len(words))
    return " ".join(words[start:]).strip("'\"’”“")


def _head(phrase: str, question: Question) -> str:
    """The noun of a phrase, folded; "" for a name, a number and what is no word."""
    head = phrase.split()[-1] if phrase else ""
    if not head.isalpha() or stem_of(head) in _WHATEVER or stem_of(head) not in question.terms:
        return ""
    return head


def _speaks_of(noun: str, passage: Passage) -> bool:
    stem = stem_of(noun)
    made = _MADE.search(noun)
    if (noun.removesuffix("s") if made else stem) in passage.folded:
        return True
    kin = same_form if made else alike
    return any(kin(stem, other) for other in passage.places)
