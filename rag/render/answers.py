"""An Answer, papers and search results as lines to read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rag.library.reports import Finding
from rag.render.lines import Line, Span, line
from rag.render.prose import NOT_SUPPORTED, marks, reading
from rag.text.normalise import plain
from rag.text.tokens import STOPWORDS, tokenise
from rag.types import Answer, Citation, Claim, Filters, Hit, Nearest, Paper, Sentence, Source

INDENT = 4
_NO_SCORE = 0.005
"""Below, a score would be shown as 0.00."""


def answer(value: Answer) -> Iterator[Line]:
    """The answer, then its sources with the exact words each claim rests on."""
    stream = Stream()
    if value.note:
        yield noted(value.note)
    for claim in value.claims:
        yield stream.line(claim)
    yield from stream.rest(value)


def sources(value: Answer) -> Iterator[Line]:
    """The cited papers, each with the exact words that the claims rest on."""
    for source in value.sources:
        yield line()
        yield from _source(source, value)


class Stream:
    """The same answer shown claim by claim as each passes its check, then the rest once it is complete."""

    def __init__(self, numbers: dict[str, int] | None = None) -> None:
        self._numbers = {} if numbers is None else numbers

    def line(self, claim: Claim) -> Line:
        for citation in claim.citations:
            self._numbers.setdefault(citation.paper_id, len(self._numbers) + 1)
        return claimed(claim, self._numbers)

    def rest(self, value: Answer) -> Iterator[Line]:
        if not value.claims:
            yield from _abstention(value)
            return
        if value.status == "partial":
            yield line(Span(_partial(value), "warning"))
        yield from sources(value)


def noted(note: str) -> Line:
    return line(Span(f"{note[0].upper()}{note[1:]}:", "warning"))


def claimed(claim: Claim, numbers: Mapping[str, int]) -> Line:
    text, stop = reading(claim)
    return line(Span(text, "claim"), " ", Span(marks(claim, numbers), "number"), Span(stop, "claim"))


def _partial(value: Answer) -> str:
    return f"Partial answer: {value.reason or 'it was interrupted'}."


def _abstention(value: Answer) -> Iterator[Line]:
    yield line(Span(NOT_SUPPORTED, "claim"))
    if value.reason:
        yield line(Span(f"{value.reason[0].upper()}{value.reason[1:]}".rstrip(".") + ".", "text"))
    if value.nearest:
        yield line()
        yield line(Span("Nearest papers (not evidence):", "heading"))
        yield from (_near(each) for each in value.nearest)


def _near(value: Nearest) -> Line:
    score = f" {value.score:.2f}" if value.score >= _NO_SCORE else ""
    return line(Span("- ", "meta"), *_titled(value.paper), Span(score, "meta"), indent=2, hang=1)


def _source(source: Source, value: Answer) -> Iterator[Line]:
    yield line(Span(f"[{source.number}] ", "number"), *_titled(source.paper), hang=1)
    details = " · ".join(_details(source.paper))
    if details:
        yield line(Span(details, "meta"), indent=INDENT)
    for claim, citation in _citations(source.paper.id, value.claims):
        yield line(*_quoted(claim, citation, value.question), indent=INDENT)


def _citations(paper_id: str, claims: Iterable[Claim]) -> Iterator[tuple[Claim, Citation]]:
    seen: set[tuple[str, int, int]] = set()
    for claim in claims:
        for citation in claim.citations:
            place = (citation.field, citation.start, citation.end)
            if citation.paper_id == paper_id and place not in seen:
                seen.add(place)
                yield claim, citation


def _quoted(claim: Claim, citation: Citation, question: str) -> Iterator[Span]:
    """The exact words; left out where the claim above already shows them to the letter."""
    if citation.field != "abstract":
        yield Span(f"{citation.field}: ", "meta")
        yield Span(citation.quote, "quote")
        return
    place = f"characters {citation.start}–{citation.end}"
    if plain(claim.text) == citation.quote:
        yield Span(f"quoted above, {place}", "meta")
        return
    yield Span("“", "quote")
    yield from matched(citation.quote, question)
    yield Span("”", "quote")
    yield Span(f" ({place})", "meta")


def matched(text: str, question: str) -> Iterator[Span]:
    """`text` whole, the words it shares with the question marked."""
    asked = {token.stem for token in tokenise(question) if token.norm not in STOPWORDS}
    at = 0
    for token in tokenise(text):
        if token.stem in asked and token.start >= at:
            if token.start > at:
                yield Span(text[at : token.start], "quote")
            yield Span(text[token.start : token.end], "match")
            at = token.end
    if at < len(text):
        yield Span(text[at:], "quote")


def _titled(paper: Paper) -> Iterator[Span]:
    yield Span(plain(paper.title), "title", link=web_link(paper))
    if paper.title_source == "derived":
        yield Span(" (title derived from the abstract)", "meta")


def web_link(paper: Paper) -> str | None:
    """An http(s) address, or None: a document may not hand the terminal any other scheme."""
    address = paper.url or (f"https://doi.org/{paper.doi}" if paper.doi else None)
    if address is None or not address.lower().startswith(("http://", "https://")):
        return None
    return address if address.isprintable() and " " not in address else None


def _details(paper: Paper) -> Iterator[str]:
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


def hits(found: Sequence[tuple[Hit, Paper]]) -> Iterator[Line]:
    """Ranked papers, one block each."""
    for hit, paper in found:
        score = Span(f" {hit.score:.2f}", "meta")
        yield line(Span(f"{hit.rank:>2}. ", "number"), *_titled(paper), score, hang=1)
        yield line(Span(" · ".join([*_details(paper), paper.id]), "meta"), indent=INDENT)


def paper(value: Paper, sentences: Sequence[Sentence]) -> Iterator[Line]:
    """One paper, its sentences numbered with their offsets."""
    yield line(*_titled(value))
    for detail in _details(value) if value.authors else ():
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


def examination(findings: Iterable[Finding]) -> Iterator[Line]:
    """What `doctor` found, one line each, the way out below what is not well."""
    for finding in findings:
        mark = Span("ok  ", "meta") if finding.well else Span("NOT ", "warning")
        yield line(mark, Span(finding.subject, "title"), f": {finding.detail}", hang=1)
        if finding.hint and not finding.well:
            yield line(Span(finding.hint, "note"), indent=4)


def listed(value: Paper) -> Line:
    """One paper on one line: what `papers` prints."""
    when = " ".join(str(part) for part in (value.venue, value.year) if part)
    return line(Span(value.id, "meta"), "  ", *_titled(value), Span(f"  {when}" if when else "", "meta"))


def narrowed(filters: Filters) -> str:
    """What filters hold the search to, in words; empty where they hold it to nothing."""
    years = "–".join(str(year or "") for year in dict.fromkeys((filters.year_from, filters.year_to)))
    parts = [years if filters.year_from or filters.year_to else "", *filters.venues, *filters.authors]
    papers = len(filters.paper_ids)
    parts.append(f"{papers} paper{'s' * (papers > 1)}" if papers else "")
    return ", ".join(part for part in parts if part)
