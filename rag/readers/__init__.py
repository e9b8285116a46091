"""Readers: files in, Papers out; and a Problem, with its place and its reason, for each record that could not be read.

    for item in read(["seeds", "more/*.jsonl.gz"]):
        print(item)

Formats are told by content: plain text (with a manifest.csv beside it), JSON lines, JSON, CSV, TSV, BibTeX, RIS, Web of
Science, PubMed nbib, Atom, each also packed with gzip. Everything streams, within the limits of `rag.readers.record`.
Records of one paper are not joined here, since that would hold the corpus in memory: `rag.readers.merging` says how to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from rag.readers.files import Reading
from rag.types import Paper, Problem

__all__ = ["read"]


def read(paths: Sequence[str | Path], *, stdin: BinaryIO | None = None) -> Iterator[Paper | Problem]:
    """Papers and problems of files, folders (recursive, sorted), globs, and `-` for `stdin`, in that order.

    Never raises for what a file holds or for a path that is not there: each becomes a Problem, and the rest goes on.
    """
    yield from Reading(stdin).run(paths)
