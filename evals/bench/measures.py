"""F1 in its several forms: of counts, over classes, of tokens (SQuAD's), of longest common subsequences (ROUGE-L)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rag.text.tokens import tokenise


def f1(right: float, predicted: float, gold: float) -> dict[str, float]:
    """Precision, recall and F1 of counts; 0 where nothing was predicted or there is nothing to find."""
    precision = right / predicted if predicted else 0.0
    recall = right / gold if gold else 0.0
    both = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return {"precision": precision, "recall": recall, "f1": both}


def classes(pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Accuracy and macro-F1 of (gold, predicted) labels, over the classes that the gold has."""
    if not pairs:
        return {"accuracy": 0.0, "macro_f1": 0.0}
    scores = []
    for label in sorted({gold for gold, _ in pairs}):
        right = sum(gold == predicted == label for gold, predicted in pairs)
        scores.append(f1(right, sum(p == label for _, p in pairs), sum(g == label for g, _ in pairs))["f1"])
    accuracy = sum(gold == predicted for gold, predicted in pairs) / len(pairs)
    return {"accuracy": accuracy, "macro_f1": sum(scores) / len(scores)}


def token_f1(answer: str, gold: str) -> float:
    """Shared words as a bag, folded; without SQuAD's removal of articles."""
    mine, theirs = Counter(_words(answer)), Counter(_words(gold))
    return f1(sum((mine & theirs).values()), mine.total(), theirs.total())["f1"]


def rouge_l(answer: str, gold: str) -> float:
    """F of the longest common subsequence of words (Lin 2004), beta 1."""
    mine, theirs = _words(answer), _words(gold)
    return f1(_common(mine, theirs), len(mine), len(theirs))["f1"]


def _words(text: str) -> list[str]:
    return [token.norm for token in tokenise(text) if token.kind != "symbol"]


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    row = [0] * (len(second) + 1)
    for word in first:
        before = 0
        for place, other in enumerate(second, 1):
            above = row[place]
            row[place] = before + 1 if word == other else max(above, row[place - 1])
            before = above
    return row[-1]
