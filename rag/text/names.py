"""Names of systems, data sets and methods as abstracts write them, and which of them the text presents as its own.

A name shows itself by its look (inner capitals, digits, several capitals, Greek), by a capital inside a sentence, by
emphasis, or by a definition (`rag.text.definitions`). An ordinary capitalised first word is not a name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from rag.text.definitions import definitions
from rag.text.normalise import fold
from rag.text.readable import Aligned, align
from rag.text.tokens import STOPWORDS, TERM, analyse, is_plural_acronym


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


class _Look(NamedTuple):
    """What a word alone tells: `sure` by its letters, or only `capitalised`; `length` without possessive and suffix."""

    sure: bool
    capitalised: bool
    length: int
    norm: str


def names(text: str) -> tuple[Name, ...]:
    """Every name, in order, none overlapping."""
    aligned = align(text)
    found = _merge(_defined(aligned.text), _written(text, aligned))
    _mark_introduced(aligned.text, found)
    made: list[Name] = []
    for name in found:
        start, end = aligned.span(name.start, name.end)
        if not made or start >= made[-1].end:
            made.append(Name(text[start:end], start, end, name.norm, name.alias, name.introduced))
    return tuple(made)


_ORDINARY = frozenset(
    """
    abstract aim aims background conclusion conclusions context design discussion findings interpretation introduction
    limitations main materials measurements methodology methods objective objectives outcome outcomes participants
    patients purpose rationale result results setting significance study summary january february march april may june
    july august september october november december monday tuesday wednesday thursday friday saturday sunday figure fig
    table section theorem lemma equation eq appendix ii iii iv vi vii viii ix
    """.split()
)
GENERIC = frozenset(
    "llm vlm mllm ai ml rl nlp gpu cpu tpu sota cnn rnn gnn gan vae mlp dnn snn vla rag moe api ood id iid cv".split()
)
"""Acronyms of whole classes of things: no paper's own name, and what follows is another name ("LLM Qwen2")."""

_ADJECTIVE = re.compile(r"[A-Z][a-z]+(?:ian|ean|ese|ish|ic|ical)$")
_MEASURE = re.compile(r"\d[\d.,]*(?:[-‐‑]?[a-z]+(?:[-‐‑][a-z]+)*|st|nd|rd|th|[kKMBTX]|[×%]|[-‐‑][A-Z][a-z]+)?$")
_CAPITALISED = re.compile(r"[A-Z][a-z]+(?:['’-][A-Z]?[a-z]+)*$")
_FORMULA = re.compile(r".{1,2}[_^]|[^\W\d_]{0,2}/|[\d.]+/|√")
_SUFFIX = re.compile(
    r"['’]s$|[-‐‑–](?:[a-z]{3,}(?:ed|ing|ten|ven)|only|like|specific|aware|free|style|level|wise|agnostic|native|centric|"
    r"type|optimal|hard|complete)$"
)
"""A possessive, and what describes the thing and is no part of its name: "EAGLE-based", "AI-written"."""


@lru_cache(maxsize=65536)
def _look(word: str) -> _Look:
    word = _SUFFIX.sub("", word)
    plain = word.casefold()
    ordinary = len(word) < 2 or plain in _ORDINARY or plain in STOPWORDS
    if ordinary or "://" in word or _MEASURE.match(word) or _FORMULA.match(word):
        return _Look(False, False, len(word), "")
    analysis = analyse(word)
    norm = analysis.norm[:-1] if is_plural_acronym(word) else analysis.norm
    telling = analysis.kind == "name" and any(char.isupper() or char.isdigit() or "Ͱ" <= char <= "῿" for char in word)
    return _Look(telling, bool(_CAPITALISED.match(word)), len(word), norm)


_SENTENCE_START = re.compile(r"(?:^|[.!?:;]['\"”’)\]]*\s+|\n\s*|[•*]\s+)[\"“‘'(\[]*$")
_SHOWN_OFF = re.compile(r"(?:\\(?:textbf|textsc|texttt|textit|emph|textsf)\s*\{|\*\*?|__?|`)$")
_TELLING_RUN = re.compile(r"(?<!\S)[^\sA-Z0-9Ͱ-῿Ａ-Ｚ]*[A-Z0-9Ͱ-῿Ａ-Ｚ]\S*")
"""Runs between white space that can hold a name: spares the small words."""
_MOST_JOINED = 4


