"""Fits what tells the parts of an abstract apart. `python -m evals.fit_parts` writes rag/weights/parts.json.

Labels: SciFact's structured abstracts, whose authors named the parts (the headings are cut off before
anything is learned), and abstracts of machine learning, labelled by rules that are right where they speak.
Words must do without cues a third of the time, so that they are worth something where cues are silent.
Measured on abstracts held out of each, and on ICML abstracts labelled by hand (evals/parts_icml.json: ids and
letters, no text).
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from evals.material.places import EVALS, needed
from rag.text.normalise import fold
from rag.text.parts import (
    PARTS,
    Model,
    Part,
    Table,
    features,
    from_weights,
    heading_length,
    part_chances,
    sections,
)
from rag.text.sentences import split
from rag.weights import FOLDER

BY_HAND = EVALS / "parts_icml.json"
_LETTERS = dict(zip("bamrck", PARTS, strict=True))
_ML_ABSTRACTS, _WORDS, _LEAST_SEEN = 2500, 420, 30
_STEPS, _RATE, _DECAY, _CUE_DROPPED = 220, 0.08, 2e-4, 0.35
_SOFTER = 0.6
"""How much of the transitions' logarithms is used: the sentences' own scores know of place already."""
_AIM = re.compile(
    r"\b(?:we|this (?:paper|work|study)) (?:\w+ ){0,2}(?:propos|introduc|present|develop|stud(?:y"
    r"|ies)|investigat|address|consider)"
)
_FOUND = re.compile(
    r"\b(?:experiment\w*|results?|evaluations?|simulations|analysis|studies)\b.{0,80}\b(?:show"
    r"|demonstrat|indicat|confirm|validat|reveal"
    r"|corroborat|achiev)|\boutperform|\bwe (?:\w+ )?(?:find|show|prove|demonstrate|observe|establish"
    r"|validate|reveal|derive|obtain|achieve)\b"
    r"|\bachiev\w+ .{0,60}(?:\d|state-of-the-art|optimal)|\bempirically,|\bguarantee(?:s|d)?\b"
    r"|\bimprov(?:es|ing) .{0,60}\d"
)
_MAYBE_FOUND = re.compile(
    r"\b(?:improv|achiev|reduc|guarantee|faster|superior|reveal|demonstrat|show|optimal|robust"
    r"|substantial|significant)|%"
)
_MEANS = re.compile(
    r"\b(?:findings|results) (?:\w+ )?(?:suggest|highlight|underscore)|\bpav(?:e|es|ing) the way"
    r"|\boffers? (?:\w+ )?insights?"
)
_CODE = re.compile(r"https?://|\bcode\b.{0,40}\b(?:available|released?)\b|\bopen-sourced?\b")
_OURS = re.compile(r"\b(?:we|our|this paper|this work)\b")


@dataclass(frozen=True, slots=True)
class Labelled:
    sentences: tuple[str, ...]
    parts: tuple[Part | None, ...]


def scifact() -> list[Labelled]:
    """Structured abstracts, headings cut off. Aims hidden under "BACKGROUND" are called aims."""
    found = []
    for line in (needed() / "scifact" / "corpus.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if not row["structured"]:
            continue
        sentences = [text.strip() for text in row["abstract"] if text.strip()]
        labels = [_mended(text, part) for text, part in zip(sentences, sections(sentences), strict=True)]
        bare = tuple(text[heading_length(text) :] for text in sentences)
        found.append(Labelled(bare, tuple(labels)))
    return found


def _mended(sentence: str, part: Part | None) -> Part | None:
    if part == "background" and _AIM.search(fold(sentence)):
        return "aim"
    return part


def machine_learning(count: int) -> list[Labelled]:
    with gzip.open(needed() / "ml_abstracts.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    chosen = random.Random(5).sample(rows, count)
    return [made for row in chosen if (made := _by_rules(row["abstract"])) is not None]


def _by_rules(abstract: str) -> Labelled | None:
    """None for an abstract without an aim that the rules see."""
    sentences = tuple(abstract[start:end] for start, end in split(abstract))
    texts = [fold(sentence) for sentence in sentences]
    aim = next((i for i, text in enumerate(texts) if _AIM.search(text)), None)
    if aim is None or len(texts) < 4:
        return None
    found = next((i for i, text in enumerate(texts) if i > aim and _FOUND.search(text)), len(texts))
    return Labelled(sentences, tuple(_ruled(i, text, aim, found, len(texts)) for i, text in enumerate(texts)))


def _ruled(place: int, text: str, aim: int, found: int, total: int) -> Part | None:
    if _CODE.search(text):
        return "code"
    if place < aim:
        return None if _OURS.search(text) else "background"
    if place == aim:
        return "aim"
    if place == total - 1 and _MEANS.search(text):
        return "conclusion"
    if _FOUND.search(text):
        return "result"
    unclear = place > found or _AIM.search(text) or _MAYBE_FOUND.search(text)
    return None if unclear else "method"


def by_hand() -> list[Labelled]:
    letters = json.loads(BY_HAND.read_text("utf-8"))["parts"]
    found = []
    for line in (needed() / "icml2026" / "papers.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["id"] in letters:
            sentences = tuple(row["abstract"][start:end] for start, end in split(row["abstract"]))
            if len(sentences) == len(letters[row["id"]]):
                found.append(Labelled(sentences, tuple(_LETTERS[letter] for letter in letters[row["id"]])))
    return found


def fit(abstracts: Sequence[Labelled]) -> dict[str, object]:
    named = [(names, part) for one in abstracts for names, part in _rows(one)]
    kept = _vocabulary(named)
    column = {name: place for place, name in enumerate(kept)}
    table = np.zeros((len(named), len(kept)), dtype=np.float32)
    for row, (names, _) in enumerate(named):
        table[row, [column[name] for name in names if name in column]] = 1.0
    wanted = np.array([PARTS.index(part) for _, part in named])
    weights, offsets = _softmax_regression(
        table, wanted, np.array([name.startswith(("cue:", "place:")) for name in kept])
    )
    transitions, first = _order(abstracts)
    rounded = {name: [round(float(w), 3) for w in row] for name, row in zip(kept, weights, strict=True)}
    return {
        "source": "python -m evals.fit_parts: SciFact's structured abstracts, and ML abstracts labelled by rules",
        "parts": PARTS,
        "offsets": [round(float(w), 3) for w in offsets],
        "first": [round(float(w), 3) for w in first],
        "transitions": [[round(float(w), 3) for w in row] for row in transitions],
        "features": rounded,
    }


def _rows(one: Labelled) -> Iterator[tuple[tuple[str, ...], Part]]:
    for names, part in zip(features(one.sentences), one.parts, strict=True):
        if part is not None:
            yield names, part


def _vocabulary(named: Sequence[tuple[tuple[str, ...], Part]]) -> list[str]:
    """All cues and places, and the words that tell most (mutual information with the part)."""
    seen: Counter[str] = Counter()
    joint: Counter[tuple[str, Part]] = Counter()
    prior = Counter(part for _, part in named)
    for names, part in named:
        seen.update(names)
        joint.update((name, part) for name in names)
    always = sorted(name for name in seen if not name.startswith(("word:", "opening:")))

    def told(name: str) -> float:
        share = seen[name] / len(named)
        return sum(
            (joint[name, part] / len(named))
            * np.log(joint[name, part] / len(named) / (share * prior[part] / len(named)))
            for part in prior
            if joint[name, part]
        )

    words = [name for name in seen if name.startswith(("word:", "opening:")) and seen[name] >= _LEAST_SEEN]
    return always + sorted(sorted(words), key=told, reverse=True)[:_WORDS]


def _softmax_regression(table: Table, wanted: Table, droppable: Table) -> tuple[Table, Table]:
    """Adam on the cross-entropy, each part weighted by the root of its rarity; cues dropped at random."""
    chance = np.random.default_rng(11)
    count, width = table.shape
    weights, offsets = np.zeros((width, len(PARTS))), np.zeros(len(PARTS))
    target = np.eye(len(PARTS))[wanted]
    rarity = np.sqrt(count / len(PARTS) / np.maximum(1, target.sum(axis=0)))[wanted][:, None]
    moments = [np.zeros_like(weights), np.zeros_like(weights)]
    for step in range(1, _STEPS + 1):
        batch = chance.integers(0, count, 3000)
        rows = table[batch] * np.where(droppable & (chance.random((len(batch), 1)) < _CUE_DROPPED), 0.0, 1.0)
        logits = rows @ weights + offsets
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        wrong = (chances - target[batch]) * rarity[batch] / len(batch)
        gradient = rows.T @ wrong + _DECAY * weights
        moments[0] = 0.9 * moments[0] + 0.1 * gradient
        moments[1] = 0.99 * moments[1] + 0.01 * gradient**2
        rate = _RATE * (1 - step / (_STEPS + 1))
        weights -= rate * (moments[0] / (1 - 0.9**step)) / (np.sqrt(moments[1] / (1 - 0.99**step)) + 1e-8)
        offsets -= 5 * rate * wrong.sum(axis=0)
    return weights, offsets


def _order(abstracts: Sequence[Labelled]) -> tuple[Table, Table]:
    """How much likelier than by chance one part follows another, as softened logarithms."""
    pairs, first = np.ones((len(PARTS), len(PARTS))), np.ones(len(PARTS))
    for one in abstracts:
        numbers = [None if part is None else PARTS.index(part) for part in one.parts]
        if numbers and numbers[0] is not None:
            first[numbers[0]] += 1
        for left, right in pairwise(numbers):
            if left is not None and right is not None:
                pairs[left, right] += 1
    share = pairs.sum(axis=0) / pairs.sum()
    follow = np.log(pairs / pairs.sum(axis=1, keepdims=True) / share)
    return _SOFTER * follow, _SOFTER * np.log(first / first.sum() / share)


def measure(model: Model, abstracts: Sequence[Labelled]) -> tuple[float, int, dict[str, float]]:
    """Share of labelled sentences given their part, how many there are, and the F1 of each part."""
    right, said, held = Counter[str](), Counter[str](), Counter[str]()
    for one in abstracts:
        rows = part_chances(one.sentences, model)
        for row, part in zip(rows, one.parts, strict=True):
            if part is None:
                continue
            got = PARTS[int(row.argmax())]
            said[got] += 1
            held[part] += 1
            right[part] += got == part
    f1 = {part: round(2 * right[part] / max(1, said[part] + held[part]), 3) for part in PARTS if held[part]}
    total = sum(held.values())
    return sum(right.values()) / max(1, total), total, f1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry", action="store_true", help="measure only, write nothing")
    dry = parser.parse_args().dry
    structured, ruled = scifact(), machine_learning(_ML_ABSTRACTS)
    random.Random(3).shuffle(structured)
    cut, mark = len(structured) * 4 // 5, len(ruled) * 4 // 5
    weights = fit([*structured[:cut], *ruled[:mark]])
    model = from_weights(weights)
    shown = {
        "SciFact, held out": structured[cut:],
        "rules, held out": ruled[mark:],
        "ICML by hand": by_hand(),
    }
    figures = {}
    for name, abstracts in shown.items():
        accuracy, count, f1 = measure(model, abstracts)
        figures[name] = {"accuracy": round(accuracy, 3), "sentences": count, "f1": f1}
        print(f"{name:<20} {accuracy:.3f} of {count} sentences in {len(abstracts)} abstracts  {f1}")
    if not dry:
        path = FOLDER / "parts.json"
        path.write_text(json.dumps({**weights, "measured": figures}, ensure_ascii=False, indent=0) + "\n", "utf-8")
        print(f"wrote {path}")


if __name__ == "__main__":
    main()
