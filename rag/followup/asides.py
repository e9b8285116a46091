"""What is said in a conversation beside its questions: thanks, a wish for another language, what was meant instead."""

from __future__ import annotations

import re
from typing import Final

_LANGUAGE: Final = re.compile(
    r"^(?:(?:and|now|please|but|again|once more|the same|say (?:it|that|this)|tell me|repeat(?: (?:it|that))?"
    r"|answer|write (?:it|that)|translate(?: (?:it|that|this))?),?\s+)*"
    r"(?:(?:in|into|to|auf|en)\s+)(?P<language>chinese|mandarin|german|french|spanish|italian|portuguese|japanese"
    r"|korean|russian|dutch|polish|turkish|arabic|hindi|english|deutsch|français|español)\b[\s,]*(?:please)?[.!?]*$"
    r"|^(?:请)?(?:用|翻译成|译成)(?P<cjk>[\u4e00-\u9fff]{2,3})(?:回答|说|再说一遍)?[。！!]?$",
    re.I,
)
_SHORTER: Final = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|please|now|and|but|can you|could you|make (?:it|that|this)|say (?:it|that|this)|be"
    r"|give me|answer|keep it|a|the|much|even|more|too long|again|summari[sz]e(?: (?:it|that|this))?)[\s,.:;!]*)*"
    r"(?:shorter|short|briefly|brief|concise(?:ly)?|in short|tl;?dr|too long|short version"
    r"|in (?P<one>one|a single) (?:sentence|line)|in (?:a )?(?:few(?:er)?|two|three) (?:sentences|words|lines))"
    r"(?: version| answer)?(?:,? please)?\W*$",
    re.I,
)
_COURTESY: Final = re.compile(
    r"^\s*(?:(?:ok(?:ay)?|oh|ah|great|cool|nice|perfect|good|well|fine|alright|hello|hi|hey|bye|goodbye|cheers|sorry"
    r"|thanks|thank you|thx|got it|i see|very|so much|a lot|that helps|then|there|again|how are you(?: doing)?"
    r"|good (?:morning|afternoon|evening|day)|awesome|wow|interesting|please|yes|yep|no|nope)[\s,.!?]*)+$",
    re.I,
)
_WRONG: Final = (
    r"(?:(?:no|nope|nah|sorry|wait|oops|oh|actually|hm+|well|not (?:that|this|it|him|her)(?: one| paper)?"
    r"|(?:that|this) is(?: not|n't) (?:it|the one|what i meant))\b[\s,.!;:–—-]*)"
)
_MEANT: Final = r"(?:i (?:meant|mean|was (?:asking|talking|thinking) (?:about|of))|i(?:'|’)m (?:asking|talking) about)"
_CORRECTION: Final = re.compile(
    rf"^\s*(?:{_WRONG}*{_MEANT}\s+|{_WRONG}+(?=(?:the |\[|paper \d|number \d)))(?P<rest>\S.*?)\s*[.!?]*$", re.I
)


def asked_language(message: str) -> str | None:
    """ "in Chinese please": the last answer again in another language, and nothing else."""
    found = _LANGUAGE.match(message.strip())
    return (found["language"] or found["cjk"]).strip() if found else None


def asked_shorter(message: str, sentences: int) -> int | None:
    """How many of the last answer's sentences are wanted by "shorter" (half) or "in one sentence"; else None."""
    found = _SHORTER.match(message)
    return (1 if found["one"] else max(1, sentences // 2)) if found else None


def is_courtesy(message: str) -> bool:
    """Whether nothing is asked, so that nothing is asked of the last answer either."""
    return _COURTESY.match(message) is not None


def meant_instead(message: str) -> str | None:
    """ "No, I meant the other one": what should have been understood, in the message's words."""
    found = _CORRECTION.match(message)
    return found["rest"] if found else None
