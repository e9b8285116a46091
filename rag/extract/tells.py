"""What a sentence must hold to tell what is asked, by rules that no weight outvotes.

The fitted chooser knows how much a sentence shares with a question; sharing is not telling. "How many layers" is told
by a number that counts layers, "which retriever" by a word that says which, "who founded it" by a name.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final, Literal

from rag.extract.degrees import degree_told
from rag.extract.holds import new_names, single
from rag.extract.instances import instance, untold
from rag.extract.matching import alike
from rag.extract.passage import Passage, read
from rag.question import Question
from rag.question.wanted import AMOUNTS
from rag.text.names import names as names_in
from rag.text.normalise import fold
from rag.text.tokens import STOPWORDS, stemmed
from rag.verify.lexicon import GENERIC

BESIDE_COUNT: Final = 5
"""Tokens between a number and the noun that it counts: "1,254 carefully labelled sequences"."""
BESIDE_NOUN: Final = 3
"""Tokens around a noun in which stands what says which one is meant."""
_HOW_MANY: Final = re.compile(r"\bhow many (?!times\b|percent|hours|minutes|seconds|days|weeks|months|years)")
_WHICH: Final = re.compile(r"\b(?:which|what) (?!(?:is|are|was|were|do|does|did|has|have|had|can|could|will)\b)")
_BRACKETS: Final = re.compile(r"\(([^()]*)\)|, (?:like|such as|e\.g\.,?) ([^?]*)")
_RELATIVE: Final = re.compile(r"\w+ (?:on|in|for|by|with|from|under|at|of|to|over) $")
"""Before a "which" that asks nothing: "the data sets on which it was tested"."""
_ONE_OF: Final = (
    r"\b(?:an?|one|single|pair|couple|dozens?|hundreds?|thousands?|millions?|half|both)\b(?: of)?"
    r"(?: (?!(?:of|for|in|on|with|to|from|by|at|as|and|or|that|which)\b)[^\s,;:()]+){{0,4}}? {}\b"
)
"""A word that counts, before the noun that it counts."""
_VAGUE: Final = stemmed(
    """
    kind type sort way thing method approach technique problem task issue challenge effect result
    role part goal limitation difference advantage finding conclusion property condition setting
    case reason evidence role insight assumption question factor aspect change improvement impact
    idea strategy mechanism name number amount percentage percent fraction share proportion value
    framework system algorithm tool information data relationship relation correlation association
    work step failure mode field area domain application scenario guarantee concept principle
    feature trick side benefit risk outcome measure purpose example
    """
)
"""Nouns so wide that almost any sentence of an abstract may name one."""
EMPTY: Final = stemmed(
    """
    various several multiple many diverse different standard benchmark common popular representative
    existing recent other widely used public real real-world large small broad range wide set sets
    number state-of-the-art strong baseline base challenging extensive comprehensive our new novel
    three two four five six most more all proposed such same any each both using used large-scale
    experiment experimental evaluate
    """
)
"""Words that say nothing of which one is meant."""
_THINGS: Final = stemmed(
    """
    microscope scanner camera sensor robot arm gripper simulator engine retriever reranker tokenizer
    backbone encoder decoder optimizer classifier library language license licence kernel activation
    gpu tpu cpu computer processor hospital clinic university company bank city country region
    vendor provider platform drug strain antibody vector enzyme primer instrument assay reagent
    questionnaire corpus dataset database benchmark llm vlm model
    """
)
"""Nouns of things that have names or makes: a sentence without the noun tells of none, but for"""
_NAMED_ALONE: Final = stemmed(
    "model llm vlm dataset database corpus benchmark language library city country drug tokenizer"
)
"""those whose names are known as such: "on KITTI"."""
_LISTING: Final = re.compile(r"\b(?:such as|including|namely|called|named|e\.g\.|i\.e\.|from both)|[:(]")
_LISTS: Final = 8
_OF_ITSELF: Final = AMOUNTS - {"number"} | {"complexity"}
"""Amounts whose noun need not be said: "reaches 77.7 % on it"."""
_SCALED: Final = stemmed("parameters tokens weights")
_SCALE: Final = re.compile(r"\b\d+(?:\.\d+)?[ -]?(?:[MBT]|[mb]illion|trillion)\b")
_COUNTED_AFTER: Final = r"\b{}\w* \((?:\w+ ){{0,2}}~?\d"
""" "Disulfide bonds (about 1500 in total)"."""
_PEOPLE: Final = stemmed("people persons individuals")
_KINDS_OF_PEOPLE: Final = stemmed(
    "patients participants subjects adults women men children volunteers respondents workers"
)
"""Who is counted where it is asked how many people."""
_FORMULA: Final = re.compile(r"\\(?:Omega|Theta|mathcal|tilde|log|sqrt)|\bO ?\(|\$[^$]*[a-zA-Z][^$]*\$")
_BOUND: Final = re.compile(r"[A-Za-z] ?(?:\\[gl]eq? ?|[<>≥≤] ?)$")
_CONDITION: Final = re.compile(r"\$ ?\w ?(?:\\[gl]eq?(?![a-z])|[<>≥≤]) ?\d+ ?\$")
"""A formula as in "with K > 1 workers" says for which numbers something holds, and counts none."""
_AGENTS: Final = re.compile(r"(?:er|or)s$")
_DONE: Final = re.compile(r"(?:ed|ing)$")
_VERB: Final = re.compile(
    r"\w{3,}ed|works?|does|runs?|handles?|performs?|trains?|won|wins|made|writes?|found|shows?|took|takes?|had|has|were|"
    r"gave|gives?|led|leads?|make|holds?"
)
_MAKERS: Final = re.compile(
    r"^(?:so |and |but )?who (?:(?:first|originally|really) )?(?:\w+ed|won|wrote|found|led|built|drew|sang|is|was|"
    r"holds?|owns?|runs?)\b(?! (?:in|to|by)\b)"
)
_OF_A_STUDY: Final = re.compile(
    r"\bwho (?:\w+ly )?(?:annotat|judg|evaluat|rat|label|participat|review|assess|benefit|us|suffer|receiv|took part|"
    r"answer|test|check|grad|verif|trained|was (?:compared|studied|included|enrolled))"
)
_PERSON: Final = re.compile(
    r"\b[A-Z][a-z]+(?: [A-Z]\.)* (?:(?:and|&) )?[A-Z][a-z]+|\b[A-Z][a-z]+ et al|\b[A-Z][a-z]+['’]s\b|\bby [A-Z][a-z]+"
)

_BY_NAME: Final = re.compile(
    r"^(?:what|which) (?:is|are|was|were) the (?:\w+ )?names? (?:of|given)\b"
    r"|\bwhat (?:is|are|was|were) .{3,60} (?:called|named)\b"
)
_CALLED: Final = re.compile(r"\b(?:called|named)\b")
"""What a thing is called may be a common noun: "supernodes"."""
_PARTS: Final = re.compile(r"[^\W_]+")
_SHORTEST: Final = 3
"""Letters of an abbreviation that is known by its initials: of two, chance makes many."""
Telling = Literal["tells", "open", "silent"]


def telling(question: Question, passage: Passage, title: Passage) -> Telling:
    """Whether a sentence certainly tells what is asked for, or certainly does not, however much it shares with the
    question; open where no rule knows."""
    folded = fold(question.text)
    if _BY_NAME.search(folded) and not new_names(passage, frozenset(map(single, question.words))):
        return "open" if _CALLED.search(folded) else "silent"
    if _MAKERS.match(folded) and not _OF_A_STUDY.search(folded):
        return "tells" if _names_a_person(question, passage) else "silent"
    degree = degree_told(question, passage)
    if degree != "open":
        return degree
    noun = noun_asked(question, folded)
    measured = question.asked.kind == "number" and bool(passage.numbers) and not _HOW_MANY.search(folded)
    if (
        not noun
        or question.asked.kind in _OF_ITSELF
        or measured
        or (question.asked.kind == "several" and head_of(noun) not in _THINGS)
    ):
        return "open"
    if _HOW_MANY.search(folded):
        return "tells" if counts(noun, passage) else "silent"
    told = known_of(question, title) | {single(word) for word in _abbreviations(passage, question.text, title.text)}
    if untold(noun, passage, told) or _examples_unmet(question, passage, told):
        return "silent"
    return says_which(noun, passage, {*question.terms, *title.places}, told)


def known_of(question: Question, title: Passage) -> frozenset[str]:
    """Words and names that the reader knows already, without a plural's s."""
    return frozenset(single(word) for word in (*question.names, *question.words, *title.names))


