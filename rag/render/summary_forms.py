"""A summary for other programs and for keeping: JSON, Markdown, one HTML page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rag.render import jsonable, page, table
from rag.render.prose import NOT_SUPPORTED, numbers_of
from rag.render.summary import AGREE, DIFFER, also, covered
from rag.summarise.nouns import Relation, Summary
from rag.text.normalise import plain


def json(value: Summary) -> dict[str, Any]:
    """As DESIGN promises it; `text` is for reading, `quote` the exact slice."""
    numbers = numbers_of(value.sources)
    result: dict[str, Any] = {
        "schema_version": jsonable.SCHEMA_VERSION,
        "topic": value.topic,
        "status": value.status,
        "reason": value.reason,
        "overview": [table.claim_json(each, numbers) for each in value.overview],
        "themes": [
            {
                "name": theme.name,
                "alone": theme.alone,
                "claims": [table.claim_json(each, numbers) for each in theme.claims],
                "papers": list(theme.papers),
            }
            for theme in value.themes
        ],
        "agreements": [_relation_json(each, numbers) for each in value.agreements],
        "differences": [_relation_json(each, numbers) for each in value.differences],
        "table": [table.row_json(row, value.columns, numbers) for row in value.table],
        "coverage": {
            "considered": value.coverage.considered,
            "used": list(value.coverage.used),
            "left_out": [{"paper_id": each.paper_id, "reason": each.reason} for each in value.coverage.left_out],
        },
        "sources": [jsonable.source(each) for each in value.sources],
        "nearest": [jsonable.nearest(each) for each in value.nearest],
        "dropped": [{"text": each.text, "reason": each.reason} for each in value.dropped],
        "risk": {"bound": value.risk.bound, "certified": value.risk.certified, "target": value.risk.target},
        "usage": jsonable.usage(value.usage),
        "corpus": jsonable.corpus(value.corpus),
    }
    if value.fallback is not None:
        result["fallback"] = value.fallback
    return result


def _relation_json(value: Relation, numbers: dict[str, int]) -> dict[str, Any]:
    return {"about": value.about, "claims": [table.claim_json(each, numbers) for each in value.claims]}


def markdown(value: Summary) -> str:
    """For notes and issues; what papers say is escaped, so that it stays text."""
    return "\n".join(_markdown(value)).rstrip() + "\n"


def _markdown(value: Summary) -> Iterator[str]:
    numbers = numbers_of(value.sources)
    yield f"# {table.md(value.topic)}\n"
    if value.status == "abstained":
        yield f"{NOT_SUPPORTED} {table.md(value.reason or '')}\n"
        yield from (f"- {table.md(near.paper.title)} ({near.score:.2f})" for near in value.nearest)
        return
    yield f"*{table.md(covered(value))}.*\n"
    if value.fallback:
        yield f"*Quoted in part: {table.md(value.fallback)}.*\n"
    yield from (f"{table.md_claim(claim, numbers)}\n" for claim in value.overview)
    for theme in value.themes:
        rest = "".join(f"[{number}](#source-{number}) " for number in also(theme, numbers))
        yield f"## {table.md(theme.name)}\n"
        yield from (f"- {table.md_claim(claim, numbers)}" for claim in theme.claims)
        yield f"- also {rest.strip()}\n" if rest and theme.claims else rest
    for title, relations in ((AGREE, value.agreements), (DIFFER, value.differences)):
        if relations:
            yield f"## {title}\n"
        for relation in relations:
            yield f"{table.md(relation.about)}:\n"
            yield from (f"- {table.md_claim(claim, numbers)}" for claim in relation.claims)
            yield ""
    yield "## Papers\n"
    yield from table.md_table(value.columns, value.table, value.sources)


def html(value: Summary) -> str:
    return page.page(f"{plain(value.topic)} · citewell", _html(value))


def _html(value: Summary) -> Iterator[str]:
    numbers = numbers_of(value.sources)
    yield f"<h1>{page.reading(value.topic)}</h1>"
    if value.status == "abstained":
        yield f"<p>{NOT_SUPPORTED} {page.text(value.reason or '')}</p>"
        yield page.listed(page.titled(near.paper) for near in value.nearest)
        return
    yield f"<p class=soft>{page.text(covered(value))}.</p>"
    if value.fallback:
        yield f"<p class=soft>Quoted in part: {page.text(value.fallback)}.</p>"
    yield from (f"<p>{page.claim(claim, numbers)}</p>" for claim in value.overview)
    for theme in value.themes:
        yield f"<h2>{page.text(theme.name)}</h2>"
        yield page.listed(page.claim(claim, numbers) for claim in theme.claims)
        rest = " ".join(f'<a href="#source-{number}">[{number}]</a>' for number in also(theme, numbers))
        if rest:
            yield f"<p class=soft>also {rest}</p>"
    for title, relations in ((AGREE, value.agreements), (DIFFER, value.differences)):
        if relations:
            yield f"<h2>{title}</h2>"
        for relation in relations:
            yield f"<p class=soft>{page.reading(relation.about)}</p>"
            yield page.listed(page.claim(claim, numbers) for claim in relation.claims)
    yield "<h2>Papers</h2>"
    yield table.html_table(value.columns, value.table, value.sources)
