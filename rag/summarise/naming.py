"""Names for themes, in the papers' own words: the noun phrases that tell one theme from the others.

A phrase must stand in two papers of the theme, and be what half of those are about: in their title or their aim.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rag.summarise.phrases import noun_phrases
from rag.summarise.reading import Read
from rag.text.names import GENERIC
from rag.text.normalise import fold, plain
from rag.text.tokens import STOPWORDS, terms, tokenise

_COMMON: Final = 0.2
"""Rarity below which a word is everybody's: "language models" names no theme of a corpus about language models."""
_COVERS, _SECOND = 0.6, 0.45
"""A phrase of this share of a theme names it alone; a second one must be worth this share of the first."""
_LISTED: Final = 3
"""Phrases of a name that has to list what its papers are about, since they share none."""
_GERUND: Final = re.compile(r"[A-Z][a-z]+ing\s")
"""What opens "Exploring nonlinear pathways", and no phrase."""


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A phrase by its stems, as it is written most often, the papers that hold it, and those that have it in
    their title or where they say what they do: it is what they are about, and not why they were written."""

    stems: tuple[str, ...]
    written: str
    papers: frozenset[str]
    titled: frozenset[str]
    aimed: frozenset[str]


def names(
    themes: Sequence[Sequence[Read]], topic: str, rarity: Callable[[Sequence[str]], Mapping[str, float]]
) -> tuple[str, ...]:
    """One name a theme, all different; of a theme of one its paper's title.

    `rarity` gives index stems a weight in [0, 1], by how few papers of the whole corpus hold them.
    """
    everything = _phrases([paper for theme in themes for paper in theme])
    asked = _asked(topic)
    rare = rarity(sorted({stem for stems in everything for stem in stems}))
    taken: set[tuple[str, ...]] = set()
    found = []
    for theme in themes:
        if len(theme) == 1:
            found.append(plain(theme[0].paper.title))
            continue
        chosen = _best(theme, everything, asked, taken, rare)
        taken.update(phrase.stems for phrase in chosen)
        found.append(_name(theme, chosen, asked))
    return _distinct(found)


def _name(theme: Sequence[Read], chosen: Sequence[_Phrase], asked: frozenset[str]) -> str:
    """The chosen phrases; where they say too little of the theme, what its other papers are about by their titles."""
    held = {paper for phrase in chosen for paper in phrase.papers}
    uncovered = [paper for paper in theme if paper.paper.id not in held]
    if len(uncovered) <= (1 - _COVERS) * len(theme):
        return _joined([phrase.written for phrase in chosen])
    titles = [phrase for paper in uncovered if (phrase := _of_title(paper, asked))]
    listed = [phrase.written for phrase in chosen] + titles[: _LISTED - len(chosen)]
    return _listed(listed) or plain(theme[0].paper.title)


def _best(
    theme: Sequence[Read],
    everything: dict[tuple[str, ...], _Phrase],
    asked: frozenset[str],
    taken: set[tuple[str, ...]],
    rare: Mapping[str, float],
) -> list[_Phrase]:
    """One phrase, or two that share no word when one covers too little of the theme."""
    here = frozenset(paper.paper.id for paper in theme)
    total = len({paper for phrase in everything.values() for paper in phrase.papers})
    scored = sorted(
        (
            (-_worth(phrase, here, total, asked, rare), phrase.written, phrase)
            for phrase in everything.values()
            if len(phrase.papers & here) > 1
            and phrase.stems not in taken
            and 2 * len(phrase.aimed & here) >= len(phrase.papers & here)
            and not _is_asked(phrase.stems, asked)
        ),
        key=lambda each: each[:2],
    )
    if not scored or scored[0][0] >= 0:
        return []
    best = scored[0][2]
    if len(best.papers & here) >= _COVERS * len(here):
        return [best]
    rest = [
        phrase
        for cost, _, phrase in scored[1:40]
        if not set(phrase.stems) & set(best.stems) and cost < _SECOND * scored[0][0] and len(phrase.stems) > 1
    ]
    new = max(rest, key=lambda phrase: (len((phrase.papers & here) - best.papers), phrase.written), default=None)
    return [best] if new is None else [best, new]


def _worth(
    phrase: _Phrase, here: frozenset[str], total: int, asked: frozenset[str], rare: Mapping[str, float]
) -> float:
    """How much likelier the phrase is in the theme than outside, for phrases of two or three words of its own
    most."""
    inside = len(phrase.papers & here)
    share, outside = inside / len(here), (len(phrase.papers) - inside) / max(1, total - len(here))
    own = sum(stem not in asked for stem in phrase.stems)
    length = {1: 0.45, 2: 1.0, 3: 1.1, 4: 1.0}[len(phrase.stems)] * (0.75 if own == 1 else 1.0)
    title = 1.0 + 0.4 * min(1.0, len(phrase.titled) / inside)
    if len(phrase.stems) == 1 and (phrase.written.islower() or phrase.written.lower().rstrip("s") in GENERIC):
        return 0.0
    if max(rare.get(stem, 1.0) for stem in phrase.stems) < _COMMON:
        return 0.0
    telling = 0.3 + sum(rare.get(stem, 1.0) for stem in phrase.stems) / len(phrase.stems)
    return (share - outside) * (1 - outside) * length * title * telling


def _phrases(papers: Sequence[Read]) -> dict[tuple[str, ...], _Phrase]:
    """Those of two papers or more that stand somewhere as only a noun can."""
    written: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    holders: dict[tuple[str, ...], set[str]] = defaultdict(set)
    titled: dict[tuple[str, ...], set[str]] = defaultdict(set)
    aimed: dict[tuple[str, ...], set[str]] = defaultdict(set)
    governed: set[tuple[str, ...]] = set()
    for paper in papers:
        id_ = paper.paper.id
        title = noun_phrases(paper.paper.title) if paper.paper.title_source == "given" else ()
        aims = [phrase for said in paper.said if said.part == "aim" for phrase in noun_phrases(said.text)]
        why = [phrase for said in paper.said if said.part == "background" for phrase in noun_phrases(said.text)]
        for phrase in title:
            titled[phrase.stems].add(id_)
        for phrase in (*title, *aims):
            aimed[phrase.stems].add(id_)
        for phrase in (*title, *aims, *why):
            written[phrase.stems][phrase.written] += 1
            holders[phrase.stems].add(id_)
            if phrase.governed:
                governed.add(phrase.stems)
    return {
        stems: _Phrase(
            stems,
            _usual(written[stems]),
            frozenset(holders[stems]),
            frozenset(titled[stems]),
            frozenset(aimed[stems]),
        )
        for stems in written
        if len(holders[stems]) > 1 and stems in governed
    }


def _usual(spellings: Counter[str]) -> str:
    """The commonest spelling, small letters before capitals when both are common."""
    return min(spellings, key=lambda text: (-spellings[text] - (0.5 if text.islower() else 0.0), text))


def _of_title(paper: Read, asked: frozenset[str]) -> str:
    """The longest phrase of a paper's title that says more than the topic, "" where there is none."""
    title = plain(paper.paper.title)
    opening = _GERUND.match(title)
    phrases = noun_phrases(title[opening.end() :] if opening else title)
    found = [phrase.written for phrase in phrases if len(phrase.stems) > 1 and not _is_asked(phrase.stems, asked)]
    return max(found, key=len, default="")


