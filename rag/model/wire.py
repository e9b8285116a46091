"""Bytes of a chat completion -> its events, whatever the content type says: server-sent events, or one JSON body."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

_MOST_BYTES = 16_000_000
_SSE_FIELDS = ("data:", "event:", "id:", "retry:", ":")


class Malformed(Exception):
    """The reply broke off, or is no reply at all. `head` is how it began, when that is what is wrong with it."""

    def __init__(self, reason: str, head: str = "") -> None:
        super().__init__(reason)
        self.head = head


@dataclass(frozen=True, slots=True)
class Event:
    """What one chunk of a reply says. Token counts are None where the chunk has none."""

    text: str = ""
    reason: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    error: dict[str, Any] | None = None
    """The body of an error that came with status 200, or in the middle of a stream."""


def events(chunks: Iterable[bytes]) -> Iterator[Event]:
    """Raises Malformed where the reply stops making sense; what came before stands."""
    rest = lines(chunks)
    for line in rest:
        if line.startswith(_SSE_FIELDS):
            return (yield from _streamed(line, rest))
        if line.startswith(("{", "[")):
            return (yield from _whole(line, rest))
        if line.strip():
            raise Malformed("it is no chat completion", line[:80])


def lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Ended by LF or CRLF and nothing else: JSON may hold U+2028 and its kind as they are."""
    held = bytearray()
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > _MOST_BYTES:
            raise Malformed("it is far too long")
        held += chunk
        *whole, rest = held.split(b"\n")
        for line in whole:
            yield _decoded(line)
        held = rest
    if held:
        yield _decoded(held)


def _decoded(line: bytes | bytearray) -> str:
    return line.decode("utf-8", "replace").removesuffix("\r").removeprefix("\ufeff")


def _streamed(first: str, rest: Iterable[str]) -> Iterator[Event]:
    """`data:` lines up to `[DONE]`. An event may be spread over several; a blank line ends it."""
    held = ""
    for line in itertools.chain([first], rest):
        data = line.removeprefix("data:").strip() if line.startswith("data:") else ""
        if data == "[DONE]":
            return
        if not data and not line.strip() and held:
            raise Malformed("an event is no JSON")
        if data:
            held += data
            value = _parsed(held)
            if value is not None:
                held = ""
                yield _event(value)
    if held:
        raise Malformed("it breaks off within an event")


def _whole(first: str, rest: Iterable[str]) -> Iterator[Event]:
    value = _parsed("\n".join([first, *rest]))
    if value is None:
        raise Malformed("its JSON does not parse")
    yield _event(value)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        return None


def _event(value: Any) -> Event:
    if not isinstance(value, dict):
        return Event()
    if value.get("error") or value.get("object") == "error":
        return Event(error=value)
    choices = value.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    message = choice.get("delta") or choice.get("message") or {}
    reason = choice.get("finish_reason")
    usage = value.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    return Event(
        _content(message.get("content")) if isinstance(message, dict) else "",
        reason if isinstance(reason, str) and reason else None,
        _count(counts.get("prompt_tokens")),
        _count(counts.get("completion_tokens")),
    )


def _content(content: Any) -> str:
    """Text as it is, or as a list of parts."""
    if isinstance(content, list):
        return "".join(_content(part.get("text")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
