"""One file after the other: opened, its format told, its records turned into Papers and Problems."""

from __future__ import annotations

import stat
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, nullcontext
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from rag.readers import jsonl, manifest, plaintext, table
from rag.readers.manifest import Manifest
from rag.readers.papers import NotAPaper, paper_from
from rag.readers.record import MAX_DOCUMENT, MAX_PROBLEMS, Flaw, Record, Unusable
from rag.readers.sniff import Format, detect, foreign, meant
from rag.readers.sources import Source, sources, why
from rag.readers.streams import text_stream
from rag.types import Paper, Problem

_MODULES = {"json": "jsondoc", "bibtex": "bibtex", "ris": "ris", "wos": "wos", "nbib": "nbib", "atom": "atom"}
_RECORD = "record "
"""Begins the reason of a record that has no line."""


class Reading:
    """One call of `read`: its standard input, and the manifests met on the way."""

    def __init__(self, stdin: BinaryIO | None) -> None:
        self._stdin = stdin
        self._manifests: dict[Path, Manifest | None] = {}
        self._asked: list[Source] = []

    def run(self, paths: Sequence[str | Path]) -> Iterator[Paper | Problem]:
        for found in sources(paths):
            if isinstance(found, Problem):
                yield found
            else:
                yield from self._limited(found)
        for source in self._asked:
            known = self._manifests.get(_folder(source))
            if known is None or not known.used:
                yield Problem(source.name, None, "a manifest describes text files: give its folder, or them, too")

    def _limited(self, source: Source) -> Iterator[Paper | Problem]:
        """The items of one file; problems beyond the limit are only counted, but for one that ended the reading."""
        told, item = 0, None
        for item in self._items(source):
            told += isinstance(item, Problem)
            if isinstance(item, Paper) or told <= MAX_PROBLEMS:
                yield item
        last = item if told > MAX_PROBLEMS and isinstance(item, Problem) and _of_the_file(item) else None
        more = told - MAX_PROBLEMS - (last is not None)
        if more > 0:
            yield Problem(source.name, None, f"{more:,} more records here could not be read")
        if last:
            yield last

    def _items(self, source: Source) -> Iterator[Paper | Problem]:
        if source.path is None and self._stdin is None:
            yield Problem(source.name, None, "there is no standard input: pipe something in, or give a file")
            return
        try:
            with self._open(source) as raw:
                stream, head = text_stream(raw)
                if not head:
                    # Read whole, and no paper in it: not a file that could not be read.
                    if source.path is not None and source.path.stat().st_size:
                        yield Problem(source.name, None, "this unpacks to nothing: it is cut off, or was empty")
                    return
                what = foreign(head)
                if what is None:
                    yield from self._papers(source, stream, *detect(head, _suffix(source)))
                elif source.asked or meant(_suffix(source)):
                    # Papers that came from it stay: a file that went bad is not one that was emptied.
                    yield Problem(
                        source.name,
                        None,
                        f"this is {what}, not a list of abstracts as text, JSON, CSV, BibTeX...",
                    )
        except Unusable as error:
            yield Problem(source.name, None, str(error))
        except OSError as error:
            yield Problem(source.name, None, why(error))

    def _open(self, source: Source) -> closing[BinaryIO] | nullcontext[BinaryIO]:
        if source.path is None:
            assert self._stdin is not None
            return nullcontext(self._stdin)
        return closing(source.path.open("rb", buffering=0))

    def _papers(self, source: Source, stream: BinaryIO, kind: Format, delimiter: str) -> Iterator[Paper | Problem]:
        if kind == "manifest":
            yield from self._manifest_itself(source)
            return
        items = (
            self._text_papers(source, stream)
            if kind == "text"
            else _items_of(source, _records(kind, stream, delimiter))
        )
        empty = True
        for item in items:
            empty = False
            yield item
        if empty and source.asked:
            yield Problem(source.name, None, "there is no record in it: give titles and abstracts, or leave it out")

    def _text_papers(self, source: Source, stream: BinaryIO) -> Iterator[Paper | Problem]:
        """Plain text, with the rows of the manifest beside it. With one it is read twice: first to settle the rows."""
        found = plaintext.records(stream)
        if source.path is None:
            yield from _items_of(source, found)
            return
        known = yield from self._manifest_beside(source)
        file = source.path.name.removesuffix(".gz")
        if known is None:
            yield from _items_of(source, found)
            return
        file = file if file in known.rows else source.path.name
        known.used = True
        if file in known.rows:
            with self._open(source) as raw:
                first = plaintext.records(text_stream(raw)[0])
                abstracts = (str(record.fields.get("abstract", "")) for record in first if isinstance(record, Record))
                yield from (_problem(known.name, flaw) for flaw in known.settle(file, abstracts))
        for record in found:
            if isinstance(record, Record):
                record = manifest.completed(record, known.row_for(file, str(record.fields.get("abstract", ""))))
            yield _item(source.name, record)

    def _manifest_itself(self, source: Source) -> Iterator[Paper | Problem]:
        if source.path is None or source.path.name.lower() != manifest.NAME:
            yield Problem(
                source.name,
                None,
                f"columns of a manifest: name it {manifest.NAME} and put it beside its text files",
            )
            return
        yield from self._manifest_beside(source)
        if source.asked:
            self._asked.append(source)

    def _manifest_beside(self, source: Source) -> Generator[Problem, None, Manifest | None]:
        """The manifest in a file's folder, read on the first need, when its own problems are told."""
        folder = _folder(source)
        if folder not in self._manifests:
            self._manifests[folder] = None
            beside = Source(folder / manifest.NAME, str(PurePosixPath(source.name).with_name(manifest.NAME)), False)
            try:
                self._manifests[folder] = self._load(beside)
            except FileNotFoundError:
                return None
            except Unusable as error:
                yield Problem(beside.name, None, str(error))
            except OSError as error:
                yield Problem(beside.name, None, why(error))
        known = self._manifests[folder]
        if known is not None:
            flaws, known.flaws = known.flaws, []
            yield from (_problem(known.name, flaw) for flaw in flaws)
        return known

    def _load(self, source: Source) -> Manifest | None:
        assert source.path is not None
        status = source.path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise Unusable("not a file but a folder, pipe or device: put a manifest here, or nothing")
        if status.st_size > MAX_DOCUMENT:
            raise Unusable(f"larger than {MAX_DOCUMENT // 2**20} MB: split it over several folders")
        with self._open(source) as raw:
            stream, head = text_stream(raw)
            kind, delimiter = detect(head, ".csv")
            if kind != "manifest":  # someone's corpus by that name
                return None
            return manifest.load(source.name, table.records(stream, delimiter), source.path.parent)


