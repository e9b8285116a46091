"""Names for themes, in the papers' own words: the noun phrases that tell one theme from the others.

A phrase is the end of a run of content words ("block diffusion draft models" ends in "diffusion draft models", "draft
models"), since English noun phrases have their head last. It must stand in two papers of the theme.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from rag.summarise.reading import Read
from rag.text.names import GENERIC
from rag.text.normalise import fold, plain
from rag.text.tokens import STOPWORDS, TERM, analyse, terms, tokenise

_GOVERN: Final = frozenset(
    "the a an of in for with by on from as via between our its their these this such each through under into".split()
)
_LONGEST: Final = 4
_COMMON: Final = 0.2
"""Rarity below which a word is everybody's: "language models" names no theme of a corpus about language models."""
_COVERS, _SECOND = 0.6, 0.45
"""A phrase of this share of a theme names it alone; a second one must be worth this share of the first."""
_VERBS: Final = frozenset(
    """
    propose proposes proposed introduce introduces introduced present presents presented develop develops show
    shows shown demonstrate demonstrates demonstrated achieve achieves achieved achieving improve improves
    improved improving enable enables enabling allow allows allowing provide provides providing use uses used
    using leverage leverages leveraging outperform outperforms outperforming reduce reduces reduced reducing
    require requires required requiring remain remains prove proves study studies investigate address
    addresses addressing overcome make makes making made learn learns learned train trains trained generate
    generates generated yield yields yielding ensure ensures ensuring lead leads leading design designed apply
    applied applying based become becomes suffer suffers rely relies relying find finds found give gives given
    take takes taking including exploit exploits exploiting capture captures capturing maintain maintains
    maintaining evaluate evaluates evaluated compare compared establish establishes understand understanding
    identify identifies consider combine combines combining integrate integrates integrating incorporate
    incorporates offer offers offering often typically recently widely existing recent previous prior current
    novel new proposed significant significantly various different several many multiple effective effectively
    efficient efficiently state-of-the-art extensive comprehensive strong better best high higher low lower
    large small key important general unified simple first second two three four five however moreover
    furthermore additionally specifically consistently substantially across via toward towards fully highly
    superior promising robust challenging limited critical crucial approach approaches method methods
    framework frameworks paper work problem problems experiment experiments result results performance setting
    settings task tasks code model-agnostic due well able perform performs performing eliminate eliminates
    bridge solve lack lacks face faces class key meets challenge challenges project page github available
    abstract study it's beyond without real-world diverse complex inspired scale scaling enhance enhances
    way ways manner insight insights perspective perspectives ability abilities aspect aspects goal goals need needs
    fact principled practical
    enhancing mitigate mitigates mitigating crucially notably finally address underlying single standard
    """.split()
)
"""Words that begin or end no name of a theme, and part the runs they stand in: academic verbs, praise, frame
words."""
_BREAKS: Final = re.compile(r"[.,;:()\[\]\"“”?!–—]|\s-\s")
_INNER: Final = re.compile(r"[^\W\d_].*[A-Z]|[A-Z].*\d|\d.*[A-Z]")
_PARTICIPLE: Final = re.compile(
    r"(?:[a-z]{2,}ed|based|aware|free|driven|guided|agnostic|able|ive|al|ous|ful|ible|ent|ant)$"
)
_ADVERB: Final = re.compile(r"[a-z]{3,}ly$")


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A phrase by its stems, as it is written most often, the papers that hold it, and how many have it in
    their title."""

    stems: tuple[str, ...]
    written: str
    papers: frozenset[str]
    titled: int


class Named(NamedTuple):
    """A phrase as it stands in a text; `governed` by an article or a preposition, so that it is no verb and
    its object."""

    stems: tuple[str, ...]
    written: str
    governed: bool


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
        found.append(_joined([phrase.written for phrase in chosen]) or _of_title(theme[0], asked))
    return _distinct(found)


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
    new = max(
        rest, key=lambda phrase: (len((phrase.papers & here) - best.papers), phrase.written), default=None
    )
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
    title = 1.0 + 0.4 * min(1.0, phrase.titled / inside)
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
    titled: Counter[tuple[str, ...]] = Counter()
    governed: set[tuple[str, ...]] = set()
    for paper in papers:
        title = noun_phrases(paper.paper.title) if paper.paper.title_source == "given" else ()
        titled.update({phrase.stems for phrase in title})
        texts = [said.text for said in paper.said if said.part in ("aim", "background")]
        for phrase in (*title, *(each for shown in texts for each in noun_phrases(shown))):
            written[phrase.stems][phrase.written] += 1
            holders[phrase.stems].add(paper.paper.id)
            if phrase.governed:
                governed.add(phrase.stems)
    return {
        stems: _Phrase(stems, _usual(written[stems]), frozenset(holders[stems]), titled[stems])
        for stems in written
        if len(holders[stems]) > 1 and stems in governed
    }


def _usual(spellings: Counter[str]) -> str:
    """The commonest spelling, small letters before capitals when both are common."""
    return min(spellings, key=lambda text: (-spellings[text] - (0.5 if text.islower() else 0.0), text))


@lru_cache(maxsize=8192)
def noun_phrases(text: str) -> tuple[Named, ...]:
    """Every phrase of one to four words that could name something."""
    found = []
    for run, governed in _runs(plain(text)):
        for length in range(1, min(_LONGEST, len(run)) + 1):
            tail = run[-length:]
            if _names_something(tail):
                found.append(Named(tuple(word.stem for word in tail), _spelled(tail), governed))
    return tuple(found)


def _names_something(words: Sequence[_Word]) -> bool:
    """Not a participle alone, not a number first, not ending in what is no noun."""
    if words[0].norm[:1].isdigit() or _PARTICIPLE.search(words[-1].norm):
        return False
    single = words[0]
    return len(words) > 1 or single.name or (len(single.norm) > 6 and not single.norm.endswith("ing"))


def _runs(text: str) -> Iterator[tuple[list[_Word], bool]]:
    """Runs of content words, and whether an article or a preposition stands before each."""
    run: list[_Word] = []
    end, governed, before = 0, False, ""
    for found in TERM.finditer(text):
        word = _word(found[0])
        if run and (not word.content or _BREAKS.search(text[end : found.start()])):
            yield run, governed
            run = []
        if word.content and not run:
            governed = before in _GOVERN
        if word.content:
            run.append(word)
        end, before = found.end(), word.norm
    if run:
        yield run, governed


class _Word(NamedTuple):
    text: str
    norm: str
    stem: str
    name: bool
    content: bool


@lru_cache(maxsize=32768)
def _word(text: str) -> _Word:
    norm, stemmed, kind = analyse(text)[:3]
    content = kind in ("word", "name") and len(norm) > 1 and "://" not in text
    content = content and norm not in STOPWORDS and norm not in _VERBS and not _ADVERB.match(norm)
    return _Word(text, norm, stemmed, any(_INNER.search(part) for part in re.split(r"[-/]", text)), content)


def _spelled(words: Sequence[_Word]) -> str:
    """Names keep their capitals; words that a title or a sentence made large are written small."""
    return " ".join(word.text if word.name else word.norm for word in words)


def _of_title(paper: Read, asked: frozenset[str]) -> str:
    """The longest phrase of a paper's title that says more than the topic; the title where there is none."""
    phrases = noun_phrases(paper.paper.title)
    found = [
        phrase.written for phrase in phrases if len(phrase.stems) > 1 and not _is_asked(phrase.stems, asked)
    ]
    return _joined([max(found, key=len)]) if found else plain(paper.paper.title)


def _joined(phrases: Sequence[str]) -> str:
    text = " and ".join(phrases)
    first = text.split(" ")[0]
    return text[:1].upper() + text[1:] if first.islower() else text


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
    initials = [
        f"{letters[:length]}{plural}" for length in range(2, len(letters) + 1) for plural in ("", "s")
    ]
    return frozenset({*(word.stem for word in words), *terms(topic), *initials})


def _is_asked(stems: Sequence[str], asked: frozenset[str]) -> bool:
    """Whether a phrase says nothing but the topic."""
    return all(stem in asked or asked.issuperset(re.split(r"[-/]", stem)) for stem in stems)
