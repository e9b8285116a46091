"""A checked manuscript as one page: every sentence under its verdict, with the words of the papers beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rag.checking import Checked, CheckedText
from rag.render import page as frame
from rag.render.checked import SAID, citing, summary
from rag.render.prose import numbers_of
from rag.types import Source

_STYLE = """
:root { --ok: #1d6b3a; --bad: #a32414; --doubt: #855300; }
@media (prefers-color-scheme: dark) { :root { --ok: #7cc796; --bad: #ff9b8c; --doubt: #e6b566; } }
ol.sentences { list-style: none; padding: 0; }
ol.sentences > li { border-left: 4px solid var(--line); margin: .5rem 0; padding: .2rem .8rem; }
li.supported { border-color: var(--ok) !important; } li.contradicted { border-color: var(--bad) !important; }
li.not_found, li.wrong { border-color: var(--doubt) !important; } li.not_checkable { color: var(--soft); }
.verdict { font-weight: 600; margin-right: .6rem; } .supported > .verdict { color: var(--ok); }
.contradicted > .verdict { color: var(--bad); } .not_found > .verdict, .wrong_paper { color: var(--doubt); }
blockquote { font-style: italic; } p.soft { font-size: .9rem; margin: .2rem 0; }
"""


def page(values: Sequence[CheckedText]) -> str:
    """One page for all files."""
    body = (part for number, value in enumerate(values) for part in _file(value, number))
    return frame.page("citewell check", ("<h1>citewell check</h1>", *body), _STYLE)


def _shown(text: str) -> str:
    return frame.text(" ".join(text.split()))


def _file(value: CheckedText, number: int) -> Iterator[str]:
    numbers = numbers_of(value.sources)
    yield f"<h2>{_shown(value.source.name)}</h2>\n<p>{_shown(summary(value))}</p>"
    yield '<ol class="sentences">'
    for each in value.sentences:
        yield from _sentence(each, number, numbers)
    yield "</ol>"
    if value.sources:
        yield "<h2>Papers</h2>\n<ol>"
        yield from (_paper(source, number) for source in value.sources)
        yield "</ol>"


def _sentence(each: Checked, number: int, numbers: dict[str, int]) -> Iterator[str]:
    wrongly = " wrong" if each.flagged and each.verdict == "supported" else ""
    yield f'<li class="{each.verdict}{wrongly}"><span class="verdict">{SAID[each.verdict]}</span>{_shown(each.text)}'
    if each.reason:
        yield f'<p class="soft">{_shown(each.reason)}</p>'
    for citation in each.citations:
        source = numbers[citation.paper_id]
        yield f'<blockquote>{_shown(citation.quote)} <a href="#p{number}-{source}">[{source}]</a></blockquote>'
    if each.verdict == "supported":
        yield f'<p class="soft">risk at most {each.risk:g}</p>'
    for cited in each.cited:
        yield f'<p class="soft {cited.verdict}">cites {_shown(citing(cited))}</p>'
    yield "</li>"


def _paper(source: Source, number: int) -> str:
    details = " · ".join(part for part in (", ".join(source.paper.authors), source.paper.id) if part)
    shown = f'{frame.titled(source.paper)}<br><span class="soft">{_shown(details)}</span>'
    return f'<li id="p{number}-{source.number}" value="{source.number}">{shown}</li>'
