"""Which format a file is in: by its first bytes, and by its suffix only where they leave it open."""

from __future__ import annotations

import codecs
import json
import re
from typing import Literal

from rag.readers.fields import ABSTRACT, AUTHORS, DATE, DOI, TITLE, URL, VENUE, YEAR, squash
from rag.readers.streams import decode

Format = Literal["text", "manifest", "jsonl", "json", "table", "bibtex", "ris", "wos", "nbib", "atom"]

_MAGIC = (
    (b"%PDF", "a PDF"),
    (b"%0 ", "an EndNote export (its RIS export can be read)"),
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"SQLite format 3", "an SQLite database"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"PAR1", "a Parquet file"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"\x93NUMPY", "a numpy array"),
    (b"\x80\x04\x95", "a Python pickle"),
)
_KNOWN = frozenset(
    (
        *ABSTRACT,
        *AUTHORS,
        *DATE,
        *DOI,
        *TITLE,
        *URL,
        *VENUE,
        *YEAR,
        "startswith",
        "id",
        "key",
        "itemtype",
        "pmid",
        "file",
    )
)
_SUFFIXES: dict[str, Format] = {
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".csv": "table", ".tsv": "table", ".tab": "table",
    ".bib": "bibtex", ".bibtex": "bibtex", ".ris": "ris", ".nbib": "nbib", ".medline": "nbib", ".atom": "atom",
    ".xml": "atom", ".ciw": "wos",
}  # fmt: skip
_BIBTEX = re.compile(r"^[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(]\s*(?:[^\s{}(),\"]+\s*)?[,=]", re.MULTILINE)
_COMMENT_BLOCK = re.compile(r"@(?:comment|preamble|string)\b", re.IGNORECASE)
_RIS = re.compile(r"TY  ?- ?")
_RIS_TAG = re.compile(r"[A-Z][A-Z0-9]  ?- ?|\s*\d*\.?\s*$")
_WOS = re.compile(r"(?:FN .*\s+VR [\d.]+\s+)?PT [A-Z]\s*\n[A-Z][A-Z0-9] ")
_NBIB = re.compile(r"\A\s*(?:\d+\.?\s+)?(?:PMID|OWN |STAT|PMC )- ?", re.MULTILINE)


def foreign(head: bytes) -> str | None:
    """What a file that holds no text is, or None for text."""
    for magic, what in _MAGIC:
        if head.startswith(magic):
            return what
    if head.count(0) > len(head) // 50:
        return "a binary file"
    controls = sum(head.count(code) for code in (*range(1, 9), *range(14, 27), *range(28, 32)))
    allowed = len(head) // 10 if _is_utf8(head) else len(head) // 50  # noise has one in eleven, old encodings none
    return "a binary file" if controls > allowed else None


def meant(suffix: str) -> bool:
    """Whether a file of this name is meant to be read: what it holds instead is worth a word."""
    return suffix in _SUFFIXES or suffix in (".txt", ".md")


def _is_utf8(head: bytes) -> bool:
    """But for a character cut off at the end."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def detect(head: bytes, suffix: str) -> tuple[Format, str]:
    """The format of a file that begins with `head`, and for a table its delimiter (else "")."""
    text = decode(head).lstrip()
    by_suffix = _SUFFIXES.get(suffix)
    if text.startswith("{"):
        return _json_object(text, by_suffix), ""
    if re.match(r"\[\s*(?:[\[{]|\]\s*\Z)", text) or (text.startswith("[") and by_suffix == "json"):
        return "json", ""
    if text.startswith("<") and re.match(r"<(?:\?xml|!DOCTYPE|!--|[A-Za-z][\w:.-]*[\s/>])", text):
        return "atom", ""
    if _is_ris(text):
        return "ris", ""
    if _WOS.match(text):
        return "wos", ""
    if _NBIB.match(text):
        return "nbib", ""
    if _BIBTEX.search(text) or (by_suffix == "bibtex" and _COMMENT_BLOCK.search(text)):
        return "bibtex", ""
    first = text.split("\n", 1)[0].rstrip("\r")
    delimiter, known, startswith = _header(first)
    if startswith:
        return "manifest", delimiter
    if known >= 2 or (by_suffix == "table" and known):
        return "table", delimiter
    if by_suffix and by_suffix != "table":
        return by_suffix, ""
    if by_suffix == "table":
        return "table", "," if suffix == ".csv" else "\t"
    return "text", ""


def _is_ris(text: str) -> bool:
    """`TY  -` comes first, or after a few other tags, numbers and blank lines."""
    for line in text.split("\n", 8)[:8]:
        if _RIS.match(line):
            return True
        if not _RIS_TAG.match(line[:40]):
            return False
    return False


def _json_object(text: str, by_suffix: Format | None) -> Format:
    """JSON lines, unless the first line is not an object of its own and what follows does not start one."""
    first, newline, rest = text.partition("\n")
    if not newline:
        return "json" if by_suffix == "json" else "jsonl"
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        alone = first.strip() != "{" and (by_suffix == "jsonl" or rest.lstrip().startswith("{"))
        return "jsonl" if alone else "json"
    return "jsonl"


def _header(line: str) -> tuple[str, int, bool]:
    """The delimiter under which a first line names the most known columns, how many, and whether it is a manifest's."""
    best = (",", 0, False)
    for delimiter in ("\t", ",", ";", "|"):
        names = {squash(cell.strip().strip('"')) for cell in line[:20_000].split(delimiter)}
        if len(names & _KNOWN) > best[1]:
            best = (delimiter, len(names & _KNOWN), {"file", "startswith"} <= names)
    return best