def _folder(source: Source) -> Path:
    assert source.path is not None
    return source.path.parent.absolute()


def _suffix(source: Source) -> str:
    return PurePosixPath(source.name.lower().removesuffix(".gz")).suffix


def _records(kind: Format, stream: BinaryIO, delimiter: str) -> Iterator[Record | Flaw]:
    """The records of any format but plain text. What parses heavily is imported when it is met."""
    if kind == "jsonl":
        return jsonl.records(stream)
    if kind == "table":
        return table.records(stream, delimiter)
    return import_module(f"rag.readers.{_MODULES[kind]}").records(stream)  # type: ignore[no-any-return]


def _items_of(source: Source, records: Iterator[Record | Flaw]) -> Iterator[Paper | Problem]:
    return (_item(source.name, found) for found in records)


def _item(name: str, found: Record | Flaw) -> Paper | Problem:
    if isinstance(found, Flaw):
        return _problem(name, found)
    place = f"{name}:{found.line}" if found.line is not None else f"{name}:record {found.number}"
    try:
        return paper_from(found.fields, place)
    except NotAPaper as error:
        return _problem(name, Flaw(str(error), found.line, found.number))


def _of_the_file(problem: Problem) -> bool:
    return problem.line is None and not problem.reason.startswith(_RECORD)


def _problem(name: str, flaw: Flaw) -> Problem:
    reason = flaw.reason if flaw.number is None else f"{_RECORD}{flaw.number}: {flaw.reason}"
    return Problem(name, flaw.line, reason)
