"""A JSON document: an array of records (streamed), or an object that is a record or wraps an array of them."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import BinaryIO

from rag.readers.jsonl import expand, short
from rag.readers.record import MAX_DOCUMENT, Flaw, Record, Unusable
from rag.readers.streams import CHUNK

MAX_FLAWS = 100
"""Broken records in one array after which the rest is given up."""

_SPACE = re.compile(r"[\s,\ufeff]*")
_NEXT = re.compile(r"\}\s*,\s*(?=\{)")
_DECODER = json.JSONDecoder()


def records(stream: BinaryIO) -> Iterator[Record | Flaw]:
    """Records, numbered from 1. Raises Unusable where nothing more can be made of the document."""
    window = _Window(stream)
    window.skip_space()
    if window.text.startswith("[", window.at):
        window.at += 1
        yield from _array(window)
    else:
        yield from _object(window)


class _Window:
    """The part of a text that is being parsed: `text[at:]`, read on as needed, dropped when done with."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self.text = ""
        self.at = 0
        self.ended = False
        self._step = CHUNK

    def more(self) -> bool:
        """Read on (each time twice as much, so that retries stay linear); False at the end. Raises Unusable."""
        if self.ended:
            return False
        held = len(self.text) - self.at
        if held > MAX_DOCUMENT:
            raise Unusable(
                f"one record is larger than {MAX_DOCUMENT // 2**20} MB: give abstracts, one object a line (JSONL)"
            )
        size = min(self._step, MAX_DOCUMENT + 1 - held)
        data = self._stream.read(size)
        self.ended = len(data) < size
        self.text = self.text[self.at :] + self._decoder.decode(data, final=self.ended)
        self.at = 0
        self._step = min(self._step * 2, MAX_DOCUMENT)
        return True

    def skip_space(self) -> None:
        while True:
            match = _SPACE.match(self.text, self.at)
            self.at = match.end() if match else self.at
            if self.at < len(self.text) or not self.more():
                return

    def done(self) -> None:
        self._step = CHUNK


def _array(window: _Window) -> Iterator[Record | Flaw]:
    number = flaws = 0
    while True:
        window.skip_space()
        if window.at >= len(window.text):
            yield Flaw(f"the array is not closed: the file was cut after record {number}, fetch it again")
            return
        if window.text[window.at] == "]":
            return
        number += 1
        try:
            value = _value(window)
        except RecursionError:
            error = "nested too deeply to be a paper"
        except ValueError as found:
            error = f"not valid JSON ({found.msg if isinstance(found, json.JSONDecodeError) else short(found)})"
        else:
            yield from expand(value, number=number)
            continue
        flaws += 1
        yield Flaw(f"{error}: mend it, or leave it out", number=number)
        if flaws >= MAX_FLAWS or not _skip_broken(window):
            raise Unusable(f"what follows record {number} cannot be read: mend that record, or write one object a line")


def _value(window: _Window) -> object:
    """The value at the window's start. It is read on until the value ends inside it, since a number may go on."""
    while True:
        try:
            value, end = _DECODER.raw_decode(window.text, window.at)
            if end < len(window.text) or not window.more():
                window.at = end
                window.done()
                return value
        except ValueError as error:
            cut_off = isinstance(error, json.JSONDecodeError) and _may_be_cut(error, window)
            if not cut_off or not window.more():
                raise


def _may_be_cut(error: json.JSONDecodeError, window: _Window) -> bool:
    """Whether the error is one that more text might mend: it stands at the end, or a text was not closed."""
    return error.pos >= len(window.text) - 12 or error.msg.startswith("Unterminated string")


def _skip_broken(window: _Window) -> bool:
    """Go to where the next record seems to start (`}, {`). False when there is none."""
    while True:
        match = _NEXT.search(window.text, window.at + 1)
        if match:
            window.at = match.end()
            return True
        if window.ended:
            return False
        window.at = max(window.at, len(window.text) - 100)
        window.more()


def _object(window: _Window) -> Iterator[Record | Flaw]:
    while window.more():
        pass
    try:
        value, end = _DECODER.raw_decode(window.text, window.at)
    except RecursionError:
        raise Unusable("nested too deeply to hold papers: give an object or an array with title and abstract") from None
    except ValueError as error:
        raise Unusable(f"not valid JSON ({short(error)}): mend it there") from None
    found = list(expand(value))
    for number, record in enumerate(found, 1):
        if isinstance(record, Record):
            yield Record(record.fields, None, number)
        else:
            yield Flaw(record.reason, None, number)
    if window.text[end:].strip():
        yield Flaw("text after the end of the JSON object was not read: write an array, or one object a line")
