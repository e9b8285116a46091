"""A stream of text -> drafted sentences, each as soon as it is whole. Thinking, fences, JSON and list marks are read away."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from rag.generate.marks import take_marks
from rag.text.sentences import split
from rag.types import DraftSentence

_THINKING = re.compile(
    r"<(think|thinking|reasoning|thought|scratchpad|analysis)>.*?(</\1>|\Z)"
    r"|<\|channel\|>analysis.*?(<\|end\|>|<\|channel\|>final|\Z)|\[THINK\].*?(\[/THINK\]|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_UNOPENED_THINKING = re.compile(r"\A.*</(?:think|thinking|reasoning|thought)>", re.DOTALL | re.IGNORECASE)
_TOKENS = re.compile(r"<\|[\w ]{1,30}\|>(?:final|assistant)?|</?(?:s|answer|response|output)>|^\s*```\w*\s*$", re.M)
_BULLET = re.compile(r"^\s*(?:[-*•]\s+|\d{1,2}[.)]\s+|#{1,6}\s+|>\s+)")
_OPEN_THINKING = re.compile(
    r"<(think|thinking|reasoning|thought|scratchpad|analysis)>|<\|channel\|>analysis|\[THINK\]", re.I
)
_JSON_START = re.compile(r"\s*(?:```(?:json)?\s*)?[\[{]\s*[\"{\[\]}]")
_CLOSED = re.compile(r"[\]】]\s*[.!?。！？]\s*$")
_MARK_NEXT = re.compile(r"\s*[\[【(〔［]")
_ANSWER_FIELDS = ("answer", "text", "sentence", "claim", "response", "content", "output", "statement")
_KEY_FIELDS = ("keys", "key", "citations", "citation", "evidence", "sources", "refs")
_MOST_CHARACTERS = 200_000
"""Beyond this a reply is no answer; what was read until then stands."""


class SentenceStream:
    """Feed pieces; whole sentences come out. Call `finish` once for what is left."""

    def __init__(self, known: frozenset[str], evidence_text: str) -> None:
        self._known = known
        self._evidence_text = evidence_text
        self._raw = ""
        self._done = 0

    def feed(self, piece: str) -> Iterator[DraftSentence]:
        if len(self._raw) > _MOST_CHARACTERS:
            return
        self._raw += piece
        if _JSON_START.match(self._raw) or not self._raw.strip() or _unfinished_thinking(self._raw):
            return
        yield from self._new(final=False)

    def finish(self, *, whole: bool) -> Iterator[DraftSentence]:
        """The rest. A reply that did not end by itself (`whole` False) loses its last sentence unless that is closed."""
        if _JSON_START.match(self._raw):
            yield from self._from_json()
            return
        yield from self._new(final=True, whole=whole)

    def _new(self, *, final: bool, whole: bool = True) -> Iterator[DraftSentence]:
        text = _readable(self._raw)
        segments = _segments(text)
        if segments and not (final and whole) and not _CLOSED.search(segments[-1]):
            segments = segments[:-1]
        for segment in segments[self._done :]:
            yield from self._drafted(segment)
        self._done = max(self._done, len(segments))

    def _drafted(self, segment: str) -> Iterator[DraftSentence]:
        marked = take_marks(_BULLET.sub("", segment).replace("**", ""), self._known, self._evidence_text)
        if any(c.isalnum() for c in marked.text):
            yield DraftSentence(marked.text, marked.keys)

    def _from_json(self) -> Iterator[DraftSentence]:
        body = re.sub(r"^\s*```\w*\s*|\s*```\s*$", "", self._raw)
        try:
            value = json.loads(body)
        except (json.JSONDecodeError, RecursionError):
            strings = re.findall(r'"((?:[^"\\]|\\.){25,})"', body)
            value = [_unescaped(text) for text in strings]
        for text, keys in _answers(value, depth=0):
            for segment in _segments(text):
                for sentence in self._drafted(segment):
                    yield DraftSentence(sentence.text, tuple(dict.fromkeys((*sentence.keys, *keys))))


def _readable(raw: str) -> str:
    text = _THINKING.sub(" ", raw)
    text = _UNOPENED_THINKING.sub(" ", text)
    return _TOKENS.sub(" ", text)


def _unfinished_thinking(raw: str) -> bool:
    """Whether the end of `raw` is inside a thinking block, or inside what may become its tag."""
    opened = None
    for opened in _OPEN_THINKING.finditer(raw):
        pass
    if opened is None:
        return bool(re.search(r"<[\w/|]{0,20}$", raw))
    return bool(re.match(_THINKING.pattern + r"\Z", raw[opened.start() :], _THINKING.flags)) and not re.search(
        r"</(think|thinking|reasoning|thought|scratchpad|analysis)>|<\|end\|>|channel\|>final|\[/THINK\]",
        raw[opened.start() :],
        re.I,
    )


def _segments(text: str) -> list[str]:
    """Sentences, each with the marks that follow its full stop."""
    segments: list[str] = []
    for start, end in split(text):
        sentence = text[start:end]
        if segments and _MARK_NEXT.match(sentence):
            marks = re.match(r"(?:\s*[\[【〔［][^\]】〕］]{1,80}[\]】〕］]\s*[.。]?)+\s*", sentence)
            if marks:
                segments[-1] += " " + marks.group().strip()
                sentence = sentence[marks.end() :]
        if sentence.strip():
            segments.append(sentence)
    return segments


def _answers(value: object, depth: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(text, keys) pairs in a JSON reply, however it was shaped."""
    if depth > 6:
        return
    if isinstance(value, str):
        yield value, ()
    elif isinstance(value, list):
        for item in value:
            yield from _answers(item, depth + 1)
    elif isinstance(value, dict):
        keys = tuple(str(key) for name in _KEY_FIELDS for key in _listed(value.get(name)))
        named = [value[name] for name in _ANSWER_FIELDS if isinstance(value.get(name), str)]
        if named:
            yield named[0], keys
            return
        for inner in value.values():
            if isinstance(inner, list | dict):
                yield from _answers(inner, depth + 1)


def _listed(value: object) -> list[object]:
    if isinstance(value, list):
        return [item for item in value if isinstance(item, str | int)]
    return [value] if isinstance(value, str | int) and not isinstance(value, bool) else []


def _unescaped(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"'))
    except json.JSONDecodeError:
        return text
