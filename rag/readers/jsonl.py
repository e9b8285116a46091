"""JSON lines: an object a line, streamed. A line that is no object is a flaw; the lines after it go on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import BinaryIO

from rag.readers.fields import holds_paper
from rag.readers.record import MAX_LINE, Flaw, Record
from rag.readers.streams import lines


def records(stream: BinaryIO) -> Iterator[Record | Flaw]:
    """A record a line; a line that is none is a flaw and costs no other."""
    for line in lines(stream):
        if line.too_long:
            yield Flaw(
                f"the line is longer than {MAX_LINE // 2**20} MB: put each record on a line of its own",
                line.number,
            )
            continue
        text = line.text.strip(" \t\x1e\ufeff")
        if not text:
            continue
        try:
            value = json.loads(text)
        except RecursionError:
            yield Flaw("nested too deeply to be a paper: give an object with title and abstract", line.number)
            continue
        except ValueError as error:
            yield Flaw(f"not valid JSON ({short(error)}): mend the line, or leave it out", line.number)
            continue
        yield from expand(value, line=line.number)


def short(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at character {error.pos + 1}"
    return str(error)[:80]


def expand(value: object, *, line: int | None = None, number: int | None = None) -> Iterator[Record | Flaw]:
    """The record in a JSON value, or those of the array it wraps (`{"results": [...]}`)."""
    if isinstance(value, dict):
        inner = None if holds_paper(value) else inner_records(value)
        for item in [value] if inner is None else inner:
            if isinstance(item, dict):
                yield Record(item, line, number)
            else:
                yield Flaw(_not_an_object(item), line, number)
    elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        for item in value:
            yield Record(item, line, number)
    else:
        yield Flaw(_not_an_object(value), line, number)


def inner_records(value: Mapping[str, object], depth: int = 0) -> list[object] | None:
    """The longest array of objects within two levels of an object, or None."""
    found: list[list[object]] = []
    for item in value.values():
        if isinstance(item, list) and any(isinstance(entry, dict) for entry in item):
            found.append(item)
        elif isinstance(item, dict) and depth < 2:
            deeper = inner_records(item, depth + 1)
            if deeper is not None:
                found.append(deeper)
    return max(found, key=len, default=None)


def _not_an_object(value: object) -> str:
    kind = {str: "a text", list: "a list", bool: "a truth value", type(None): "null"}.get(type(value), "a number")
    return f"{kind}, not an object with title and abstract"
