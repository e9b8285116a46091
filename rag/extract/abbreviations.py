"""What a paper calls by its own abbreviation: "RAC" is ractopamine where its abstract once says "ractopamine (RAC)"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rag.extract.passage import Passage, read
from rag.question import Question
from rag.verify.aliases import definitions


def spelled_out(question: Question, passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """One paper's passages, where each holds, beside an abbreviation that the paper defines, the words it stands for;
    only of what the question asks after. Their texts and the places of all other words stay as they are."""
    known = definitions(passage.text for passage in passages)
    asked = {short: read(long) for short, long in known.items()}
    asked = {short: long for short, long in asked.items() if not long.places.keys().isdisjoint(question.terms)}
    if not asked:
        return tuple(passages)
    return tuple(_with(passage, asked) for passage in passages)


def _with(passage: Passage, asked: dict[str, Passage]) -> Passage:
    places, words = dict(passage.places), dict(passage.words)
    for short, long in asked.items():
        for stem, word in long.words.items() if short in passage.places else ():
            places.setdefault(stem, passage.places[short])
            words.setdefault(stem, word)
    return passage if len(places) == len(passage.places) else replace(passage, places=places, words=words)
