"""Corpora of any size: real abstracts as far as they go, then papers varied by program, no two alike."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from evals.material.places import data
from rag.readers import read
from rag.shipped import SEEDS
from rag.text.sentences import split
from rag.types import Paper

Record = dict[str, Any]
_MATERIAL = 4000
_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"


def write(file: Path, size: int, seed: int = 0) -> int:
    """`size` records as JSON lines. Returns how many of them are real."""
    real = 0
    material: list[Record] = []
    with file.open("w", encoding="utf-8") as out:
        for record in islice(_real(size), size):
            real += 1
            if len(material) < _MATERIAL:
                material.append(record)
            out.write(json.dumps(record) + "\n")
        for record in islice(varied(material, seed), size - real):
            out.write(json.dumps(record) + "\n")
    return real


def varied(material: list[Record], seed: int) -> Iterator[Record]:
    """Sentences of three papers each, with a name, words and numbers of its own, so that the vocabulary grows too."""
    chance = random.Random(seed)
    sentences = [[paper["abstract"][start:end] for start, end in split(paper["abstract"])] for paper in material]
    number = 0
    while True:
        number += 1
        name = f"{_word(chance).capitalize()}-{number}"
        chosen = [part for part in chance.sample(sentences, min(3, len(sentences))) if part]
        body = [chance.choice(part) for part in chosen for _ in range(2)]
        gain, shots = chance.randint(10, 999) / 10, chance.randint(2, 4096)
        own = f"{name} gains {gain}% on {_word(chance)} with {shots} examples."
        first, second = chance.sample(material, 2)
        title = f"{name}: {' '.join(first['title'].split()[-3:])} {' '.join(second['title'].split()[:3])}"
        year = chance.randint(1990, 2026)
        yield {"id": f"made-{number}", "title": title, "abstract": " ".join([*body[:3], own, *body[3:]]), "year": year}


def _word(chance: random.Random) -> str:
    return "".join(chance.choice(_CONSONANTS) + chance.choice(_VOWELS) for _ in range(chance.randint(2, 4)))


def _real(size: int) -> Iterator[Record]:
    folder = data()
    icml, others = folder / "icml2026" / "papers.jsonl", folder / "ml_abstracts.jsonl.gz"
    if size <= 38 or not icml.is_file():
        yield from (_record(paper) for paper in read([SEEDS]) if isinstance(paper, Paper))
    if icml.is_file() and size > 38:
        with icml.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)
    if others.is_file() and size > 38:
        with gzip.open(others, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def _record(paper: Paper) -> Record:
    return {"id": paper.id, "title": paper.title, "abstract": paper.abstract, "year": paper.year, "url": paper.url}
