"""Where the answer is to be looked for: filters said in words, papers the question names, the sides of a comparison."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rag.question.words import FRAME
from rag.retrieve.named import MOST_OF_ONE_NAME, cited, systems, with_titles_as
from rag.text.function_words import NAME_PARTICLES
from rag.text.names import names as names_in
from rag.text.normalise import fold
from rag.text.tokens import STOPWORDS, tokenise
from rag.types import Filters

if TYPE_CHECKING:
    from rag.library import Library

_WORKS: Final = (
    r"(?:papers?|articles?|publications?|works?|abstracts?|research|studies|literature|"
    r"published|appeared|presented|发表|论文)"
)
_YEAR: Final = r"((?:19|20)\d\d)"
_YEAR_RULES: Final = (
    (re.compile(rf"\bbetween {_YEAR} and {_YEAR}|\bfrom {_YEAR} (?:to|until|-|–) ?{_YEAR}"), "range"),
    (re.compile(rf"\bsince {_YEAR}|\bfrom {_YEAR} on(?:wards?)?\b|\b{_YEAR} or later\b"), "from"),
    (re.compile(rf"\bafter {_YEAR}"), "after"),
    (re.compile(rf"\b(?:until|up to|through) {_YEAR}|\b{_YEAR} or earlier\b"), "to"),
    (re.compile(rf"\bbefore {_YEAR}"), "before"),
    (re.compile(rf"\b(?:in|of|from|during|(?:at|in|from|of) [a-z]\w+) {_YEAR}\b|{_YEAR} ?年"), "in"),
)
_AUTHOR_SAID: Final = re.compile(
    r"\b(?:papers?|articles?|publications?|works?|published|written|authored|co-?authored|"
    r"research) (?:\w+ ){0,2}?by "
    rf"(?P<by>[^\W\d_][\w'’.-]*(?: (?:(?:{NAME_PARTICLES}) )*[^\W\d_][\w'’.-]*){{0,3}})"
    r"|\b(?:did|has|have|"
    r"does) (?P<did>[^\W\d_][\w'’.-]*(?: [^\W\d_][\w'’.-]*){0,3}?) (?:co-?)?(?:writ|wrote|"
    r"author(?!s\b)|publish|work on|contribut)"
    r"|\b(?:works?|anything|something|everything|papers?|articles?) (?:of|by|"
    r"from) (?P<of>(?-i:[A-Z])[\w'’.-]*(?: (?-i:[A-Z])[\w'’.-]*){1,3})"
    r"|\bauthors? (?:is|named|called) (?P<named>[^\W\d_][\w'’.-]*(?: [^\W\d_][\w'’.-]*){0,3})",
    re.IGNORECASE,
)
_VENUE_SAID: Final = re.compile(r"\b(?:at|in|from|by|of)(?: the)? ([A-Z][\w-]*(?: [A-Z][\w-]*){0,3})")
_CAPITALISED_RUN: Final = re.compile(
    rf"[A-Z][^\W\d_]*[.'’]?[^\W\d_]*(?:[ -](?:(?:{NAME_PARTICLES}) )*[A-Z][^\W\d_]*[.]?)+"
)
_LOWER_CASE: Final = re.compile(r"(?<![\w-])[a-z][a-z\d-]{3,}(?![\w-])")
_SIDES: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bdifferences? (?:is there )?between (?P<a>.+?) and (?P<b>.+)",
        r"\b(?:compare|contrast|comparison (?:of|between)) (?P<a>.+?) (?:and|with|to|against|"
        r"versus|vs\.?) (?P<b>.+)",
        r"\bhow (?:do|does|is|are) (?P<a>.+?) (?:compare|differ|"
        r"different)(?:ent)?(?:s)? (?:to|with|from|against) (?P<b>.+)",
        r"\bhow (?:do|are) (?P<a>.+?) and (?P<b>.+?) (?:compare|differ|different|relate)",
        r"\b(?:do|have) (?P<a>.+?) and (?P<b>.+?) (?:have )?in common",
        r"\bwhich (?:\w+ )?(?:is|are|has|have|gives?|reports?|uses?) .+?[,:] (?P<a>.+?) or (?P<b>.+)",
        r"(?P<a>.+?) (?:vs\.?|versus) (?P<b>.+)",
        r"(?:比较|对比)(?P<a>.+?)(?:和|与|跟|同)(?P<b>.+)",
        r"(?P<a>.+?)(?:和|与|跟)(?P<b>.+?)(?:的|有)?(?:区别|比较|对比|有?何不同|什么不同)",
    )
)
WORDS_OF_A_NAME: Final = 2
"""Of capitals that are not said to be an author's: "Deep Hierarchical Agent" is by no Deep."""
_TAIL: Final = re.compile(r"[?.!？。！]+\s*$|,? (?:in terms of|with respect to|regarding|on how|by their) .*$")


