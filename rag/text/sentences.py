"""Sentences of an abstract, as exact offsets: `text[start:end]`, in order, leaving out only white space.

One regular expression finds every place where a sentence might end; a few small rules, each about one kind of false
stop (abbreviations, initials, list numbers, mathematics), decide.
"""

from __future__ import annotations

import re

from rag.text.latex import mask, math_spans

_CLOSERS = "\"'”’»)\\]}*_"
_CANDIDATE = re.compile(
    rf"(?P<stop>[.!?…]+)(?P<closers>[{_CLOSERS}]*)(?=\s|$)"
    r"|(?P<cjk>[。！？｡]+[”’」』）)\"']*)"
    r"|(?P<blank>[^\S\n]*\n[^\S\n]*\n)"
    r"|(?P<bullet>\n)(?=\s*(?:[-*•·–◦▪]\s|\(?\d{1,2}[.)]\s|\([a-z]{1,4}\)\s))"
    r"|(?P<glued>(?<=[a-z)\]]{3})\.)(?=(?:We|The|This|These|In|Our|It|To|However|For|Moreover|Furthermore|While|By|As|An?)\s)"
)
_NEVER = frozenset(
    "e.g i.e eg ie cf vs fig figs eq eqs eqn eqns sec secs tab thm lem prop def ref refs no nos vol pp dr mr mrs ms prof st "
    "viz ca approx w.r.t wrt resp al".split()
)
_SOMETIMES = frozenset("al etc resp a.k.a w.r.t i.i.d u.s u.k inc ltd co corp jr sr ph.d m.sc b.sc a.m p.m approx".split())
_STARTERS = frozenset(
    "we the this these those that in our to it its they however moreover furthermore additionally for by as a an on with "
    "while although when here there such specifically finally first second third thus therefore hence using under through from "
    "based despite unlike experiments results empirically theoretically extensive code both existing recent prior recently "
    "although yet but and if motivated given across beyond i what how why".split()
)
_LAST_WORD = re.compile(r"[^\s(\[{\"'“‘*]{1,24}$")
_NEXT_WORD = re.compile(r"[\s\"'“‘(\[{*_`\\$]*(\w[\w'’-]*)?")
_MIXED = re.compile(r"[a-z]+[A-Z]|[a-z]+\d")
_LIST_NUMBER = re.compile(r"(?:^|\n\s*|[.:;]\s+)\(?(?:\d{1,2}|[ivx]{1,4}|[a-zA-Z])$")


def split(text: str) -> tuple[tuple[int, int], ...]:
    """Offsets of every sentence. A text without any stop is one sentence; an empty one has none."""
    masked = mask(text, math_spans(text), "M")
    spans: list[tuple[int, int]] = []
    start = 0
    for found in _CANDIDATE.finditer(masked):
        if found["stop"] and not _ends(masked, start, found):
            continue
        start = _add(spans, text, start, found.end())
    _add(spans, text, start, len(text))
    return tuple(spans)


def _add(spans: list[tuple[int, int]], text: str, start: int, end: int) -> int:
    part = text[start:end]
    kept = part.strip()
    if kept:
        first = start + len(part) - len(part.lstrip())
        spans.append((first, first + len(kept)))
    return end


def _ends(text: str, start: int, found: re.Match[str]) -> bool:
    """Whether this run of stops ends the sentence that began at `start`."""
    stop = found["stop"]
    following = text[found.end() : found.end() + 60]
    upcoming = _NEXT_WORD.match(following)
    word = (upcoming[1] or "") if upcoming else ""
    lower = word[:1].islower() and not _MIXED.match(word)
    if "!" in stop or "?" in stop or stop != ".":
        return not lower
    last = _LAST_WORD.search(text[max(start, found.start() - 24) : found.start()])
    before = last[0] if last else ""
    if lower:
        return False
    return not _false_stop(text, start, found.start(), before, word)


def _false_stop(text: str, start: int, at: int, before: str, word: str) -> bool:
    short = before.casefold().rstrip(".")
    starter = word.casefold() in _STARTERS
    if short in _SOMETIMES:
        return not (word[:1].isupper() and (starter or short in {"etc", "i.i.d"}))
    if short in _NEVER and not (short == "no" and not word[:1].isdigit()):
        return True
    if len(before) == 1 and before.isalpha() and before.isupper() and word[:1].isupper():
        return not starter
    return bool(len(before) <= 4 and _LIST_NUMBER.search(text[max(start - 2, at - 12) : at]) and not text[start:at].strip(" ()ivx0123456789abcd\n"))
