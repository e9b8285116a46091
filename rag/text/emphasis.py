"""Markdown's marks of emphasis: which stars, underscores and backticks are read over."""

from __future__ import annotations

import re

from rag.text.mathematics import mask

_BOLD = re.compile(r"(\*\*|__)(?=[^\s*_])([^*\n]{1,300}?)(?<=[^\s*_])\1")
_STAR = re.compile(r"(?<![\w*^])\*(?=[^\s*])[^*\n]{0,300}(?<=[^\s*])\*(?!\*)")
_UNDERSCORE = re.compile(r"(?<![\w\\])_(?=[^\s_])[^_\n]{0,200}(?<=[^\s_])_(?!\w)")
_CODE = re.compile(r"(?<!`)`(?=[^\s`])[^`'\n]{1,120}`(?!`)")


def emphasis(text: str, math: list[tuple[int, int]]) -> dict[int, int]:
    """Markdown emphasis outside mathematics: position of each mark -> its length."""
    masked = mask(text, math) if math else text
    marks: dict[int, int] = {}
    if "**" in masked or "__" in masked:
        for found in _BOLD.finditer(masked):
            marks[found.start()] = marks[found.end() - 2] = 2
    for sign, pattern in (("*", _STAR), ("_", _UNDERSCORE), ("`", _CODE)):
        for found in pattern.finditer(masked) if sign in masked else ():
            first, last = found.start(), found.end() - 1
            if not {first, first - 1, last, last - 1} & marks.keys():
                marks[first] = marks[last] = 1
    return marks
