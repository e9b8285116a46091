"""Markdown laid out: front matter, code, tables, pictures and markup are no prose; links and citations are noted."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag.manuscript.layout import (
    EMPTY,
    LINE,
    REFERENCES,
    Block,
    Key,
    Layout,
    Mark,
    Reference,
    Span,
    blank,
    covered,
    paragraphs,
)
from rag.manuscript.marks import apart, author_years, identified, links, mathematics, numbers, pandoc
from rag.manuscript.plain import headed
from rag.manuscript.references import identifiers, listed, numbered_tail

_FRONT = re.compile(
    r"\A\ufeff?(?P<fence>---|\+\+\+)[^\S\r\n]*(?:\r\n|\r|\n)[\s\S]*?^(?P=fence)[^\S\r\n]*$", re.MULTILINE
)
_BIBLIOGRAPHY = re.compile(r"^bibliography:[^\r\n]*(?:(?:\r\n|\r|\n)\s*-[^\r\n]*)*", re.MULTILINE)
_FENCE = re.compile(r"[^\S\r\n]{0,3}(?:>[^\S\r\n]?)*(?P<fence>`{3,}|~{3,})")
_COMMENT = re.compile(r"<!--[\s\S]*?(?:-->|\Z)")
_SCRIPT = re.compile(r"<(?P<tag>script|style)\b[\s\S]*?(?:</(?P=tag)\s*>|\Z)", re.IGNORECASE)
_HEADING = re.compile(r"^[^\S\r\n]{0,3}#{1,6}[^\S\r\n]+[^\r\n]*", re.MULTILINE)
_SETEXT = re.compile(r"^[^\S\r\n]{0,3}(?=\S)[^\r\n]+(?:\r\n|\r|\n)[^\S\r\n]{0,3}(?:=+|-{2,})[^\S\r\n]*$", re.MULTILINE)
_RULE = re.compile(
    r"^[^\S\r\n]{0,3}(?:(?:\*[^\S\r\n]*){3,}|(?:-[^\S\r\n]*){3,}|(?:_[^\S\r\n]*){3,}|:::.*)$", re.MULTILINE
)
_ITEM = re.compile(
    r"^[^\S\r\n]*(?:>[^\S\r\n]*)*(?:[-*+]|\d{1,3}[.)])[^\S\r\n]+(?:\[[ xX]\][^\S\r\n]+)?(?=\S)",
    re.M,
)
_QUOTE = re.compile(r"^[^\S\r\n]{0,3}(?:>[^\S\r\n]?)+", re.MULTILINE)
_INDENTED = re.compile(
    r"(?:\A|(?:\r\n|\r|\n)[^\S\r\n]*(?:\r\n|\r|\n))(?P<code>(?:(?: {4}|\t)[^\r\n]*(?:\r\n|\r|\n|\Z))+)"
)
_TABLE = re.compile(
    r"^[^\S\r\n]*\|[^\r\n]*|^[^\r\n|]*\|[^\r\n]*\|?[^\S\r\n]*(?:\r\n|\r|\n)[^\S\r\n]*\|?[ :-]*-{2,}[ :|-]*$",
    re.M,
)
_ROW = re.compile(r"^[^\r\n|]+\|[^\r\n]*$", re.MULTILINE)
_TAG = re.compile(r"</?[A-Za-z][\w-]*(?:\s[^<>]{0,500})?/?>")
_STRUCK = re.compile(r"~~(?=\S)[^~\r\n]{1,500}~~")
_IMAGE = re.compile(
    r"!\[[^\[\]]{0,2000}\](?:\([^()\s]{0,1000}(?:\([^()\s]*\)[^()\s]*)?(?:\s+[\"'][^\"'\r\n]*[\"'])?\)|\[[^\[\]]*\])"
)
_LINKED = re.compile(
    r"\[(?P<text>[^\[\]]{1,500})\](?P<to>\((?P<url>[^()\s]{0,1000}(?:\([^()\s]*\)[^()\s]*)?)(?:\s+[\"'][^\"'\r\n]*[\"'])?\))"
)
_CODE = re.compile(r"(?<!`)(?P<t>`+)(?!`)[^\r\n]+?(?<!`)(?P=t)(?!`)")
_DISPLAY = re.compile(r"\$\$[\s\S]{0,4000}?\$\$|\\\[(?:(?!\\\[)[\s\S]){0,4000}?\\\]")
_DEFINITION = re.compile(
    r"^[^\S\r\n]{0,3}\[(?P<key>[^\[\]\r\n]{1,80})\]:[^\S\r\n]+"
    r"(?P<text>[^\r\n]+(?:(?:\r\n|\r|\n)(?: {2,}|\t)[^\r\n]+)*)",
    re.M,
)


def lay_out(text: str) -> Layout:
    """Offsets into `text`. Everything between the marks of code and of tables stays unread."""
    skipped, displays = _skipped(text)
    text = blank(text, displays, "x")
    body = blank(text, skipped)
    definitions = list(_DEFINITION.finditer(body))
    references = [Reference(d["key"], " ".join(d["text"].split()), ids=identifiers(d["text"])) for d in definitions]
    headings = [found.span() for found in _HEADING.finditer(body)] + [found.span() for found in _SETEXT.finditer(body)]
    skipped += [definition.span() for definition in definitions]
    for start, end in _reference_sections(blank(body, skipped), headings):
        references += listed(body[start:end])
        skipped.append((start, end))
    body = blank(text, skipped)
    breaks = covered([*skipped, *headings, *(f.span() for p in (_RULE, _ITEM) for f in p.finditer(body))])
    hidden, marks = _inside(body)
    hidden = covered([*hidden, *skipped, *displays])
    shown, items = blank(body, hidden), {found.end() for found in _ITEM.finditer(body)}
    blocks = [block for span in paragraphs(body, breaks) for block in headed(shown, span, item=span[0] in items)]
    blocks += [Block(*span, heading=True) for span in headings if not any(s <= span[0] < e for s, e in skipped)]
    code = covered([found.span() for found in _CODE.finditer(body)])
    ordered = tuple(sorted(blocks, key=lambda block: block.start))
    return Layout(ordered, hidden, marks, tuple(references), _bibliographies(text), code)


def _bibliographies(text: str) -> tuple[str, ...]:
    """What the front matter names: `bibliography: refs.bib`, or a list of such."""
    front = _FRONT.match(text)
    named = _BIBLIOGRAPHY.search(front[0]) if front else None
    return tuple(re.findall(r"[^\s,\[\]\"'-][^\s,\[\]\"']*\.bib\b", named[0])) if named else ()


def _skipped(text: str) -> tuple[list[Span], list[Span]]:
    """Front matter, fenced and indented code, comments, tables, mathematics that is a paragraph of its own; and apart
    from them the mathematics displayed inside a sentence."""
    front = _FRONT.match(text)
    spans = [front.span()] if front else []
    spans += _fenced(text, front.end() if front else 0)
    body = blank(text, spans)
    spans += [found.span() for pattern in (_COMMENT, _SCRIPT) for found in pattern.finditer(body)]
    displays = [found.span() for found in _DISPLAY.finditer(body)]
    alone = [span for span in displays if _stands_alone(text, span)]
    body = blank(text, [*spans, *displays])
    spans += alone
    if not _ITEM.search(body):
        # What was taken out is no white space: text behind a comment is not indented.
        spans += [found.span("code") for found in _INDENTED.finditer(blank(text, [*spans, *displays], "x"))]
    return [*spans, *_tables(body)], [span for span in displays if span not in alone]


def _stands_alone(text: str, span: Span) -> bool:
    """Whether nothing but white space lies between it and the empty lines, or the ends of the text, around it."""
    before, after = span
    while before and text[before - 1].isspace():
        before -= 1
    while after < len(text) and text[after].isspace():
        after += 1
    begins = before == 0 or EMPTY.search(text, before, span[0]) is not None
    return begins and (after == len(text) or EMPTY.search(text, span[1], after) is not None)


def _fenced(text: str, start: int) -> Iterator[Span]:
    opened: tuple[int, str] | None = None
    for line in LINE.finditer(text, start):
        fence = _FENCE.match(line[0])
        if fence and opened is None:
            opened = (line.start(), fence["fence"])
        elif fence and opened and fence["fence"].startswith(opened[1]) and not line[0][fence.end() :].strip():
            yield opened[0], line.end()
            opened = None
    if opened:
        yield opened[0], len(text)


def _tables(text: str) -> Iterator[Span]:
    """Rows of pipes; a row without a pipe at its start counts below a table's rule."""
    end = -1
    for found in _TABLE.finditer(text):
        yield found.span()
        end = found.end()
        for row in LINE.finditer(text, min(len(text), end + 1)):
            if not _ROW.match(row[0].rstrip("\r\n")) or found[0].lstrip().startswith("|"):
                break
            yield row.span()


