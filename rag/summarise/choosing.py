"""Which sentences speak for a theme: the problem, what is done about it, what came of it; none that sounds
like another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from rag.extract.findings import tells_finding
from rag.summarise.reading import Read, Said, Vector, unit
from rag.text.cues import has

_VAGUE: Final = re.compile(
    r"\b(?:effective(?:ness)?|efficacy|superior(?:ity)?|validate|promising|favorabl[ey]|competitive"
    r"|state-of-the-art|outperforms?"
    r"|significant(?:ly)?|strong|robust(?:ness)?|corroborate|confirm)\b"
)
_LIMITS: Final = re.compile(
    r"\b(?:however|challeng\w*|limit(?:s|ed|ation|ations|ing)?|suffer\w*|fail\w*|lack\w*|difficult\w*"
    r"|costly|expensive|problem"
    r"|hinder\w*|overlook\w*|neglect\w*|unclear|prohibitive\w*|bottleneck\w*|cannot|degrad\w*"
    r"|struggle\w*|vulnerab\w*|inefficien\w*"
    r"|slow|error\w*|bias\w*|gap|risk\w*|remains?|unknown|poorly|ignor\w*|assum\w*)\b"
)
_PRAISE: Final = re.compile(
    r"\b(?:remarkable|impressive|great|significant|tremendous|unprecedented) (?:success|progress"
    r"|advances?|performance|capabilit\w+"
    r"|potential|attention|results)|\b(?:has|have) (?:emerged|become|gained|attracted|achieved|shown"
    r"|demonstrated|revolutioni[sz]ed)\b"
)
_CONNECTIVE: Final = re.compile(
    r"^(?:however|moreover|furthermore|additionally|in addition|yet|but|specifically|concretely"
    r"|notably|crucially|finally"
    r"|nevertheless|besides|also|importantly|further|meanwhile|overall|in particular|unfortunately|still|beyond|lastly"
    r"|then|next|(?:in|at|during) the (?:first|second|third|final|last) (?:stage|step|phase)"
    r"|we (?:then|also|next|further|additionally|finally|moreover))\b"
)
_SETTING_UP: Final = re.compile(
    r"\b(?:conduct|perform|carry out|run|evaluate|test|compare|tune|benchmark|validate)(?:s|d|ed)?\b"
)
_OUTCOME: Final = re.compile(
    r"\b(?:show|find|found|demonstrat|reveal|outperform|improv|achiev|reduc|surpass|exceed|gain|better|faster|higher"
    r"|lower|fewer|increas|yield|prove|attain|reach|confirm|indicat|suggest|observ|match|retain|preserv)\w*"
)
_OURS_UNNAMED: Final = re.compile(
    r"\b(?:our|the proposed|this) (?:method|approach|framework|model|algorithm|system|technique|results?)\b"
)
_HOUSEKEEPING: Final = re.compile(
    r"\b(?:licen[cs]ed?|cc[- ]by|provenance|redistribut\w+|(?:publicly|openly|freely) (?:available|released?))\b"
)
_POINTS_BACK: Final = re.compile(r"^(?:\S+ ){1,9}(?:this|these|such|those) (?!paper|work|study|article|as\b)[a-z]")
_POINTING: Final = re.compile(
    r"\b(?:this|these|those) (?!paper|work|study|article|is\b|can\b|may\b|end\b)([a-z][\w-]{3,})"
)
_EDGE: Final = 0.5
"""The least that a sentence must score to be shown in a theme."""
_TOO_ALIKE: Final = 0.86
_CENTRAL: Final = 0.5
"""Share of the best paper's score from which a paper speaks in the overview."""


Score = Callable[[Said], float]


