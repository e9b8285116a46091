"""Bytes from files: unpacked, recoded to UTF-8, cut into numbered lines, all of it bounded in memory and streamed.

The container is not part of a text: byte order marks, line ends and the packing go; nothing else is touched.
"""

from __future__ import annotations

import codecs
import io
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO

from rag.readers.record import MAX_LINE, Unusable

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

CHUNK = 65_536
PACKED = 4_096
GZIP = b"\x1f\x8b"
MAX_UNPACKED = 2**20
MAX_RATIO = 100
"""Real text packs 3 to 10 times, a bomb more than 1,000. Not asked of the first `MAX_UNPACKED` bytes."""

_WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_MULTIBYTE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")


class _Chunks(io.RawIOBase):
    """A readable file over an iterator of byte chunks."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        while not self._rest:
            chunk = next(self._chunks, None)
            if chunk is None:
                return 0
            self._rest = memoryview(chunk)
        target = memoryview(buffer)
        size = min(len(target), len(self._rest))
        target[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size


def text_stream(raw: BinaryIO) -> tuple[BinaryIO, bytes]:
    """A stream of UTF-8 (or nearly: single lines may still be cp1252), unpacked, and its first bytes for sniffing.

    Raises, while it is read: Unusable for a bomb or damaged packing, OSError.
    """
    chunks: Iterator[bytes] = iter(lambda: raw.read(CHUNK) or b"", b"")
    head, chunks = _head(chunks, 2)
    for _ in range(2):  # a packed file packed again is still one file
        if not head.startswith(GZIP):
            break
        head, chunks = _head(_unpack(chunks), 2)
    head, chunks = _head(chunks, CHUNK)
    encoding = _wide_encoding(head)
    if encoding:
        head, chunks = _head(_recode(chunks, encoding), CHUNK)
    if head.startswith(codecs.BOM_UTF8):
        head, chunks = head[3:], _without_mark(chunks)
    return io.BufferedReader(_Chunks(chunks), CHUNK), head


def _head(chunks: Iterator[bytes], size: int) -> tuple[bytes, Iterator[bytes]]:
    taken: list[bytes] = []
    length = 0
    rest = chunks
    try:
        for chunk in chunks:
            taken.append(chunk)
            length += len(chunk)
            if length >= size:
                break
    except (Unusable, OSError) as error:  # what came before it is still read
        rest = _raising(error)
    return b"".join(taken)[: max(size, CHUNK)], chain(taken, rest)


def _raising(error: Exception) -> Iterator[bytes]:
    raise error
    yield b""


def _without_mark(chunks: Iterator[bytes]) -> Iterator[bytes]:
    first = b""
    while len(first) < 3:
        first += next(chunks, b"")
    return chain([first[3:]], chunks)


def _unpack(chunks: Iterable[bytes]) -> Iterator[bytes]:
    taken = made = 0
    engine = zlib.decompressobj(31)
    begun = False
    for packed in (chunk[at : at + PACKED] for chunk in chunks for at in range(0, len(chunk), PACKED)):
        taken += len(packed)
        while True:
            try:
                out = engine.decompress(packed, CHUNK)
            except zlib.error as error:
                raise Unusable(f"the gzip packing is damaged here ({error}): pack or fetch the file again") from None
            begun = begun or bool(packed)
            made += len(out)
            if made > MAX_UNPACKED and made > MAX_RATIO * taken:
                raise Unusable(
                    f"unpacks to over {MAX_RATIO} times its size, like a decompression bomb: "
                    "unpack it yourself if you trust it"
                )
            if out:
                yield out
            packed = engine.unconsumed_tail
            if engine.eof:
                packed = engine.unused_data.lstrip(b"\0")
                engine, begun = zlib.decompressobj(31), False
            if not packed and not out:
                break
    if begun:
        raise Unusable("the gzip packing ends too early: the file was cut, fetch it again")


def _wide_encoding(head: bytes) -> str | None:
    for mark, encoding in _WIDE_MARKS:
        if head.startswith(mark):
            return encoding
    sample = head[:512]
    half = len(sample) // 2
    if half >= 4:
        if sample[1::2].count(0) > 0.7 * half and sample[::2].count(0) < 0.1 * half:
            return "utf-16-le"
        if sample[::2].count(0) > 0.7 * half and sample[1::2].count(0) < 0.1 * half:
            return "utf-16-be"
    return None


def _recode(chunks: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    for chunk in chunks:
        yield decoder.decode(chunk).encode("utf-8", "replace")
    yield decoder.decode(b"", final=True).encode("utf-8", "replace")


def decode(line: bytes) -> str:
    """Text of one line: UTF-8; else, line by line, cp1252, unless it holds UTF-8 too and is merely damaged.

    What can be neither becomes U+FFFD.
    """
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        damaged = _MULTIBYTE.search(line) is not None
        return line.decode("utf-8" if damaged else "cp1252", "replace")


def storable(text: str) -> str:
    """Lone surrogates and NULs as U+FFFD: what cannot be written as UTF-8, or cuts text short in C programs."""
    if text.isascii() and "\0" not in text:
        return text
    return _UNSTORABLE.sub("\ufffd", text)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file, counted from 1."""

    number: int
    text: str
    """Without its line end. Empty when it was too long."""
    too_long: bool = False


def lines(stream: BinaryIO, limit: int = MAX_LINE) -> Iterator[Line]:
    """Numbered lines (from 1), cut at LF, CRLF or CR. One over `limit` bytes is skipped, in bounded memory."""
    number = 0
    while raw := stream.readline(limit + 2):
        too_long = not raw.endswith(b"\n") and len(raw) > limit
        if too_long:
            number += 1
            yield Line(number, "", True)
            while (rest := stream.readline(CHUNK)) and not rest.endswith(b"\n"):
                pass
            continue
        for part in decode(raw.removesuffix(b"\n").removesuffix(b"\r")).split("\r"):
            number += 1
            yield Line(number, part)
