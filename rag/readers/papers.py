"""A record, understood: its fields, whatever the export calls them, to a Paper."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain

from rag.readers.authors import author_names
from rag.readers.fields import (
    ABSTRACT,
    AUTHORS,
    DATE,
    DOI,
    TITLE,
    URL,
    VENUE,
    YEAR,
    as_text,
    first_text,
    flatten,
    year_in,
)
from rag.readers.identity import KINDS, best_id, global_id, id_by_form, id_in_url, link_to
from rag.readers.record import MAX_ABSTRACT, MAX_FIELD
from rag.readers.streams import storable
from rag.readers.titles import derive_title
from rag.types import Paper

_KINDS = {
    **dict.fromkeys(DOI, "doi"),
    **dict.fromkeys(("arxivid", "arxiv", "arxivnumber"), "arxiv"),
    **dict.fromkeys(("openreviewid", "openreview", "forum"), "openreview"),
    **dict.fromkeys(("pmid", "pubmedid", "pubmed"), "pmid"),
    **dict.fromkeys(("aclid", "aclanthologyid", "acl"), "acl"),
    **dict.fromkeys(("corpusid", "s2id", "s2corpusid", "paperid"), "s2"),
    **dict.fromkeys(("openalexid", "openalex"), "openalex"),
}
_ARXIV_SIGNS = frozenset({"categories", "versions", "submitter", "authorsparsed", "primarycategory", "journalref"})
_ARXIV_FIELDS = ("archiveprefix", "eprinttype", "archive")
_ARXIV_CITED = re.compile(
    r"\barxiv[: ]\s*(?:preprint arxiv:)?(\d{4}\.\d{4,5})\b|\babs/(\d{4}\.\d{4,5})\b", re.IGNORECASE
)
_NO_ABSTRACT = re.compile(
    r"[\[(]?(?:no|without) abstract(?: is)?(?: available| provided| found)?[\])]?\.?|abstract(?: is)? not available\.?|"
    r"[\[(]?(?:abstract|tbd|tba|not available|unavailable|withdrawn)[\])]?\.?",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w")
_OWN = ("citekey", "id", "key")
_OWN_ID = re.compile(r"(?!https?:|[0-9a-f]{8}-[0-9a-f]{4}-)[^\s()](?:[^()\n]{0,78}[^\s()])?")
_LINK = re.compile(r"https?://\S+", re.IGNORECASE)


class NotAPaper(Exception):
    """This record is no paper that can be quoted. The message says why and what to do."""


def paper_from(fields: Mapping[str, object], place: str) -> Paper:
    """The paper a record holds. `place` is where it was read. Raises NotAPaper.

    The abstract is kept as it is; a title's white space is one space; without a title, one is derived.
    """
    flat = flatten(fields)
    abstract = _abstract(flat)
    title = _line(flat, TITLE, "title")
    url = _url(flat)
    ids = _ids(flat, url)
    return Paper(
        id=best_id(ids, abstract),
        title=title or derive_title(abstract),
        title_source="given" if title else "derived",
        abstract=abstract,
        authors=author_names(next((flat[name] for name in AUTHORS if name in flat), None)),
        year=_year(flat),
        venue=_line(flat, VENUE, "venue") or None,
        url=url or _link(ids),
        doi=next((given[4:] for given in ids if given.startswith("doi:")), None),
        files=(_under_its_own_id(place, flat, ids),),
    )


def _under_its_own_id(place: str, flat: Mapping[str, object], ids: tuple[str, ...]) -> str:
    """Where it was read, with the id that it has there, if that is none the paper goes by: `refs.bib:12 (chen2026)`."""
    own = next((as_text(flat[name]).strip() for name in _OWN if name in flat), "")
    known = id_by_form(own) or any(own.lower().endswith(given.partition(":")[2].lower()) for given in ids)
    return f"{place} ({storable(own)})" if _OWN_ID.fullmatch(own) and not known else place


def _line(flat: Mapping[str, object], names: tuple[str, ...], what: str) -> str:
    text = " ".join(first_text(flat, names).split())
    if len(text) > MAX_FIELD:
        raise NotAPaper(f"its {what} has {len(text):,} characters (limit {MAX_FIELD:,}): that is no {what}")
    return text


def _abstract(flat: Mapping[str, object]) -> str:
    """The abstract itself: a text, a list of sentences (SciFact), or an inverted index (OpenAlex). Raises NotAPaper."""
    text = ""
    for name in ABSTRACT:
        value = flat.get(name)
        if isinstance(value, list):
            text = " ".join(item for item in value if isinstance(item, str))
        elif value is not None:
            text = as_text(value)
        if text.strip():
            break
    index = flat.get("abstractinvertedindex")
    if not text.strip() and isinstance(index, dict):
        text = _uninverted(index)
    if not text.strip():
        raise NotAPaper(
            "it has no abstract, so nothing to quote: add one (as abstract, summary or text), or leave it out"
        )
    if len(text) > MAX_ABSTRACT:
        raise NotAPaper(
            f"its abstract has {len(text):,} characters (limit {MAX_ABSTRACT:,}): give abstracts, not papers"
        )
    if not _WORD.search(text) or _NO_ABSTRACT.fullmatch(text.strip()):
        raise NotAPaper(f"its abstract says nothing ({text.strip()[:40]!r}): add the real one, or leave it out")
    return storable(text)


def _uninverted(index: Mapping[str, object]) -> str:
    """OpenAlex's `{"We": [0, 5], ...}` back to text. Positions beyond the limit are left out."""
    words: dict[int, str] = {}
    for word, positions in index.items():
        if isinstance(positions, list):
            words.update((at, word) for at in positions if isinstance(at, int) and 0 <= at < MAX_ABSTRACT)
    return " ".join(words[at] for at in sorted(words))


