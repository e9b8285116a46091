"""What a question takes for granted: "Why does X slow Y by 31 %?" says that X slows Y by 31 %."""

from __future__ import annotations

import re
from typing import Final

from rag.text.function_words import AUXILIARIES

_AUX: Final = f"(?:{AUXILIARIES})"
_RULES: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?:is it|it is) (?:true|correct|right|the case) that (?P<s>.+)$",
        r"^(?:(?:given|granted|assuming|considering|since|seeing|now|knowing) that|since|as) (?P<s>.+?), (?:then )?"
        rf"(?:(?:by |to |in |for |at |on |of |with )?(?:who|what|which|when|where|how|why)\b|{_AUX}\b).*$",
        r"^(?P<s>.+?),? (?:right|correct|true|why|how come|isn't it|doesn't it|is that (?:so|right))$",
        rf"^(?:why|how come|since when|when|how|where|by how much|to what extent|for what reason)"
        rf"(?: exactly)? {_AUX} (?P<s>.+)$",
        rf"^(?:what|which) \S+(?: \S+){{0,4}}? {_AUX} (?P<s>.+)$",
        r"^(?:what|which)(?: \S+){1,4}? (?P<s>(?:completely|fully|always|never|entirely|only|all)\b.+)$",
    )
)
_PICKS: Final = re.compile(
    r"^(?:what|which)\b.*\b(?:most|least|best|worst|(?:high|low|larg|small|great|fast|slow|long|short|strong|weak)e?st)\b"
    r"(?! (?:one|two|three|\d))",
    re.IGNORECASE,
)
""" "Which baseline does X beat most?" picks one of several, and grants nothing that a "minimal" could deny."""
_ASKS: Final = re.compile(rf"^(?:(?:and|but|so) )?(?:who|what|which|when|where|how|why|{_AUX})\b", re.IGNORECASE)
"""An open "Does X slow Y?" takes neither side: the reader sees the sentence, and no verdict on what was only asked."""
_SPOKEN_OF: Final = re.compile(rf"^[^?]{{1,300}}?: (?={_ASKS.pattern[1:]})", re.IGNORECASE)
"""What the question is about, set before it: "DFlash: is it fast?"."""


def _picks(text: str) -> bool:
    return bool(_PICKS.match(text))


def premise_of(text: str) -> str | None:
    """The statement a question presupposes or asks to confirm, without question words; None when it states nothing.

    The order of words is the question's ("X slow Y by 31 %"): enough for a check by words, numbers and negation.
    """
    bare = _SPOKEN_OF.sub("", text.strip().rstrip("?？!. "))
    if not re.search(r"\s", bare):
        return None
    for pattern in _RULES:
        found = pattern.match(bare)
        if found and len(found["s"].split()) >= 3 and not _picks(bare):
            return found["s"].strip(" ,")
    asks = _ASKS.match(bare)
    return None if asks or "?" not in text else bare
