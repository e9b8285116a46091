"""Whether passages support a sentence, without a language model: whole sentences word for word, else `verify.check`.

Deterministic: the same text always gets the same judgement. What the check itself is worth is measured apart, on
labelled claims (`evals/claims`), so that a broken check cannot vouch for itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rag.text.normalise import fold
from rag.text.sentences import split
from rag.text.tokens import content_terms
from rag.verify.checking import Check, Outcome, check

_NEAREST = 6
"""Sentences of the passages that are looked at one by one, by shared words."""
_TOGETHER = 3
"""Sentences that are looked at as one."""


@dataclass(frozen=True, slots=True)
class Judgement:
    outcome: Outcome
    reasons: tuple[str, ...] = ()
    probability: float = 1.0

    @property
    def supported(self) -> bool:
        return self.outcome == "supported"


class Judge:
    """Judges sentences against passages, and remembers."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, tuple[str, ...]], Judgement] = {}

    def __call__(self, text: str, passages: Sequence[str]) -> Judgement:
        """The passages taken together against `text`; their order does not matter."""
        key = (text, tuple(sorted(set(passages))))
        if key not in self._known:
            self._known[key] = _judge(*key)
        return self._known[key]


def _judge(text: str, passages: Sequence[str]) -> Judgement:
    if not passages:
        return Judgement("not_found", ("nothing is cited",), 0.0)
    if any(_repeats(text, passage) for passage in passages):
        return Judgement("supported", ("it repeats whole sentences of the passage word for word",))
    sentences = _nearest(text, [sentence for passage in passages for sentence in _sentences(passage)])
    found = [check(text, [sentence], context=passages) for sentence in sentences]
    if len(sentences) > 1 and not any(each.outcome == "supported" for each in found):
        found.append(check(text, sentences[:_TOGETHER], context=passages))
    return _best(found)


def _best(found: Sequence[Check]) -> Judgement:
    """Supported beats contradicted beats not found; among equals the closest wording."""
    order = ("not_found", "contradicted", "supported")
    best = max(found, key=lambda each: (order.index(each.outcome), each.coverage, each.probability))
    return Judgement(best.outcome, best.reasons, best.probability)


def _repeats(text: str, passage: str) -> bool:
    """Whether the text is one or several whole sentences of the passage in a row, white space aside."""
    wanted = " ".join(text.split())
    sentences = [" ".join(sentence.split()) for sentence in _sentences(passage)]
    for first in range(len(sentences)):
        joined = ""
        for sentence in sentences[first:]:
            joined = f"{joined} {sentence}".strip()
            if joined == wanted:
                return True
            if len(joined) > len(wanted):
                break
    return False


@lru_cache(maxsize=8192)
def _sentences(passage: str) -> tuple[str, ...]:
    found = tuple(passage[start:end].strip() for start, end in split(passage))
    return tuple(sentence for sentence in found if sentence) or (passage,)


def _nearest(text: str, sentences: Sequence[str]) -> list[str]:
    wanted = _terms(text)
    ranked = sorted(dict.fromkeys(sentences), key=lambda sentence: (-len(wanted & _terms(sentence)), fold(sentence)))
    return ranked[:_NEAREST]


@lru_cache(maxsize=8192)
def _terms(text: str) -> frozenset[str]:
    return frozenset(content_terms(text))