def filters_said(folded: str, text: str, library: Library | None) -> Filters:
    """Years, venues and authors that the question restricts papers to; only what some paper of the corpus has."""
    of_works = bool(re.search(_WORKS, folded))
    years = _years(folded) if of_works else (None, None)
    if library is None:
        return Filters(year_from=years[0], year_to=years[1])
    venues = tuple(v for v in _venues_said(text) if _any(library, Filters(venues=(v,)))) if of_works else ()
    return Filters(year_from=years[0], year_to=years[1], venues=venues, authors=author_said(text, library))


def _any(library: Library, filters: Filters) -> bool:
    return next(iter(library.papers(filters)), None) is not None


def _venues_said(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found[1] for found in _VENUE_SAID.finditer(text)))


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


def author_said(text: str, library: Library) -> tuple[str, ...]:
    """The author a question names ("papers by Rainforth"), as written; () when no paper has one."""
    sure = _said_to_be_authors(text)
    for said in authors_said(text):
        words = said.split()
        while len(words) >= (1 if said in sure else WORDS_OF_A_NAME):
            name = " ".join(words)
            held = library.papers(Filters(authors=(name,)))
            if any(_same_person(fold(name).split(), fold(author).split()) for p in held for author in p.authors):
                return (name,)
            words = words[:-1]
    return ()


def authors_said(text: str) -> tuple[str, ...]:
    """What may be a person's name: after "papers by" and the like, or two and more capitalised words in a row."""
    runs = [" ".join(_bare_name(found[0].split())) for found in _CAPITALISED_RUN.finditer(text)]
    return tuple(dict.fromkeys(name for name in (*_said_to_be_authors(text), *runs) if name))


def _said_to_be_authors(text: str) -> list[str]:
    said = [found["by"] or found["did"] or found["of"] or found["named"] or "" for found in _AUTHOR_SAID.finditer(text)]
    return [" ".join(_bare_name(words.split())) for words in said]


def _bare_name(words: list[str]) -> list[str]:
    """A name without the question word it may begin with ("Did Yann LeCun"), possessives and full stops."""
    words = [re.sub(r"['’]s?$|[?.!,]+$", "", word) for word in words]
    while words and (fold(words[0]) in FRAME or fold(words[0]) in STOPWORDS):
        words = words[1:]
    return words


def author_unmet(text: str) -> str | None:
    """A person said to have written papers, capitalised; for a library that has none by that name."""
    found = _AUTHOR_SAID.search(text)
    said = _bare_name((found["by"] or found["did"] or found["of"] or found["named"] or "").split()) if found else []
    return " ".join(said) if said and all(word[:1].isupper() for word in said) else None


def _same_person(said: list[str], full: list[str]) -> bool:
    """Whole words of the name, a family name among them: "Rainforth", "Tom Rainforth"; never a first name alone."""
    return bool(full) and set(said) <= set(full) and (len(said) > 1 or said[0] == full[-1])


def papers_named(text: str, library: Library | None, filters: Filters) -> tuple[str, ...]:
    """Ids of the papers that the question names: an id or URL, a quoted or written-out title, a system's name."""
    if library is None:
        return ()
    found = dict.fromkeys((*cited(text, library), *systems(text, library)))
    allowed = set(filters.paper_ids)
    return tuple(paper_id for paper_id in found if not allowed or paper_id in allowed)


def as_written(text: str, library: Library | None) -> str:
    """The question with systems' names as their papers spell them: "distflow" is DistFlow if a paper brings it in."""
    if library is None:
        return text
    return _LOWER_CASE.sub(lambda found: _spelled(found[0], library), text)


def _spelled(word: str, library: Library) -> str:
    if word in FRAME or word in STOPWORDS:
        return word
    introducing = library.papers_named(word)
    stem = tokenise(word)[0].stem
    if not 1 <= len(introducing) <= MOST_OF_ONE_NAME or library.document_frequency([stem])[stem] > MOST_OF_ONE_NAME:
        return word
    papers = library.get(introducing).values()
    names = [name.text for p in papers for name in names_in(f"{p.title}. {p.abstract}") if name.norm == word]
    return next((name for name in names if name.casefold() == word), word)


def without_titles(text: str, library: Library) -> str:
    """The question without the titles it quotes: they say which paper, not what of it. As it is where nothing else is
    asked."""
    rest = with_titles_as(" ", text, library)
    return rest if any(fold(word) not in FRAME for word in re.findall(r"[^\W\d_]{3,}", rest)) else text


def sides(text: str) -> tuple[str, ...]:
    """The two things compared, as written; () when the question does not name two."""
    for pattern in _SIDES:
        found = pattern.search(text)
        if found:
            return tuple(_TAIL.sub("", found[side]).strip(" ,:;\"'") for side in ("a", "b"))
    return ()
