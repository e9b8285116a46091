"""What every form needs to know of a paper: its key, its kind, its authors' names in parts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rag.text.normalise import plain
from rag.text.tokens import STOPWORDS
from rag.types import Paper

Kind = Literal["conference", "article", "other"]
_CONFERENCE = re.compile(
    r"\b(proceedings|conference|workshop|symposium|icml|iclr|neurips|nips|aaai|ijcai|aistats|uai|colt|acl|emnlp"
    r"|naacl|eacl|coling|cvpr|iccv|eccv|wacv|kdd|www|sigir|chi|icra|iros|corl|rss|interspeech|icassp|miccai)\b",
    re.IGNORECASE,
)
_JOURNAL = re.compile(r"\b(journal|transactions|letters|review|annals|magazine|jmlr|tmlr|tacl|nature|science)\b", re.I)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ORGANISATION = re.compile(
    r"the\s.+|.*\s(?:team|group|consortium|collaboration|committee|initiative|foundation|organi[sz]ation|institute|society)",
    re.IGNORECASE,
)
_SUFFIX = re.compile(r"(?:jr|sr|ii|iii|iv)\.?", re.IGNORECASE)
DERIVED_TITLE = "Title derived from the abstract; the source gives none."


@dataclass(frozen=True, slots=True)
class Name:
    """An author's name. `family` is empty where the name cannot be parted; `literal` is always as given."""

    literal: str
    family: str = ""
    given: str = ""
    suffix: str = ""
    """"Jr.", "III"."""


def name(author: str) -> Name:
    """Parts a name by BibTeX's own convention: "Family, Given", or given names, lower-case particles, family name."""
    literal = clean(author)
    if literal.startswith("{") and literal.endswith("}"):  # BibTeX's way to say that a name has no parts
        return Name(literal.strip("{} "))
    if "," in literal:
        family, _, given = literal.partition(",")
        return Name(literal, family.strip(), given.strip())
    words = literal.split()
    if len(words) < 2 or _CJK.search(literal) or _ORGANISATION.fullmatch(literal):
        return Name(literal)
    if len(words) > 2 and _SUFFIX.fullmatch(words[-1]):
        return replace(name(" ".join(words[:-1])), literal=literal, suffix=words[-1])
    at = len(words) - 1
    while at > 1 and words[at - 1].islower():
        at -= 1
    return Name(literal, " ".join(words[at:]), " ".join(words[:at]))


def kind(paper: Paper) -> Kind:
    """What the venue's own name says; "other" where it says nothing."""
    venue = paper.venue or ""
    if _CONFERENCE.search(venue):
        return "conference"
    return "article" if _JOURNAL.search(venue) else "other"


def clean(text: str) -> str:
    """One readable line: LaTeX resolved, control characters gone."""
    return "".join(c for c in plain(text) if unicodedata.category(c) not in {"Cc", "Cf", "Cs"}).strip()


def keys(papers: Sequence[Paper]) -> tuple[str, ...]:
    """A readable key a paper (`chen2026dflash`), unique in this list; letters part equal ones, by paper id."""
    stems = [_stem(paper) for paper in papers]
    twins: dict[str, set[str]] = {}
    for stem, paper in zip(stems, papers, strict=True):
        twins.setdefault(stem, set()).add(paper.id)
    keys = {
        (stem, id_): stem if len(ids) == 1 else stem + _letters(number)
        for stem, ids in twins.items()
        for number, id_ in enumerate(sorted(ids))
    }
    return tuple(keys[stem, paper.id] for stem, paper in zip(stems, papers, strict=True))


def _stem(paper: Paper) -> str:
    first = name(paper.authors[0]) if paper.authors else None
    family = _ascii((first.family or first.literal) if first else "")
    words = (_ascii(word) for word in re.split(r"[\s:,/–—-]+", clean(paper.title)))
    word = next((w for w in words if len(w) > 1 and w not in STOPWORDS), "")
    return f"{family}{paper.year or ''}{word}" or "paper"


def _ascii(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]", "", decomposed.lower())


def _letters(number: int) -> str:
    """0 -> a, 25 -> z, 26 -> aa."""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text
