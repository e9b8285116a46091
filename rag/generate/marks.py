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
_ACCORDING = r"\b(?:according\s+to|as\s+(?:stated|shown|noted|described|reported)\s+(?:in|by)|based\s+on)"
_IN = rf"(?:{_ACCORDING}|\b(?:per|in))"
_NUMBERED = re.compile(
    rf"{_IN}\s+(?:the\s+)?{_KIND}\s*#?\s*([A-Za-z]?\d{{1,3}}[a-z]?)\b\s*,?\s*(?:that\s+)?",
    re.IGNORECASE,
)
_LEADS_TO_KEY = re.compile(rf"(?:{_IN}\s+)?(?:the\s+)?(?:{_KIND}\s*)?[\s#^]*\Z|,?\s*(?:see|from|by|via)\s*\Z", re.I)
_LEADS_TO_BRACKET = re.compile(rf"{_ACCORDING}\s+(?:the\s+)?(?:{_KIND}\s*)?\Z", re.I)
_LEADS_ON = re.compile(
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
    for start, end, named in _apart(raw, sorted(_spans(raw, keys, shown), key=lambda span: (span[0], -span[1]))):
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
    bracketed = []
    for pattern, all_known in ((_BRACKETS, False), (_PARENTHESES, True)):
        for found in pattern.finditer(raw):
            named = keys.named(found[1])
            known = [keys.knows([key]) for key in named]
            if all(known) if all_known else any(known) or "".join(found[0].split()) not in shown:
                bracketed += [(found.start(), found.end(), named)] if named else []
    for start, end, named in bracketed:
        yield *_led_in(raw, start, end, _LEADS_TO_BRACKET), named
    inside = bytearray(len(raw))
    for start, end, _ in bracketed:
        inside[start:end] = b"\1" * (end - start)
    for found in keys.bare.finditer(raw):
        if not inside[found.start()]:
            yield *_led_in(raw, found.start(), found.end(), _LEADS_TO_KEY), keys.named(found[0])
    for found in _AUTHOR_YEAR.finditer(raw):
        if "".join(found[0].split()) not in shown:
            yield found.start(), found.end(), (" ".join(found[1].split()),)
    for found in _NUMBERED.finditer(raw):
        yield found.start(), found.end(), (found[1],)
    for found in _NOISE.finditer(raw):
        yield found.start(), found.end(), ()


def _led_in(raw: str, start: int, end: int, leads: re.Pattern[str]) -> tuple[int, int]:
    """A mark with the words that only lead to it or from it: "According to kx2, ...", "kx2 states that ..."."""
    line = raw.rfind("\n", 0, start) + 1
    before = leads.search(raw, max(line, start - 60), start)
    begin = before.start() if before else start
    if begin == start and leads is _LEADS_TO_BRACKET:
        return start, end
    if not raw[line:begin].strip() or raw[:begin].rstrip()[-1:] in ".!?。！？":
        after = _LEADS_ON.match(raw, end)
        blanks = len(raw[begin:start]) - len(raw[begin:start].lstrip())
        return begin + blanks, after.end() if after else end
    if raw[end : end + 1] in ("", *")].!?"):
        begin = len(raw[:begin].rstrip(" ,;"))
    return begin, end


def _apart(raw: str, spans: list[Span]) -> Iterator[Span]:
    """Spans without overlap: what begins first, and of those the longest, wins. Neighbours become one span, a comma
    between them included."""
    last: Span | None = None
    for start, end, named in spans:
        if last is None or start >= last[1]:
            start, end = _enclosed(raw, start, end)
            if last is not None and (start <= last[1] or _BETWEEN.fullmatch(raw, last[1], start)):
                last = (last[0], end, (*last[2], *named))
                continue
            if last is not None:
                yield last
            last = (start, end, named)
    if last is not None:
        yield last


def _enclosed(raw: str, start: int, end: int) -> tuple[int, int]:
    """`([kx1])`, "`kx1`", `**[kx1]**`: the pairs around a mark are part of it."""
    while len(pair := raw[start - 1 : start] + raw[end : end + 1]) == 2 and pair in _PAIRS:
        start, end = start - 1, end + 1
    return start, end


def _with_space(raw: str, start: int, end: int, done: int) -> int:
    """Takes the blanks before a mark along, where a stop, a blank or nothing follows it."""
    following = raw[end : end + 1]
    if following and not following.isspace() and following not in _STOPS:
        return start
    while start > done and raw[start - 1] in " \t":
        start -= 1
    return start