@dataclass(slots=True)
class Voice:
    """What was said so far in the whole summary, so that nothing is said twice or sounds the same."""

    openings: Counter[str] = field(default_factory=Counter)
    said: set[tuple[str, int]] = field(default_factory=set)
    vectors: Vector | None = None
    """(sentences said, dimension)."""
    worths: dict[tuple[Score, str, int], float] = field(default_factory=dict)
    """What each sentence is worth by itself, once it was asked."""

    def costs(self, reader: Read, near: Sequence[Said]) -> list[float]:
        """What is taken off the score of each sentence: heard before in this theme counts most."""
        here = Counter(other.opening for other in near)
        firsts = Counter(_first_word(other) for other in near)
        closest = (
            (reader.vectors @ self.vectors.T).max(axis=1) if self.vectors is not None else np.zeros(len(reader.said))
        )
        return [
            0.45 * here[one.opening]
            + 0.4 * max(0, here[one.opening] - 1)
            + 0.12 * firsts[_first_word(one)]
            + 0.02 * min(10, self.openings[one.opening])
            + (5.0 if alike > _TOO_ALIKE else 0.0)
            for one, alike in zip(reader.said, closest, strict=True)
        ]

    def worth(self, score: Score, one: Said) -> float:
        """`score` of a sentence, computed once."""
        key = (score, *one.place)
        if key not in self.worths:
            self.worths[key] = score(one)
        return self.worths[key]

    def add(self, one: Said, vector: Vector) -> None:
        self.openings[one.opening] += 1
        self.said.add(one.place)
        self.vectors = vector[None, :] if self.vectors is None else np.vstack([self.vectors, vector])


def _first_word(one: Said) -> str:
    return one.opening.split(" ")[0] if one.opening else ""


@dataclass(frozen=True, slots=True)
class Topic:
    """The topic's vector, and its index stems with their weights (rarity in the corpus)."""

    vector: Vector
    weights: dict[str, float]

    def nearness(self, one: Said, vector: Vector) -> float:
        """About 0..1: by meaning, and by the share of the topic's words."""
        total = sum(self.weights.values())
        held = sum(weight for stem, weight in self.weights.items() if stem in one.passage.places)
        words = held / total if total else 0.0
        return 0.6 * max(0.0, float(vector @ self.vector)) + 0.4 * words


def for_theme(papers: Sequence[Read], topic: Topic, voice: Voice) -> tuple[Said, ...]:
    """In the order problem, approach, result; a paper's approach and its result are chosen together where
    they can be."""
    counts = _counts(len(papers))
    middle = unit(np.sum([paper.vector for paper in papers], axis=0))
    chosen: list[Said] = []
    for score, most in zip((problem, approach, result), counts, strict=True):
        taken: set[str] = set()
        for _ in range(most):
            found = _next(papers, score, topic, middle, voice, chosen, taken)
            if found is None and not taken and score in _LEANING:
                found = _next(papers, _LEANING[score], topic, middle, voice, chosen, taken)
            if found is None:
                break
            reader, one = found
            chosen.append(one)
            taken.add(reader.paper.id)
            voice.add(one, reader.vector_of(one))
    return tuple(chosen)


def _counts(papers: int) -> tuple[int, int, int]:
    """How many sentences of problem, approach and result."""
    if papers == 1:
        return 0, 1, 1
    return 1, min(3, papers), min(3, max(1, papers - 1))


def _next(
    papers: Sequence[Read],
    score: Score,
    topic: Topic,
    middle: Vector,
    voice: Voice,
    chosen: Sequence[Said],
    taken: Iterable[str],
) -> tuple[Read, Said] | None:
    """The best sentence that is left, of a paper that has not spoken in this part yet."""
    spoken = {one.paper.id for one in chosen}
    best: tuple[float, Read, Said] | None = None
    for rank, reader in enumerate(papers):
        if reader.paper.id in taken:
            continue
        standing = (
            0.25 * reader.score + 0.1 / (1 + rank) + (0.1 if score is result and reader.paper.id in spoken else 0.0)
        )
        costs = voice.costs(reader, chosen)
        for one, vector, cost in zip(reader.said, reader.vectors, costs, strict=True):
            if one.place in voice.said or not one.clean or voice.worth(score, one) < _EDGE:
                continue
            worth = voice.worth(score, one) - cost + standing
            worth += 0.7 * topic.nearness(one, vector) + 0.4 * float(vector @ middle)
            if best is None or worth > best[0]:
                best = (worth, reader, one)
    return best[1:] if best and best[0] > _EDGE else None


def problem(one: Said, *, alone: bool = True) -> float:
    """What is hard, and not how much has been achieved. `alone`: among other papers' sentences, not in its own row."""
    folded = one.passage.folded
    worth = one.chance("background") + 0.35 * bool(_LIMITS.search(folded)) - 0.4 * bool(_PRAISE.search(folded))
    worth -= 0.4 * (has("our", folded) or has("we_make", folded))
    return worth - _costs(one, alone)


