"""A checked manuscript as lines to read, as remarks in the file itself, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rag.checking import Checked, CheckedText, Cited
from rag.manuscript.annotations import Remark, annotate
from rag.render import jsonable
from rag.render.answers import matched
from rag.render.lines import Line, Span, Style, counted, line
from rag.render.papers import shortened
from rag.render.prose import numbers_of
from rag.text.normalise import plain
from rag.types import Citation

SAID = {
    "supported": "supported",
    "contradicted": "CONTRADICTED",
    "not_found": "NOT FOUND",
    "not_checkable": "not checkable",
}
_CITED = {"right": "right", "wrong_paper": "WRONG PAPER"}
_QUOTED = 160
_WIDTH = 15


def report(value: CheckedText, *, flagged_only: bool = False) -> Iterator[Line]:
    """Every sentence with its verdict and the words it rests on, then the papers, then the counts."""
    numbers = numbers_of(value.sources)
    for each in value.flagged if flagged_only else value.sentences:
        yield from _sentence(each, value, numbers)
    if value.sources:
        yield line()
    for source in value.sources:
        yield line(Span(f"[{source.number}] ", "number"), Span(plain(source.paper.title), "title"), hang=1)
        details = [shortened(source.paper.authors)] if source.paper.authors else []
        yield line(Span(" · ".join([*details, source.paper.id]), "meta"), indent=4)
    yield line()
    yield line(Span(f"{value.source.name}: {summary(value)}", "warning" if value.flagged else "meta"))


def _sentence(each: Checked, value: CheckedText, numbers: dict[str, int]) -> Iterator[Line]:
    style: Style = "warning" if each.flagged else "meta"
    place = value.source.text.count("\n", 0, each.start) + 1
    said = SAID[each.verdict].ljust(_WIDTH)
    text = Span(" ".join(each.text.split()), "claim")
    yield line(Span(f"{place:>4} ", "meta"), Span(said, style), text, hang=2)
    if each.reason:
        yield line(Span(f"{each.reason}", "note"), indent=_WIDTH + 5)
    for citation in each.citations:
        yield line(*_quote(each, citation, numbers), indent=_WIDTH + 5)
    for cited in each.cited:
        wrong: Style = "warning" if cited.verdict == "wrong_paper" else "meta"
        yield line(Span(f"cites {citing(cited)}", wrong), indent=_WIDTH + 5)


def _quote(each: Checked, citation: Citation, numbers: dict[str, int]) -> Iterator[Span]:
    yield Span(f"[{numbers[citation.paper_id]}] ", "number")
    yield Span("“", "quote")
    yield from matched(citation.quote, each.text)
    yield Span("”", "quote")
    if each.verdict == "supported":
        yield Span(f" ({_risk(each)})", "meta")


def _risk(each: Checked) -> str:
    return "word for word" if each.risk == 0.0 else f"risk at most {each.risk:g}"


def citing(cited: Cited) -> str:
    """ "chen2026dflash: right (openreview:Oz335dV48X)". Where the sentence got no verdict, neither does it."""
    verdict = _CITED.get(cited.verdict, "not judged" if cited.paper_id else "unknown")
    place = cited.paper_id or "no paper of this corpus"
    how = f", by {cited.how}" if cited.how else ""
    return f"{cited.key}: {verdict} ({place}{how})"


def summary(value: CheckedText) -> str:
    """ "12 sentences: 9 supported, 1 contradicted, 2 not checkable; 1 wrong citation"."""
    counts = value.counts
    parts = [f"{n} {name.replace('_', ' ')}" for name, n in counts.items() if n and name != "wrong_paper"]
    wrong = counts["wrong_paper"]
    cited = f"; {counted(wrong, 'wrong citation')}" if wrong else ""
    return counted(len(value.sentences), "sentence") + (f": {', '.join(parts)}" if parts else "") + cited


def annotated(value: CheckedText) -> str:
    """The file itself with a comment for each sentence that was checked; nothing else in it is changed."""
    remarks = [Remark(each.start, each.end, _remark(each, value.source.form == "latex"))
               for each in value.sentences if each.verdict != "not_checkable" or each.cited]  # fmt: skip
    return annotate(value.source.text, value.source.form, remarks)


def _remark(each: Checked, with_text: bool) -> str:
    """One line; in LaTeX it stands above the sentence and says which one it means."""
    parts = [SAID[each.verdict] + (f" ({_risk(each)})" if each.verdict == "supported" else "")]
    if with_text:
        parts.insert(0, f"“{_short(each.text, 40)}”")
    parts += [each.reason] if each.reason else []
    parts += [f"{citation.paper_id} “{_short(citation.quote, _QUOTED)}”" for citation in each.citations]
    parts += [f"cites {citing(cited)}" for cited in each.cited]
    return "; ".join(parts)


def _short(text: str, most: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: text.rfind(" ", 0, most) if " " in text[:most] else most] + "…"


def json_of(value: CheckedText) -> dict[str, Any]:
    """As DESIGN says; keys are only ever added."""
    numbers = numbers_of(value.sources)
    return {
        "schema_version": jsonable.SCHEMA_VERSION,
        "file": value.source.name,
        "form": value.source.form,
        "flagged": len(value.flagged),
        "counts": dict(value.counts),
        "sentences": [_json_of(each, numbers) for each in value.sentences],
        "sources": [jsonable.source(each) for each in value.sources],
        "corpus": {
            "name": value.corpus.name,
            "papers": value.corpus.papers,
            "fingerprint": value.corpus.fingerprint,
        },
    }


def _json_of(each: Checked, numbers: dict[str, int]) -> dict[str, Any]:
    return {
        "text": each.text,
        "start": each.start,
        "end": each.end,
        "verdict": each.verdict,
        "risk": each.risk,
        "reason": each.reason or None,
        "citations": [jsonable.citation(citation, numbers[citation.paper_id]) for citation in each.citations],
        "cited": [
            {"key": c.key, "paper_id": c.paper_id, "verdict": c.verdict, "matched_by": c.how or None}
            for c in each.cited
        ],
    }
