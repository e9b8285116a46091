"""What a sentence asks or sets out to find, and so does not say: `whether statins help`, `OBJECTIVE To assess ...`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

Span = tuple[int, int]
_STUDYING: Final = "investigat|evaluat|assess|examin|explor|test|study|studie|analy[sz]|compar|ask"
_LOOKING: Final = (
    rf"(?:{_STUDYING}|determin|understand|identify|identifie|establish|clarif|elucidat|characteri[sz]|quantif|verif|check|"
    r"find out|see)(?:e|es|ed|s|y|ing)?"
)
"""Looking into a thing. What one sets out to improve is another matter: that is what a method is for."""
_MATTER: Final = (
    r"(?:(?:the|a|its|their|any) )?(?:\w+ )?(?:effects?|roles?|impacts?|influences?|relations?|relationships?|"
    r"associations?|links?|efficacy|effectiveness|safety|feasibility|potential|ability|extent|contributions?|"
    r"hypothes[ie]s|possibility|mechanisms?) (?:of|on|in|by|between|that|to)\b"
)
_AIM: Final = (
    r"(?:(?:the|our|its|this study's) )?(?:\w+ )?(?:aims?|purposes?|objectives?|goals?)(?: of [^,.;]{1,80}?)? "
    r"(?:is|are|was|were) (?:therefore )?to"
    r"|\b(?:aim(?:s|ed)?|sought|seeks?|set out|wanted|intended|attempted|wished|undertaken|conducted|"
    r"performed|carried out) to"
)
_OPENERS: Final = re.compile(
    rf"(?P<whether>\bwhether\b)"
    rf"|(?:(?:^|(?<=[.;:] ))(?:[A-Z][A-Z/ &]+:? )?To {_LOOKING}\b|\b(?i:{_AIM}) (?:\w+ly )?{_LOOKING}\b)"
    rf"|(?:\b(?i:we|study|trial|paper|review) (?:\w+ly )?(?:{_STUDYING})(?:e|es|ed|s|d)? (?:if\b|(?={_MATTER})))"
    r"|(?:\b(?i:unknown|unclear|not known|not clear|uncertain|controversial) if\b)"
    r"|(?:\b(?i:hypothesi[sz]ed?|conjectured?|speculated?|postulated?) that\b)"
)
_WHATEVER: Final = re.compile(
    r"(?i:regardless|irrespective|independent(?:ly)?|no matter|depend(?:s|ing|ent)?|based|even)(?: of| on)? ?$"
)
_WHETHER_OR_NOT: Final = re.compile(r"\s+or not\b(?=[^,;]*,)")
_AFTER_A_PAUSE: Final = re.compile(r"[,(—–] ?$")
_EITHER: Final = re.compile(r"[^,;.]* or ")
_END: Final = re.compile(
    r";|(?<!\b[A-Z])[.?](?=\s|$)"
    r"|, (?=we\b|here\b|this\b|the\b|an?\b|and (?:we|found|show|find)|but\b|finding\b|showing\b|using\b)"
    r"| (?:and|but) (?=(?:we )?(?:found|find|finds|show|shows|showed)\b)| (?=(?:is|are|remains?|was) (?:\w+ )?"
    r"(?:unknown|unclear|uncertain|controversial|debated|open|not known|not clear))"
)
_FOUND: Final = re.compile(
    r"\b(?:f(?:ind|inds|ound)|show(?:s|ed|n|ing)?|demonstrat\w+|reveal\w*|observ\w+|confirm\w*|conclude\w*|prov(?:e|es|ed)|"
    r"suggest\w*|indicat\w+|evidence|report(?:s|ed)?|results?|thus|therefore)\b",
    re.IGNORECASE,
)
_OF_INQUIRY: Final = re.compile(
    r"\b(?:whether|aim\w*|goals?|purpose|objectives?|seeks?|sought|unclear|unknown|unsettled|question\w*|hypothes\w+|"
    r"conjectur\w+|speculat\w+|suspect\w*|believ\w+|if|check(?:s|ed)?|verif\w+|detect\w*|predict\w*|decid\w+|"
    r"investigat\w+|examin\w+|assess\w*|evaluat\w+|explor\w+|stud(?:y|ies|ied|ying)|tests?|tested|testing|"
    r"ask(?:s|ed)?|determin\w+|compar\w+|analy[sz]\w+|look(?:s|ed)? (?:at|into)|measur\w+)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=8192)
def inquiries(sentence: str) -> tuple[Span, ...]:
    """Where a sentence only asks, in order; () where it also tells what was found."""
    spans: list[Span] = []
    at = 0
    while found := _OPENERS.search(sentence, at):
        at = found.end()
        if found["whether"] and _whatever(sentence, found):
            continue
        end = _END.search(sentence, found.end())
        at = end.start() if end else len(sentence)
        spans.append((found.start(), at))
    told = "".join(sentence[left:right] for left, right in _outside(spans, len(sentence)))
    return () if _FOUND.search(told) else tuple(spans)


def asks(sentence: str) -> bool:
    """Whether a sentence says nothing but what was to be found out."""
    spans = inquiries(sentence)
    return bool(spans) and 2 * sum(end - start for start, end in spans) > len(sentence)


def of_inquiry(text: str) -> bool:
    """Whether a claim or a question is itself about what was looked into."""
    return bool(_OF_INQUIRY.search(text))


def _whatever(sentence: str, found: re.Match[str]) -> bool:
    """`regardless of whether`, `whether or not it rains,`, `, whether old or new`: the rest is so in either case."""
    before = sentence[: found.start()]
    if _WHATEVER.search(before) or _WHETHER_OR_NOT.match(sentence, found.end()):
        return True
    return bool(_AFTER_A_PAUSE.search(before) and _EITHER.match(sentence, found.end()))


def _outside(spans: list[Span], length: int) -> list[Span]:
    edges = [0, *(edge for span in spans for edge in span), length]
    return list(zip(edges[::2], edges[1::2], strict=True))
