"""Citation marks as models really write them: found, read into keys, taken out of the text with their places kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rag.generate.keys import Keys

_BRACKETS = re.compile(
    r"\\?[\[【〔［]{1,2}\s*([^\[\]【】〔〕［］\n]{1,120}?)\s*\\?[\]】〕］]{1,2}(?:\(#?[^()\s]{0,80}\))?"
)
_PARENTHESES = re.compile(r"[(（]([^()（）\n]{1,120})[)）]")
_AUTHOR_YEAR = re.compile(
    r"\(\s*((?:[^\W\d_][\w'’.-]+(?:\s+(?:et\s+al\.?|and|&)\s*|\s*,\s*|\s+)){1,8}(?:19|20)\d\d[a-z]?"
    r"(?:\s*;\s*[^();]{3,60}(?:19|20)\d\d[a-z]?)*)\s*\)"
)
_KIND = r"(?:source|evidence|sentence|document|passage|key|ref(?:erence)?|paper|abstract)s?"
_ACCORDING = (
    r"\b(?:according\s+to|as\s+(?:stated|shown|noted|described|reported)\s+(?:in|by)|based\s+on|per|in)"
)
_NUMBERED = re.compile(
    rf"{_ACCORDING}\s+(?:the\s+)?{_KIND}\s*#?\s*([A-Za-z]?\d{{1,3}}[a-z]?)\b\s*,?\s*(?:that\s+)?",
    re.IGNORECASE,
)
_AROUND_BEFORE = re.compile(
    rf"(?:{_ACCORDING}\s+)?(?:the\s+)?(?:{_KIND}\s*)?[\s#^]*\Z|,?\s*(?:see|from|by|via)\s*\Z", re.I
)
_AROUND_AFTER = re.compile(
    r"\s*(?:(?:states?|says?|shows?|reports?|notes?|mentions?|indicates?|claims?)\s+that\s+|,\s*|:\s+)?",
    re.IGNORECASE,
)
_NOISE = re.compile(
    r"^[ \t]*```\w*[ \t]*$\n?|```|\*\*|</?(?:s|answer|response|output|cite|sup|p)>|<\|[\w ]{1,30}\|>",
    re.MULTILINE,
)
_LEAD_IN = re.compile(r"[A-Z]\w*\s[^\n]*[,\s]|\w+\s+\w+\s+that\s|\w+,\s")
_BETWEEN = re.compile(r"\s*(?:[,;&]|and)\s*", re.IGNORECASE)
_PAIRS = ("()", "``", "**", "__", '""', "（）")
_STOPS = ".,;:!?。！？、，"

Span = tuple[int, int, tuple[str, ...]]
"""Raw start, raw end, keys."""


@dataclass(frozen=True, slots=True)
class Mark:
    """`raw[start:end]` was taken out; `at` is its place in the clean text. No keys: only noise."""

    start: int
    end: int
    at: int
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clean:
    """Text without its marks. A phrase such as "According to source 2," goes with its mark."""

    text: str
    marks: tuple[Mark, ...]

    def raw(self, at: int) -> int:
        """Where in the raw text the clean character `at` stood."""
        return at + sum(mark.end - mark.start for mark in self.marks if mark.at <= at)


def clean(raw: str, keys: Keys, shown: str) -> Clean:
    """Takes the marks out of `raw`.

    A bracket or an author and year that stand in `shown` (all that the model was given, without white space) belong to
    the sentence and stay, as `x[i]` and `(Charles et al., 2025)` do, unless they hold a given key.
    """
    kept: list[str] = []
    marks: list[Mark] = []
    done = size = 0
    for start, end, named in _apart(
        raw, sorted(_spans(raw, keys, shown), key=lambda span: (span[0], -span[1]))
    ):
        start = _with_space(raw, start, end, done)
        kept.append(raw[done:start])
        size += start - done
        marks.append(Mark(start, end, size, named))
        done = end
        if named and _LEAD_IN.match(raw, start, end) and raw[end : end + 1].islower():
            kept.append(raw[end].upper()[:1])  # "According to source 2, it is" -> "It is"
            size, done = size + 1, end + 1
    return Clean("".join([*kept, raw[done:]]), tuple(marks))


def _spans(raw: str, keys: Keys, shown: str) -> Iterator[Span]:
    for found in _BRACKETS.finditer(raw):
        named = keys.named(found[1])
        if named and (keys.knows(named) or "".join(found[0].split()) not in shown):
            yield found.start(), found.end(), named
    for found in _PARENTHESES.finditer(raw):
        named = keys.named(found[1])
        if named and all(keys.knows([key]) for key in named):
            yield found.start(), found.end(), named
    for found in _AUTHOR_YEAR.finditer(raw):
        if "".join(found[0].split()) not in shown:
            yield found.start(), found.end(), (" ".join(found[1].split()),)
    for found in _NUMBERED.finditer(raw):
        yield found.start(), found.end(), (found[1],)
    for found in keys.bare.finditer(raw):
        yield *_around(raw, found), keys.named(found[0])
    for found in _NOISE.finditer(raw):
        yield found.start(), found.end(), ()


def _around(raw: str, found: re.Match[str]) -> tuple[int, int]:
    """A key in running text, with the words that only lead to it: "According to kx2, ...", "kx2 states that ..."."""
    line = raw.rfind("\n", 0, found.start()) + 1
    before = _AROUND_BEFORE.search(raw, max(line, found.start() - 60), found.start())
    after = _AROUND_AFTER.match(raw, found.end())
    start = before.start() if before else found.start()
    if not raw[line:start].strip() or raw[:start].rstrip()[-1:] in ".!?。！？":
        blanks = len(raw[start : found.start()]) - len(raw[start : found.start()].lstrip())
        return start + blanks, after.end() if after else found.end()
    if raw[found.end() : found.end() + 1] in ("", *")].!?"):
        start = len(raw[:start].rstrip(" ,;"))
    return start, found.end()


def _apart(raw: str, spans: list[Span]) -> Iterator[Span]:
    """Spans without overlap: what begins first, and of those the longest, wins. A comma between two goes with them."""
    done = -1
    for start, end, named in spans:
        if start < done:
            continue
        if done >= 0 and _BETWEEN.fullmatch(raw, done, start):
            start = done
        start, end = _enclosed(raw, start, end)
        yield max(start, done), end, named
        done = end


def _enclosed(raw: str, start: int, end: int) -> tuple[int, int]:
    """`([kx1])`, "`kx1`": the pair around a mark is part of it."""
    pair = raw[start - 1 : start] + raw[end : end + 1]
    return (start - 1, end + 1) if pair in _PAIRS and len(pair) == 2 else (start, end)


def _with_space(raw: str, start: int, end: int, done: int) -> int:
    """Takes the blanks before a mark along, where a stop, a blank or nothing follows it."""
    following = raw[end : end + 1]
    if following and not following.isspace() and following not in _STOPS:
        return start
    while start > done and raw[start - 1] in " \t":
        start -= 1
    return start
