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
from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

from rag.readers.identity import KINDS, best_id, id_in_url
from rag.text.normalise import content_key, fold
from rag.types import Paper

_APART = "#"
_NUMBERS = re.compile(r"(\d+)")


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


def same_paper(a: Paper, b: Paper) -> bool:
    """Whether two records are one paper. Symmetric; not transitive (a bare abstract fits two papers that share it)."""
    first, second = known_ids(a), known_ids(b)
    one_text = content_key(a.abstract) == content_key(b.abstract)
    one_title = _title_key(a) == _title_key(b)
    if first & second:
        return one_text or one_title or _alike(a, b)
    if _kinds(first) & _kinds(second):
        return False
    given = a.title_source == b.title_source == "given"
    return one_text and (one_title or not given)


def _kinds(ids: frozenset[str]) -> set[str]:
    return {given.partition(":")[0] for given in ids}


def _title_key(paper: Paper) -> str:
    return "".join(char for char in fold(paper.title) if char.isalnum())


def _alike(a: Paper, b: Paper) -> bool:
    """Two versions of one paper share most words of its title, or half of those of its abstract."""
    if a.title_source == b.title_source == "given" and _overlap(a.title, b.title) >= 0.5:
        return True
    return _overlap(a.abstract, b.abstract) >= 0.5


def _overlap(first: str, second: str) -> float:
    """Shared words over those of the shorter text, 0 to 1."""
    one, other = set(re.findall(r"\w+", fold(first))), set(re.findall(r"\w+", fold(second)))
    return len(one & other) / max(1, min(len(one), len(other)))


def merge(a: Paper, b: Paper) -> Paper:
    """What two records of one paper say together: `merge(a, b) == merge(b, a)`, in any grouping.

    A given title beats a derived one, a field beats none; else the longer counts, then the later in the alphabet;
    the earlier year. The abstract goes with nothing else: the longest version is kept whole.
    """
    abstract = max(a.abstract, b.abstract, key=lambda text: (len(text), text))
    titled = max(a, b, key=lambda paper: (paper.title_source == "given", len(paper.title), paper.title))
    years = [year for year in (a.year, b.year) if year is not None]
    return Paper(
        id=best_id(known_ids(a) | known_ids(b), abstract),
        title=titled.title,
        title_source=titled.title_source,
        abstract=abstract,
        authors=max(a.authors, b.authors, key=lambda names: (len(names), sum(map(len, names)), names)),
        year=min(years, default=None),
        venue=_fuller(a.venue, b.venue),
        url=_fuller(a.url, b.url),
        doi=min((doi for doi in (a.doi, b.doi) if doi), default=None),
        files=tuple(sorted({*a.files, *b.files}, key=_natural)),
    )


def _fuller(a: str | None, b: str | None) -> str | None:
    return max((text for text in (a, b) if text), key=lambda text: (len(text), text), default=None)


def _natural(place: str) -> tuple[tuple[int, int, str], ...]:
    """`a.txt:9` before `a.txt:10`."""
    parts = _NUMBERS.split(place)
    return tuple((int(part.isdigit()), int(part) if part.isdigit() else 0, part) for part in parts)


def settle(records: Iterable[Paper]) -> tuple[Paper, ...]:
    """The papers that records linked by shared keys are: merged where they are one, with different ids where not.

    The result depends on the set of records only, not on their order. Sorted by id.
    """
    groups: list[list[Paper]] = []
    for paper in sorted(records, key=_most_telling):
        home = next((group for group in groups if all(same_paper(paper, other) for other in group)), None)
        if home is None:
            groups.append([paper])
        else:
            home.append(paper)
    merged = [reduce(merge, group) for group in groups]
    shared = Counter(paper.id for paper in merged)
    named: dict[str, Paper] = {}
    for paper in merged:
        paper = _apart(paper) if shared[paper.id] > 1 else paper
        named[paper.id] = merge(named[paper.id], paper) if paper.id in named else paper
    return tuple(named[paper_id] for paper_id in sorted(named))


def _most_telling(paper: Paper) -> tuple[object, ...]:
    """A total order, papers with identifiers and given titles first."""
    return (
        -len(known_ids(paper)), paper.title_source != "given", paper.id, paper.title, paper.abstract, paper.authors,
        paper.year or 0, paper.venue or "", paper.url or "", paper.doi or "", paper.files,
    )  # fmt: skip


def _apart(paper: Paper) -> Paper:
    own = f"{_title_key(paper)} {paper.abstract}"
    return replace(paper, id=f"{paper.id}{_APART}{content_key(own)[:8]}")
