"""The names people really use for a record's fields, and the shapes their values come in.

Known by their names: OpenReview (`content.title.value`), arXiv (API and Kaggle), Semantic Scholar, OpenAlex, PubMed,
Zotero, DBLP, CrossRef/CSL, BEIR and SciFact, BibTeX, RIS. Names are compared without case, spaces and signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from rag.readers.streams import storable

TITLE = (
    "title",
    "papertitle",
    "articletitle",
    "primarytitle",
    "documenttitle",
    "displayname",
    "ti",
    "t1",
    "name",
)
ABSTRACT = (
    "abstract",
    "abstractnote",
    "abstracttext",
    "paperabstract",
    "summary",
    "ab",
    "notesabstract",
    "description",
    "text",
)
AUTHORS = ("authors", "author", "authorships", "authorlist", "authornames", "authorfullnames", "creators", "creator",
           "firstauthors", "fau", "au", "a1", "authorsparsed")  # fmt: skip
YEAR = ("year", "publicationyear", "pubyear", "publishedyear", "yearpublished", "py", "y1")
DATE = ("publicationdate", "publisheddate", "published", "pubdate", "datepublished", "date", "issued", "dp", "da",
        "pdate", "created", "versions", "updatedate")  # fmt: skip
VENUE = ("venue", "conference", "booktitle", "containertitle", "publicationtitle", "journalname", "journaltitle",
         "journal", "journalref", "publicationvenue", "proceedings", "sourcetitle", "hostvenue", "primarylocation",
         "secondarytitle", "jt", "t2", "jo", "jf", "alternatetitle3", "ta", "so")  # fmt: skip
URL = ("url", "urls", "link", "links", "paperurl", "absurl", "landingpageurl", "htmlurl", "ee", "ur", "openaccesspdf",
       "pdfurl", "primarylocation", "forumurl")  # fmt: skip
DOI = ("doi", "digitalobjectidentifier", "do", "doiurl", "lid", "aid", "di")

_INNER = frozenset({"content", "data", "attributes", "source", "metadata", "externalids", "ids"})
_NOTHING = frozenset({"", "nan", "none", "null", "n/a", "na", "-", "--", "undefined", "nil"})
_PAPERLIKE = frozenset((*ABSTRACT, *TITLE, "abstractinvertedindex"))
_NAMED = ("value", "display_name", "name", "title", "source", "url", "landing_page_url", "#text")
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")


@lru_cache(maxsize=4096)
def squash(name: str) -> str:
    """A field's name as names are compared: `Abstract Note`, `abstract_note` and `abstractNote` are one."""
    return "".join(char for char in name.casefold() if char.isalnum())


def flatten(fields: Mapping[str, object]) -> dict[str, object]:
    """Fields by squashed name, those of the known inner objects too, OpenReview's `{"value": ...}` opened.

    What says nothing (null, "", "nan", "N/A") is left out. An outer field counts before an inner one.
    """
    flat: dict[str, object] = {}
    inner = [value for name, value in fields.items() if isinstance(value, dict) and squash(str(name)) in _INNER]
    for layer in (fields, *inner):
        for name, value in layer.items():
            if isinstance(value, dict) and "value" in value and len(value) <= 2:
                value = value["value"]
            if not _empty(value):
                flat.setdefault(squash(str(name)), value)
    return flat


def holds_paper(fields: Mapping[str, object]) -> bool:
    """Whether there is anything here, or in a known inner object, that could be an abstract or a title."""
    if not _PAPERLIKE.isdisjoint(squash(str(name)) for name in fields):
        return True
    return not _PAPERLIKE.isdisjoint(flatten(fields))


def _empty(value: object) -> bool:
    if isinstance(value, str):
        return (len(value) < 12 and value.strip().casefold() in _NOTHING) or not value.strip()
    return value is None or value == [] or value == {} or value != value


def first_text(flat: Mapping[str, object], names: Iterable[str]) -> str:
    """The text of the first of these fields that has one, storable; "" when none does."""
    for name in names:
        if name in flat and (text := as_text(flat[name])).strip():
            return storable(text)
    return ""


def as_text(value: object, depth: int = 0) -> str:
    """Text out of what stands where a text is meant: a list's first, an object's `name`, `value`, `title`..."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None or depth > 3:
        return ""
    if isinstance(value, float) or (isinstance(value, int) and abs(value) < 10**18):
        return str(value)
    items: list[object] = []
    if isinstance(value, dict):
        items = [value.get(key) for key in _NAMED]
    elif isinstance(value, list | tuple):
        items = list(value[:10])
    return next((text for item in items if (text := as_text(item, depth + 1))), "")


def year_in(value: object, depth: int = 0) -> int | None:
    """The year in `2026`, `"2026-05-01"`, `"May 2026"`, CSL's `{"date-parts": [[2026]]}`, or milliseconds."""
    if isinstance(value, bool) or depth > 4:
        return None
    if isinstance(value, int | float):
        if 10**11 < value < 4 * 10**12:
            return 1970 + int(value / 31_556_952_000)
        return int(value) if 1500 <= value < 2100 else None
    if isinstance(value, str):
        found = _YEAR.search(value[:200])
        return int(found.group()) if found else None
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return next((year for item in value[:10] if (year := year_in(item, depth + 1))), None)
    return None
