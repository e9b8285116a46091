"""Kill a sync at random moments and see what is left: `python -m evals.kills --times 30`.

Each round starts a real sync towards another version of the corpus (papers added, changed and removed), kills the
process with SIGKILL at a random moment, and looks: the corpus must be whole, in the old version or the new. A sync must
then finish the work: every paper found by its words and by each of its vectors, nothing twice, nothing left over.
The index is approximate: a vector that it holds and an exact search finds, but its own search does not reach, is
counted apart, and is a fault only beyond one in a thousand.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.material.places import ROOT
from evals.processes.versions import version
from rag.embed import load
from rag.library import Library, meaning
from rag.library.health import examine
from rag.library.layout import Layout
from rag.library.sync import sync

NAME = "kills"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One round. `state` is what the kill left: the old version, the new one, or nothing (before the first commit)."""

    after: float
    state: str
    faults: tuple[str, ...]
    searched: int
    unreached: int


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=30)
    parser.add_argument("--papers", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sync", nargs=2, metavar=("HOME", "VERSION"), help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.sync:
        embedder = load()
        embedder.embed(["warm"])
        print("started", flush=True)
        sync(Path(given.sync[0]), NAME, version(int(given.sync[1]), given.papers), embedder)
        return 0
    with tempfile.TemporaryDirectory() as home:
        outcomes = rounds(Path(home), given.times, given.papers, given.seed)
    states = Counter(outcome.state for outcome in outcomes)
    faults = [fault for outcome in outcomes for fault in outcome.faults]
    searched, unreached = (sum(getattr(each, name) for each in outcomes) for name in ("searched", "unreached"))
    if unreached * 1000 > searched:
        faults.append("more than one vector in a thousand is not reached by the index")
    print(f"{len(outcomes)} kills: {dict(states)}; {len(faults)} faults")
    print(f"{searched} vectors searched; {unreached} not reached by the approximate index, found exactly")
    for fault in faults:
        print(f"  {fault}")
    return 1 if faults else 0


def rounds(home: Path, times: int, papers: int, seed: int) -> list[Outcome]:
    """`times` kills, each aimed at a moment within the time the last whole sync took."""
    chance, outcomes, length = random.Random(seed), [], 0.0
    for number in range(times):
        if not length:
            length = _child(home / "measure", number, papers, None)
        outcome = _round(home, number, papers, chance.uniform(0, length))
        outcomes.append(outcome)
        print(
            f"kill {number + 1:3} after {outcome.after:5.2f} s: {outcome.state:8} {'; '.join(outcome.faults)}",
            flush=True,
        )
    return outcomes


def _round(home: Path, number: int, papers: int, after: float) -> Outcome:
    before = _fingerprint(home)
    _child(home, number, papers, after)
    embedder, faults = load(), []
    now = _fingerprint(home)
    if now is not None:
        faults += [f"after the kill: {f.detail}" for f in examine(home, NAME, embedder.identity) if not f.well]
    report = sync(home, NAME, version(number, papers), embedder)
    state = "nothing" if now is None else "old" if now == before else "new"
    if state == "new" and report.unchanged != papers:
        faults.append("neither the old version nor the new")
    missing, searched, unreached = _missing(home, number, papers)
    faults += missing
    faults += [f"after the sync: {f.detail}" for f in examine(home, NAME, embedder.identity) if not f.well]
    return Outcome(after, state, tuple(faults), searched, unreached)


def _missing(home: Path, number: int, papers: int) -> tuple[list[str], int, int]:
    """Faults; vectors searched; and those of them that the approximate index did not reach."""
    faults, wanted = [], version(number, papers)
    searched = unreached = 0
    meaning.EXACT_UP_TO = 0  # Chroma, however small the corpus
    if len(left := list(Layout.of(home, NAME).folder.glob("vectors-*"))) != 1:
        faults.append(f"{len(left)} vector folders")
    with Library.open(home, NAME) as library:
        if sorted(library.papers(), key=lambda paper: paper.id) != wanted:
            faults.append("not the papers that were synced")
        for n, paper in enumerate(wanted, start=number % 50):
            if [id_ for id_, _ in library.search_words([f"unique{n}x"], 5)] != [paper.id]:
                faults.append(f"{paper.id} is not found by its word")
            for vector in library.vectors_of(paper.id):
                searched += 1
                if dict(library.search_vectors(vector, 10)).get(paper.id, 0) >= 0.999:
                    continue
                if dict(library.search_vectors(vector, 10, exact=True)).get(paper.id, 0) >= 0.999:
                    unreached += 1
                else:
                    faults.append(f"{paper.id} is not found by its vector")
    return faults, searched, unreached


def _fingerprint(home: Path) -> str | None:
    from rag.errors import CorpusMissing

    try:
        with Library.open(home, NAME) as library:
            return library.info.fingerprint
    except CorpusMissing:
        return None


def _child(home: Path, number: int, papers: int, kill_after: float | None) -> float:
    """A sync in a process of its own; seconds from its beginning (Python and the embedder are loaded) to its end."""
    command = [sys.executable, "-m", "evals.kills", "--papers", str(papers), "--sync", str(home), str(number)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        process.stdout.readline()
        begun = time.perf_counter()
        if kill_after is not None:
            time.sleep(kill_after)
            process.kill()
        process.wait()
        if kill_after is None and process.returncode:
            raise RuntimeError(f"a sync that nobody killed ended with {process.returncode}")
        return time.perf_counter() - begun


if __name__ == "__main__":
    sys.exit(main())
