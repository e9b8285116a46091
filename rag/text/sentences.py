"""Sentences of an abstract, as exact offsets: `text[start:end]`, in order, leaving out only white space and the tags
of paragraphs.

One regular expression finds every place where a sentence might end; a few small rules, each about one kind of false
stop (abbreviations, initials, list numbers, dots in a table of contents, mathematics), decide. Own work for speed:
a sync splits every abstract, and against SciFact's sentences syntok, NLTK's untrained Punkt and pysbd are as good to
within two points of F1 and give exact offsets too, but split 17 to 170 times fewer abstracts a second
(`python -m evals.sentences --against MODULE:FUNCTION`). Our rules were read off mistakes on that corpus, theirs not.
"""

from __future__ import annotations

import re

from rag.text.mathematics import mask, math_spans
from rag.text.tags import untagged

_CLOSERS = "\"'”’»)\\]}*_"
_CANDIDATE = re.compile(
    # One set of characters comes first, so that the regex engine can skip everything else.
    r"[.!?…。！？｡\n](?:"
    r"(?P<sure>(?<=[a-z]{4}\.)(?=\s+[A-Z]))"
    rf"|(?P<stop>(?<=[.!?…])[.!?…]*)(?:[{_CLOSERS}]+|[ ][\"”](?=\s))?(?:\[[\d,–-]+\])?(?=\s|$)"
    r"|(?P<glued>(?<=[a-z]{3}\.)(?=[A-Z][a-z]*[,\s])|(?<=[\w)\]%]\.)(?=(?:We|This|These|Our|However|To|In)\s))"
    r"|(?P<cjk>(?<=[。！？｡])[。！？｡]*[”’」』）)\"']*)"
    r"|(?P<blank>(?<=\n)[^\S\n]*\n)"
    r"|(?P<bullet>(?<=\n)(?=[^\S\n]*(?:[-*•·–◦▪]\s|\(?\d{1,2}[.)]\s|\([a-z]{1,4}\)\s)))"
    r")"
)
_LONG_ABBREVIATIONS = ("resp", "prox", "figs", "secs", "spec", "eqns", "refs")
_NEVER = frozenset(
    "e.g i.e eg ie cf vs fig figs eq eqs eqn eqns sec secs tab thm lem prop def ref refs vol pp dr mr "
    "mrs ms prof st viz ca "
    "subsp var ssp avg abbr amer ann proc conf univ dept natl acad".split()
)
_BEFORE_NUMBER = frozenset("no nos p pp vol ch art ver v".split())
_SOMETIMES = frozenset(
    "al et.al etc resp a.k.a aka w.r.t wrt i.i.d u.s u.k inc ltd co corp jr sr ph.d m.sc b.sc a.m p.m "
    "approx sp spp s.c i.v i.p p.o "
    "d.o.f s.t a.s n.b".split()
)
_FREE = frozenset("etc inc ltd a.m p.m s.c i.v i.p p.o spp".split())
_STARTERS = frozenset(
    "we the this these those that in our to it its they however moreover furthermore additionally for "
    "by as a an on with "
    "while although when here there such specifically finally first second third thus therefore hence "
    "using under through from "
    "based despite unlike experiments results empirically theoretically extensive code both existing "
    "recent prior recently "
    "given across beyond what how why if".split()
)
_LAST_WORD = re.compile(r"[^\s(\[{\"'“‘*,;]*$")
_NEXT_WORD = re.compile(r"\s*(?:\\(?:text|emph)[a-z]*\{|[\"'“‘(\[{*_`$])*(\\?\w[\w'’-]*)?")
_SYSTEM = re.compile(r"[a-zα-ω]+[\w-]*[A-Z0-9]|[a-zα-ω]-[a-z]")
_SUBJECT = re.compile(
    r"\s+[a-z][\w-]*\s+(?:is|are|was|were|has|have|can|does|achieves|outperforms|provides|supports|uses|allows|enables|offers)\b"
)
_ITEM = re.compile(r"\s*\(?(?:[a-z]|[ivx]{2,4})\)\s")
_RUNS_ON = re.compile(
    r"(?:,|\b(?:an?|the|of|for|that|with|to|and|or|is|are|we|in|by|as|on|from|which|such))$", re.IGNORECASE
)
_LIST_NUMBER = re.compile(r"\s*\(?(?:\d{1,2}|[ivx]{1,4}|[a-zA-Z])")
_AFTER_COLON = re.compile(r"[:;]\s+\(?\d{1,2}$")
_LOOK = 64


