"""Names of systems, data sets and methods as abstracts write them, and the definitions that introduce them.

Definitions ("Claim Graph Risk Control (CGRiC)") follow Schwartz and Hearst, "A simple algorithm for identifying
abbreviation definitions in biomedical text", PSB 2003: the letters of the short form are looked for from right to left
in the words before the bracket.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from rag.text.latex import Aligned, align
from rag.text.normalise import fold
from rag.text.tokens import STOPWORDS, TERM, Token, analyse


@dataclass(frozen=True, slots=True)
class Name:
    """`text == source[start:end]`; `norm` is folded and singular (`LLMs` is "llm"), for comparing.

    `alias` is the norm of the other form where the text defines one by the other, else "". `introduced` says that the
    text presents the thing as its own ("we propose DFlash", "DFlash: Block Diffusion ...").
    """

    text: str
    start: int
    end: int
    norm: str
    alias: str = ""
    introduced: bool = False


@dataclass(slots=True)
class _Found:
    """A name in the readable text, while it is still being put together."""

    start: int
    end: int
    norm: str
    alias: str = ""
    introduced: bool = False


_HEADINGS = frozenset(
    "abstract aim aims background conclusion conclusions context design discussion findings interpretation introduction "
    "limitations main materials measurements methodology methods objective objectives outcome outcomes participants patients "
    "purpose rationale result results setting significance study summary".split()
)
_ORDINARY = frozenset(
    "i ii iii iv vi vii viii ix we our this these it in the a an and or not no for is are to of on as be by if all only "
    "january february march april may june july august september october november december monday tuesday wednesday thursday "
    "friday saturday sunday figure fig table section theorem lemma equation eq appendix english chinese".split()
)
_ADJECTIVE = re.compile(r"[A-Z][a-z]+(?:ian|ean|ese|ish|ic|ical)$")
_MEASURE = re.compile(r"\d[\d.,]*(?:[-‐‑]?[a-z]+(?:[-‐‑][a-z]+)*|st|nd|rd|th|[kKMBT]|[×%])?$")
_CAPITALISED = re.compile(r"[A-Z][a-z]+(?:['’-][A-Z]?[a-z]+)*$")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;]['\"”’)\]]*\s+|\n\s*|[•*]\s+)[\"“‘'(\[]*$")
_SHOWN_OFF = re.compile(r"\\(?:textbf|textsc|texttt|textit|emph|textsf)\s*\{|\*\*?|__?|`")
_PRESENTS = re.compile(
    r"\b(?:propos(?:e|es|ed|ing)|present(?:s|ed|ing)?|introduc(?:e|es|ed|ing)|develop(?:s|ed|ing)?|design(?:s|ed)?|releas(?:e|es|ed|ing)|"
    r"call(?:ed)?|nam(?:ed|ely)|dub(?:bed)?|term(?:ed)?|coined|denoted|abbreviated as|describe|contribute|build|construct(?:s|ed)?|curate|"
    r"create|our (?:method|model|framework|approach|system|algorithm|benchmark|data ?set)[,:]?)(?=\W)"
)
_PREPOSITION = re.compile(
    r"\b(?:for|of|in|on|over|with|to|from|using|by|than|via|against|through|as in|like|between|based on)\s+(?:the\s+|an?\s+)?$"
)
_REACH = 110


def names(text: str) -> tuple[Name, ...]:
    """Every name, in order, none overlapping."""
    aligned = align(text)
    found = _merge(_definitions(aligned.text), _written(text, aligned))
    _mark_introduced(aligned.text, found)
    made: list[Name] = []
    for name in found:
        start, end = aligned.span(name.start, name.end)
        if not made or start >= made[-1].end:
            made.append(Name(text[start:end], start, end, name.norm, name.alias, name.introduced))
    return tuple(made)


def _written(text: str, aligned: Aligned) -> list[_Found]:
    """Words that are names by their look, neighbours joined: `DFlash`, `EAGLE-3`, `Vertex AI`."""
    shown = aligned.text
    words = [(found.start(), _without_possessive(found[0])) for found in TERM.finditer(shown)]
    title = _is_title(words)
    inside = {
        word
        for start, word in words
        if _CAPITALISED.match(word) and not _SENTENCE_START.search(shown[max(0, start - 12) : start])
    }
    found: list[_Found] = []
    joined = 0
    for start, word in words:
        look = _look(word)
        if look == "name" and title and _CAPITALISED.match(word):
            continue
        if look == "capitalised" and (
            title or (word not in inside and not _is_shown_off(text, aligned, start))
        ):
            continue
        if not look:
            continue
        end, norm = start + len(word), _norm(word)
        last = found[-1] if found else None
        if (
            last
            and not title
            and last.end == start - 1
            and shown[last.end] == " "
            and joined < 4
            and last.norm not in _GENERIC
        ):
            last.end, last.norm, joined = end, f"{last.norm} {norm}", joined + 1
        else:
            found.append(_Found(start, end, norm))
            joined = 1
    return [name for name in found if not _ADJECTIVE.match(shown[name.start : name.end])]


_GENERIC = frozenset(
    "llm vlm mllm ai ml rl nlp gpu cpu sota cnn rnn gnn gan vae mlp dnn snn vla rag moe api".split()
)
"""Acronyms of whole classes: what follows is another name ("LLM Qwen2")."""


@lru_cache(maxsize=65536)
def _look(word: str) -> str:
    """ "name", "capitalised" or "" by the word alone."""
    plain = word.casefold()
    if plain in _ORDINARY or plain in _HEADINGS or "://" in word or _MEASURE.match(word):
        return ""
    if analyse(word).kind == "name":
        return (
            "name"
            if len(word) > 1 and any(char.isupper() or char.isdigit() or ord(char) > 0x2AF for char in word)
            else ""
        )
    return "capitalised" if len(word) > 1 and _CAPITALISED.match(word) and plain not in STOPWORDS else ""


def _without_possessive(word: str) -> str:
    return word[:-2] if word.endswith(("'s", "’s")) else word


def _norm(word: str) -> str:
    norm = analyse(word).norm
    return norm[:-1] if re.search(r"[A-Z]{2,}s$", word) else norm


def _is_title(words: list[tuple[int, str]]) -> bool:
    """Most of its longer words begin with a capital, so that a capital says nothing."""
    long = [word for _, word in words if len(word) > 3 and word[0].isalpha()]
    return len(long) > 1 and len(long) < 40 and sum(word[0].isupper() for word in long) >= 0.6 * len(long)


def _is_shown_off(text: str, aligned: Aligned, start: int) -> bool:
    """Set in bold, italics, small capitals or code right here."""
    if aligned.starts is None:
        return False
    at = aligned.starts[start]
    return any(
        found.end() == at - (start0 := max(0, at - 12))
        for found in _SHOWN_OFF.finditer(text[max(0, at - 12) : at])
    )


_BRACKET = re.compile(r"\(([^()]{2,80})\)")
_SHORT_FORM = re.compile(r"[^\W_][\w+.@*/-]{1,11}$")
_SENTENCE_STOP = re.compile(r"[.!?;:]\s|\n\n")


def _definitions(shown: str) -> Iterator[_Found]:
    """ "Long Form (LF)" and "LF (Long Form)": both forms, each with the other as its alias."""
    for bracket in _BRACKET.finditer(shown):
        inner = re.split(r"[,;]", bracket[1])[0].strip()
        before = shown[max(0, bracket.start() - 160) : bracket.start()].rstrip()
        end = bracket.start() - len(shown[max(0, bracket.start() - 160) : bracket.start()]) + len(before)
        end = max(0, bracket.start() - 160) + len(before)
        if _is_short_form(inner):
            pair = _long_form(inner, before)
            if pair:
                short_at = bracket.start() + 1 + bracket[1].index(inner)
                yield from _pair(shown, (end - len(pair), end), (short_at, short_at + len(inner)))
            continue
        word = before[-13:].split()[-1:] or [""]
        if _is_short_form(word[0]) and _long_form(word[0], inner) == inner:
            inner_at = bracket.start() + 1 + bracket[1].index(inner)
            yield from _pair(shown, (inner_at, inner_at + len(inner)), (end - len(word[0]), end))


def _pair(shown: str, long: tuple[int, int], short: tuple[int, int]) -> list[_Found]:
    long_norm, short_norm = fold(shown[long[0] : long[1]]), _norm(shown[short[0] : short[1]])
    pair = [_Found(*long, long_norm, short_norm), _Found(*short, short_norm, long_norm)]
    return sorted(pair, key=lambda name: name.start)


def _is_short_form(text: str) -> bool:
    return bool(_SHORT_FORM.match(text)) and sum(char.isupper() for char in text) > 1 - (len(text) < 3)


def _long_form(short: str, before: str) -> str:
    """Schwartz and Hearst's search: the shortest ending of `before` that spells `short`, its first letter at a word's start."""
    letters = [char for char in re.sub(r"s$", "", short).casefold() if char.isalpha()]
    stop = [found.end() for found in _SENTENCE_STOP.finditer(before)]
    words = before[stop[-1] if stop else 0 :].split(" ")
    long = " ".join(words[-min(len(letters) + 5, 2 * len(letters)) :])
    lower, at = long.casefold(), len(long) - 1
    if len(lower) != len(long) or len(letters) < 2:
        return ""
    for index in range(len(letters) - 1, -1, -1):
        while at >= 0 and (
            lower[at] != letters[index] or (index == 0 and at > 0 and lower[at - 1].isalnum())
        ):
            at -= 1
        if at < 0:
            return ""
        at -= 1
    form = long[at + 1 :] if at < 0 else long[long.rfind(" ", 0, at + 1) + 1 :]
    return form if " " in form or "-" in form else ""


def _merge(definitions: Iterator[_Found], written: list[_Found]) -> list[_Found]:
    """In order; a definition's forms win over the words inside them."""
    kept: list[_Found] = []
    for name in sorted(definitions, key=lambda name: name.start):
        if not kept or name.start >= kept[-1].end:
            kept.append(name)
    spans = iter(kept[:])
    span = next(spans, None)
    for name in written:
        while span and span.end <= name.start:
            span = next(spans, None)
        if span is None or name.end <= span.start:
            kept.append(name)
    return sorted(kept, key=lambda name: name.start)


def _mark_introduced(shown: str, found: list[_Found]) -> None:
    """The first name after "we propose" that no preposition governs, and what stands before a title's colon."""
    index = 0
    for verb in _PRESENTS.finditer(shown):
        while index < len(found) and found[index].start < verb.end():
            index += 1
        for name in found[index : index + 6]:
            between = shown[verb.end() : name.start]
            if len(between) > _REACH or _SENTENCE_STOP.search(between):
                break
            if not _PREPOSITION.search(between):
                name.introduced = True
                break
    if (
        found
        and found[0].start < 40
        and shown[found[0].end : found[0].end + 2] == ": "
        and " " not in shown[: found[0].start].strip()
    ):
        found[0].introduced = True
    presented = {name.alias for name in found if name.introduced and name.alias}
    for name in found:
        name.introduced = name.introduced or name.norm in presented
