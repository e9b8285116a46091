"""The data sets retrieval is fitted on and measured on, as papers and judged queries, and libraries made of them.

Looked for in the folder that CITEWELL_DATA names, else in `shared/data` beside the checkout. Their text is never kept.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.material.cases import QUESTIONS, load_questions
from evals.material.places import needed
from rag.embed import Embedder, load
from rag.library.library import Library
from rag.library.sync import sync
from rag.readers import read
from rag.readers.titles import derive_title
from rag.shipped import SEEDS
from rag.text.sentences import split
from rag.text.tokens import content_terms
from rag.types import Paper


@dataclass(frozen=True, slots=True)
class Judged:
    """A query and the ids of all papers that are relevant to it."""

    text: str
    relevant: frozenset[str]


@dataclass(frozen=True, slots=True)
class Task:
    name: str
    papers: tuple[Paper, ...]
    queries: tuple[Judged, ...]


def scifact() -> Task:
    """All labelled training claims of SciFact (Wadden et al., 2020); relevant are the abstracts a claim cites."""
    papers = tuple(
        Paper(f"scifact:{row['doc_id']}", row["title"], "given", " ".join(map(str.strip, row["abstract"])))
        for row in _rows(needed() / "scifact" / "corpus.jsonl")
    )
    known = {paper.id for paper in papers}
    queries = (
        Judged(row["claim"], frozenset(f"scifact:{cited}" for cited in row["cited_doc_ids"]) & known)
        for row in _rows(needed() / "scifact" / "claims_train.jsonl")
    )
    return Task("scifact", papers, tuple(query for query in queries if query.relevant))


def icml_titles() -> Task:
    """ICML 2026: each title as the query for its abstract, which is given a title out of its own words."""
    rows = [row for row in _rows(needed() / "icml2026" / "papers.jsonl") if row["title"] and row["abstract"]]
    papers = tuple(untitled(f"icml:{row['id']}", row["abstract"]) for row in rows)
    queries = tuple(Judged(row["title"], frozenset([paper.id])) for row, paper in zip(rows, papers, strict=True))
    return Task("icml", papers, queries)


def machine_learning(size: int = 4000, queries: int = 400, seed: int = 7) -> Task:
    """Other years' abstracts, for fitting. Half without titles, asked for by title; half with, asked for by a sentence.

    The sentence is cut out of its abstract; so it is from abstracts that nobody asks for, lest length tell them apart.
    """
    chance = random.Random(seed)
    rows = [row for row in _rows(needed() / "ml_abstracts.jsonl.gz") if row["title"] and row["abstract"]]
    papers: list[Paper] = []
    asked: list[Judged] = []
    for number, row in enumerate(chance.sample(rows, size)):
        id_, abstract, title = f"ml:{number}", row["abstract"], row["title"]
        if number % 2 == 0:
            papers.append(untitled(id_, abstract))
            asked.append(Judged(title, frozenset([id_])))
        else:
            start, end = _quotable(abstract, chance)
            papers.append(Paper(id_, title, "given", f"{abstract[:start]}{abstract[end:]}".strip()))
            asked.append(Judged(abstract[start:end], frozenset([id_])))
    return Task("ml", tuple(papers), tuple(query for query in asked if query.text)[: 2 * queries])


def untitled(id_: str, abstract: str) -> Paper:
    """A paper as the readers make one of an abstract that came without a title."""
    return Paper(id_, derive_title(abstract), "derived", abstract)


def _quotable(abstract: str, chance: random.Random) -> tuple[int, int]:
    """A sentence with enough in it to be asked with, from an abstract that has others; else an empty span."""
    spans = [span for span in split(abstract)[1:] if len(content_terms(abstract[slice(*span)])) >= 8]
    return chance.choice(spans) if len(spans) > 2 else (0, 0)


def built(task: Task, home: Path, embedder: Embedder) -> Library:
    """The task's papers in a library below `home`; one that is already there is only brought up to date."""
    sync(home, task.name, task.papers, embedder)
    return Library.open(home, task.name, embedder_identity=embedder.identity)


def seeds(home: Path) -> Library:
    """The corpus that ships."""
    embedder = load()
    sync(home, "seeds", read([SEEDS]), embedder)
    return Library.open(home, "seeds", embedder_identity=embedder.identity)


def asked(kinds: Sequence[str], split: str) -> list[Judged]:
    """The questions over the seeds of these kinds."""
    return [
        Judged(question.question, frozenset(question.papers))
        for question in load_questions([QUESTIONS])
        if question.kind in kinds and question.split == split and question.papers
    ]


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