def split(text: str) -> tuple[tuple[int, int], ...]:
    """Offsets of every sentence. A text without any stop is one sentence; an empty one has none."""
    masked = untagged(mask(text, math_spans(text), "M"))
    spans: list[tuple[int, int]] = []
    start = 0
    for found in _CANDIDATE.finditer(masked):
        if _is_end(masked, start, found):
            start = _add(spans, masked, start, found.end())
    _add(spans, masked, start, len(text))
    return tuple(spans)


def _is_end(text: str, start: int, found: re.Match[str]) -> bool:
    if found["sure"] is not None:
        return text[found.start() - 4 : found.start()] not in _LONG_ABBREVIATIONS
    if found["stop"] is not None:
        return _stops(text, start, found)
    if found["blank"] is not None:
        following = text[found.end() : found.end() + _LOOK].lstrip()
        return not following[:1].islower() and not _RUNS_ON.search(
            text[max(start, found.start() - _LOOK) : found.start()].rstrip()
        )
    return True


def _add(spans: list[tuple[int, int]], text: str, start: int, end: int) -> int:
    part = text[start:end]
    kept = part.strip()
    if kept:
        first = start + len(part) - len(part.lstrip())
        spans.append((first, first + len(kept)))
    return end


def _stops(text: str, start: int, found: re.Match[str]) -> bool:
    """Whether this run of stops ends the sentence that began at `start`."""
    at = found.start()
    stop = text[at] + found["stop"]
    following = text[found.end() : found.end() + _LOOK]
    if len(stop) > 3 or (text[at - 1 : at].isspace() and _is_leader(text, start, at, following)):
        return False
    upcoming = _NEXT_WORD.match(following)
    word = (upcoming[1] or "") if upcoming else ""
    last = _LAST_WORD.search(text, max(start, at - 24), at)
    before = last[0] if last else ""
    if word[:1].islower() and not _ITEM.match(following):
        return (
            stop == "."
            and _starts_small(before, word, following)
            and not _is_abbreviation(text, start, at, before, word)
        )
    if stop == "!" and before[:1].isupper() and word.casefold() not in _STARTERS and following.strip():
        return at - len(before) <= start  # a name that shouts: "Yahoo! Answers"
    return stop != "." or not _is_abbreviation(text, start, at, before, word, following)


def _is_leader(text: str, start: int, at: int, following: str) -> bool:
    """One of the dots that lead to a page number, or stand for what was left out."""
    return following.lstrip()[:1] == "." or text[max(start, at - 3) : at].strip() in ("", ".")


def _starts_small(before: str, word: str, following: str) -> bool:
    """Sentences that begin with a small letter: `vLLM is`, `k-means`, `lumi is`, a link, or a slip of the shift key."""
    if len(before) < 3 and before[-1:].isalpha() and before[-1:] != "M":
        return False
    if _SYSTEM.match(word) or word in ("https", "http"):
        return True
    return len(before) > 3 and (word in _STARTERS or bool(_SUBJECT.match(following)))


def _is_abbreviation(text: str, start: int, at: int, before: str, word: str, following: str = "x") -> bool:
    """Whether the stop after `before` belongs to it: an abbreviation, an initial, or the number of a list item."""
    short = before.casefold().rstrip(".").rpartition("-")[2]
    capital = word[:1].isupper()
    if short in _SOMETIMES:
        return not (capital and (word.casefold() in _STARTERS or short in _FREE)) and bool(following.strip())
    if short in _NEVER:
        return bool(following.strip())
    if short in _BEFORE_NUMBER and (word[:1].isdigit() or following.lstrip()[:1] == "["):
        return True
    if (len(before) == 1 and before.isupper()) or (len(before) == 3 and before[1] == "." and before[::2].isupper()):
        return (capital and word.casefold() not in _STARTERS) or following.lstrip()[:1] in ("&", "(", ",")
    if before.isdigit() and _AFTER_COLON.search(text[max(start, at - 8) : at]):
        return True
    return at - start < 8 and _LIST_NUMBER.fullmatch(text, start, at) is not None and bool(following.strip())
