"""One paper from several places: when two records are one paper, and what they say together.

Records arrive one by one, in any order. Those that might be one paper share a key of `merge_keys`; `settle` takes all
that are linked by shared keys (mostly one alone) and gives the papers they are, whatever their order.

- A shared global identifier makes one paper, unless title and abstract both say otherwise (a whole volume's DOI).
- The same abstract makes one paper, unless given titles differ, or identifiers of one kind do.
- Anything else stays apart; where two such would have equal ids, `#` and a hash of title and abstract is added.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rag.readers.identity import KINDS, best_id, id_in_url
from rag.text.normalise import content_key, fold
from rag.types import Paper

_APART = "#"
_NUMBERS = re.compile(r"(\d+)")
_WORD = re.compile(r"\w+")

MAX_COMPARED = 300
"""Different records linked by shared keys that are still compared each with each."""


def known_ids(paper: Paper) -> frozenset[str]:
    """The global identifiers a paper shows: in its id, its DOI, its link."""
    shown = {paper.id.partition(_APART)[0]}
    if paper.doi:
        shown.add(f"doi:{paper.doi}")
    if paper.url and (linked := id_in_url(paper.url)):
        shown.add(linked)
    return frozenset(given for given in shown if given.partition(":")[0] in KINDS)


def merge_keys(paper: Paper) -> tuple[str, ...]:
    """What a paper may share with another record of itself: its identifiers, and its abstract's content key. Sorted."""
    return tuple(sorted(known_ids(paper) | {"text:" + content_key(paper.abstract)}))


@dataclass(frozen=True, slots=True)
class _Facts:
    """What is compared of a paper, worked out once."""

    ids: frozenset[str]
    kinds: frozenset[str]
    text: str
    title: str
    given: bool
    words: frozenset[str]
    title_words: frozenset[str]

    @classmethod
    def of(cls, paper: Paper) -> _Facts:
        ids = known_ids(paper)
        return cls(
            ids=ids,
            kinds=frozenset(given.partition(":")[0] for given in ids),
            text=content_key(paper.abstract),
            title=_title_key(paper),
            given=paper.title_source == "given",
            words=_words(paper.abstract) if ids else frozenset(),
            title_words=_words(paper.title) if ids else frozenset(),
        )


def _same(a: _Facts, b: _Facts) -> bool:
    """Whether two records are one paper. Symmetric; not transitive (a bare abstract fits two papers that share it)."""
    one_text, one_title = a.text == b.text, a.title == b.title
    if a.ids & b.ids:
        return one_text or one_title or _alike(a, b)
    if a.kinds & b.kinds:
        return False
    return one_text and (one_title or not (a.given and b.given))


def _alike(a: _Facts, b: _Facts) -> bool:
    """Two versions of one paper share over half the words of a title or an abstract; unrelated ones at most 0.41."""
    return (a.given and b.given and _overlap(a.title_words, b.title_words) > 0.5) or _overlap(a.words, b.words) > 0.5


def _overlap(a: frozenset[str], b: frozenset[str]) -> float:
    """Shared words over those of the shorter text, 0 to 1."""
    return len(a & b) / max(1, min(len(a), len(b)))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(fold(text)))


def _title_key(paper: Paper) -> str:
    return "".join(char for char in fold(paper.title) if char.isalnum())


def merge(papers: Sequence[Paper]) -> Paper:
    """What records of one paper say together, whatever their order. At least one.

    A given title beats a derived one, a field beats none; else the longer counts, then the later in the alphabet;
    the earlier year. The abstract goes with nothing else: the longest version is kept whole.
    """
    if len(papers) == 1:
        return papers[0]
    abstract = max((paper.abstract for paper in papers), key=_length)
    titled = max(papers, key=lambda paper: (paper.title_source == "given", *_length(paper.title)))
    places = {place for paper in papers for place in paper.files}
    return Paper(
        id=best_id(frozenset[str]().union(*map(known_ids, papers)), abstract),
        title=titled.title,
        title_source=titled.title_source,
        abstract=abstract,
        authors=max((paper.authors for paper in papers), key=lambda names: (len(names), sum(map(len, names)), names)),
        year=min((paper.year for paper in papers if paper.year is not None), default=None),
        venue=max((paper.venue for paper in papers if paper.venue), key=_length, default=None),
        url=max((paper.url for paper in papers if paper.url), key=_length, default=None),
        doi=min((paper.doi for paper in papers if paper.doi), default=None),
        files=tuple(sorted(places, key=_natural)),
    )


def _length(text: str) -> tuple[int, str]:
    return len(text), text


def _natural(place: str) -> tuple[tuple[int, int, str], ...]:
    """`a.txt:9` before `a.txt:10`."""
    parts = _NUMBERS.split(place)
    return tuple((int(part.isdigit()), int(part) if part.isdigit() else 0, part) for part in parts)


def settle(records: Iterable[Paper]) -> tuple[Paper, ...]:
    """The papers that records linked by shared keys are: merged where they are one, with different ids where not.

    The result depends on the set of records only, not on their order. Sorted by id. More than `MAX_COMPARED` records
    that differ are no versions of one paper, and not compared each with each: only equal ids and titles merge there.
    """
    alone: dict[tuple[str, ...], list[Paper]] = {}
    for paper in records:
        exact = (paper.id, paper.title_source, paper.title, paper.abstract, paper.doi or "", paper.url or "")
        alone.setdefault(exact, []).append(paper)
    different = [merge(same) for same in alone.values()]
    groups = _compared(different) if len(different) <= MAX_COMPARED else _by_name(different)
    merged = [merge(group) for group in groups]
    shared = Counter(paper.id for paper in merged)
    named: dict[str, list[Paper]] = {}
    for paper in merged:
        own = _apart(paper) if shared[paper.id] > 1 else paper
        named.setdefault(own.id, []).append(own)
    return tuple(replace(merge(named[paper_id]), id=paper_id) for paper_id in sorted(named))


def _compared(papers: Iterable[Paper]) -> list[list[Paper]]:
    """Groups in which each record is one paper with each other."""
    groups: list[list[tuple[Paper, _Facts]]] = []
    for paper in sorted(papers, key=_most_telling):
        facts = _Facts.of(paper)
        home = next((group for group in groups if all(_same(facts, other) for _, other in group)), None)
        if home is None:
            groups.append([(paper, facts)])
        else:
            home.append((paper, facts))
    return [[paper for paper, _ in group] for group in groups]


def _by_name(papers: Iterable[Paper]) -> list[list[Paper]]:
    groups: dict[tuple[str, str], list[Paper]] = {}
    for paper in sorted(papers, key=_most_telling):
        groups.setdefault((paper.id, _title_key(paper)), []).append(paper)
    return list(groups.values())


def _most_telling(paper: Paper) -> tuple[object, ...]:
    """A total order, papers with identifiers and given titles first."""
    return (
        -len(known_ids(paper)), paper.title_source != "given", paper.id, paper.title, paper.abstract, paper.authors,
        paper.year or 0, paper.venue or "", paper.url or "", paper.doi or "", paper.files,
    )  # fmt: skip


def _apart(paper: Paper) -> Paper:
    own = f"{_title_key(paper)} {paper.abstract}"
    return replace(paper, id=f"{paper.id}{_APART}{content_key(own)[:12]}")
