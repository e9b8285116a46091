"""A reply in JSON where prose was asked for: its sentences and keys, however it was shaped or wherever it broke off."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

_START = re.compile(r"\s*(?:```(?:json)?\s*)?(?:\[\s*[\"{\]]|\{\s*[\"}])")
_FENCE = re.compile(r"^\s*```\w*\s*|\s*```\s*$")
_TEXT_FIELDS = (
    "answer",
    "text",
    "sentence",
    "claim",
    "response",
    "content",
    "output",
    "statement",
    "summary",
)
_KEY_FIELDS = ("keys", "key", "citations", "citation", "evidence", "sources", "source", "refs", "references")
_LONG_STRING = re.compile(r'"((?:[^"\\]|\\.){25,})"')
_DEEPEST = 6


def is_shaped(text: str) -> bool:
    return _START.match(text) is not None


def read(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(text, keys) pairs. JSON that does not parse gives its long strings, the broken last one left out."""
    body = _FENCE.sub("", text)
    try:
        value, _ = json.JSONDecoder().raw_decode(body.lstrip())
    except (json.JSONDecodeError, RecursionError):
        value = [_unescaped(found) for found in _LONG_STRING.findall(body)]
    yield from _pairs(value, 0)


def _pairs(value: object, depth: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    if depth > _DEEPEST:
        return
    if isinstance(value, str):
        yield value, ()
    elif isinstance(value, list):
        for item in value:
            yield from _pairs(item, depth + 1)
    elif isinstance(value, dict):
        yield from _object(value, depth)


def _object(value: dict[str, object], depth: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    keys = tuple(str(key) for name in _KEY_FIELDS for key in _listed(value.get(name)))
    for name in _TEXT_FIELDS:
        said = value.get(name)
        if isinstance(said, str):
            yield said, keys
            return
    for inner in value.values():
        if isinstance(inner, list | dict):
            yield from _pairs(inner, depth + 1)


def _listed(value: object) -> list[object]:
    if isinstance(value, list):
        return [item for item in value if isinstance(item, str | int)]
    return [value] if isinstance(value, str | int) and not isinstance(value, bool) else []


def _unescaped(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"'))
    except json.JSONDecodeError:
        return text
