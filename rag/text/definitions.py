"""Abbreviations and what they stand for: "Claim Graph Risk Control (CGRiC)", "CGRiC (Claim Graph Risk Control)".

After Schwartz and Hearst, "A simple algorithm for identifying abbreviation definitions in biomedical text", PSB 2003:
the letters of the short form are looked for from right to left in the words before the bracket.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class Definition(NamedTuple):
    """Offsets of both forms in the text."""

    long: tuple[int, int]
    short: tuple[int, int]


_BRACKET = re.compile(r"\(([^()]{2,80})\)")
_SHORT_FORM = re.compile(r"[^\W_][\w+.@*/-]{1,11}$")
_SENTENCE_STOP = re.compile(r"[.!?;:]\s|\n\n")
_REACH = 160


def definitions(text: str) -> Iterator[Definition]:
    """Every definition in readable text (no markup), in order."""
    for bracket in _BRACKET.finditer(text):
        inner = re.split(r"[,;]", bracket[1])[0].strip()
        start = bracket.start() + 1 + bracket[1].index(inner)
        before = text[max(0, bracket.start() - _REACH) : bracket.start()]
        end = bracket.start() - len(before) + len(before.rstrip())
        before = before.rstrip()
        if is_short_form(inner):
            long = long_form(inner, before)
            if long:
                yield Definition((end - len(long), end), (start, start + len(inner)))
            continue
        word = (before[-13:].split() or [""])[-1]
        if is_short_form(word) and inner and long_form(word, inner) == inner:
            yield Definition((start, start + len(inner)), (end - len(word), end))


def is_short_form(text: str) -> bool:
    """Two to twelve characters without a space, two of them capitals (one, when there are but two)."""
    return bool(_SHORT_FORM.match(text)) and sum(char.isupper() for char in text) >= min(2, len(text) - 1)


def long_form(short: str, before: str) -> str:
    """The shortest ending of `before` that spells `short`, its first letter at the start of a word; "" for none."""
    letters = [char for char in re.sub(r"s$", "", short).casefold() if char.isalpha()]
    stops = [found.end() for found in _SENTENCE_STOP.finditer(before)]
    words = before[stops[-1] if stops else 0 :].split(" ")
    long = " ".join(words[-min(len(letters) + 5, 2 * len(letters)) :])
    lower = long.casefold()
    if len(lower) != len(long) or len(letters) < 2:
        return ""
    at = len(long)
    for letter in reversed(letters[1:]):
        at = lower.rfind(letter, 0, at)
        if at < 0:
            return ""
    while (at := lower.rfind(letters[0], 0, at)) >= 0:
        if at == 0 or not lower[at - 1].isalnum():
            form = long[long.rfind(" ", 0, at) + 1 :]
            return form if " " in form or "-" in form else ""
    return ""