def _reference_sections(text: str, headings: list[Span]) -> Iterator[Span]:
    """From a heading such as "References" to the next heading; or the numbered entries that end the text."""
    ordered = sorted(headings)
    found = False
    for number, (start, end) in enumerate(ordered):
        if REFERENCES.fullmatch(text[start:end].strip().strip("#=-").strip()):
            found = True
            yield end, ordered[number + 1][0] if number + 1 < len(ordered) else len(text)
    if not found:
        bare = next((f for f in LINE.finditer(text) if f[0].strip() and REFERENCES.fullmatch(f[0].strip())), None)
        tail = bare.start() if bare else numbered_tail(text)
        if tail is not None:
            yield tail, len(text)


def _inside(text: str) -> tuple[tuple[Span, ...], tuple[Mark, ...]]:
    """What within paragraphs is no prose, and the citations."""
    hidden = [found.span() for pattern in (_IMAGE, _TAG, _QUOTE, _STRUCK) for found in pattern.finditer(text)]
    marks: list[Mark] = []
    for found in _LINKED.finditer(blank(text, hidden)):
        paper_id = identified(found["url"])
        if paper_id:
            marks.append(Mark(*found.span("to"), (Key(paper_id, "link"),)))
        hidden += [(found.start(), found.start("text")), (found.end("text"), found.end())]
    shown = blank(text, [*hidden, *mathematics(text), *(found.span() for found in _CODE.finditer(text))])
    for find in (pandoc, author_years, numbers, links):
        marks += find(shown)
    return covered(hidden), apart(marks)
