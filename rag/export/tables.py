"""CSV for spreadsheets, Markdown for notes."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from rag.export.entries import clean, keys
from rag.types import Paper

COLUMNS = ("key", "id", "title", "title_source", "authors", "year", "venue", "doi", "url")
_NOT_IN_LINK = re.compile(r"[<>\s]")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>|#])")


def csv_table(papers: Sequence[Paper]) -> str:
    """A row a paper under a row of names, as RFC 4180 has it but for its line ends."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for paper, key in zip(papers, keys(papers), strict=True):
        writer.writerow([cell(value) for value in _row(paper, key)])
    return out.getvalue()


def _row(paper: Paper, key: str) -> tuple[str, ...]:
    return (
        key,
        paper.id,
        clean(paper.title),
        paper.title_source,
        "; ".join(clean(author) for author in paper.authors),
        str(paper.year or ""),
        clean(paper.venue or ""),
        paper.doi or "",
        paper.url or "",
    )


def cell(text: str) -> str:
    """A leading apostrophe keeps a spreadsheet from running a cell that a document made look like a formula
    (OWASP, CSV injection)."""
    return f"'{text}" if text[:1] in {"=", "+", "-", "@", "\t", "\r"} else text


def markdown(papers: Sequence[Paper]) -> str:
    return "".join(f"- {_reference(paper)}\n" for paper in papers)


def _reference(paper: Paper) -> str:
    authors = ", ".join(escape(clean(author)) for author in paper.authors)
    title = escape(clean(paper.title))
    address = paper.url or (f"https://doi.org/{paper.doi}" if paper.doi else "")
    if address.lower().startswith(("http://", "https://")):
        title = f"[{title}](<{_NOT_IN_LINK.sub('', address)}>)"
    when = " ".join(escape(str(part)) for part in (paper.venue, paper.year) if part)
    return ". ".join(part for part in (authors, title, when) if part) + "."


def escape(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", text)
