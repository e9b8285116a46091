"""Citations of a manuscript -> papers of the corpus: by list of references, exported key, author-year, id, or the name
of what a paper introduces."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from rag.export.entries import keys as export_keys
from rag.export.entries import name
from rag.library import Library
from rag.manuscript import Key, Reference
from rag.retrieve import Retriever
from rag.text.normalise import fold
from rag.text.tokens import content_terms
from rag.types import Paper

_SAME_TITLE = 0.8
_SHORTEST_TITLE = 12
_LOOKED_AT = 5
_SHORTEST_NAME = 3
_PARTED = re.compile(r"(?P<who>[^\W\d_]+?)(?:etal)?(?P<year>(?:19|20)\d\d)(?P<rest>\w*)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_JOINTS = re.compile(r"[\W_]+")
_SUBJECT = re.compile(
    r"(?P<who>[^\W\d_a-z][\w'’-]+(?:(?:, (?:and |& )?| and | & )[^\W\d_a-z][\w'’-]+){0,7})"
    r"(?P<all>,? et al\.?| and (?:colleagues|co-?authors|others|co-?workers))? +(?=[a-z])"
)
_BETWEEN = re.compile(r",? and |,? & |, ")
_NAMED = "the name of its system"


@dataclass(frozen=True, slots=True)
class _Author:
    """A paper as its authors and year: families in order, exported key, title, all as `_flat` writes them."""

    paper_id: str
    families: tuple[str, ...]
    year: int | None
    key: str
    title: str
    derived: bool


class Works:
    """What the keys of one manuscript stand for. Several papers where author and year fit several; () for unknown."""

    def __init__(self, library: Library, retriever: Retriever, references: Sequence[Reference]) -> None:
        self._library, self._retriever = library, retriever
        self._references = {reference.key: reference for reference in reversed(references) if reference.key}
        self._unkeyed = tuple(reference for reference in references if not reference.key)
        self._known: dict[Key, tuple[str, ...]] = {}
        self._named: set[Key] = set()
        self._families: dict[str, list[_Author]] | None = None

    def papers(self, key: Key) -> tuple[str, ...]:
        """Paper ids."""
        if key not in self._known:
            self._known[key] = self._find(key)
        return self._known[key]

    def how(self, key: Key) -> str:
        """By what a key that says nothing else was matched; "" where identifier, reference or author say it."""
        return _NAMED if self.papers(key) and key in self._named else ""

    def _find(self, key: Key) -> tuple[str, ...]:
        if key.style == "link":
            return self._resolved(key.text)
        if key.style == "name":
            return self._by_name(key.text)
        reference = self._references.get(key.text)
        if reference is not None:
            return self._referenced(reference) or self._untold(key)
        if key.style == "number":
            return ()
        if found := self._by_key(key.text):
            return found
        self._named.add(key)
        return self._by_system(key.text)

    def is_note(self, key: Key) -> bool:
        """Whether a footnote's mark leads to words that name no work: neither an identifier nor a year."""
        reference = self._references.get(key.text)
        says = reference is not None and (reference.ids or _YEAR.search(reference.text))
        return key.style == "number" and key.text.startswith("^") and not says and not self.papers(key)

    def _untold(self, key: Key) -> tuple[str, ...]:
        """By a system's name in the key, where the corpus does not know the paper's title and so cannot compare it."""
        found = self._by_system(key.text) if key.style == "key" else ()
        known = self._library.get(found)
        told = tuple(id_ for id_ in found if known[id_].title_source == "derived")
        if told:
            self._named.add(key)
        return told

    def _resolved(self, reference: str) -> tuple[str, ...]:
        return tuple(paper.id for paper in self._library.resolve(reference))

    def _referenced(self, reference: Reference) -> tuple[str, ...]:
        """An entry of a list: its identifiers, else its title; its authors only where the corpus knows no title."""
        for id_ in reference.ids:
            if found := self._resolved(id_):
                return found
        if reference.title and (found := self._titled(reference.title)):
            return found
        near = self._near(reference.title or reference.text)
        text = f" {fold(reference.text)} "
        spelled = [p.id for p in near if len(p.title) >= _SHORTEST_TITLE and f" {fold(p.title)}" in text]
        if spelled and not reference.title:
            return (spelled[0],)
        return self._untitled(reference)

    def _titled(self, title: str) -> tuple[str, ...]:
        """The paper of that title; a camera-ready version may differ by a word."""
        wanted = set(content_terms(title))
        exact = [paper for paper in self._library.resolve(title) if fold(paper.title) == fold(title)]
        if exact:
            return tuple(paper.id for paper in exact)
        for paper in self._near(title):
            own = set(content_terms(paper.title))
            if len(wanted) > 3 and len(wanted & own) >= _SAME_TITLE * len(wanted | own):
                return (paper.id,)
            if len(wanted) > 2 and paper.title_source == "derived" and wanted <= own:
                return (paper.id,)
        return ()

    def _near(self, text: str) -> tuple[Paper, ...]:
        hits = self._retriever.search(text, top_k=_LOOKED_AT).hits
        return tuple(self._library.get([hit.paper_id for hit in hits]).values())

    def _untitled(self, reference: Reference) -> tuple[str, ...]:
        """A paper whose title the corpus does not know, by the entry's first author and year."""
        if reference.authors:
            family = _flat(name(reference.authors[0]).family or reference.authors[0])
        else:
            first = re.search(r"[^\W\d_][\w'’-]+", reference.text)
            family = _flat(first[0]) if first else ""
        year = reference.year or next((int(y) for y in _YEAR.findall(reference.text)), None)
        found = [each for each in self._by_family(family) if each.derived and year and each.year in (None, year)]
        return tuple(each.paper_id for each in found)

    def _by_name(self, text: str) -> tuple[str, ...]:
        """ "Chen et al., 2026", "Wu and Li, 2025": the first author's family name, the second's where one is named."""
        who, _, when = text.rpartition(",")
        year = int(when.strip()[:4])
        several = re.search(r"\bet\.?\s+al\b|\b(?:colleagues|others)\b|等", who)
        bare = re.sub(r",?\s*(?:et\.?\s+al\b\.?|and colleagues|and others|等人?)", "", who)
        families = [_flat(part) for part in re.split(r"\s*(?:,|&|\band\b|\bund\b)\s*", bare) if part.strip()]
        if not families:
            return ()
        found = [each for each in self._by_family(families[0]) if each.year in (None, year)]
        if len(families) > 1:
            found = [each for each in found if each.families[: len(families)] == tuple(families)]
            found = [each for each in found if several or len(each.families) == len(families)]
        elif several:
            found = [each for each in found if len(each.families) > 1]
        return tuple(each.paper_id for each in found)

    def _by_key(self, text: str) -> tuple[str, ...]:
        """A bibliography key without an entry: an identifier, our export's key, or author, year and a title's word."""
        if len(text) >= 8 and (found := self._resolved(text)):
            return found
        flat = _flat(text)
        parted = _PARTED.fullmatch(flat)
        if parted is None:
            return ()
        year, rest = int(parted["year"]), parted["rest"]
        named = [each for each in self._by_family(parted["who"]) if each.year in (None, year)]
        exported = [each for each in named if flat == each.key] or [each for each in named if flat[:-1] == each.key]
        worded = [each for each in named if len(rest) > 2 and rest in each.title]
        return tuple(each.paper_id for each in exported or worded or (named if len(rest) < 2 else ()))

    def _by_system(self, text: str) -> tuple[str, ...]:
        """A key that is the name of what a paper introduces: `dflash`, `DFlash2026`, `chen_dflash`. The rest of the key
        must be that paper's year or an author."""
        parts = [part for part in _JOINTS.split(fold(text)) if part]
        if len(parts) > 1 and (whole := self._introduced("-".join(parts))):
            return whole
        for number, part in enumerate(parts):
            bare = _YEAR.sub("", part) if _YEAR.search(part) else part
            rest = {*parts[:number], *parts[number + 1 :], *(year for year in _YEAR.findall(part))}
            fitting = [id_ for id_ in self._introduced(bare) if self._fits(id_, rest)]
            if fitting:
                return tuple(fitting)
        return ()

    def _introduced(self, name_: str) -> tuple[str, ...]:
        """By a system's name, also written without its hyphen (`eagle3`)."""
        if len(name_) < _SHORTEST_NAME or name_.isdigit():
            return ()
        parted = re.sub(r"(?<=[a-z])(?=\d+$)", "-", name_)
        return tuple(dict.fromkeys([*self._library.papers_named(name_), *self._library.papers_named(parted)]))

    def _fits(self, id_: str, rest: set[str]) -> bool:
        """Whether the other parts of a key are this paper's year or its authors."""
        paper = self._library.get([id_])[id_]
        families = {_flat(name(author).family or author) for author in paper.authors}
        years = {part for part in rest if _YEAR.fullmatch(part)}
        return rest - years - {"etal", "et", "al"} <= families and years <= {str(paper.year or next(iter(years), ""))}

    def _by_family(self, family: str) -> Sequence[_Author]:
        if self._families is None:
            self._families = defaultdict(list)
            for paper in self._library.papers():
                if paper.authors:
                    author = _author(paper)
                    self._families[author.families[0]].append(author)
        return self._families.get(family, ())


def said_of(reading: str, paper: Paper) -> str:
    """A sentence as it reads of this paper: its authors, who are named as the subject, are "we" in the abstract."""
    subject = _SUBJECT.match(reading)
    if subject is None:
        return reading
    spoken = [_flat(part) for part in _BETWEEN.split(subject["who"]) if part]
    families = {_flat(name(author).family or author) for author in paper.authors}
    several = len(spoken) > 1 or subject["all"]
    return f"We {reading[subject.end() :]}" if several and set(spoken) <= families else reading


def _author(paper: Paper) -> _Author:
    names = [name(author) for author in paper.authors]
    families = tuple(_flat(each.family or each.literal) for each in names)
    key, derived = _flat(export_keys((paper,))[0]), paper.title_source == "derived"
    return _Author(paper.id, families, paper.year, key, "" if derived else _flat(paper.title), derived)


def _flat(text: str) -> str:
    """Letters and digits alone, case and accents folded."""
    return "".join(char for char in fold(text) if char.isalnum())
