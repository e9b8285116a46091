"""Lists of references: numbered or not, in plain text and markdown, `thebibliography`, and .bib files."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping

from rag.manuscript.layout import LINE, Reference
from rag.manuscript.marks import identified
from rag.readers import bibtex
from rag.readers.identity import global_id
from rag.readers.record import Record
from rag.text.normalise import plain

_NUMBERED = re.compile(
    r"^[^\S\r\n]*(?:[-*]\s+)?(?:\[\^?(?P<b>[\w-]{1,20})\]:?|(?P<n>\d{1,3})[.)])[^\S\r\n]+(?=\S)", re.M
)
_LINK = re.compile(
    r"https?://[^\s<>()\[\]{}\"']+|\b10\.\d{4,9}/[^\s<>\"'{}]+|\b(?:arxiv|pmid):\s?[\w./-]+", re.IGNORECASE
)
_BIBITEM = re.compile(r"\\bibitem\s*(?:\[[^\]]*\])?\s*\{(?P<key>[^{}]*)\}")
_ENTRY = re.compile(r"[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(][ \t]*(?P<key>[^\s,{}]+)")
MOST_ENTRIES = 20_000


def listed(text: str) -> tuple[Reference, ...]:
    """The entries below a heading such as "References": numbered, or a paragraph or a line each."""
    marks = list(_NUMBERED.finditer(text))
    if marks:
        ends = [mark.start() for mark in marks[1:]] + [len(text)]
        return tuple(
            _entry(mark["b"] or mark["n"], text[mark.end() : end]) for mark, end in zip(marks, ends, strict=True)
        )
    parts = re.split(r"\r?\n[^\S\n]*\n", text)
    if len(parts) < 3:
        parts = text.splitlines()
    return tuple(_entry("", part.lstrip("-*• ")) for part in parts[1:] if part.strip())


def _entry(key: str, text: str) -> Reference:
    text = " ".join(text.split())
    return Reference(key, text, ids=identifiers(text))


def identifiers(text: str) -> tuple[str, ...]:
    """Every DOI, arXiv, OpenReview, ... identifier or link to one in a text."""
    found: list[str | None] = []
    for match in _LINK.finditer(text):
        link = match[0].rstrip(".,;:")
        found.append(global_id("doi", link) if link.startswith("10.") else identified(link))
    return tuple(dict.fromkeys(each for each in found if each))


def numbered_tail(text: str) -> int | None:
    """Where a closing list of `[1] ...` entries begins that no heading announces: as answers of assistants end.

    Lines that belong to an entry are indented; an empty line stands before the list.
    """
    start = None
    for line in reversed([found for found in LINE.finditer(text) if found[0].strip()]):
        mark = _NUMBERED.match(line[0])
        if mark and mark["b"] and not line[0][mark.end() : mark.end() + 1].islower():
            start = line.start()
            if mark["b"] == "1":
                break
        elif not line[0][:1].isspace():
            break
    before = text[:start] if start is not None else ""
    return start if before.strip() and _stands_apart(before) else None


def _stands_apart(before: str) -> bool:
    return len(before) - len(before.rstrip()) >= 2


def bibitems(text: str) -> Iterator[Reference]:
    """The entries of a `thebibliography` environment."""
    marks = list(_BIBITEM.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    for mark, end in zip(marks, ends, strict=True):
        raw = text[mark.end() : end].replace("\\newblock", " ")
        entry = _entry(mark["key"].strip(), raw)
        yield Reference(entry.key, plain(entry.text), ids=entry.ids)


def bibliography(raw: bytes) -> tuple[Reference, ...]:
    """The entries of a .bib file that can be read; what cannot is left out."""
    lines = raw.decode("utf-8-sig", "replace").splitlines()
    found: list[Reference] = []
    for record in bibtex.records(io.BytesIO(raw)):
        line = getattr(record, "line", None)
        key = _ENTRY.match(lines[line - 1]) if line and line <= len(lines) else None
        if isinstance(record, Record) and key and len(found) < MOST_ENTRIES:
            found.append(_of_record(key["key"], record.fields))
    return tuple(found)


def _of_record(key: str, fields: Mapping[str, object]) -> Reference:
    said = {name: value if isinstance(value, str) else "" for name, value in fields.items()}
    authors = fields.get("author")
    year = re.search(r"(?:19|20)\d\d", said.get("year") or said.get("date", ""))
    text = " ".join(said.get(name, "") for name in ("title", "doi", "url", "eprint", "note", "howpublished", "journal"))
    ids = list(identifiers(text))
    if said.get("eprint") and (arxiv := global_id("arxiv", said["eprint"])):
        ids.append(arxiv)
    return Reference(
        key,
        text.strip(),
        said.get("title", ""),
        tuple(map(str, authors)) if isinstance(authors, list) else (),
        int(year[0]) if year else None,
        tuple(dict.fromkeys(ids)),
    )
