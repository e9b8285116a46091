"""manifest.csv beside text files: which abstract (`file`, `starts_with`) has which title, authors, year, venue...

It is no corpus of its own. A row applies to the abstract of its file that begins with its words (Unicode forms, case
and white space aside); the longest beginning wins. Rows that fit nothing, or several different abstracts, or repeat
another row, or point out of the folder, are told, and used for nothing.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath

from rag.readers.fields import flatten, squash
from rag.readers.record import Flaw, Record

NAME = "manifest.csv"


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its line, the file it is about, the beginning it looks for (folded), and all its cells."""

    line: int
    file: str
    key: str
    fields: Mapping[str, str]

    @property
    def shown(self) -> str:
        words = self.fields.get("startswith", "")
        return repr(words if len(words) <= 60 else words[:57] + "...")


@dataclass(slots=True)
class Manifest:
    """The rows of one manifest, by the file they are about (its path from the manifest's folder on)."""

    name: str
    rows: dict[str, dict[str, Row]] = field(default_factory=dict)
    flaws: list[Flaw] = field(default_factory=list)
    used: bool = False
    _lengths: dict[str, list[int]] = field(default_factory=dict)

    def row_for(self, file: str, abstract: str) -> Row | None:
        """The row with the longest beginning of this abstract."""
        rows = self.rows.get(file)
        if not rows:
            return None
        if file not in self._lengths:
            self._lengths[file] = sorted({len(key) for key in rows}, reverse=True)
        text = _folded(abstract)
        return next((rows[text[:length]] for length in self._lengths[file] if text[:length] in rows), None)

    def settle(self, file: str, abstracts: Iterable[str]) -> Iterator[Flaw]:
        """Look once at a file's abstracts; drop, and tell, its rows that fit none or several of them."""
        matched: dict[str, int] = {}
        several: set[str] = set()
        for abstract in abstracts:
            row = self.row_for(file, abstract)
            if row is not None:
                text = hash(_folded(abstract))
                if matched.setdefault(row.key, text) != text:
                    several.add(row.key)
        for key, row in list(self.rows.get(file, {}).items()):
            if key not in matched:
                yield Flaw(f"no abstract in {file} starts with {row.shown}: mend starts_with or file", row.line)
            elif key in several:
                yield Flaw(f"several abstracts in {file} start with {row.shown}: make starts_with longer", row.line)
                del self.rows[file][key]


def load(name: str, records: Iterable[Record | Flaw], folder: Path) -> Manifest:
    """A manifest out of its table's records; `folder` is where its files are looked for."""
    manifest = Manifest(name)
    there: dict[str, bool] = {}
    for record in records:
        if isinstance(record, Flaw):
            manifest.flaws.append(record)
            continue
        cells = {squash(key): str(value).strip() for key, value in record.fields.items() if value is not None}
        file = PurePosixPath(cells.get("file", "").replace("\\", "/")).as_posix()
        row = Row(record.line or 0, file, _folded(cells.get("startswith", "")), cells)
        flaw = _misplaced(row) or _absent(file, folder, there) or _twice(row, manifest.rows.get(file, {}))
        if flaw:
            manifest.flaws.append(Flaw(flaw, row.line))
        else:
            manifest.rows.setdefault(file, {})[row.key] = row
    return manifest


def completed(record: Record, row: Row | None) -> Record:
    """The record with what its row says; the row counts where both say something."""
    if row is None:
        return record
    said = {
        name: value for name, value in flatten(row.fields).items() if name not in ("file", "startswith", "abstract")
    }
    return Record({**record.fields, **said}, record.line, record.number)


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split()).casefold()


def _misplaced(row: Row) -> str | None:
    if row.file in ("", "."):
        return "no file is named: fill in the column file"
    windows, posix = PureWindowsPath(row.file), PurePosixPath(row.file)
    if windows.drive or windows.root or posix.is_absolute() or ".." in posix.parts:
        return f"{row.file!r} points out of the folder: name a file beside the manifest"
    return None


def _absent(file: str, folder: Path, there: dict[str, bool]) -> str | None:
    if file not in there:
        try:
            there[file] = (folder / file).is_file() or (folder / f"{file}.gz").is_file()
        except (OSError, ValueError):
            there[file] = False
    return None if there[file] else f"there is no {file!r} in this folder: mend the column file, or leave the row out"


def _twice(row: Row, others: Mapping[str, Row]) -> str | None:
    other = others.get(row.key)
    return None if other is None else f"the same abstract as in line {other.line}: keep one of the two rows"
