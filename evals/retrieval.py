"""How well retrieval finds papers, and how fast: `python -m evals.retrieval [--queries N] [--home FOLDER]`.

Words alone (BM25), vectors alone, both scaled to 0..1 by query and added, and ours, side by side through the real
library, on (a) SciFact's labelled claims over its 5,183 abstracts and (b) ICML 2026, each title as the query over 5,862
abstracts without their titles. Then how well the cut-off fits questions for several papers: those of evals/questions'
reporting half, and topics counted in ICML's abstracts (where a paper that speaks of a topic in other words counts as
wrong). What ours is fitted on is told in rag/weights/retrieve.json.
"""

from __future__ import annotations

import argparse
import math
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from evals.material.corpora import Judged, Task, asked, built, icml_titles, scifact, seeds
from evals.material.topics import topics
from rag.embed import Embedder, embed_query, load
from rag.library.library import Library
from rag.retrieve import Retriever
from rag.retrieve.retriever import fused
from rag.text.tokens import content_terms

Search = Callable[[str], Sequence[str]]
DEPTH = 50
MEASURES = ("nDCG@10", "recall@10", "recall@50", "MRR", "first right")
_POOL = 200
_RESAMPLES = 1000


def measured(ranked: Sequence[str], relevant: frozenset[str]) -> tuple[float, ...]:
    """The MEASURES of one query. nDCG with gain 1 for each relevant paper (Järvelin and Kekäläinen, 2002)."""
    places = [place for place, id_ in enumerate(ranked[:DEPTH], start=1) if id_ in relevant]
    ideal = sum(1 / math.log2(place + 1) for place in range(1, min(10, len(relevant)) + 1))
    gained = sum(1 / math.log2(place + 1) for place in places if place <= 10)
    return (
        gained / ideal,
        sum(place <= 10 for place in places) / len(relevant),
        len(places) / len(relevant),
        1 / places[0] if places else 0.0,
        float(bool(places) and places[0] == 1),
    )


def systems(library: Library, embedder: Embedder) -> Mapping[str, Search]:
    """What is compared, by name."""
    retriever = Retriever(library, embedder)

    def words(text: str) -> list[tuple[str, float]]:
        return library.search_words(content_terms(text), _POOL)

    def vectors(text: str) -> list[tuple[str, float]]:
        return library.search_vectors(embed_query(embedder, text), _POOL)

    def minmax(text: str) -> list[str]:
        scores = fused(dict(words(text)), dict(vectors(text)))
        return sorted(scores, key=lambda id_: (-scores[id_], id_))

    return {
        "BM25": lambda text: [id_ for id_, _ in words(text)],
        "vectors": lambda text: [id_ for id_, _ in vectors(text)],
        "min-max": minmax,
        "ours": lambda text: [hit.paper_id for hit in retriever.search(text, top_k=DEPTH).hits],
    }


def interval(values: np.ndarray, seed: int = 1) -> tuple[float, float]:
    """The middle 95 % of the means of bootstrap resamples of the queries."""
    drawn = np.random.default_rng(seed).integers(0, len(values), (_RESAMPLES, len(values)))
    low, high = np.quantile(values[drawn].mean(axis=1), [0.025, 0.975])
    return float(low), float(high)


def compare(task: Task, queries: Sequence[Judged], home: Path) -> None:
    """Print the table of one task."""
    embedder = load()
    with closing(built(task, home, embedder)) as library:
        print(f"\n{task.name}: {len(queries)} queries over {len(task.papers)} abstracts")
        print(f"{'':8}" + "".join(f"{name:^24}" for name in MEASURES) + "   ms p50   p95")
        for name, search in systems(library, embedder).items():
            scores, seconds = [], []
            for query in queries:
                started = time.perf_counter()
                ranked = search(query.text)
                seconds.append(time.perf_counter() - started)
                scores.append(measured(ranked, query.relevant))
            print(f"{name:8}" + "".join(_cell(column) for column in np.array(scores).T) + _times(seconds))


def lists(name: str, library: Library, queries: Sequence[Judged]) -> None:
    """Print how well the cut-off fits questions for several papers: macro precision and recall of what belongs."""
    retriever = Retriever(library, load())
    scores = []
    for query in queries:
        found = retriever.search(query.text, top_k=DEPTH)
        kept = {hit.paper_id for hit in found.hits[: found.belonging]}
        right = len(kept & query.relevant)
        scores.append((right / max(1, len(kept)), right / len(query.relevant)))
    columns = "".join(_cell(column) for column in np.array(scores).T)
    print(f"\n{name}: {len(queries)} list questions over {library.info.papers} papers")
    print(f"{'':8}{'precision':^24}{'recall':^24}\n{'ours':8}{columns}")


def _cell(values: np.ndarray) -> str:
    low, high = interval(values)
    return f"{f'{values.mean():.3f} [{low:.3f}, {high:.3f}]':^24}"


def _times(seconds: Sequence[float]) -> str:
    """Warm: the second half of the queries."""
    middle, late = np.quantile(seconds[len(seconds) // 2 :], [0.5, 0.95])
    return f"{middle * 1000:9.1f} {late * 1000:5.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m evals.retrieval", description=__doc__.splitlines()[0])
    parser.add_argument("--queries", type=int, default=1000, help="at most so many of each task, evenly spread")
    parser.add_argument("--home", type=Path, help="keep the libraries here (default: a temporary folder)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        home = given.home or Path(made)
        for task in (scifact(), icml_titles()):
            step = max(1, math.ceil(len(task.queries) / given.queries))
            compare(task, task.queries[::step], home)
        with closing(seeds(home)) as library:
            lists("seeds, reporting half", library, asked(("list",), "report"))
        with closing(built(task, home, load())) as library:
            lists(
                "icml, counted topics",
                library,
                topics(task.papers, 60, 2, 15, titles=[query.text for query in task.queries]),
            )


if __name__ == "__main__":
    main()
