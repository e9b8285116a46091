"""Which paper a record is: identifiers in the spellings people use, and the one it goes by.

A paper goes by the first it has of DOI, arXiv, OpenReview, PubMed, ACL Anthology, Semantic Scholar and OpenAlex
identifiers, else by a hash of its abstract. A bare `id` of unknown kind (`{"id": "61926"}`) numbers a file's own
records: two files may both hold a 1, so it is never an identity. It counts only where its form, or the record around
it, says whose it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote

from rag.text.normalise import content_key

KINDS = ("doi", "arxiv", "openreview", "pmid", "acl", "s2", "openalex")

MAX_ID = 1_000
"""Characters of a value in which an identifier is looked for."""

_DOI = re.compile(r"10\.\d[\d.]*/[^\s\"{}|\\^`#]+", re.ASCII)
_ARXIV = re.compile(  # `2304.09848v2 [cs.CL]` is how exports write it
    r"(?P<id>\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?(?:\s*\[[\w.-]+\])?",
    re.ASCII | re.IGNORECASE,
)
_FORMS = {
    "openreview": re.compile(r"[\w-]{8,16}", re.ASCII),
    "pmid": re.compile(r"\d{1,9}", re.ASCII),
    "acl": re.compile(r"[A-Z]\d{2}-\d{4,5}|\d{4}\.[\w-]+\.\d+", re.ASCII),
    "s2": re.compile(r"[0-9a-f]{40}|\d{1,12}", re.ASCII),
    "openalex": re.compile(r"W\d{3,12}", re.ASCII | re.IGNORECASE),
}
_SITES = (
    ("doi", re.compile(r"doi\.org/(?P<id>[^?#\s]+)", re.IGNORECASE)),
    (
        "arxiv",
        re.compile(r"arxiv\.org/(?:abs|pdf|html)/(?P<id>[^?#\s]+?)(?:\.pdf)?/?(?:[?#]|$)", re.IGNORECASE),
    ),
    ("openreview", re.compile(r"openreview\.net/(?:forum|pdf)\?(?:.*&)?id=(?P<id>[\w-]+)", re.IGNORECASE)),
    (
        "pmid",
        re.compile(r"(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/(?P<id>\d+)", re.IGNORECASE),
    ),
    ("acl", re.compile(r"aclanthology\.org/(?P<id>[\w.-]+?)(?:\.pdf|\.bib)?/?(?:[?#]|$)", re.IGNORECASE)),
    ("s2", re.compile(r"semanticscholar\.org/paper/(?:[^/\s]*/)?(?P<id>[0-9a-f]{40})", re.IGNORECASE)),
    ("openalex", re.compile(r"openalex\.org/(?:works/)?(?P<id>W\d+)", re.IGNORECASE)),
)
_PREFIXES = {"doi": "doi", "arxiv": "arxiv", "openreview": "openreview", "pmid": "pmid", "pubmed": "pmid", "acl": "acl",
             "corpusid": "s2", "s2": "s2", "openalex": "openalex"}  # fmt: skip

_PAGES = {
    "doi": "https://doi.org/",
    "arxiv": "https://arxiv.org/abs/",
    "openreview": "https://openreview.net/forum?id=",
    "pmid": "https://pubmed.ncbi.nlm.nih.gov/",
    "acl": "https://aclanthology.org/",
}


def global_id(kind: str, value: str) -> str | None:
    """`kind:value` in its one spelling, or None when `value` is not an identifier of that kind."""
    value = unquote(value[:MAX_ID]).strip()
    if kind == "doi":
        return _doi(value)
    if kind == "arxiv":
        value = re.sub(r"^arxiv[:.\s]\s*", "", value, flags=re.IGNORECASE)
        match = _ARXIV.fullmatch(value)
        return "arxiv:" + match["id"].lower() if match else None
    form = _FORMS[kind].fullmatch(re.sub(rf"^{kind}:\s*", "", value, flags=re.IGNORECASE))
    if not form:
        return None
    found = form.group()
    return f"{kind}:{found.upper() if kind == 'openalex' else found}"


def _doi(value: str) -> str | None:
    match = _DOI.search(value)
    if not match:
        return None
    doi = match.group().rstrip(".,;:'").lower()
    if doi.endswith(")") and doi.count("(") < doi.count(")"):
        doi = doi[:-1]
    arxiv = doi.removeprefix("10.48550/arxiv.")
    if arxiv != doi:
        return global_id("arxiv", arxiv)
    return f"doi:{doi}"


def id_in_url(url: str) -> str | None:
    """The identifier a link holds: of doi.org, arxiv.org, openreview.net, PubMed, ACL Anthology, Semantic Scholar..."""
    for kind, site in _SITES:
        match = site.search(url[:MAX_ID])
        if match and (found := global_id(kind, match["id"])):
            return found
    return None


def id_by_form(value: str) -> str | None:
    """An identifier that says its own kind: a link, `arXiv:2304.09848`, `PMID: 123`, a DOI. Else None."""
    value = value.strip()
    if "//" in value:
        return id_in_url(value)
    if value.startswith("10."):
        return global_id("doi", value)
    prefix, colon, rest = value.partition(":")
    kind = _PREFIXES.get(prefix.strip().casefold())
    return global_id(kind, rest) if colon and kind else None


def link_to(given: str) -> str | None:
    """Where an identifier can be looked up."""
    kind, _, value = given.partition(":")
    site = _PAGES.get(kind)
    return f"{site}{value}" if site else None


def best_id(ids: Iterable[str], abstract: str) -> str:
    """The id a paper goes by: the first kind it has in the order of `KINDS`, else `text:` and its content key."""
    known = {given for given in ids if given.partition(":")[0] in KINDS}
    if not known:
        return "text:" + content_key(abstract)
    return min(known, key=lambda given: (KINDS.index(given.partition(":")[0]), given))
