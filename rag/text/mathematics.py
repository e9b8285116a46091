"""Where mathematics stands in a text: what no sentence, emphasis mark or quotation may be looked for in."""

from __future__ import annotations

import re

_LONGEST_MATH = 600
_WORD = re.compile(r"(?:^|\s)[A-Za-z]{3,}(?:\s|$)")
_PROSE = re.compile(r"(?<![\\\w{])[A-Za-z]{4,}(?=[\s,.])")


def math_spans(text: str) -> list[tuple[int, int]]:
    r"""Where `$...$`, `$$...$$`, `\(...\)` and `\[...\]` lie; a price (`$5 and $6`) is not mathematics."""
    if "$" not in text and "\\(" not in text and "\\[" not in text:
        return []
    spans: list[tuple[int, int]] = []
    opened: tuple[str, int] | None = None
    for mark in _DELIMITER.finditer(text):
        kind, at = mark[0], mark.start()
        if kind.startswith("\\") and kind not in _CLOSES and kind not in _CLOSES.values():
            continue
        if opened is not None and kind == _CLOSES.get(opened[0]) and _is_math(text, opened, at, mark.end()):
            spans.append((opened[1], mark.end()))
            opened = None
        elif kind in _CLOSES:
            opened = (kind, at)
    return spans


_DELIMITER = re.compile(r"\$\$?|\\[\s\S]")
_CLOSES = {"$": "$", "$$": "$$", "\\(": "\\)", "\\[": "\\]"}


def _is_math(text: str, opened: tuple[str, int], close: int, end: int) -> bool:
    inside = text[opened[1] + len(opened[0]) : close]
    if not inside or len(inside) > _LONGEST_MATH or "\n\n" in inside:
        return False
    if opened[0] != "$":
        return True
    if any(mark in inside for mark in "\\^_{"):
        return len(_PROSE.findall(inside)) < 5
    if inside[0].isspace() or inside[-1].isspace():
        return len(inside) <= 24 and not _WORD.search(inside)
    if _PROSE.search(inside) and " " in inside:
        return False
    return not (inside[0].isdigit() and text[end : end + 1].isdigit())


def mask(text: str, spans: list[tuple[int, int]], filler: str = "x") -> str:
    """The text with each span overwritten, same length."""
    parts: list[str] = []
    last = 0
    for start, end in spans:
        parts += (text[last:start], filler * (end - start))
        last = end
    return "".join((*parts, text[last:]))
