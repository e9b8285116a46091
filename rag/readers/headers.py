"""The line over a list of papers that says where and when: `ICML 2026 论文列表`, `NeurIPS 2025 papers`."""

from __future__ import annotations

import re

MAX_HEADER = 120

_YEAR = re.compile(r"(?<![\d.])(?P<year>(?:19|20)\d\d)(?![\d.]\d|\d)|['’](?P<short>[0-4]\d)\b")
_LIST = re.compile(
    r"论文列表|论文集|论文|列表|清单|摘要集?|录用|入选|会议录?|論文|一覧|"
    r"\b(?:list of )?(?:(?:accepted|oral|poster|spotlight|main|full|short|conference|workshop|track|all|paper|the) )*"
    r"(?:papers?(?: list)?|abstracts|proceedings|paper titles)(?: (?:of|from|at|in|the|for))*",
    re.IGNORECASE,
)
_COUNT = re.compile(r"[(（\[]?\s*(?:共\s*)?\b\d+\s*(?:篇|papers?|abstracts?|entries)\s*[)）\]]?", re.IGNORECASE)
_VENUE_NOUN = re.compile(
    r"\b(?:conference|workshop|symposium|journal|transactions|meeting|congress|proceedings|findings|letters|advances)\b",
    re.IGNORECASE,
)
_ACRONYM = re.compile(r"(?:\w*[A-Z]\w*[A-Z]\w*|[&/+-]|\d{1,2}(?:st|nd|rd|th)?|[\u3040-\u9fff]+)")
_NAME = re.compile(r"[A-Z][a-z]+")


def header_of(line: str) -> dict[str, object] | None:
    """`{"venue": ..., "year": ...}` of a header line, with what it says; None when the line is none.

    It is one when besides a year or the words for a list of papers it holds nothing but a venue, or nothing at all.
    """
    text = line.strip(" \t#*_=~·•:：|-–—\xa0\ufeff\u3000")
    if not text or len(text) > MAX_HEADER or text[-1] in ".。!！?？;；":
        return None
    year = _YEAR.search(text)
    listed = _LIST.search(text)
    if not year and not listed:
        return None
    rest = text if year is None else text.replace(year.group(), " ", 1)
    for noise in (_COUNT, _LIST):
        rest = noise.sub(" ", rest)
    venue = " ".join(re.sub(r"[()（）\[\]:：,，年|]", " ", rest).split()).strip(" -–—·")
    if venue and not _is_venue(venue, year is not None):
        return None
    when = "" if year is None else year["year"] or f"20{year['short']}"
    said: dict[str, object] = {"venue": venue, "year": when}
    return {name: value for name, value in said.items() if value}


def _is_venue(text: str, dated: bool) -> bool:
    """An acronym (`ICML`, `ACL Findings`), a conference's or journal's full name, or by a year one or two names."""
    words = text.split()
    if len(words) > 12:
        return False
    if _VENUE_NOUN.search(text):
        return words[0][0].isupper() or words[0][0].isdigit()
    if all(_ACRONYM.fullmatch(word) for word in words):
        return len(words) <= 4
    return dated and len(words) <= 2 and all(_NAME.fullmatch(word) or _ACRONYM.fullmatch(word) for word in words)
