"""Noun phrases of a text: the ends of its runs of content words.

"block diffusion draft models" ends in "diffusion draft models" and "draft models": English noun phrases have their
head last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from rag.text.normalise import plain
from rag.text.tokens import STOPWORDS, TERM, analyse

_GOVERN: Final = frozenset(
    "the a an of in for with by on from as via between our its their these this such each through under into".split()
)
_LONGEST: Final = 4
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


class Named(NamedTuple):
    """A phrase as it stands in a text; `governed` by an article or a preposition, so that it is no verb and
    its object."""

    stems: tuple[str, ...]
    written: str
    governed: bool


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
