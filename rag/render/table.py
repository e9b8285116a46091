"""Rows of quoted cells as JSON, Markdown and HTML: what a summary's table and a comparison share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rag.export.tables import escape
from rag.render import jsonable, page
from rag.render.papers import web_link
from rag.render.prose import cited_numbers
from rag.summarise.nouns import NOT_STATED, Row
from rag.text.normalise import plain, visible
from rag.types import Claim, Paper, Source


def claim_json(claim: Claim, numbers: dict[str, int]) -> dict[str, Any]:
    """`text` for reading; the quotes stay as they are. `numbers`: paper id -> source number."""
    return {**jsonable.claim(claim, numbers), "text": plain(claim.text)}


def row_json(row: Row, columns: Sequence[str], numbers: dict[str, int]) -> dict[str, Any]:
    """A cell that is not stated is null."""
    cells = {
        column: None if cell is None else claim_json(cell, numbers)
        for column, cell in zip(columns, row.cells, strict=True)
    }
    return {"paper_id": row.paper_id, "source": numbers[row.paper_id], "cells": cells}


def md_table(columns: Sequence[str], rows: Sequence[Row], sources: Sequence[Source]) -> Iterator[str]:
    """Lines; each row holds the anchor that citations of its paper point to."""
    papers = {source.paper.id: source for source in sources}
    yield "| | paper | " + " | ".join(md(column) for column in columns) + " |"
    yield "|---" * (len(columns) + 2) + "|"
    for row in rows:
        source = papers[row.paper_id]
        cells = [NOT_STATED if cell is None else md(cell.text) for cell in row.cells]
        yield (
            f'| <a id="source-{source.number}"></a>[{source.number}] | {_md_title(source.paper)} | '
            + " | ".join(cells)
            + " |"
        )


def _md_title(paper: Paper) -> str:
    address = web_link(paper)
    safe = address and not set(address) & set("<>()|\\")
    return f"[{md(paper.title)}](<{address}>)" if safe else md(paper.title)


def md(text: str) -> str:
    """A document's words in Markdown: on one line, nothing of them markup."""
    return escape(visible(plain(text)))


def md_claim(claim: Claim, numbers: dict[str, int]) -> str:
    """The claim, and its source numbers as links to the rows of the table."""
    marks = "".join(f"[{number}](#source-{number})" for number in cited_numbers(claim, numbers))
    return f"{md(claim.text)} {marks}"


def html_table(columns: Sequence[str], rows: Sequence[Row], sources: Sequence[Source]) -> str:
    """The table in a box that scrolls sideways, with the same anchors."""
    papers = {source.paper.id: source for source in sources}
    head = "".join(f"<th>{page.text(column)}</th>" for column in ("paper", *columns))
    body = "".join(
        f"<tr><td>{page.source(papers[row.paper_id])}</td>" + "".join(map(_html_cell, row.cells)) + "</tr>"
        for row in rows
    )
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _html_cell(cell: Claim | None) -> str:
    return f"<td class=soft>{NOT_STATED}</td>" if cell is None else f"<td>{page.reading(cell.text)}</td>"
