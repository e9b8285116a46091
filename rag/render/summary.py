"""A summary of a topic as lines for a terminal or a pipe."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence

from rag.render import papers
from rag.render.lines import Line, Span, counted, line
from rag.render.prose import marks, numbers_of
from rag.summarise.nouns import NOT_STATED, Relation, Row, Summary, Theme
from rag.text.normalise import plain
from rag.types import Claim, Source

AGREE, DIFFER, ALONE = "Where papers say alike", "Where papers differ", "Papers that stand alone"


def summary(value: Summary) -> Iterator[Line]:
    """The overview, the themes, what agrees and differs, then every paper with its row of the table."""
    if value.status == "abstained":
        yield from papers.unsupported(value.reason, value.nearest)
        return
    numbers = numbers_of(value.sources)
    yield line(Span(headline(value), "heading"))
    yield line(Span(covered(value), "meta"))
    if value.fallback:
        yield line(Span(f"Quoted in part: {value.fallback}.", "warning"))
    yield line()
    for claim in value.overview:
        yield _claim(claim, numbers)
    for theme in together(value):
        yield line()
        yield line(Span(theme.name, "heading"), Span(f"  {counted(len(theme.papers), 'paper')}", "meta"))
        for claim in theme.claims:
            yield _claim(claim, numbers, indent=2)
        rest = also(theme, numbers)
        if rest:
            yield line(Span(f"also {''.join(f'[{number}]' for number in rest)}", "meta"), indent=2)
    yield from _alone(value, numbers)
    for title, relations in ((AGREE, value.agreements), (DIFFER, value.differences)):
        yield from _relations(title, relations, numbers)
    rows = {row.paper_id: row for row in value.table}
    for source in value.sources:
        yield line()
        yield from _source(source, rows.get(source.paper.id), value)


def headline(value: Summary) -> str:
    several = together(value)
    themes = f" in {counted(len(several), 'theme')}" if several else ""
    return f"{plain(value.topic)}: {counted(len(value.coverage.used), 'paper')}{themes}"


def covered(value: Summary) -> str:
    """The coverage in one sentence: how many were considered, used, and left out for which reason."""
    reasons = Counter(_kind(left.reason) for left in value.coverage.left_out)
    out = "; ".join(f"{count} {reason}" for reason, count in reasons.most_common())
    return f"{counted(value.coverage.considered, 'paper')} considered, {len(value.coverage.used)} used" + (
        f"; left out: {out}" if out else ""
    )


def _kind(reason: str) -> str:
    return "the same as another" if reason.startswith("the same text or title") else reason


def together(value: Summary) -> Sequence[Theme]:
    return [theme for theme in value.themes if not theme.alone]


def also(theme: Theme, numbers: dict[str, int]) -> list[int]:
    """Numbers of the theme's papers that no claim of it cites."""
    cited = {citation.paper_id for claim in theme.claims for citation in claim.citations}
    return sorted(numbers[id_] for id_ in theme.papers if id_ not in cited)


def _claim(claim: Claim, numbers: dict[str, int], indent: int = 0) -> Line:
    return line(Span(plain(claim.text), "claim"), " ", Span(marks(claim, numbers), "number"), indent=indent)


def _alone(value: Summary, numbers: dict[str, int]) -> Iterator[Line]:
    alone = [theme for theme in value.themes if theme.alone]
    if alone and together(value):
        yield line()
        yield line(Span(ALONE, "heading"))
    for theme in alone:
        if not together(value):
            yield line()
            yield line(Span(theme.name, "heading"))
        for claim in theme.claims:
            yield _claim(claim, numbers, indent=2)
        if not theme.claims:
            yield line(Span(theme.name, "text"), Span(f" [{numbers[theme.papers[0]]}]", "number"), indent=2)


def _relations(title: str, relations: Sequence[Relation], numbers: dict[str, int]) -> Iterator[Line]:
    if relations:
        yield line()
        yield line(Span(title, "heading"))
    for relation in relations:
        yield line(Span(f"{relation.about}:", "meta"), indent=2)
        for claim in relation.claims:
            yield _claim(claim, numbers, indent=papers.INDENT)


def _source(source: Source, row: Row | None, value: Summary) -> Iterator[Line]:
    yield from papers.source(source)
    for claim in _supported(value, source.paper.id):
        for citation in claim.citations:
            if citation.paper_id == source.paper.id:
                place = Span(f" (characters {citation.start}–{citation.end})", "meta")
                yield line(Span(f"“{citation.quote}”", "quote"), place, indent=papers.INDENT)
    for columns, cell in _merged(value.columns, row.cells if row else ()):
        yield line(Span(f"{columns}: ", "meta"), *cell_spans(cell), indent=papers.INDENT)


def _merged(columns: Sequence[str], cells: Sequence[Claim | None]) -> Iterator[tuple[str, Claim | None]]:
    """Columns that say the same together: one sentence may tell data and result."""
    for cell, group in itertools.groupby(zip(columns, cells, strict=False), key=lambda each: each[1]):
        yield ", ".join(column for column, _ in group), cell


def _supported(value: Summary, paper_id: str) -> Iterator[Claim]:
    """Claims in a model's words: their papers' own words are shown under the source."""
    for claim in (*value.overview, *(each for theme in value.themes for each in theme.claims)):
        if claim.verdict == "supported" and any(each.paper_id == paper_id for each in claim.citations):
            yield claim


def cell_spans(cell: Claim | None) -> tuple[Span, ...]:
    if cell is None:
        return (Span(NOT_STATED, "meta"),)
    first = cell.citations[0]
    if cell.verdict == "metadata":
        return (Span(cell.text, "text"),)
    return (Span(plain(cell.text), "quote"), Span(f" ({first.start}–{cell.citations[-1].end})", "meta"))
