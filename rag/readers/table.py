"""CSV and TSV with a header row, streamed. A broken row, or a quote that is never closed, costs that row only."""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterator
from typing import BinaryIO

from rag.readers.record import MAX_LINE, Flaw, Record, Unusable
from rag.readers.streams import Line, lines

MAX_RETRIES = 100
"""Times a quote that was never closed is read again from the line after it, each time over at most a cell's limit."""

_QUOTED = re.compile(r'"(?:[^"]|"")*"')


class _Feed:
    """Lines for csv.reader, which remembers those of the row being read so that they can be read again."""

    def __init__(self, numbered: Iterator[Line]) -> None:
        self._numbered = numbered
        self._again: deque[Line] = deque()
        self.row: list[Line] = []
        self.too_long: list[int] = []
        self.ended = False

    def __iter__(self) -> _Feed:
        return self

    def __next__(self) -> str:
        line = self._again.popleft() if self._again else next(self._numbered, None)
        while line is not None and line.too_long:
            self.too_long.append(line.number)
            line = next(self._numbered, None)
        if line is None:
            self.ended = True
            raise StopIteration
        self.row.append(line)
        return line.text + "\n"

    def read_again(self) -> None:
        """Give back all lines of this row but its first."""
        self._again.extendleft(reversed(self.row[1:]))
        self.ended = False


def records(stream: BinaryIO, delimiter: str) -> Iterator[Record | Flaw]:
    """A record a row, under the header's names. Raises Unusable when there is no header."""
    feed = _Feed(lines(stream))
    reader = csv.reader(feed, delimiter=delimiter)
    header = _header(reader)
    retries = MAX_RETRIES
    while True:
        feed.row.clear()
        flaw = row = None
        try:
            row = next(reader, None)
        except csv.Error as error:
            flaw = f"not a valid row ({error}): close its quotes, put cells with the delimiter in quotes"
        yield from (Flaw(f"the line is longer than {MAX_LINE // 2**20} MB: skipped", at) for at in feed.too_long)
        feed.too_long.clear()
        if not feed.row:
            return
        line = feed.row[0]
        if row is not None:
            if not any(cell.strip() for cell in row):
                continue
            if delimiter == "\t" and len(feed.row) == 1:
                row = _unquoted(line.text, len(header)) or row
            flaw = _misfit(row, header, len(feed.row))
        if flaw:
            yield Flaw(flaw, line.number)
            if len(feed.row) > 1 and retries:
                retries -= 1
                feed.read_again()
                reader = csv.reader(feed, delimiter=delimiter)
        elif row is not None:
            yield Record(dict(zip(header, row, strict=False)), line.number)


def _header(reader: Iterator[list[str]]) -> list[str]:
    try:
        header = next((row for row in reader if any(cell.strip() for cell in row)), [])
    except csv.Error as error:
        raise Unusable(f"the header row cannot be read ({error}): name the columns in the first row") from None
    return [name.strip() for name in header]


def _misfit(row: list[str], header: list[str], height: int) -> str | None:
    extra = [cell for cell in row[len(header) :] if cell.strip()]
    if extra:
        return f"{len(row)} cells under {len(header)} columns: put cells that hold the delimiter in quotes"
    if height > 1 and len(row) < len(header):
        return f"{len(row)} cells under {len(header)} columns over {height} lines: close the quote opened here"
    return None


def _unquoted(line: str, width: int) -> list[str] | None:
    """A TSV line in which quotes are only signs (`"Why Should I Trust You?"...`), as most tools write it."""
    cells = line.split("\t")
    if len(cells) != width or not any(cell.startswith('"') and not _QUOTED.fullmatch(cell) for cell in cells):
        return None
    return [cell[1:-1].replace('""', '"') if _QUOTED.fullmatch(cell) else cell for cell in cells]
