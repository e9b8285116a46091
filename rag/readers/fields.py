"""The names people really use: a record's fields, whatever the export, to a Paper.

Known by their names: OpenReview (`content.title.value`), arXiv (API and Kaggle), Semantic Scholar, OpenAlex, PubMed,
Zotero, DBLP, CrossRef/CSL, BEIR and SciFact, BibTeX, RIS. Names are compared without case, spaces and signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from rag.readers.authors import author_names
from rag.readers.identity import best_id, global_id, id_by_form, id_in_url, link_to
from rag.readers.record import MAX_ABSTRACT, MAX_FIELD
from rag.readers.streams import storable
from rag.readers.titles import derive_title
from rag.types import Paper

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
         "secondarytitle", "jt", "t2", "jo", "jf", "alternatetitle3", "ta")  # fmt: skip
URL = ("url", "urls", "link", "links", "paperurl", "absurl", "landingpageurl", "htmlurl", "ee", "ur", "openaccesspdf",
       "pdfurl", "primarylocation", "forumurl")  # fmt: skip
DOI = ("doi", "digitalobjectidentifier", "do", "doiurl", "lid", "aid")
_IDS = (
    ("arxiv", ("arxivid", "arxiv", "arxivnumber")),
    ("openreview", ("openreviewid", "openreview", "forum")),
    ("pmid", ("pmid", "pubmedid", "pubmed")),
    ("acl", ("aclid", "aclanthologyid", "acl")),
    ("s2", ("corpusid", "s2id", "s2corpusid", "paperid")),
    ("openalex", ("openalexid", "openalex")),
)
_INNER = ("content", "data", "attributes", "source", "metadata", "externalids", "ids")
_ARXIV_SIGNS = frozenset({"categories", "versions", "submitter", "authorsparsed", "primarycategory", "journalref"})
_NOTHING = frozenset({"", "nan", "none", "null", "n/a", "na", "-", "--", "undefined", "nil"})
_NO_ABSTRACT = re.compile(
    r"[\[(]?(?:no|without) abstract(?: is)?(?: available| provided| found)?[\])]?\.?|abstract(?: is)? not available\.?|"
    r"[\[(]?(?:abstract|tbd|tba|not available|unavailable|withdrawn)[\])]?\.?",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")


class NotAPaper(Exception):
    """This record is no paper that can be quoted. The message says why and what to do."""


def paper_from(fields: Mapping[str, object], place: str) -> Paper:
    """The paper a record holds. `place` is where it was read. Raises NotAPaper."""
    flat = flatten(fields)
    abstract = _abstract(flat)
    title = " ".join(_text(flat, TITLE).split())
    url = _url(flat)
    ids = record_ids(flat, url)
    url = url or next((link for given in reversed(ids) if (link := link_to(given))), None)
    for name, value in (("title", title), ("link", url or "")):
        if len(value) > MAX_FIELD:
            raise NotAPaper(f"its {name} has {len(value):,} characters (limit {MAX_FIELD:,}): not a {name}")
    venue = " ".join(_text(flat, VENUE).split())[:MAX_FIELD]
    return make_paper(
        abstract, place, ids=ids, title=title, authors=author_names(_first(flat, AUTHORS)), year=_year(flat),
        venue=venue or None, url=url,
    )  # fmt: skip


def make_paper(
    abstract: str,
    place: str,
    *,
    ids: Sequence[str] = (),
    title: str = "",
    authors: tuple[str, ...] = (),
    year: int | None = None,
    venue: str | None = None,
    url: str | None = None,
) -> Paper:
    """A Paper with its id chosen and, where none was given, its title derived."""
    doi = next((given[4:] for given in ids if given.startswith("doi:")), None)
    return Paper(
        id=best_id(ids, abstract),
        title=title or derive_title(abstract),
        title_source="given" if title else "derived",
        abstract=abstract,
        authors=authors,
        year=year,
        venue=venue,
        url=url,
        doi=doi,
        files=(place,),
    )


def squash(name: str) -> str:
    """A field's name as names are compared: `Abstract Note`, `abstract_note` and `abstractNote` are one."""
    return "".join(char for char in name.casefold() if char.isalnum())


def flatten(fields: Mapping[str, object]) -> dict[str, object]:
    """Fields by squashed name, those of the known inner objects too, OpenReview's `{"value": ...}` opened."""
    flat: dict[str, object] = {}
    layers: list[Mapping[str, object]] = [fields]
    for name, value in fields.items():
        if isinstance(value, Mapping) and squash(str(name)) in _INNER:
            layers.append(value)
    for layer in layers:
        for name, value in layer.items():
            if isinstance(value, Mapping) and set(value) <= {"value", "readers"} and "value" in value:
                value = value["value"]
            if not _empty(value):
                flat.setdefault(squash(str(name)), value)
    return flat


def holds_paper(fields: Mapping[str, object]) -> bool:
    """Whether there is anything here that could be an abstract or a title."""
    flat = flatten(fields)
    return any(name in flat for name in (*ABSTRACT, *TITLE, "abstractinvertedindex"))


