"""Citations as people write them outside LaTeX: `(Chen et al., 2026)`, `Chen et al. (2026)`, `[3]`, `[@key]`, links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rag.manuscript.layout import Key, Mark, Span
from rag.readers.identity import id_by_form, id_in_url
from rag.text.function_words import NAME_PARTICLES

_PARTICLE = rf"(?:(?:{NAME_PARTICLES})[ ~-]+){{0,3}}"
_NAME = rf"{_PARTICLE}(?:[^\W\d_a-z]['’])?[^\W\d_a-z][^\W\d_]+(?:['’-][^\W\d_]+)*"
_ALL = r"(?:et\.?[ ~]+al\b\.?|and colleagues|and others|等人?)"
_AUTHORS = rf"{_NAME}(?:,?[ ~]*{_ALL}|(?:,[ ~]+{_NAME}){{0,4}},?[ ~]+(?:and|&|\\&|und|y|et)[ ~]+{_NAME})?(?:['’]s)?"
_YEAR = r"(?:19|20)\d\d[a-z]?"
_YEARS = rf"{_YEAR}(?:[ ~]*[,;][ ~]*{_YEAR})*"
_PIECE = re.compile(rf"(?P<who>{_AUTHORS})[,，]?[ ~\r\n]*(?P<years>{_YEARS})(?=[ ~]*(?:[,;:)\]）]|$))")
_ENCLOSED = re.compile(rf"[(\[（](?P<in>[^()\[\]（）]{{4,400}}?\b{_YEAR}[^()\[\]（）]{{0,60}})[)\]）]")
_TEXTUAL = re.compile(rf"(?<![\w-])(?P<who>{_AUTHORS})[ ~\r\n]*[(\[（](?P<years>{_YEARS})[)\]）]")
_NOTE = re.compile(r"\[(?P<key>\^[\w-]{1,40})\](?![(:])")
_NUMBERS = re.compile(r"\[(?P<in>\d{1,3}(?:\s*[,;–—-]\s*\d{1,3})*)\](?![(:])|【(?P<wide>\d{1,3})[^】\n]{0,40}】")
_PANDOC = re.compile(r"\[(?P<in>[^\[\]]{0,200}@[^\[\]]{1,400})\](?!\()")
_PANDOC_KEY = re.compile(r"-?@(?:\{(?P<braced>[^{}\s]+)\}|(?P<plain>\w(?:[\w:.#$%&+?<>~/-]*\w)?))")
_PANDOC_TEXTUAL = re.compile(r"(?<![\w@/.])@(?P<key>[A-Za-z_][\w:-]*\d[\w:-]*)")
_LINK = re.compile(
    r"<?https?://[^\s<>()\[\]{}\"'，。]+[^\s<>()\[\]{}\"'，。.,;:!?]>?|\b(?:arxiv|pmid|doi):\s?[\w./-]*[\w/-]",
    re.I,
)
_NOT_NAMES = frozenset(
    "january february march april may june july august september october november december jan feb mar apr jun jul "
    "aug sep sept oct nov dec spring summer fall autumn winter since in by until from before after early late mid "
    "copyright version figure table section".split()
)
_OPENERS = re.compile(
    r"^(?:[A-Z][a-z]+ly|However|Moreover|Furthermore|Then|Here|Later|Again|Also|First|Second|Third|Next|Instead|Meanwhile"
    r"|Both|While|Although|Whereas|Following|Like|Unlike|Per|See|As|In|By|And|But|For|With),?[ ~]+(?=[^\W\d_a-z])"
)
"""Words that begin a sentence before the author it names: "Recently, Wu (2026)"."""
_MATHEMATICS = re.compile(r"(?<![\\$\w])\$(?=[^\s$])[^$\r\n]{1,300}?(?<=[^\s\\])\$(?![\d$])|\\\([^\r\n]{1,300}?\\\)")
_WIDEST_RANGE = 20


def mathematics(text: str) -> list[Span]:
    """Formulas between dollars or `\\( \\)` on one line: what stands in brackets there is no citation."""
    return [found.span() for found in _MATHEMATICS.finditer(text)]


def author_years(text: str) -> Iterator[Mark]:
    """Authors with a year, in brackets or with the year alone in them."""
    for found in _ENCLOSED.finditer(text):
        keys = tuple(key for piece in _PIECE.finditer(found["in"]) for key in _named(piece["who"], piece["years"]))
        if keys:
            yield Mark(found.start(), found.end(), keys)
    for found in _TEXTUAL.finditer(text):
        keys = tuple(_named(found["who"], found["years"]))
        if keys:
            yield Mark(found.start(), found.end(), keys, textual=True)


def _named(who: str, years: str) -> Iterator[Key]:
    first = re.split(r"[\W\d_]", _OPENERS.sub("", who), maxsplit=1)[0]
    if first.casefold() in _NOT_NAMES or (who.isupper() and len(who) > 2):
        return
    name = " ".join(who.replace("~", " ").replace("\\&", "&").split())
    name = _OPENERS.sub("", re.sub(r"['’]s$", "", name))
    for year in re.findall(_YEAR, years):
        yield Key(f"{name}, {year}", "name")


def numbers(text: str) -> Iterator[Mark]:
    """`[3]`, `[1, 4-6]`, `[^2]`; an interval with a zero is none."""
    for found in _NOTE.finditer(text):
        yield Mark(found.start(), found.end(), (Key(found["key"], "number"),))
    for found in _NUMBERS.finditer(text):
        keys = tuple(Key(str(number), "number") for number in _counted(found["in"] or found["wide"]))
        if keys:
            yield Mark(found.start(), found.end(), keys)


def _counted(inside: str) -> tuple[int, ...]:
    numbers: list[int] = []
    for part in re.split(r"[,;]", inside):
        low, _, high = (piece.strip() for piece in re.sub("[–—]", "-", part).partition("-"))
        first, last = int(low), int(high or low)
        if first < 1 or not 0 <= last - first < _WIDEST_RANGE:
            return ()
        numbers += range(first, last + 1)
    return tuple(dict.fromkeys(numbers))


def pandoc(text: str) -> Iterator[Mark]:
    """`[@key; see @other, p. 3]`, `[-@key]`, and `@key` as a part of its sentence."""
    for found in _PANDOC.finditer(text):
        keys = tuple(Key(key["braced"] or key["plain"], "key") for key in _PANDOC_KEY.finditer(found["in"]))
        if keys:
            yield Mark(found.start(), found.end(), keys)
    for found in _PANDOC_TEXTUAL.finditer(text):
        yield Mark(found.start(), found.end(), (Key(found["key"], "key"),), textual=True)


def links(text: str) -> Iterator[Mark]:
    """Addresses and identifiers of papers; other links are none of ours."""
    for found in _LINK.finditer(text):
        if paper_id := identified(found[0].strip("<>")):
            yield Mark(found.start(), found.end(), (Key(paper_id, "link"),))


def identified(link: str) -> str | None:
    """The identifier of a paper that a link or an `arXiv:...` holds."""
    return id_in_url(link) if "//" in link else id_by_form(link)


def apart(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """In order, without overlap: what begins first, and of those the longest, wins."""
    kept: list[Mark] = []
    for mark in sorted(marks, key=lambda mark: (mark.start, -mark.end)):
        if not kept or mark.start >= kept[-1].end:
            kept.append(mark)
    return tuple(kept)
