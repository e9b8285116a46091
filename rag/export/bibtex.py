"""BibTeX. Every character a document could use as a command is escaped: what we write, TeX only prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rag.export.entries import DERIVED_TITLE, Name, clean, keys, kind, name
from rag.types import Paper

_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "%": r"\%",
        "#": r"\#",
        "_": r"\_",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
    }
)
_TYPES = {"conference": "inproceedings", "article": "article", "other": "misc"}
_VENUE_FIELDS = {"conference": "booktitle", "article": "journal", "other": "howpublished"}


def bibtex(papers: Sequence[Paper]) -> str:
    return "\n".join(_entry(paper, key) for paper, key in zip(papers, keys(papers), strict=True))


def _entry(paper: Paper, key: str) -> str:
    body = ",\n".join(f"  {field} = {{{value}}}" for field, value in _fields(paper))
    return f"@{_TYPES[kind(paper)]}{{{key},\n{body}\n}}\n"


def _fields(paper: Paper) -> Iterator[tuple[str, str]]:
    # Double braces keep the capitals of system names.
    yield "title", f"{{{escape(clean(paper.title))}}}"
    if paper.authors:
        yield "author", " and ".join(_author(name(author)) for author in paper.authors)
    if paper.year:
        yield "year", str(paper.year)
    if paper.venue:
        yield _VENUE_FIELDS[kind(paper)], escape(clean(paper.venue))
    if paper.doi:
        yield "doi", _address(paper.doi)
    if paper.url:
        yield "url", _address(paper.url)
    if paper.title_source == "derived":
        yield "note", escape(DERIVED_TITLE)


def _author(author: Name) -> str:
    """ "Family, Given"; a name that cannot be parted, or that holds BibTeX's own "and", goes into braces whole."""
    if author.family and " and " not in f" {author.literal.lower()} ":
        return escape(", ".join(part for part in (author.family, author.suffix, author.given) if part))
    return f"{{{escape(author.literal)}}}"


def escape(text: str) -> str:
    return text.translate(_ESCAPES)


def _address(text: str) -> str:
    """Addresses stay as they are for \\url, but for the few characters that would end or open the field."""
    encoded = {"{": "%7B", "}": "%7D", "\\": "%5C", " ": "%20"}
    return "".join(encoded.get(c, c) for c in text if c.isprintable())