def _written(text: str, aligned: Aligned) -> list[_Found]:
    """Words that are names by their look, neighbours joined: `DFlash`, `EAGLE-3`, `Vertex AI`."""
    shown = aligned.text
    words = [
        (found.start(), look)
        for run in _TELLING_RUN.finditer(shown)
        for found in TERM.finditer(shown, *run.span())
        if (look := _look(found[0])).norm
    ]
    title = _is_title(shown)
    inside = {
        look.norm
        for start, look in words
        if look.capitalised and not _SENTENCE_START.search(shown[max(0, start - 12) : start])
    }
    found: list[_Found] = []
    joined = 0
    for start, look in words:
        if look.capitalised and (title or (look.norm not in inside and not _is_shown_off(text, aligned, start))):
            continue
        if not look.sure and not look.capitalised:
            continue
        last = found[-1] if found else None
        if (
            last
            and last.end == start - 1
            and shown[last.end] == " "
            and joined < _MOST_JOINED
            and not title
            and last.norm not in GENERIC
        ):
            last.end, last.norm, joined = start + look.length, f"{last.norm} {look.norm}", joined + 1
        else:
            found.append(_Found(start, start + look.length, look.norm))
            joined = 1
    return [name for name in found if not _ADJECTIVE.match(shown[name.start : name.end])]


def _is_title(shown: str) -> bool:
    """Most of its longer words begin with a capital, so that a capital says nothing."""
    if len(shown) > 400 or shown.rstrip().endswith("."):
        return False
    long = [word for word in shown.split() if len(word) > 3 and word[0].isalpha()]
    return len(long) > 1 and sum(word[0].isupper() for word in long) >= 0.6 * len(long)


def _is_shown_off(text: str, aligned: Aligned, start: int) -> bool:
    """Set in bold, italics, small capitals or code right here."""
    if aligned.starts is None:
        return False
    at = aligned.starts[start]
    return bool(_SHOWN_OFF.search(text[max(0, at - 12) : at]))


def _defined(shown: str) -> list[_Found]:
    """Both forms of every definition, each with the other as its alias."""
    found: list[_Found] = []
    for long, short in definitions(shown):
        long_norm, short_text = fold(shown[slice(*long)]), shown[slice(*short)]
        short_norm = _look(short_text).norm or fold(short_text)
        pair = [_Found(*long, long_norm, short_norm), _Found(*short, short_norm, long_norm)]
        found += sorted(pair, key=lambda name: name.start)
    return found


def _merge(defined: list[_Found], written: list[_Found]) -> list[_Found]:
    """In order; a definition's forms win over the words inside them."""
    kept: list[_Found] = []
    for name in sorted(defined, key=lambda name: name.start):
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


_PRESENTS = re.compile(
    r"\b(?:propos(?:e|es|ed|ing)|present(?:s|ed|ing)?|introduc(?:e|es|ed|ing)|develop(?:s|ed|ing)?|design(?:s|ed)?|"
    r"releas(?:e|es|ed|ing)|call(?:ed)?|nam(?:ed|ely)|dub(?:bed)?|term(?:ed)?|coined|denoted|abbreviated as|describe|"
    r"contribute|build|construct(?:s|ed)?|curate|create|"
    r"[Oo]ur (?:\w+ )?(?:method|model|framework|approach|system|algorithm|benchmark|data ?set)[,:]?)(?=\W)"
)
_PREPOSITION = re.compile(
    r"\b(?:for|of|in|on|over|with|to|from|using|by|than|via|against|through|as in|like|between|based on|and)\s+"
    r"(?:the\s+|an?\s+)?$"
)
_SENTENCE_STOP = re.compile(r"[.!?;:]\s|\n\n")
_REACH = 110


def _mark_introduced(shown: str, found: list[_Found]) -> None:
    """The first name after "we propose" that no preposition governs, and what stands before a title's colon."""
    index = 0
    for verb in _PRESENTS.finditer(shown):
        while index < len(found) and found[index].start < verb.end():
            index += 1
        for name in found[index : index + 6]:
            between = shown[verb.end() : min(name.start, verb.end() + _REACH + 1)]
            if len(between) > _REACH or _SENTENCE_STOP.search(between):
                break
            if name.norm not in GENERIC and not _PREPOSITION.search(between):
                name.introduced = True
                break
    if found and not shown[: found[0].start].strip() and shown[found[0].end : found[0].end + 2] == ": ":
        found[0].introduced = True
    presented = {name.alias for name in found if name.introduced and name.alias}
    for name in found:
        name.introduced = name.introduced or name.norm in presented
