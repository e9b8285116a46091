"""What stands at the noun that "which" or "how many" asks for, in numbers that the refusal is fitted on.

"Which LLM?" is told by "GPT-5, an LLM", and hardly by "LLM-assisted" or "several LLMs"; how far each of these speaks
for an answer is learned from questions with and without one, not ruled.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from rag.extract.passage import Passage
from rag.extract.tells import EMPTY, head_of, new_names_in, noun_asked, places_of
from rag.question import Question
from rag.text.normalise import fold
from rag.text.rarity import weight

AT_NOUN: Final = (
    "noun_asked", "noun_held", "noun_as_asked", "noun_many", "noun_part", "noun_name", "noun_count", "noun_word",
    "noun_empty", "noun_after",
)  # fmt: skip
"""Whether a noun is asked for and stands there; in the question's number, in the plural, as part of a compound; how
near a new name and a number before it stand; how rare the word right before it is, whether one that tells nothing; how
rare the word right after it is."""
_UNASKED: Final = (0.0, *[0.5] * (len(AT_NOUN) - 1))
_ABSENT: Final = (1.0, *[0.0] * (len(AT_NOUN) - 1))


def at_noun(question: Question, passage: Passage, told: Collection[str]) -> tuple[float, ...]:
    """(AT_NOUN,): of one sentence. `told`: names and words that the reader knows already, without a plural's s."""
    noun = noun_asked(question, fold(question.text))
    if not noun:
        return _UNASKED
    heads = places_of(noun, passage)
    if not heads:
        return _ABSENT
    at: dict[int, list[str]] = {}
    for stem, places in passage.places.items():
        for place in places:
            at.setdefault(place, []).append(stem)
    names = [place for name in new_names_in(passage, told) for place in passage.places.get(name, ())]
    numbers = [place for place, _ in passage.numbers]
    spoken = {word for stem, word in passage.words.items() if set(passage.places[stem]) & set(heads)}
    before = [stem for head in heads for stem in at.get(head - 1, ())]
    after = [stem for head in heads for stem in at.get(head + 1, ())]
    return (
        1.0,
        1.0,
        float(noun.split()[-1] in spoken),
        float(any(word.endswith("s") for word in spoken)),
        float(all(len(at[head]) > 1 for head in heads)),
        _nearness(heads, names),
        _nearness(heads, [place for place in numbers if any(head - place >= 0 for head in heads)]),
        _rarest([stem for stem in before if stem not in question.terms]),
        float(any(stem in EMPTY for stem in before) or head_of(noun) in EMPTY),
        _rarest([stem for stem in after if stem not in question.terms]),
    )


def _nearness(heads: Collection[int], places: Collection[int]) -> float:
    """1 right beside a head, falling with the tokens between; 0 for none."""
    apart = min((abs(head - place) for head in heads for place in places), default=None)
    return 0.0 if apart is None else 1.0 / max(1, apart)


def _rarest(stems: Collection[str]) -> float:
    return max((weight(stem) for stem in stems), default=0.0)
