"""An Answer as lines to read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rag.library.reports import Finding
from rag.render import papers
from rag.render.lines import Line, Span, counted, line
from rag.render.prose import marks, reading
from rag.text.normalise import plain
from rag.text.tokens import STOPWORDS, tokenise
from rag.types import Answer, Citation, Claim, Filters, Source


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
            yield from papers.unsupported(value.reason, value.nearest)
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


def _source(source: Source, value: Answer) -> Iterator[Line]:
    yield from papers.source(source)
    for claim, citation in _citations(source.paper.id, value.claims):
        yield line(*_quoted(claim, citation, value.question), indent=papers.INDENT)


def _citations(paper_id: str, claims: Iterable[Claim]) -> Iterator[tuple[Claim, Citation]]:
    """What is cited of a paper, each place once; its title stands above them already."""
    seen: set[tuple[str, int, int]] = set()
    for claim in claims:
        for citation in claim.citations:
            place = (citation.field, citation.start, citation.end)
            if citation.paper_id == paper_id and place not in seen and citation.field != "title":
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


def examination(findings: Iterable[Finding]) -> Iterator[Line]:
    """What `doctor` found, one line each, the way out below what is not well."""
    for finding in findings:
        mark = Span("ok  ", "meta") if finding.well else Span("NOT ", "warning")
        yield line(mark, Span(finding.subject, "title"), f": {finding.detail}", hang=1)
        if finding.hint and not finding.well:
            yield line(Span(finding.hint, "note"), indent=4)


def narrowed(filters: Filters) -> str:
    """What filters hold the search to, in words; empty where they hold it to nothing."""
    years = "–".join(str(year or "") for year in dict.fromkeys((filters.year_from, filters.year_to)))
    parts = [years if filters.year_from or filters.year_to else "", *filters.venues, *filters.authors]
    parts.append(counted(len(filters.paper_ids), "paper") if filters.paper_ids else "")
    parts.append(f"without {len(filters.without)} just spoken of" if filters.without else "")
    return ", ".join(part for part in parts if part)
