"""Where the answer is to be looked for: filters said in words, papers the question names, the sides of a comparison."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rag.text.names import names as names_in
from rag.text.normalise import fold
from rag.types import Filters, Paper

if TYPE_CHECKING:
    from rag.library import Library

_WORKS: Final = r"(?:papers?|articles?|publications?|works?|abstracts?|research|studies|literature|published|appeared|presented|发表|论文)"
_YEAR: Final = r"((?:19|20)\d\d)"
_YEAR_RULES: Final = (
    (re.compile(rf"\bbetween {_YEAR} and {_YEAR}|\bfrom {_YEAR} (?:to|until|-|–) ?{_YEAR}"), "range"),
    (re.compile(rf"\b(?:since|from) {_YEAR}(?: on(?:wards?)?)?|\b{_YEAR} or later\b"), "from"),
    (re.compile(rf"\bafter {_YEAR}"), "after"),
    (re.compile(rf"\b(?:until|up to|through) {_YEAR}|\b{_YEAR} or earlier\b"), "to"),
    (re.compile(rf"\bbefore {_YEAR}"), "before"),
    (re.compile(rf"\b(?:in|of|from|during|at \w+) {_YEAR}\b|{_YEAR} ?年"), "in"),
)
_AUTHOR_SAID: Final = re.compile(
    r"\b(?:papers?|articles?|publications?|works?|published|written|authored|co-?authored|research) (?:\w+ ){0,2}?by "
    r"(?P<by>[^\W\d_][\w'’.-]*(?: (?:(?:van|von|de|der|den|del|di|la|le|bin|al) )*[^\W\d_][\w'’.-]*){0,3})"
    r"|\b(?:did|has|have|does) (?P<did>[^\W\d_][\w'’.-]*(?: [^\W\d_][\w'’.-]*){0,3}?) (?:co-?)?(?:writ|wrote|author|publish|work on|contribut)"
    r"|\bauthors? (?:is|named|called) (?P<named>[^\W\d_][\w'’.-]*(?: [^\W\d_][\w'’.-]*){0,3})",
    re.IGNORECASE,
)
_REFERENCE: Final = re.compile(
    r"https?://[^\s<>\"'”)\]]+|\b(?:doi|arxiv|openreview|pmid|s2|text):\s?[\w./-]+\w|\b10\.\d{4,9}/[\w.()/:;-]+\w|\b\d{4}\.\d{4,5}\b"
    r"|\b(?=[A-Za-z\d_-]*\d)(?=[A-Za-z\d_-]*[A-Z])(?=[A-Za-z\d_-]*[a-z])[A-Za-z\d_-]{10}\b"
)
_QUOTED: Final = re.compile(r"[\"“«「『《‘']([^\"”»」』》’']{8,250})[\"”»」』》’']")
_SIDES: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bdifferences? (?:is there )?between (?P<a>.+?) and (?P<b>.+)",
        r"\b(?:compare|contrast|comparison (?:of|between)) (?P<a>.+?) (?:and|with|to|against|versus|vs\.?) (?P<b>.+)",
        r"\bhow (?:do|does|is|are) (?P<a>.+?) (?:compare|differ|different)(?:ent)?(?:s)? (?:to|with|from|against) (?P<b>.+)",
        r"\bhow (?:do|are) (?P<a>.+?) and (?P<b>.+?) (?:compare|differ|different|relate)",
        r"\b(?:do|have) (?P<a>.+?) and (?P<b>.+?) (?:have )?in common",
        r"\bwhich (?:\w+ )?(?:is|are|has|have|gives?|reports?|uses?) .+?[,:] (?P<a>.+?) or (?P<b>.+)",
        r"(?P<a>.+?) (?:vs\.?|versus) (?P<b>.+)",
        r"(?:比较|对比)(?P<a>.+?)(?:和|与|跟|同)(?P<b>.+)",
        r"(?P<a>.+?)(?:和|与|跟)(?P<b>.+?)(?:的|有)?(?:区别|比较|对比|有?何不同|什么不同)",
    )
)
_TAIL: Final = re.compile(
    r"[?.!？。！]+\s*$|,? (?:in terms of|with respect to|regarding|on how|by their) .*$"
)


def filters_said(folded: str, text: str, library: Library | None) -> Filters:
    """Years, venues and authors that the question restricts papers to; only what some paper of the corpus has."""
    years = _years(folded) if re.search(_WORKS, folded) else (None, None)
    known = (
        tuple(library.papers())
        if library is not None and (years != (None, None) or _may_restrict(text))
        else ()
    )
    venues = tuple(dict.fromkeys(p.venue for p in known if p.venue and _at_venue(p.venue, folded)))
    authors = author_said(text, known)
    return Filters(year_from=years[0], year_to=years[1], venues=venues, authors=authors)


def _may_restrict(text: str) -> bool:
    return bool(re.search(r"\b(?:at|in|from|by|did|has|have)\b|author", text, re.IGNORECASE))


def _at_venue(venue: str, folded: str) -> bool:
    if not re.search(_WORKS, folded):
        return False
    return bool(re.search(rf"\b(?:at|in|from|by|of)(?: the)? {re.escape(fold(venue))}\b", folded))


def _years(folded: str) -> tuple[int | None, int | None]:
    for pattern, kind in _YEAR_RULES:
        found = pattern.search(folded)
        if not found:
            continue
        years = [int(group) for group in found.groups() if group]
        low, high = years[0], years[-1]
        bounds: dict[str, tuple[int | None, int | None]] = {
            "range": (min(low, high), max(low, high)),
            "from": (low, None),
            "after": (low + 1, None),
            "to": (None, low),
            "before": (None, low - 1),
            "in": (low, low),
        }
        return bounds[kind]
    return None, None


def author_said(text: str, papers: Sequence[Paper]) -> tuple[str, ...]:
    """The author a question restricts to ("papers by Rainforth"), as the corpus spells the name; () when none."""
    for found in _AUTHOR_SAID.finditer(text):
        said = fold(found["by"] or found["did"] or found["named"] or "").rstrip("?.!,").split()
        while said:
            matching = {a for p in papers for a in p.authors if _same_person(said, fold(a).split())}
            if matching:
                return (" ".join(said),)
            said = said[:-1]
    return ()


def author_unmet(text: str) -> str | None:
    """A person said to have written papers, capitalised; for a library that has none by that name."""
    found = _AUTHOR_SAID.search(text)
    said = (found["by"] or found["did"] or found["named"] or "") if found else ""
    words = [word for word in said.rstrip("?.!,").split() if word[:1].isupper()]
    return " ".join(words) if words and words == said.rstrip("?.!,").split()[: len(words)] else None


def _same_person(said: list[str], full: list[str]) -> bool:
    """Whole words of the name, a family name among them: "Rainforth", "Tom Rainforth"; never a lone first name's part."""
    return bool(full) and set(said) <= set(full) and (len(said) > 1 or said[0] == full[-1])


def papers_named(text: str, library: Library | None, filters: Filters) -> tuple[str, ...]:
    """Ids of the papers that the question names: an id or URL, a quoted or written-out title, a system's name."""
    if library is None:
        return ()
    found: dict[str, None] = {}
    for pattern in (_REFERENCE, _QUOTED):
        for match in pattern.finditer(text):
            reference = match[1] if match.groups() else match[0]
            found.update((paper.id, None) for paper in library.resolve(reference))
    for name in names_in(text):
        introducing = library.papers_named(name.norm)
        if len(introducing) <= 3:
            found.update(dict.fromkeys(introducing))
    allowed = set(filters.paper_ids)
    return tuple(paper_id for paper_id in found if not allowed or paper_id in allowed)


def sides(text: str) -> tuple[str, ...]:
    """The two things compared, as written; () when the question does not name two."""
    for pattern in _SIDES:
        found = pattern.search(text)
        if found:
            return tuple(_TAIL.sub("", found[side]).strip(" ,:;\"'") for side in ("a", "b"))
    return ()
