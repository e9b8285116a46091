"""The parts of `evals.scale`, each measured in a process of its own: what is done to one corpus of one size."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from evals.timing import parts
from evals.timing.measure import Figures, latencies, peak_megabytes, timed
from evals.timing.parts import NAME, ids

_SAMPLE = 3000  # papers whose parts are timed one by one
_QUERIES = 200
_EXACT_QUERIES = 30


def measured(part: str, file: Path, home: Path) -> Figures:
    figures = PARTS[part](file, home)
    return {"mb": peak_megabytes()} | figures


def _sync(file: Path, home: Path) -> Figures:
    figures = parts.sync_once(file, home)
    return figures | {"disk": sum(path.stat().st_size for path in home.rglob("*") if path.is_file()) / 1e6}


def _bare(file: Path, home: Path) -> Figures:
    figures = parts.bare_loop(file, home)
    shutil.rmtree(home / "bare")
    return figures


def _parts(file: Path, home: Path) -> Figures:
    """CPU seconds of the parts of a sync for the whole corpus, from a sample, one after the other."""
    from itertools import islice

    from rag.embed import load
    from rag.library.chunks import chunks, embedded_text
    from rag.library.prepare import prepare
    from rag.readers import read
    from rag.text.sentences import split
    from rag.types import Paper

    embedder = load()
    embedder.embed(["the model is read"])
    papers, reading = _cpu(lambda: [p for p in islice(read([file]), _SAMPLE) if isinstance(p, Paper)])
    sentences, splitting = _cpu(lambda: [split(paper.abstract) for paper in papers])
    windows = [(paper, chunks(paper.id, spans)) for paper, spans in zip(papers, sentences, strict=True)]
    texts, _ = _cpu(lambda: [embedded_text(paper, chunk) for paper, parts in windows for chunk in parts])
    _, preparing = _cpu(lambda: [prepare(paper, "") for paper in papers])
    _, embedding = _cpu(lambda: embedder.embed(texts))
    with file.open("rb") as lines:
        whole = sum(1 for _ in lines) / len(papers)
    parts = {"read": reading, "split": splitting, "words": preparing - splitting, "embed": embedding}
    return {name: seconds * whole for name, seconds in parts.items()}


def _cold(file: Path, home: Path) -> Figures:
    """`citewell ask` in a new process, three times; the best. The question is a paper's own title."""
    from rag.library import Library

    with Library.open(home, NAME) as library:
        title = next(library.papers()).title
    code = (
        "import sys, resource; from cli import main; sys.argv[0] = 'citewell'\n"
        "try: main()\n"
        "finally:\n"
        "    used = resource.getrusage(resource.RUSAGE_SELF)\n"
        "    print(used.ru_utime + used.ru_stime, used.ru_maxrss, file=sys.stderr)"
    )
    command = [sys.executable, "-c", code, "ask", title, "--corpus", NAME, "--no-log", "-q"]
    took: list[float] = []
    spent: list[float] = []
    for _ in range(3):
        started = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, env=_environment(home))
        took.append(time.perf_counter() - started)
        if done.returncode not in (0, 3):
            raise RuntimeError(done.stderr)
        spent.append(float(done.stderr.split()[-2]))
    return {"seconds": min(took), "cpu": min(spent), "mb": int(done.stderr.split()[-1]) // 1024}


def _environment(home: Path) -> dict[str, str]:
    import os

    return os.environ | {"CITEWELL_HOME": str(home)}


def _warm(file: Path, home: Path) -> Figures:
    """Titles as queries: whole retrieval, its vectors alone (approximate and exact), and an answer."""
    from rag import Assistant
    from rag.embed import load
    from rag.library import Library
    from rag.retrieve import Retriever
    from rag.settings import Settings

    embedder = load()
    with Library.open(home, NAME, embedder_identity=embedder.identity) as library:
        titles = _spread([paper.title for paper in library.papers()], _QUERIES)
        retriever = Retriever(library, embedder)
        whole = latencies(lambda n: retriever.search(titles[n]), len(titles))
        vectors = embedder.embed(titles)
        chosen = latencies(lambda n: library.search_vectors(vectors[n], 50), len(titles))
    best: dict[int, set[str]] = {}
    with parts.through_index(home) as library:
        near = latencies(lambda n: library.search_vectors(vectors[n], 50), len(titles))
        count = min(_EXACT_QUERIES, len(titles))

        def exactly(n: int) -> None:
            best[n] = ids(library.search_vectors(vectors[n], 50, exact=True)[:10])

        exact = latencies(exactly, count)
        found = [
            len(best[n] & ids(library.search_vectors(vectors[n], 10))) / max(1, len(best[n])) for n in range(count)
        ]
    assistant = Assistant(Settings(home=home, corpus=NAME, log=False, origins={"corpus": "the measure"}))
    answers = latencies(lambda n: assistant.ask(titles[n]), min(30, len(titles)))
    return whole | {
        "vectors_p50": near["p50"],
        "vectors_p95": near["p95"],
        "vectors_cpu": near["cpu"],
        "chosen_cpu": chosen["cpu"],
        "exact_p50": exact["p50"],
        "exact_cpu": exact["cpu"],
        "recall": float(np.mean(found)),
        "ask_p50": answers["p50"],
    }


def _spread(items: Sequence[str], count: int) -> list[str]:
    return list(items[:: max(1, len(items) // count)][:count])


def _cpu(work: Callable[[], Any]) -> tuple[Any, float]:
    result, figures = timed(work)
    return result, float(figures["cpu"])


PARTS: dict[str, Callable[[Path, Path], Figures]] = {
    "sync": _sync,
    "cold": _cold,
    "warm": _warm,
    "parts": _parts,
    "same": parts.same_again,
    "change": parts.one_in_a_hundred,
    "bare": _bare,
}
"""In the order they are run: Chroma alone last, which takes as long as a sync and tells the least of ours."""
