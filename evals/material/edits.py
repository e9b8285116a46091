"""Wrong claims made from right ones by one controlled edit each: a number, a negation, a direction, a name, an
exchanged subject, a word taken from elsewhere, another paper's citation.

The tables are written apart from the checker's own lexicon, so that a word the checker does not know is met here.
Every function returns None where its edit does not apply; choices come from the caller's random generator.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rag.text.names import names
from rag.text.tokens import STOPWORDS, tokenise


@dataclass(frozen=True, slots=True)
class Source:
    """A right claim, the other sentences of its abstract, and names that other papers use."""

    text: str
    others: Sequence[str]
    strangers: Sequence[str]


Edit = Callable[[Source, random.Random], str | None]

_DIRECTIONS = """increases decreases|increase decrease|increased decreased|increasing decreasing|reduces increases|
reduce increase|reduced increased|reducing increasing|reduction increase|improves worsens|improve worsen|
improved worsened|improving worsening|improvement deterioration|improvements deteriorations|improves degrades|
improving degrading|higher lower|lower higher|faster slower|more less|fewer more|less more|better worse|
larger smaller|smaller larger|greater smaller|outperforms underperforms|outperform underperform|
outperforming underperforming|outperforms trails|surpasses trails|exceeds lags|surpassing trailing|
enhances impairs|enhance impair|enhancing impairing|enhanced impaired|accelerates slows|accelerating slowing|
accelerate slow|boosts hurts|boosting hurting|lowers raises|lowering raising|superior inferior|best worst|
stronger weaker|strong weak|gains losses|gain loss|mitigates aggravates|mitigate aggravate|mitigating aggravating|
alleviates worsens|minimizes maximizes|minimizing maximizing|maximizes minimizes|efficient inefficient|
stable unstable|robust fragile|before after|after before|supervised unsupervised|linear quadratic|sparse dense|
positive negative|negative positive|cheaper costlier|low high|high low|small large|large small|simple complex|
easier harder|longer shorter|shorter longer|strengthens weakens|prevents causes|enables prevents|enabling preventing|
preserves destroys|preserving destroying|promotes inhibits|inhibits promotes|accurate inaccurate|first last|
lossless lossy|offline online|online offline|dynamic static|static dynamic|local global|global local|
speedup slowdown|cuts raises|shortens lengthens|accurately inaccurately|consistently rarely|sufficient insufficient"""
_OPPOSITE: dict[str, list[str]] = {}
for _pair in _DIRECTIONS.replace("\n", "").split("|"):
    _OPPOSITE.setdefault(_pair.split()[0], []).append(_pair.split()[1])

_NUMBER = re.compile(r"(?<![\w.$^{_(/-])\d+(?:\.\d+)?(?![\w^})-])")
_YEAR = re.compile(r"(?:19|20)\d\d$")
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|can|will|does|do|has|have|should|must)\b"
    r"(?!n't| not\b| no\b|,| less| un\w+| in\w+| non-)(?<!that is)"
)
_VERB = re.compile(
    r"\b(achieves|improves|reduces|outperforms|provides|enables|requires|uses|introduces|demonstrates|shows|yields|"
    r"increases|learns|generates|supports|captures|preserves|surpasses|leads|allows|establishes|maintains|relies|"
    r"cuts|reaches|attains|lets|makes|keeps|gives|gains|beats|finds|proves|trains|combines|treats|needs|works|runs|"
    r"propose|introduce|present|show|demonstrate|achieve|develop|prove|establish|find|provide|outperform)\b"
)
_BEATS = re.compile(
    r"\b(outperforms?|outperforming|surpass(?:es|ing)?|exceeds?|beats|(?:better|faster|higher|lower|more|fewer|larger|"
    r"smaller|stronger)(?: [\w-]+){0,3} than|over|than|against|compared (?:to|with))\b"
)
_DENIAL = re.compile(
    r"(?<![-\w])(?:does not|do not|is not|are not|cannot|without|no|not|never)\b(?!-| only| longer|,) ?"
)


def number(source: Source, rng: random.Random) -> str | None:
    """One number changed: a digit, a decimal shift, or another number of the abstract."""
    spots = [
        m for m in _NUMBER.finditer(source.text) if not _in_name(source.text, m.start()) and not _YEAR.match(m.group())
    ]
    if not spots:
        return None
    spot = rng.choice(spots)
    old = spot.group()
    elsewhere = [m.group() for s in source.others for m in _NUMBER.finditer(s) if m.group() != old]
    if elsewhere and rng.random() < 0.3:
        return _put(source.text, spot, rng.choice(elsewhere))
    return _put(source.text, spot, _other_number(old, rng))


def _other_number(old: str, rng: random.Random) -> str:
    place = rng.choice([i for i, c in enumerate(old) if c.isdigit()])
    digits = [d for d in "123456789" if d != old[place]]
    return old[:place] + rng.choice(digits) + old[place + 1 :]


def negation(source: Source, rng: random.Random) -> str | None:
    """`not` put to the main verb, or a denial taken away."""
    denied = list(_DENIAL.finditer(source.text))
    if denied and not source.text.rstrip(". ").endswith(("not", "no")):
        spot = rng.choice(denied)
        kept = spot.group().split()[0] + " " if spot.group().strip() in ("is not", "are not") else ""
        kept = "with " if spot.group().strip() == "without" else kept
        return " ".join((source.text[: spot.start()] + kept + source.text[spot.end() :]).split())
    if denied:
        return None  # a second denial would not make it wrong
    helper_verb, verb = _AUXILIARY.search(source.text), _VERB.search(source.text)
    if helper_verb and (not verb or helper_verb.start() < verb.start()):
        return source.text[: helper_verb.end()] + " not" + source.text[helper_verb.end() :]
    if verb is None:
        return None
    word = verb.group()
    helper = "do not " if word in ("propose", "introduce", "present", "show", "demonstrate", "achieve", "develop",
                                   "prove", "establish", "find", "provide", "outperform") else "does not "  # fmt: skip
    return _put(source.text, verb, helper + _bare(word))


def _bare(verb: str) -> str:
    if verb in ("reaches", "surpasses"):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def direction(source: Source, rng: random.Random) -> str | None:
    """One word for its opposite."""
    spots = [m for m in re.finditer(r"[A-Za-z]+", source.text) if m.group().casefold() in _OPPOSITE]
    if not spots:
        return None
    spot = rng.choice(spots)
    new = rng.choice(_OPPOSITE[spot.group().casefold()])
    return _put(source.text, spot, new.capitalize() if spot.group()[0].isupper() else new)


def name(source: Source, rng: random.Random) -> str | None:
    """One name for another: of another paper, or of the same abstract."""
    spots = [n for n in names(source.text) if " " not in n.text]
    if not spots:
        return None
    spot = rng.choice(spots)
    own = {n.norm for n in spots}
    near = [n.text for s in source.others for n in names(s) if not _like(n.norm, own | {source.text.casefold()})]
    pool = near if near and rng.random() < 0.4 else [s for s in source.strangers if not _like(s.casefold(), own)]
    return source.text[: spot.start] + rng.choice(pool) + source.text[spot.end :] if pool else None


def _like(new: str, own: set[str]) -> bool:
    """Whether a name only differs in number, or is a formula."""
    return (
        new.rstrip("s'’") in {name.rstrip("s'’") for name in own} or not new[:1].isalpha() or "(" in new or " " in new
    )


def swap(source: Source, rng: random.Random) -> str | None:
    """What stands before and after a comparison, or two names, exchanged."""
    found = [n for n in names(source.text) if " " not in n.text]
    beats = _BEATS.search(source.text)
    if beats and len(found) >= 2:
        before = [n for n in found if n.end <= beats.start()]
        after = [n for n in found if n.start >= beats.end()]
        if before and after and before[-1].norm != after[0].norm:
            first, second = before[0], after[0]
            text = source.text
            return text[: first.start] + second.text + text[first.end : second.start] + first.text + text[second.end :]
    phrase = re.match(
        r"((?:The |Our |This )?[\w-]+(?: [\w-]+){0,2}) (outperforms|surpasses|exceeds|beats|causes|improves|"
        r"reduces|precedes|guides|predicts|replaces|dominates|controls|drives) "
        r"((?:the |our |all )?[\w-]+(?: [\w-]+){0,2})([ ,.].*)?$",
        source.text,
    )
    if phrase is None:
        return None
    left, verb, right, rest = phrase.groups()
    if any(part.split()[-1].casefold() in STOPWORDS for part in (left, right)):
        return None
    return f"{right[0].upper()}{right[1:]} {verb} {left[0].lower()}{left[1:]}{rest or '.'}"


def word(source: Source, rng: random.Random) -> str | None:
    """One long plain word for another word of the same abstract that this sentence does not have."""
    mine = [t for t in tokenise(source.text) if t.kind == "word" and len(t.norm) > 5 and t.norm not in STOPWORDS]
    held = {t.stem for t in tokenise(source.text)}
    pool = [t.text for s in source.others for t in tokenise(s)
            if t.kind == "word" and len(t.norm) > 5 and t.stem not in held and t.norm not in STOPWORDS]  # fmt: skip
    if not mine or not pool:
        return None
    spot = rng.choice(mine)
    same = [w for w in pool if w[-2:].casefold() == spot.norm[-2:]] or pool
    return source.text[: spot.start] + rng.choice(same).lower() + source.text[spot.end :]


EDITS: dict[str, Edit] = {
    "number": number,
    "negation": negation,
    "direction": direction,
    "name": name,
    "swap": swap,
    "word": word,
}


def _put(text: str, spot: re.Match[str], new: str) -> str:
    return text[: spot.start()] + new + text[spot.end() :]


def _in_name(text: str, place: int) -> bool:
    return any(n.start <= place < n.end for n in names(text))
