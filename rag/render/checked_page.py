"""A checked manuscript as one HTML page that needs nothing else: no script, no network, every text escaped."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from html import escape

from rag.checking import Checked, CheckedText
from rag.render.checked import SAID, citing, summary
from rag.render.papers import web_link
from rag.text.normalise import plain, visible
from rag.types import Source

_CSS = """
:root { color-scheme: light dark; --text: #1c1e21; --back: #fdfdfc; --dim: #5f6670; --line: #d9dce1; --ok: #1d6b3a;
  --bad: #a32414; --doubt: #855300; --mark: #fff3c4; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e6e9; --back: #15171a; --dim: #9aa2ad; --line: #343a42;
  --ok: #7cc796; --bad: #ff9b8c; --doubt: #e6b566; --mark: #453a12; } }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: var(--text); background: var(--back);
  font: 1rem/1.55 system-ui, sans-serif; }
h1 { font-size: 1.3rem; } h2 { font-size: 1.1rem; margin-top: 2rem; overflow-wrap: anywhere; }
ol.sentences { list-style: none; padding: 0; }
ol.sentences > li { border-left: 4px solid var(--line); margin: .5rem 0; padding: .2rem .8rem;
  overflow-wrap: anywhere; }
li.supported { border-color: var(--ok) !important; } li.contradicted { border-color: var(--bad) !important; }
li.not_found, li.wrong { border-color: var(--doubt) !important; } li.not_checkable { color: var(--dim); }
.verdict { font-weight: 600; margin-right: .6rem; } .supported > .verdict { color: var(--ok); }
.contradicted > .verdict { color: var(--bad); } .not_found > .verdict, .wrong_paper { color: var(--doubt); }
blockquote { margin: .3rem 0; font-style: italic; } .more { color: var(--dim); font-size: .9rem; margin: .2rem 0; }
a { color: inherit; }
"""


def page(values: Sequence[CheckedText]) -> str:
    """One page for all files."""
    policy = f"default-src 'none'; style-src 'sha256-{_digest(_CSS)}'; base-uri 'none'; form-action 'none'"
    body = "".join(part for number, value in enumerate(values) for part in _file(value, number))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>citewell check</title>\n<style>{_CSS}</style>\n</head>\n"
        f"<body>\n<h1>citewell check</h1>\n{body}</body>\n</html>\n"
    )


def _digest(css: str) -> str:
    return base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()


def _shown(text: str) -> str:
    return escape(visible(" ".join(text.split())))


def _file(value: CheckedText, number: int) -> Iterator[str]:
    numbers = {source.paper.id: source.number for source in value.sources}
    yield f"<h2>{_shown(value.source.name)}</h2>\n<p>{_shown(summary(value))}</p>\n"
    yield '<ol class="sentences">\n'
    for each in value.sentences:
        yield from _sentence(each, number, numbers)
    yield "</ol>\n"
    if value.sources:
        yield "<h2>Papers</h2>\n<ol>\n"
        yield from (_paper(source, number) for source in value.sources)
        yield "</ol>\n"


def _sentence(each: Checked, number: int, numbers: dict[str, int]) -> Iterator[str]:
    wrongly = " wrong" if each.flagged and each.verdict == "supported" else ""
    yield f'<li class="{each.verdict}{wrongly}"><span class="verdict">{SAID[each.verdict]}</span>{_shown(each.text)}\n'
    if each.reason:
        yield f'<p class="more">{_shown(each.reason)}</p>\n'
    for citation in each.citations:
        source = numbers[citation.paper_id]
        yield f'<blockquote>{_shown(citation.quote)} <a href="#p{number}-{source}">[{source}]</a></blockquote>\n'
    if each.verdict == "supported":
        yield f'<p class="more">risk at most {each.risk:g}</p>\n'
    for cited in each.cited:
        yield f'<p class="more {cited.verdict}">cites {_shown(citing(cited))}</p>\n'
    yield "</li>\n"


def _paper(source: Source, number: int) -> str:
    title, link = _shown(plain(source.paper.title)), web_link(source.paper)
    shown = f'<a href="{escape(link)}" rel="noreferrer">{title}</a>' if link else title
    details = " · ".join(part for part in (", ".join(source.paper.authors), source.paper.id) if part)
    more = f'<span class="more">{_shown(details)}</span>'
    return f'<li id="p{number}-{source.number}" value="{source.number}">{shown}<br>{more}</li>\n'
