"""Readers beside writers: real processes on one corpus, for a while (`python -m evals.faults` runs it)."""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from evals.material.places import ROOT
from evals.processes.versions import version
from rag.errors import CorpusBusy
from rag.library import Library, meaning
from rag.library.sync import sync

NAME = "c"
_PAPERS = 60


def beside(home: Path, seconds: float, readers: int = 8, writers: int = 2) -> tuple[dict[str, int], list[str]]:
    """(syncs, refused as busy, states read, questions) counted over all processes, and what went wrong."""
    from rag.embed import load

    sync(home, NAME, version(0, _PAPERS), load())
    roles = ["writer"] * writers + ["reader"] * readers
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "evals.processes.beside", role, str(home), str(seconds), str(number)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        for number, role in enumerate(roles)
    ]
    counts: Counter[str] = Counter()
    faults = []
    for process, role in zip(processes, roles, strict=True):
        out, err = process.communicate(timeout=seconds + 240)
        if process.returncode:
            faults.append(f"a {role} ended with {process.returncode}: {err.strip()[-300:]}")
            continue
        said = json.loads(out)
        counts.update(said["counts"])
        faults += said["faults"]
    return dict(counts), faults


def _write(home: Path, end: float, chance: random.Random) -> tuple[Counter[str], list[str]]:
    from rag.embed import load

    counts: Counter[str] = Counter()
    while time.monotonic() < end:
        try:
            sync(home, NAME, version(chance.randrange(40), _PAPERS), load())
            counts["syncs"] += 1
        except CorpusBusy:
            counts["refused"] += 1
    return counts, []


def _read(home: Path, end: float, chance: random.Random) -> tuple[Counter[str], list[str]]:
    """Every state holds exactly the papers of one version, each found by its word and by its vector."""
    counts: Counter[str] = Counter()
    faults: list[str] = []
    states = {frozenset(paper.abstract for paper in version(number, _PAPERS)) for number in range(40)}
    meaning.EXACT_UP_TO = chance.choice((0, meaning.EXACT_UP_TO))  # through Chroma, however small the corpus
    with Library.open(home, NAME) as library:
        generation = -1
        while time.monotonic() < end:
            library.refresh()
            counts["states"] += library.generation != generation
            generation = library.generation
            papers = list(library.papers())
            if frozenset(paper.abstract for paper in papers) not in states:
                faults.append(f"generation {generation} is no version: {len(papers)} papers")
            paper = chance.choice(papers)
            word = next(word for word in paper.abstract.split() if word.startswith("unique"))
            if [id_ for id_, _ in library.search_words([word], 5)] != [paper.id]:
                faults.append(f"generation {generation}: {paper.id} is not found by its word")
            vector = library.vectors_of(paper.id)[0]
            if dict(library.search_vectors(vector, 10)).get(paper.id, 0) < 0.999:
                faults.append(f"generation {generation}: {paper.id} is not found by its vector")
            counts["questions"] += 1
    return counts, faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("role", choices=("reader", "writer"))
    parser.add_argument("home", type=Path)
    parser.add_argument("seconds", type=float)
    parser.add_argument("number", type=int)
    given = parser.parse_args()
    role = _write if given.role == "writer" else _read
    counts, faults = role(given.home, time.monotonic() + given.seconds, random.Random(given.number))
    print(json.dumps({"counts": counts, "faults": faults[:10]}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