def _abbreviations(passage: Passage, *texts: str) -> list[str]:
    """Names of the passage that are the initials of words said before: "BBO" after "black-box optimization"."""
    initials = ["".join(part[0] for part in _PARTS.findall(fold(text))) for text in texts]
    return [
        name
        for name in passage.names
        if len(name) >= _SHORTEST and any(single(name) in letters for letters in initials)
    ]


def _examples_unmet(question: Question, passage: Passage, told: Collection[str]) -> bool:
    """ "Which data sets (COCO, KITTI)?" wants names: a sentence with neither those nor others tells none."""
    examples = {name.norm for found in _BRACKETS.finditer(question.text) for name in names_in(found[1] or found[2])}
    return bool(examples) and examples.isdisjoint(passage.names) and not new_names_in(passage, told)


def noun_asked(question: Question, folded: str) -> str:
    """The noun that "how many" or "which" asks for; "" for other questions, and in other languages."""
    if not question.asked.aspect or not (_HOW_MANY.search(folded) or _WHICH.search(folded)):
        return ""
    which = _WHICH.search(folded)
    if which and _RELATIVE.search(folded[: which.start()]):
        return ""
    noun = noun_of(question.asked.aspect)
    return "" if re.search(rf"\bwhat {re.escape(noun)} (?:the|an?|its|this|these)\b", folded) else noun