def approach(one: Said, *, alone: bool = True) -> float:
    """What is done about it."""
    folded = one.passage.folded
    worth = one.chance("aim") + 0.35 * one.chance("method") + 0.1 * bool(one.passage.names)
    worth += 0.15 * has("we_make", folded)
    return worth - 0.15 * has("question", folded) - _costs(one, alone)


def result(one: Said, *, alone: bool = True) -> float:
    """What came of it: with figures rather than praise."""
    folded = one.passage.folded
    told = bool(one.passage.numbers)
    worth = one.chance("result") + 0.45 * one.chance("conclusion") + 0.25 * told + 0.1 * bool(one.passage.names)
    worth += 0.25 * (tells_finding(one.passage) and not _VAGUE.search(folded))
    if _VAGUE.search(folded) and not told:
        worth -= 0.3
    if _SETTING_UP.search(folded) and not _OUTCOME.search(folded):
        worth -= 0.6
    return worth - 0.3 * (alone and bool(_OURS_UNNAMED.search(folded))) - _costs(one, alone)


def _approach_leaning(one: Said) -> float:
    return approach(one, alone=False)


def _result_leaning(one: Said) -> float:
    return result(one, alone=False)


_LEANING: Final[Mapping[Score, Score]] = {approach: _approach_leaning, result: _result_leaning}
"""A theme without any sentence of a part that stands by itself takes one that would stand in its paper's own row."""


def _costs(one: Said, alone: bool) -> float:
    """What speaks against a sentence by itself; less in a row, where the paper's other sentences stand beside it."""
    folded = one.passage.folded
    costs = (
        0.01 * max(0, one.passage.length - 35)
        + 0.7 * (one.chance("code") > 0.5 or bool(_HOUSEKEEPING.search(folded)))
        + 0.3 * has("question", folded)
    )
    if not alone:
        return costs + 0.25 * (one.leaning and not has("to_fix", folded))
    costs += 0.9 * one.leaning + 0.25 * bool(_CONNECTIVE.match(folded)) + 0.1 * has("to_fix", folded)
    return costs + (0.5 if _POINTS_BACK.match(folded) else 0.35 * _points_out(folded))


def _points_out(folded: str) -> bool:
    """Whether "this tension" stands in it, and no tension before."""
    return any(found[1][:5] not in folded[: found.start()] for found in _POINTING.finditer(folded))


def for_overview(themes: Sequence[Sequence[Read]], topic: Topic, voice: Voice, most: int) -> tuple[Said, ...]:
    """What the topic is about, then a finding of each of the largest themes, of papers that are much about it."""
    best = max((paper.score for theme in themes for paper in theme), default=0.0)
    themes = [kept for theme in themes if (kept := [p for p in theme if p.score >= _CENTRAL * best])]
    papers = [paper for theme in themes for paper in theme]
    chosen: list[Said] = []
    for pool, score in _pools(themes, papers, topic):
        if len(chosen) == most:
            break
        middle = unit(np.sum([paper.vector for paper in pool], axis=0))
        spoken = {one.paper.id for one in chosen}
        found = _next(pool, score, topic, middle, voice, chosen, spoken)
        if found is not None:
            reader, one = found
            chosen.append(one)
            voice.add(one, reader.vector_of(one))
    return tuple(chosen)


def _pools(
    themes: Sequence[Sequence[Read]], papers: Sequence[Read], topic: Topic
) -> Iterator[tuple[Sequence[Read], Score]]:
    yield papers, lambda one: scene(one, topic)
    for theme in themes:
        yield theme, result


def scene(one: Said, topic: Topic) -> float:
    """How well a sentence says what the topic is: background that opens with the topic's own words."""
    opening = set(one.passage.places) if one.passage.length < 8 else _stems_before(one, 8)
    total = sum(topic.weights.values())
    named = sum(weight for stem, weight in topic.weights.items() if stem in opening) / total if total else 0.0
    worth = one.chance("background") + 0.7 * named - 0.5 + 0.1 * bool(_LIMITS.search(one.passage.folded))
    return worth - 0.15 * bool(_PRAISE.search(one.passage.folded)) - _costs(one, True)


def _stems_before(one: Said, place: int) -> set[str]:
    return {stem for stem, places in one.passage.places.items() if places[0] < place}
