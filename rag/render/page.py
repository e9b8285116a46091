"""One self-contained HTML page: no script, no network, a content policy that allows its own style sheet alone.

Everything that comes from papers, questions and models goes through `text`: escaped, control characters made visible.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Iterable

from rag.render.papers import web_link
from rag.render.prose import cited_numbers
from rag.text.normalise import plain, visible
from rag.types import Claim, Paper, Source

_STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1c; --soft: #5c5c5c; --line: #d9d9d4; --paper: #fdfdfb; --mark: #0b5d78; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e3; --soft: #a3a39e; --line: #3b3b38; --paper: #191918; --mark: #7cc4dd; }
}
body { margin: 2rem auto; padding: 0 1rem; max-width: 60rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 Georgia, "Noto Serif", "Noto Serif CJK SC", serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; } h2 { font-size: 1.15rem; margin-top: 2rem; }
a { color: var(--mark); } .soft { color: var(--soft); } ul { padding-left: 1.2rem; } li { margin: .35rem 0; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .88rem; min-width: 50rem; }
th, td { border-top: 1px solid var(--line); padding: .5rem .6rem; text-align: left; vertical-align: top;
  min-width: 5rem; }
details { margin: .2rem 0; } summary { cursor: pointer; color: var(--soft); } blockquote { margin: .3rem 0 .3rem 1rem; }
"""


def page(title: str, body: Iterable[str], own_style: str = "") -> str:
    """The whole document. `title` is text; `body` is HTML made by the functions of this module; `own_style` is added
    to the style that all pages share."""
    style = _STYLE + own_style
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{text(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def text(value: str) -> str:
    return html.escape(visible(value))


def reading(value: str) -> str:
    """A document's words as a person reads them."""
    return text(plain(value))


def claim(value: Claim, numbers: dict[str, int]) -> str:
    """The claim, its source numbers as links to `#source-N`; the exact words where they are not the claim's own."""
    marks = "".join(f' <a href="#source-{number}">[{number}]</a>' for number in cited_numbers(value, numbers))
    return f"{reading(value.text)}{marks}{_quotes(value) if value.verdict == 'supported' else ''}"


def _quotes(value: Claim) -> str:
    quotes = "".join(
        f"<blockquote>“{text(each.quote)}” <span class=soft>characters {each.start}–{each.end}</span></blockquote>"
        for each in value.citations
    )
    return f"<details><summary>the abstracts' words</summary>{quotes}</details>"


def listed(values: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{value}</li>" for value in values) + "</ul>"


def titled(paper: Paper) -> str:
    address = web_link(paper)
    shown = reading(paper.title)
    return f'<a href="{html.escape(address, quote=True)}" rel="noreferrer">{shown}</a>' if address else shown


def source(value: Source) -> str:
    """`[N] title`, with the anchor that marks point to, and a line of details."""
    paper = value.paper
    details = [", ".join(paper.authors[:6]) + (" and others" if len(paper.authors) > 6 else "")]
    details += [" ".join(str(part) for part in (paper.venue, paper.year) if part), paper.id]
    soft = " · ".join(text(detail) for detail in details if detail)
    derived = " (title derived from the abstract)" if paper.title_source == "derived" else ""
    title = f'<span id="source-{value.number}">[{value.number}] {titled(paper)}{derived}</span>'
    return f"{title}<br><span class=soft>{soft}</span>"
