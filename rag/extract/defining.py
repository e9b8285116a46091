"""What "What is X?" asks to be explained, and whether a sentence says what X is or spells out its letters.

A question's words alone do not separate "X is a cache of shared prefixes" from "we compare with X": what explains a
thing is a form of words around it, or around the long form that the sentence gives it ("Long Form (X)").
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from rag.extract.holds import single
from rag.extract.passage import Passage
from rag.question import Question
from rag.text.definitions import definitions
from rag.text.normalise import fold, plain

SAYS: Final = 1.0
NAMES: Final = 0.9
"""Spells the letters out, or says of what kind a thing is."""
BRINGS_IN: Final = 0.7

_PHENOMENA: Final = "trap|dilemma|phenomenon|hypothesis|principle|paradox|paradigm|conjecture|syndrome|fallacy"
_KINDS: Final = (
    "algorithms?|approach|architectures?|assays?|benchmarks?|channels?|criteri(?:on|a)|data ?sets?|drugs?|effect|"
    "effectors?|enzymes?|estimators?|frameworks?|functions?|genes?|hormones?|index|inhibitors?|kinases?|libraries|"
    "library|loss|measures?|mechanisms?|metrics?|methods?|models?|modules?|molecules?|networks?|operators?|optimi[sz]ers?|"
    "paradigms?|phenomenon|pipelines?|problem|proteins?|receptors?|regime|regulari[sz]ers?|robots?|scheme|scores?|"
    "setting|statistics?|strateg(?:y|ies)|systems?|tasks?|techniques?|tools?"
)
"""Nouns of kinds: before a name they say what it is ("the host protein STING"), after it they add nothing."""
_WHAT_IS: Final = re.compile(
    r"^(?:so |and |but |ok,? )?(?:(?:what (?:exactly )?(?:is|are|was)|what's|what is meant by|explain|define|describe|"
    r"what does(?= .* (?:mean|stand for|do|refer to)\b)|how (?:does|do)(?= .* works?\b)|"
    r"tell me (?:about|what)|what do (?:they|we|you) mean by|meaning of|definition of)) "
    r"(?:how |for me |exactly |the (?:concept|notion|idea|meaning|definition|term) of )?(?:an? |(?P<the>the ))?"
    r"(?P<thing>[^\s?.,]+(?: [^\s?.,]+){0,3}?)"
    r"(?: works?| is| are| means?| stands? for| do| refers? to| for me| with .*| in (?:one|a few|simple) .*"
    r"| in (?:machine|deep|reinforcement) learning| in (?:statistics|biology|general|mathematics))*[?.!]*$"
)
_LETTERS: Final = re.compile(r"\bstands? for\b|\b(?:short|acronym|abbreviation) (?:for|of)\b|\babbreviat\w*\b")
_GOVERNED: Final = re.compile(
    r"^(?:wrong|new|different|special)$|['’]s?(?: |$)"
    r"|\b(?:of|in|for|on|by|from|behind|to|between|used|proposed|reported)\b"
)
_A_PHENOMENON: Final = re.compile(rf"(?:^| )(?:{_PHENOMENA})$")
_A_GROUP: Final = re.compile(r" (?:sets?|class(?:es)?|famil(?:y|ies)|collections?|groups?|spaces?)$")
"""What it is of says what such a thing is: "a Rashomon set of many near-optimal models"."""
_OF_A_KIND: Final = re.compile(rf" (?:{_KINDS})$")
_BRINGING: Final = (
    r"introduc\w*|propos\w*|present\w*|develop\w*|term(?:ed)?|call(?:ed)?|defin\w*|discover\w*|construct\w*|"
    r"design\w*|dubbed|named|devis\w*|refer(?:red)? to as|identif\w*"
)
_BEFORE: Final = (
    r"the|an?|this|that|these|where|whereas|while|when|because|since|and|or|as|called|termed|named|dubbed|of|on|in|for|"
    r"with|by|from|via|using|(?:concept|notion|idea) of|introduc\w*|propos\w*|present\w*|defin\w*|stud(?:y|ies)|"
    r"so-called|novel|new|our|term|prevalent|known as"
)
"""What a noun that stands for itself follows."""
_ARTICLES: Final = r"the|an?|new|novel|so-called|concept of|notion of|task of|problem of|setting of|idea of"


def thing_asked(question: Question) -> str:
    """What "What is ...?" asks to be explained, folded; "" for any other question, and for one about a part of a thing.

    "What is the pressure?" wants its value, not what pressure is; "the Rashomon set" has a name, and is a thing.
    """
    found = _what_is(fold(question.text))
    if found is None:
        return ""
    determined, thing = found
    known = not determined or _A_PHENOMENON.search(thing) or _is_named(thing, question)
    return thing if known else ""


def thing_perhaps_asked(question: Question) -> str:
    """What "What is the ...?" may ask to be explained, where it has no name and is no amount; "" for other questions.

    A sentence that says what it is answers; one that does not may answer all the same ("What is the main idea?").
    """
    found = _what_is(fold(question.text))
    if found is None or not found[0] or question.asked.kind not in ("definition", "any"):
        return ""
    return "" if thing_asked(question) else found[1]


@lru_cache(maxsize=256)
def _what_is(folded: str) -> tuple[bool, str] | None:
    found = _WHAT_IS.match(folded)
    if found is None or _GOVERNED.search(found["thing"]):
        return None
    return bool(found["the"]), found["thing"].strip()


def _is_named(thing: str, question: Question) -> bool:
    """Whether a thing after "the" goes by a name, and no amount of it is asked for."""
    if not any(word in question.names for word in thing.split()):
        return False
    return question.asked.kind in ("definition", "any") or bool(_OF_A_KIND.search(thing))


def letters_asked(folded_question: str) -> bool:
    """Whether it is asked what an abbreviation stands for, and not what the thing is."""
    return bool(_LETTERS.search(folded_question))


def defines(thing: str, passage: Passage, *, named: bool, own: bool, letters: bool = False) -> float:
    """SAYS what the thing is; NAMES its kind or long form; BRINGS_IN one that has a name; 0: only uses the word; 0.5:
    that is not asked.

    "We propose a fast transformer" says nothing of what a transformer is, "we propose DFlash, a ..." does of DFlash.
    `named`: the thing has a name; `own`: the passage is of the paper that brings it in; `letters`: it is asked what
    they stand for.
    """
    if not thing:
        return 0.5
    spoken = [form for form in _forms(thing) if form.removesuffix("s") in passage.folded]
    long = next((other for form in spoken for other in _other_forms(form, passage.text)), "")
    if letters:
        return SAYS if long else NAMES if f" ({thing})" in passage.folded else 0.0
    if not spoken:
        return 0.0
    said = max(_said(form, passage, named=named, own=own) for form in (*spoken, *([long] if long else [])))
    return max(said, NAMES) if long else said


def _said(thing: str, passage: Passage, *, named: bool, own: bool) -> float:
    telling, kind, bringing, doing = _defining(thing, named)
    if telling.search(passage.folded):
        return SAYS
    if named and kind.search(passage.folded):
        return NAMES
    if (named and bringing.search(passage.folded)) or (own and doing.search(passage.folded)):
        return BRINGS_IN
    return 0.0


@lru_cache(maxsize=256)
def _forms(thing: str) -> tuple[str, ...]:
    """The thing, and without the noun of its kind: "OFO paradigm" may be told of as "OFO"."""
    bare = _OF_A_KIND.sub("", thing)
    return (thing,) if bare == thing or " " in bare else (thing, bare)


def _other_forms(thing: str, text: str) -> list[str]:
    """The long forms of an abbreviation that the text spells out. The abbreviation of a long form explains nothing."""
    return [long for short, long in _spelled_out(text) if single(short) == single(thing)]


@lru_cache(maxsize=4096)
def _spelled_out(text: str) -> tuple[tuple[str, str], ...]:
    """(short, long) forms that a text gives, folded."""
    if "(" not in text:
        return ()
    readable = plain(text)
    return tuple(
        (fold(readable[slice(*each.short)]), fold(readable[slice(*each.long)])) for each in definitions(readable)
    )


@lru_cache(maxsize=256)
def _defining(thing: str, named: bool) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """How a sentence says what a thing is, of what kind it is, that it is brought in, and what it does.

    A common noun is told of only where it stands for itself: "group equivariant convolutional networks are a
    generalisation" says nothing of convolutional networks.
    """
    one = rf"{re.escape(single(thing))}s?[\"”'’*]*(?: \([^)]*\)[\"”'’*]*)?"
    alone = r"(?<![\w-])" if named else rf"(?:^|(?<=[,;:(\"“‘`] )|(?<=[(\"“‘`])|\b(?:{_BEFORE}) [\"“‘`]*)"
    between = r"(?: \S+){0,2}?" if named else rf"(?: (?:{_ARTICLES}))*"
    article = r"(?:an?|the|one of|any|those)\b"
    seen = r"identified|known|regarded|considered|seen|defined"
    holding = rf"|\ban? (?:\w+ )?{one} (?:of|comprising|containing|consisting of) " if _A_GROUP.search(thing) else ""
    being = rf"(?:is|are|was|were|(?:has|have) been) (?:\w+ly )?(?:(?:{seen}) as )?"
    telling = (
        rf"{alone}{one},? (?:{being}(?:defined|{article}|\w+s (?:able|that|which|of)\b)"
        rf"|(?:refers?|asks?|seeks?) to\b|means?\b|denotes?\b|which (?:is|are)\b)"
        rf"|{alone}{one} (?:aims? to|describes?|(?:which|that) \w+s)\b|{alone}{one}, which \w+s\b"
        rf"|{alone}{one} (?:\w+ly )?\w{{2,}}s\b[^.]*\b(?:by (?:\w+ly )?\w+ing|using|via)\b"
        rf"|{alone}{one}(?:,| [—–-]+| ?---| \() ?"
        r"(?:an? |(?:the|those) (?:\w+ )?\w+s? (?:of|that|which|in which|where)\b)"
        rf"{holding}|\b(?:known as|referred to as|defined as|termed|named|called|dubbed) "
        rf"(?:an? |the )?[\"“‘`]*{one}|\((?:i\.e\.|that is),? (?:an? |the )?{one}\)"
        rf"|\bwe (?:call|term|dub|name)\b[^.]{{0,60}} (?:the |an? )?[\"“‘`]*{one}|{one}(?:[:,] (?:i\.e\.|that is)|:)"
        rf"|{alone}{one}(?: (?:phenomenon|effect|problem|paradigm|setting|dilemma|regime))?[\"”'’]*,? "
        rf"(?:where|in which|whereby)\b|\w \([\"“‘`]+{one}\)"
        rf"|\b(?:{_BRINGING}){between} [\"“‘`*]*{one}"
        rf"(?:,? (?:an?|which|that|where|in which)\b|:|, (?:\w+ ){{1,4}}(?:of|for|that|to)\b)"
    )
    kind = rf"\b(?:{_KINDS}),? [(\"“‘`*]*{one}(?![\w-])"
    subject = r"\b(?:we|i|this (?:paper|work|article|study|survey)|here|is|are|they|authors?)\b[^.;:]{0,60}"
    bringing = rf"{subject}\b(?:{_BRINGING})(?: \S+){{0,7}}? [(\"“‘`*]*{one}"
    doing = rf"\b{one}\)? (?:\w+ly )?\w{{3,}}s\b"
    return re.compile(telling), re.compile(kind), re.compile(bringing), re.compile(doing)
