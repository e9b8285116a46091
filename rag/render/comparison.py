"""Papers side by side: lines for a terminal or a pipe, Markdown, CSV, JSON, one HTML page."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from rag.export.tables import cell as spreadsheet_cell
from rag.render import jsonable, page, papers, table
from rag.render.lines import Line, Span, line
from rag.render.prose import numbers_of
from rag.render.summary import cell_spans
from rag.summarise.nouns import NOT_STATED, Comparison, Row
from rag.text.normalise import plain, visible
from rag.types import Claim


def comparison(value: Comparison) -> Iterator[Line]:
    """A block a column, in it a line a paper: cells are sentences, too long for columns of a terminal."""
    for number, source in enumerate(value.sources):
        if number:
            yield line()
        yield from papers.source(source)
    for place, column in enumerate(value.columns):
        yield line()
        if not any(row.cells[place] for row in value.rows):
            yield line(Span(column, "heading"), Span(f": {NOT_STATED}", "meta"))
            continue
        yield line(Span(column, "heading"))
        for source, row in zip(value.sources, value.rows, strict=True):
            label = Span(f"[{source.number}] ", "number")
            yield line(label, *cell_spans(row.cells[place]), indent=2, hang=1)


def json(value: Comparison) -> dict[str, Any]:
    """A cell is a claim, or null: not stated."""
    numbers = numbers_of(value.sources)
    return {
        "schema_version": jsonable.SCHEMA_VERSION,
        "question": value.question,
        "columns": list(value.columns),
        "rows": [table.row_json(row, value.columns, numbers) for row in value.rows],
        "sources": [jsonable.source(each) for each in value.sources],
        "unknown": list(value.unknown),
        "usage": jsonable.usage(value.usage),
        "corpus": jsonable.corpus(value.corpus),
    }


def markdown(value: Comparison) -> str:
    return "\n".join(table.md_table(value.columns, value.rows, value.sources)) + "\n"


def csv_table(value: Comparison) -> str:
    """A row a paper; a cell that looks like a formula is kept from running as one."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["paper_id", "title", *map(spreadsheet_cell, value.columns)])
    for source, row in zip(value.sources, value.rows, strict=True):
        writer.writerow([spreadsheet_cell(text) for text in (source.paper.id, plain(source.paper.title), *_texts(row))])
    return out.getvalue()


def _texts(row: Row) -> Iterator[str]:
    for cell in row.cells:
        yield _text(cell)


def _text(cell: Claim | None) -> str:
    return NOT_STATED if cell is None else visible(plain(cell.text))


def html(value: Comparison) -> str:
    title = " / ".join(plain(source.paper.title) for source in value.sources)
    body = [f"<h1>{page.text(title)}</h1>", table.html_table(value.columns, value.rows, value.sources)]
    return page.page(f"{title} · citewell", body)