def _empty(value: object) -> bool:
    if isinstance(value, str):
        return value.strip().casefold() in _NOTHING
    return value is None or value == [] or value == {} or value != value


def _first(flat: Mapping[str, object], names: Iterable[str]) -> object:
    return next((flat[name] for name in names if name in flat), None)


def _text(flat: Mapping[str, object], names: Iterable[str]) -> str:
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
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, Mapping):
        inner = (
            value.get(key)
            for key in (
                "value",
                "display_name",
                "name",
                "title",
                "source",
                "url",
                "landing_page_url",
                "#text",
            )
        )
        return next((text for item in inner if (text := as_text(item, depth + 1))), "")
    if isinstance(value, Sequence):
        return next((text for item in value[:10] if (text := as_text(item, depth + 1))), "")
    return ""


def _abstract(flat: Mapping[str, object]) -> str:
    index = flat.get("abstractinvertedindex")
    for name in ABSTRACT:
        value = flat.get(name)
        if isinstance(value, Sequence) and not isinstance(value, str):
            value = " ".join(item for item in value if isinstance(item, str))
        elif isinstance(value, Mapping):
            value = as_text(value)
        if isinstance(value, str) and value.strip():
            return check_abstract(storable(value))
    if isinstance(index, Mapping):
        return check_abstract(storable(_uninvert(index)))
    raise NotAPaper("it has no abstract, so nothing to quote: add one (as abstract, summary or text), or leave it out")


def check_abstract(text: str) -> str:
    """The abstract itself, when it is one. Raises NotAPaper."""
    if len(text) > MAX_ABSTRACT:
        raise NotAPaper(
            f"its abstract has {len(text):,} characters (limit {MAX_ABSTRACT:,}): give abstracts, not full papers"
        )
    if not any(char.isalnum() for char in text) or _NO_ABSTRACT.fullmatch(text.strip()):
        raise NotAPaper(f"its abstract says nothing ({text.strip()[:40]!r}): add the real one, or leave it out")
    return text


def _uninvert(index: Mapping[str, object]) -> str:
    """OpenAlex's `{"We": [0, 5], ...}` back to text. Positions beyond the limit are left out."""
    words: dict[int, str] = {}
    for word, positions in index.items():
        if isinstance(positions, Sequence) and not isinstance(positions, str):
            words.update((at, word) for at in positions if isinstance(at, int) and 0 <= at < MAX_ABSTRACT)
    return " ".join(words[at] for at in sorted(words))


def _year(flat: Mapping[str, object]) -> int | None:
    """The year of publication: as such, else in the venue (`ICML 2026 poster`), else in a date."""
    venue = _text(flat, VENUE)
    said: Iterator[object] = chain(
        (flat.get(name) for name in YEAR), [venue if len(venue) < 200 else None], (flat.get(name) for name in DATE)
    )
    return next((year for value in said if value is not None and (year := year_in(value))), None)


def year_in(value: object, depth: int = 0) -> int | None:
    """The year in `2026`, `"2026-05-01"`, `"May 2026"`, CSL's `{"date-parts": [[2026]]}`, or milliseconds."""
    if isinstance(value, bool) or depth > 4:
        return None
    if isinstance(value, int | float):
        if 10**11 < value < 5 * 10**12:
            return 1970 + int(value / 31_556_952_000)
        return int(value) if 1500 <= value < 2100 else None
    if isinstance(value, str):
        found = _YEAR.search(value[:200])
        return int(found.group()) if found else None
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, Sequence):
        return next((year for item in value[:10] if (year := year_in(item, depth + 1))), None)
    return None


def _url(flat: Mapping[str, object]) -> str | None:
    for name in URL:
        value = flat.get(name)
        if isinstance(value, Mapping):
            value = value.get("landing_page_url") or value.get("url")
        text = as_text(value).strip()
        if re.match(r"https?://\S+$", text, re.IGNORECASE):
            return storable(text)
    own = as_text(flat.get("id")).strip()
    return own if re.match(r"https?://\S+$", own, re.IGNORECASE) else None


def record_ids(flat: Mapping[str, object], url: str | None) -> tuple[str, ...]:
    """Every global identifier the record holds, in the order found."""
    found: list[str | None] = []
    for name in DOI:
        value = flat.get(name)
        found += [global_id("doi", as_text(item)) for item in (value[:20] if isinstance(value, list) else [value])]
    for kind, names in _IDS:
        found += [global_id(kind, as_text(flat[name])) for name in names if name in flat]
    own = as_text(flat.get("id")) or as_text(flat.get("key"))
    found.append(id_by_form(own))
    if not _ARXIV_SIGNS.isdisjoint(flat) or _on_arxiv(flat):
        found.append(global_id("arxiv", as_text(flat.get("eprint")) or own))
    if url:
        found.append(id_in_url(url))
    return tuple(dict.fromkeys(given for given in found if given))


def _on_arxiv(flat: Mapping[str, object]) -> bool:
    return any("arxiv" in as_text(flat.get(name)).casefold() for name in ("archiveprefix", "eprinttype", "archive"))
