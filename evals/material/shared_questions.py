"""Our own questions over the shared papers: evals/shared_questions.jsonl, and evals/loose_questions.jsonl, asked as
people do who have not read the paper; answers as offsets, so that no text of those papers is kept here. Six papers in
ten are for fitting, the rest ("report") for measuring; no paper is on both sides.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evals.material.cases import Question
from evals.material.places import EVALS, needed
from rag.types import Paper

OURS = (EVALS / "shared_questions.jsonl", EVALS / "loose_questions.jsonl")
FREE = ("loose", "loose_miss")
"""The kinds of the second file: what a paper answers, and what it leaves open."""
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the paper it is about ("" for none), and where in its abstract the answer stands: `sentences` each
    answer it alone, `answers` are the words to be seen, of which one will do."""

    text: str
    kind: str
    answerable: bool
    paper: str
    sentences: tuple[Span, ...]
    answers: tuple[Span, ...] = ()
    split: str = "fit"


def asked() -> tuple[Asked, ...]:
    rows = [json.loads(line) for path in OURS for line in path.read_text(encoding="utf-8").splitlines()]
    return tuple(_asked(row) for row in rows)


def _asked(row: dict[str, Any]) -> Asked:
    sentences, answers = (
        tuple((int(start), int(end)) for start, end in row.get(name, ())) for name in ("sentences", "answers")
    )
    paper = f"{row['of']}:{row['paper']}" if "paper" in row else ""
    return Asked(row["question"], row["kind"], row["answerable"], paper, sentences, answers, row["split"])


def papers_of(questions: Sequence[Asked], strangers: int) -> tuple[list[Paper], list[Paper]]:
    """The papers that these ask about, and so many that no question is about. Raises NotMeasured without the data."""
    everything = dict(pool())
    own = [everything[key] for key in dict.fromkeys(one.paper for one in questions if one.paper)]
    all_asked = {one.paper for one in asked()}
    others = [paper for key, paper in everything.items() if key not in all_asked]
    return own, random.Random(3).sample(others, strangers)


def as_questions(split: str, papers: Sequence[Paper]) -> list[Question]:
    """One split in the form of evals/questions; the papers give the words to be seen."""
    texts = {paper.id: paper.abstract for paper in papers}
    made = []
    for number, one in enumerate(asked()):
        if one.split != split:
            continue
        seen = tuple(texts[one.paper][start:end] for start, end in one.answers)
        gold = (one.paper,) if one.answerable else ()
        made.append(Question(f"shared-{number}", one.kind, one.text, one.answerable, gold, (), (seen,) if seen else ()))
    return made


def pool() -> Iterator[tuple[str, Paper]]:
    """Every paper of the data sets, under "data set:its id there"."""
    with (needed() / "icml2026" / "papers.jsonl").open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            url = row["url"] or ""
            yield _paper("icml2026", url.rpartition("id=")[2] or row["id"], row["title"], row["abstract"])
    with gzip.open(needed() / "ml_abstracts.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield _paper("ml_abstracts", row["id"], row["title"], row["abstract"])
    with (needed() / "scifact" / "corpus.jsonl").open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield _paper("scifact", str(row["doc_id"]), row["title"], " ".join(row["abstract"]))


def _paper(source: str, id_: str, title: str, abstract: str) -> tuple[str, Paper]:
    key = f"{source}:{id_}"
    return key, Paper(key, title, "given", abstract)


def texts(limit: int, seed: int = 0) -> tuple[str, ...]:
    """Texts of papers of the data sets, for counting words: none of the ICML papers that questions are asked about."""
    found = [f"{p.title}. {p.abstract}" for key, p in pool() if not key.startswith("icml")]
    return tuple(random.Random(seed).sample(found, min(limit, len(found))))
