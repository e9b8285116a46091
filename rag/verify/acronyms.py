"""What acronyms mean in a field, whether or not the abstract at hand defines them (`NSCLC`, `GCN`).

The table (`rag/weights/acronyms.json`) is written by `python -m evals.fit_acronyms`. An abstract's own definition goes
before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import islice, product

from rag.text.normalise import fold
from rag.text.tokens import GREEK
from rag.weights import read_weights

_MOST = 16
_WORD = re.compile(r"[^\W_]+")


@cache
def _table() -> Mapping[str, tuple[str, ...]]:
    """Acronym -> long forms, both spaced, the commonest first."""
    return {acronym: tuple(forms) for acronym, forms in read_weights("acronyms")["acronyms"].items()}


@cache
def _shortened() -> Mapping[str, tuple[str, ...]]:
    """Long form -> its acronyms."""
    table: dict[str, list[str]] = {}
    for acronym, forms in _table().items():
        for form in forms:
            table.setdefault(form, []).append(acronym)
    return {form: tuple(found) for form, found in table.items()}


def bare(acronym: str) -> str:
    """Spaced, without the plural's `s` that follows capitals."""
    return spaced(re.sub(r"(?<=[A-Z0-9])s$", "", acronym))


@lru_cache(maxsize=8192)
def spaced(text: str) -> str:
    """Folded, hyphens as spaces, Greek letters by name."""
    folded = "".join(GREEK.get(char, char) for char in fold(text))
    return " ".join(folded.replace("-", " ").split())


@lru_cache(maxsize=4096)
def other_forms(name: str) -> tuple[str, ...]:
    """What else a folded name is called in its field: long forms of an acronym, acronyms of a long form."""
    plain = spaced(name)
    found = [*_table().get(plain, ()), *_shortened().get(plain, ())]
    if not found and plain.endswith("s"):
        found = [*_table().get(plain[:-1], ()), *_shortened().get(plain[:-1], ())]
    return tuple(found)


def stands_in(name: str, text: str) -> bool:
    """Whether a spaced text has a name by any of its forms, also of its parts (`IL-4`, `interleukin-4`)."""
    return any(_has(text, form) for form in _forms(name))


@lru_cache(maxsize=4096)
def _forms(name: str) -> tuple[str, ...]:
    whole = spaced(name)
    parts = [(part, *other_forms(part)) for part in _WORD.findall(whole)]
    joined = (" ".join(chosen) for chosen in islice(product(*parts), _MOST))
    return tuple(dict.fromkeys((whole, *other_forms(name), *joined)))


def _has(text: str, form: str) -> bool:
    return re.search(rf"(?<![^\W_]){re.escape(form)}(?:s|es)?(?![^\W_])", text) is not None


def meant(names: Iterable[str], texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """(acronym, long form) for the folded names that are acronyms and whose long form stands in one of the texts."""
    shown = [spaced(text) for text in texts]
    for name in names:
        for form in _table().get(spaced(name), ()):
            if any(form in text for text in shown):
                yield name, form
                break
