"""The words of a message that stand for papers shown before: "[2]", "the second one", "the first two", "1 and 3"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from rag.types import Paper

ORDINALS: Final = {
    "first": 0, "1st": 0, "former": 0, "second": 1, "2nd": 1, "latter": -1, "third": 2, "3rd": 2,
    "fourth": 3, "4th": 3, "fifth": 4, "5th": 4, "last": -1,
}  # fmt: skip
_COUNTS: Final = {"two": 2, "three": 3, "four": 4, "five": 5, "2": 2, "3": 3, "4": 4, "5": 5}
_KIND: Final = r"(?:ones?|papers?|systems?|methods?|works?|approach(?:es)?|models?|of (?:them|these|those))"
_ORDINAL: Final = re.compile(
    rf"\bthe (?P<place>{'|'.join(ORDINALS)})\b"
    r"(?!-|\s+(?:two|three|four|five|few|\d|stage|step|term|order|layer|token|time|author|phase|part|half))"
    rf"(?:\s+{_KIND})?",
    re.IGNORECASE,
)
_FEW: Final = re.compile(
    rf"\b(?:the )?(?P<end>first|top|last) (?P<count>{'|'.join(_COUNTS)})\b"
    rf"(?:\s+{_KIND}|(?=\s*(?:[?.,;!]|$|\bby\b|\bin\b|\bon\b)))",
    re.IGNORECASE,
)
_BOTH: Final = re.compile(
    rf"\b(?:both|(?:the|these|those) two)(?:\s+{_KIND}|(?=\s*(?:[?.,;!]|$)))",
    re.IGNORECASE,
)
_OTHER: Final = re.compile(rf"\bthe other(?:s\b|\s+(?:two\s+|three\s+)?{_KIND}|(?=\s*(?:[?.,;!]|$)))", re.IGNORECASE)
_BEFORE: Final = re.compile(
    rf"\b(?:the|that) (?:previous|preceding|earlier)(?:\s+{_KIND}|(?=\s*(?:[?.,;!]|$)))"
    r"|\bthe one before(?: (?:that|this))?\b",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"\[(\d{1,3})\]|\b(?:paper|source|number|no\.|#)\s*(\d{1,3})\b", re.IGNORECASE)
_BARE_NUMBER: Final = re.compile(
    r"^\s*(?:(?:and|ok(?:ay)?|so|now|what about|how about|and what about|(?:go )?back to)\s+)*"
    r"(?P<alone>\d{1,2})\s*\??\s*$"
    r"|\b(?:does|did|has|who wrote|expand on|(?:more )?about) (?P<named>\d{1,2})(?=\s*(?:[?.!]|$|\b(?:have|has|use"
    r"|report|release|say|need|work|compare|improve|outperform)\b))",
    re.IGNORECASE,
)
"""A number with nothing that it could count."""
_JOINED: Final = r"\s*(?:,\s*(?:and\s+)?|and|&|with|to|vs\.?|versus|or)\s*"
_KIND_OF_NUMBER: Final = ("papers", "sources", "numbers")
_NUMBERS: Final = re.compile(
    rf"(?P<said>\b(?:papers|sources|numbers)\s+|\b(?:compare|between)\s+|^\s*)"
    rf"(?P<run>\d{{1,2}}(?:{_JOINED}\d{{1,2}})+)"
    r"(?=\s*(?:[?.;!]|$|\b(?:differ|compare|have|share|relate|agree|in common)))",
    re.IGNORECASE,
)


class Pointer(NamedTuple):
    """Words of a message, from `start` to `end`, that stand for papers."""

    start: int
    end: int
    papers: tuple[Paper, ...]


def pointed_at(
    message: str,
    listed: Sequence[Paper],
    spoken: Sequence[Paper],
    numbers: Mapping[int, Paper],
    before: Sequence[Paper] = (),
) -> tuple[Pointer, ...]:
    """Papers meant by number or by place, in the order of the message; none where it would be a guess.

    `listed` are those of the last answer that had several, `spoken` those of the last answer, `before` those that were
    spoken of before them.
    """
    found = [
        *_by_numbers(message, numbers),
        *_by_place(message, listed),
        *_by_company(message, listed, spoken, tuple(numbers.values()), before),
    ]
    if before and (match := _BEFORE.search(message)):
        found.append(Pointer(match.start(), match.end(), tuple(before)))
    apart: list[Pointer] = []
    for each in sorted(found, key=lambda one: (one.start, -one.end)):
        if not apart or each.start >= apart[-1].end:
            apart.append(each)
    return tuple(apart)


def _by_numbers(message: str, numbers: Mapping[int, Paper]) -> list[Pointer]:
    found = []
    for match in _NUMBERS.finditer(message):
        meant = [int(digits) for digits in re.findall(r"\d+", match["run"])]
        if all(number in numbers for number in meant):
            start = match.start() if match["said"].lower().strip() in _KIND_OF_NUMBER else match.start("run")
            found.append(Pointer(start, match.end("run"), tuple(numbers[number] for number in meant)))
    for match in _NUMBER.finditer(message):
        number = int(match[1] or match[2])
        if number in numbers:
            found.append(Pointer(match.start(), match.end(), (numbers[number],)))
    bare = _BARE_NUMBER.search(message)
    group = bare and (bare.lastgroup or "")
    if bare and group and int(bare[group]) in numbers:
        found.append(Pointer(*bare.span(group), (numbers[int(bare[group])],)))
    return found


def _by_place(message: str, listed: Sequence[Paper]) -> list[Pointer]:
    found = []
    for match in _FEW.finditer(message):
        count = _COUNTS[match["count"].lower()]
        if count <= len(listed):
            few = listed[-count:] if match["end"].lower() == "last" else listed[:count]
            found.append(Pointer(match.start(), match.end(), tuple(few)))
    for match in _ORDINAL.finditer(message):
        place = ORDINALS[match["place"].lower()]
        if -len(listed) <= place < len(listed):
            found.append(Pointer(match.start(), match.end(), (listed[place],)))
    return found


def _by_company(
    message: str, listed: Sequence[Paper], spoken: Sequence[Paper], shown: Sequence[Paper], before: Sequence[Paper]
) -> list[Pointer]:
    """ "both" of exactly two, in the last answer or in all; "the other" beside what was last spoken of: the only other,
    else the one that was spoken of before it, else the next of the list."""
    found = []
    pair = next((tuple(papers) for papers in (spoken, listed, shown) if len(papers) == 2), None)
    if pair and (match := _BOTH.search(message)):
        found.append(Pointer(match.start(), match.end(), pair))
    rest = tuple(paper for paper in listed if paper not in spoken)
    match = _OTHER.search(message)
    if match and rest and len(rest) < len(listed):
        several = re.search(r"others|two|three|ones|papers|systems|methods|works|approaches|models", match[0], re.I)
        meant = rest if several or len(rest) == 1 else tuple(before) if len(before) == 1 else _next(listed, spoken)
        found.append(Pointer(match.start(), match.end(), meant))
    return found


def _next(listed: Sequence[Paper], spoken: Sequence[Paper]) -> tuple[Paper, ...]:
    """The paper of the list after those spoken of, the first again after the last."""
    last = max(place for place, paper in enumerate(listed) if paper in spoken)
    after = [*listed[last + 1 :], *listed]
    return (next(paper for paper in after if paper not in spoken),)