def noun_of(aspect: str) -> str:
    """The aspect up to a verb that the pattern took in: "bank provided", "gpus trained dflash"."""
    words = aspect.split()
    end = next((i for i, word in enumerate(words) if i and _VERB.fullmatch(word)), len(words))
    return " ".join(words[:end])


def counts(noun: str, passage: Passage) -> bool:
    """Whether a number stands before the noun, near enough to count it, or right after it ("n = 12")."""
    heads = places_of(noun, passage)
    if _scaled(noun, passage):
        return True
    if not heads:
        return False
    if _of_an_act(noun, passage):
        return False
    bare = _CONDITION.sub(" ", passage.text)
    if _FORMULA.search(bare):
        return True
    numbers = [
        place
        for place, quantity in passage.numbers
        if quantity.unit not in ("%", "year") and not _BOUND.search(passage.text[: quantity.start])
    ]
    near = any(-2 <= head - place <= BESIDE_COUNT for head in heads for place in numbers)
    near = near or bool(numbers and re.search(_COUNTED_AFTER.format(re.escape(head_of(noun))), passage.folded))
    return near or (
        not numbers and any(re.search(_ONE_OF.format(word), passage.folded) for word in _spelled(noun, passage))
    )


def _of_an_act(noun: str, passage: Passage) -> bool:
    """Whether a sentence speaks only of what is done where it is asked who did it: "8,608 labelled samples" counts no
    annotators."""
    if not _AGENTS.search(noun):
        return False
    head = head_of(noun)
    words = [word for stem, word in passage.words.items() if alike(head, stem)]
    return bool(words) and all(_DONE.search(word) for word in words)


def _scaled(noun: str, passage: Passage) -> bool:
    """ "3.1B" counts parameters and tokens without the word."""
    return head_of(noun) in _SCALED and bool(_SCALE.search(passage.text))


def says_which(noun: str, passage: Passage, terms: Collection[str], told: Collection[str]) -> Telling:
    """Whether something new stands with the noun; a noun of things that have names must be spoken of, or named."""
    head = head_of(noun)
    if head in _VAGUE or instance(noun, passage, told) == 1.0:
        return "open"
    heads = places_of(noun, passage)
    if head in _THINGS and single(noun.split()[-1]) not in passage.folded:
        heads = []
    if not heads:
        named = head in _NAMED_ALONE and new_names_in(passage, told)
        return "silent" if head in _THINGS and not named else "open"
    new = {
        place
        for stem, places in passage.places.items()
        if stem not in terms and stem not in EMPTY and stem not in STOPWORDS
        for place in places
    } - set(heads)
    counted = {place for place, _ in passage.numbers}
    names = {place for name in new_names_in(passage, told) for place in passage.places.get(name, ())}
    following = new if _LISTING.search(passage.folded) else set()
    near = (
        any(0 < head - place <= BESIDE_NOUN for head in heads for place in new | counted)
        or any(0 < place - head <= BESIDE_NOUN for head in heads for place in names | counted)
        or any(0 < place - head <= _LISTS for head in heads for place in following)
    )
    return "tells" if near else "silent"


def new_names_in(passage: Passage, told: Collection[str]) -> set[str]:
    known = {*told, *GENERIC, "sota"}
    return {name for name in passage.names if single(name) not in known and name not in known}


def head_of(noun: str) -> str:
    words = list(read(noun).places)
    return words[-1] if words else noun


def places_of(noun: str, passage: Passage) -> list[int]:
    """Token positions of the noun's head, or of a synonym."""
    head = head_of(noun)
    kinds = _PEOPLE | _KINDS_OF_PEOPLE if head in _PEOPLE else frozenset()
    return [place for stem, places in passage.places.items() if alike(head, stem) or stem in kinds for place in places]


def _spelled(noun: str, passage: Passage) -> list[str]:
    """Patterns of the words by which a passage speaks of the noun's head."""
    head = head_of(noun)
    return [re.escape(word) for stem, word in passage.words.items() if alike(head, stem)]


def _names_a_person(question: Question, passage: Passage) -> bool:
    told = set(fold(question.text).split())
    found = (fold(match[0].removeprefix("by ")) for match in _PERSON.finditer(passage.text))
    return any(not set(name.split()) <= told for name in found)
