"""What is wrong with a sentence that was shown, as far as a program can see without the check that let it through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rag.text.names import names
from rag.text.normalise import fold
from rag.text.quantities import quantities
from rag.types import Claim, Paper, field_text


def unsupported(claim: Claim, papers: Mapping[str, Paper]) -> Iterator[str]:
    """What a program can see: offsets, quotations that say something else, numbers and names that are not cited."""
    for cited in claim.citations:
        paper = papers.get(cited.paper_id)
        if paper is None or field_text(paper, cited.field)[cited.start : cited.end] != cited.quote:
            yield "no slice of its abstract"
    quotes = " ".join(cited.quote for cited in claim.citations)
    if not claim.citations:
        yield "unsupported, nothing is cited"
    elif claim.verdict == "quoted" and "".join(claim.text.split()).rstrip(".") not in "".join(quotes.split()):
        yield "unsupported, not what it quotes"
    elif claim.verdict == "supported":
        titles = " ".join(papers[each.paper_id].title for each in claim.citations if each.paper_id in papers)
        held = {(each.low, each.high) for each in quantities(quotes)}
        if any((each.low, each.high) not in held for each in quantities(claim.text)):
            yield "unsupported, a number that is not cited"
        if any(name.norm not in fold(f"{quotes} {titles}") for name in names(claim.text)):
            yield "unsupported, a name that is not cited"
