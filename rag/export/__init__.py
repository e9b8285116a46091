"""Papers -> bibliographies: BibTeX, RIS, CSL-JSON, CSV, Markdown. What is not known is absent, never guessed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from rag.errors import UsageError
from rag.types import Paper

FORMATS = ("bibtex", "ris", "csl-json", "csv", "markdown")
_SUFFIXES = {".bib": "bibtex", ".ris": "ris", ".json": "csl-json", ".csv": "csv", ".md": "markdown"}


def export(papers: Sequence[Paper], form: str) -> str:
    """The bibliography as text, one entry a paper in the order given. Raises UsageError on an unknown form."""
    if form == "bibtex":
        from rag.export.bibtex import bibtex

        return bibtex(papers)
    if form == "ris":
        from rag.export.ris import ris

        return ris(papers)
    if form == "csl-json":
        from rag.export.csl import csl_json

        return csl_json(papers)
    from rag.export import tables

    if form == "csv":
        return tables.csv_table(papers)
    if form == "markdown":
        return tables.markdown(papers)
    raise UsageError(f"unknown format {form!r}", f"one of: {', '.join(FORMATS)}")


def form_of(path: str) -> str:
    """The form a file's name asks for; BibTeX where it says nothing."""
    return _SUFFIXES.get(PurePath(path).suffix.lower(), "bibtex")