def _year(flat: Mapping[str, object]) -> int | None:
    """The year of publication: as such, else in the venue (`ICML 2026 poster`), else in a date."""
    said: Iterator[object] = chain(
        (flat[name] for name in YEAR if name in flat),
        [first_text(flat, VENUE)],
        (flat[name] for name in DATE if name in flat),
    )
    return next((year for value in said if (year := year_in(value))), None)


def _url(flat: Mapping[str, object]) -> str | None:
    for name in (*URL, "id"):
        value = flat.get(name)
        if isinstance(value, dict):
            value = value.get("landing_page_url") or value.get("url")
        if value is not None and _LINK.fullmatch(text := as_text(value).strip()) and len(text) <= MAX_FIELD:
            return storable(text)
    return None


def _link(ids: tuple[str, ...]) -> str | None:
    """Where a paper can be looked up. Not its DOI's page if it has another: `doi` says that already."""
    preferred = sorted(ids, key=lambda given: (given.startswith("doi:"), KINDS.index(given.partition(":")[0]), given))
    return next((link for given in preferred if (link := link_to(given))), None)


def _ids(flat: Mapping[str, object], url: str | None) -> tuple[str, ...]:
    """Every global identifier the record holds, in the order found."""
    found: list[str | None] = []
    for name, value in flat.items():
        if kind := _KINDS.get(name):
            found += [global_id(kind, as_text(item)) for item in (value[:20] if isinstance(value, list) else [value])]
    found += [id_by_form(as_text(flat[name])) for name in ("id", "key") if name in flat]
    if not _ARXIV_SIGNS.isdisjoint(flat) or any("arxiv" in as_text(flat.get(name)).lower() for name in _ARXIV_FIELDS):
        found.append(global_id("arxiv", as_text(flat.get("eprint")) or as_text(flat.get("id"))))
    for name in ("journal", "volume", "howpublished"):  # `arXiv preprint arXiv:2304.09848`, DBLP's `abs/2304.09848`
        if name in flat and (cited := _ARXIV_CITED.search(as_text(flat[name])[:200])):
            found.append(global_id("arxiv", cited[1] or cited[2]))
    if url:
        found.append(id_in_url(url))
    return tuple(dict.fromkeys(given for given in found if given))