def _joined(phrases: Sequence[str]) -> str:
    return _capital(" and ".join(phrases))


def _listed(phrases: Sequence[str]) -> str:
    """ "A, b, c", each once."""
    return _capital(", ".join(dict.fromkeys(_small(phrase) for phrase in phrases)))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:] if text.split(" ")[0].islower() else text


def _small(text: str) -> str:
    """Without the capital that `_capital` gave; names keep theirs."""
    first = text.split(" ")[0]
    return text[:1].lower() + text[1:] if first[1:].islower() else text


def _distinct(found: Sequence[str]) -> tuple[str, ...]:
    seen: Counter[str] = Counter()
    result = []
    for name in found:
        seen[fold(name)] += 1
        result.append(name if seen[fold(name)] == 1 else f"{name} ({seen[fold(name)]})")
    return tuple(result)


def _asked(topic: str) -> frozenset[str]:
    """The topic's stems, those of its compounds' parts, and its initials, by which papers call it."""
    words = [token for token in tokenise(topic) if token.norm not in STOPWORDS]
    letters = "".join(part[:1] for word in words for part in re.split(r"[-/]", word.norm))
    initials = [f"{letters[:length]}{plural}" for length in range(2, len(letters) + 1) for plural in ("", "s")]
    return frozenset({*(word.stem for word in words), *terms(topic), *initials})


def _is_asked(stems: Sequence[str], asked: frozenset[str]) -> bool:
    """Whether a phrase says nothing but the topic."""
    return all(stem in asked or asked.issuperset(re.split(r"[-/]", stem)) for stem in stems)
