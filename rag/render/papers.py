"""Papers as lines to read: as a source, a find, one of a list, whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rag.render.lines import Line, Span, line
from rag.render.prose import NOT_SUPPORTED
from rag.text.normalise import plain
from rag.types import Hit, Nearest, Paper, Sentence, Source

INDENT = 4
_NO_SCORE = 0.005
"""Below, a score would be shown as 0.00."""


def titled(paper: Paper) -> Iterator[Span]:
    yield Span(plain(paper.title), "title", link=web_link(paper))
    if paper.title_source == "derived":
        yield Span(" (title derived from the abstract)", "meta")


def web_link(paper: Paper) -> str | None:
    """An http(s) address, or None: a document may not hand the terminal any other scheme."""
    address = paper.url or (f"https://doi.org/{paper.doi}" if paper.doi else None)
    if address is None or not address.lower().startswith(("http://", "https://")):
        return None
    return address if address.isprintable() and " " not in address else None


def details(paper: Paper) -> Iterator[str]:
    """Authors, venue with year, address: as far as they are known."""
    if paper.authors:
        yield shortened(paper.authors)
    if paper.venue or paper.year:
        yield " ".join(str(part) for part in (paper.venue, paper.year) if part)
    address = web_link(paper)
    if address:
        yield address


def shortened(authors: Sequence[str], most: int = 6) -> str:
    if len(authors) <= most:
        return ", ".join(authors)
    return f"{', '.join(authors[: most - 1])} and {len(authors) - most + 1} more"


def source(value: Source) -> Iterator[Line]:
    """`[N] title`, and below it authors, venue, year and address as far as they are known."""
    yield line(Span(f"[{value.number}] ", "number"), *titled(value.paper), hang=1)
    known = " · ".join(details(value.paper))
    if known:
        yield line(Span(known, "meta"), indent=INDENT)


def unsupported(reason: str | None, nearest: Iterable[Nearest]) -> Iterator[Line]:
    """That the corpus does not hold it, why, and what comes nearest."""
    yield line(Span(NOT_SUPPORTED, "claim"))
    if reason:
        yield line(Span(f"{reason[0].upper()}{reason[1:]}".rstrip(".") + ".", "text"))
    found = tuple(nearest)
    if found:
        yield line()
        yield line(Span("Nearest papers (not evidence):", "heading"))
        yield from (_near(each) for each in found)


def _near(value: Nearest) -> Line:
    score = f" {value.score:.2f}" if value.score >= _NO_SCORE else ""
    return line(Span("- ", "meta"), *titled(value.paper), Span(score, "meta"), indent=2, hang=1)


def hits(found: Sequence[tuple[Hit, Paper]]) -> Iterator[Line]:
    """Ranked papers, one block each."""
    for hit, paper in found:
        score = Span(f" {hit.score:.2f}", "meta")
        yield line(Span(f"{hit.rank:>2}. ", "number"), *titled(paper), score, hang=1)
        yield line(Span(" · ".join(_found(paper)), "meta"), indent=INDENT)


def _found(paper: Paper) -> Iterator[str]:
    """With the id, unless the address says it."""
    yield from details(paper)
    if paper.id.rpartition(":")[2] not in (web_link(paper) or ""):
        yield paper.id


def paper(value: Paper, sentences: Sequence[Sentence]) -> Iterator[Line]:
    """One paper, its sentences numbered with their offsets."""
    yield line(*titled(value))
    for detail in details(value) if value.authors else ():
        yield line(Span(detail, "meta"))
    yield line(Span(" · ".join([value.id, *value.files]), "meta"))
    yield line()
    for sentence in sentences:
        yield line(
            Span(f"{sentence.index + 1:>2}. ", "number"),
            Span(value.abstract[sentence.start : sentence.end], "quote"),
            Span(f" ({sentence.start}–{sentence.end})", "meta"),
            hang=1,
        )


def gap(number: int) -> tuple[Line, ...]:
    """The empty line before every block but the first."""
    return (line(),) if number else ()


def listed(value: Paper) -> Line:
    """One paper on one line: what `papers` prints."""
    when = " ".join(str(part) for part in (value.venue, value.year) if part)
    return line(Span(value.id, "meta"), "  ", *titled(value), Span(f"  {when}" if when else "", "meta"))
