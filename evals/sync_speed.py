"""How fast a corpus is synced and searched, against Chroma alone: `python -m evals.sync_speed [FILE]`.

Every part runs in a process of its own, so that peak memory is its own too. Sync and bare loop take turns; the best of
each counts. A sync is everything from the file to a sealed corpus: reading, taking apart, rows and words in SQLite,
embedding, Chroma, fsync. The bare loop adds the same vectors, made beforehand, to a Chroma collection (cosine,
otherwise Chroma's defaults, its largest batches) and does nothing else; a second one has the index that a sync builds
(less work when it is built, more when it is searched). Processor time and memory are those of all processes of a part.
Where other programs share the machine, processor time tells more than the clock, so the ratio of processor times is
printed too; by the clock it can only be reached where a sync keeps as many cores busy as Chroma does alone.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from pathlib import Path

from evals.material.places import data
from evals.timing.measure import Figures, peak_megabytes, run_part
from evals.timing.parts import alike, bare_loop, one_in_a_hundred, same_again, search, sync_once


def main() -> None:
    """Run the parts one after the other and print one line each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path, default=data() / "icml2026" / "papers.jsonl")
    parser.add_argument("--repeat", type=int, default=2, help="how often sync and bare loop take turns")
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    parser.add_argument("--home", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.part:
        print(json.dumps(PARTS[given.part](given.file, given.home) | {"mb": peak_megabytes()}))
        return
    with tempfile.TemporaryDirectory() as folder:
        _report(given.file, Path(folder), given.repeat)


def _report(file: Path, folder: Path, repeat: int) -> None:
    syncs, bares = [], []
    for turn in range(repeat):
        home = folder / str(turn)
        syncs.append(_part("sync", file, home))
        bares.append(_part("bare", file, home))
    alike = _part("alike", file, home)
    sync, bare = min(syncs, key=_seconds), min(bares, key=_seconds)
    cores, rate = os.cpu_count() or 1, _seconds(bare) / _seconds(sync)
    print(f"corpus       {sync['papers']} papers, {bare['vectors']} vectors, {cores} cores")
    print(f"bare Chroma  {_took(bare)}  {bare['vectors'] / _seconds(bare):.0f} vectors/s")
    print(f"bare, index as a sync's  {_took(alike)}")
    print(f"sync         {_took(sync)}  {rate:.0%} of the bare rate (at least 70 %, aim 85 %)")
    print(f"             {float(bare['cpu']) / float(sync['cpu']):.0%} by processor time")
    print(f"             peak memory {sync['mb']} MB (under 700)")
    same, change = _part("same", file, home), _part("change", file, home)
    print(f"no change    {_took(same)}  (under 5)")
    print(
        f"1 % changed  {_took(change)}  {change['changed']} papers, {_seconds(change) / _seconds(sync):.1%} of a sync"
    )
    for kind, figures in _part("search", file, home).items():
        if kind != "mb":
            took = "  ".join(f"{name} {figures[name]:5.1f} ms" for name in ("p50", "p95", "cpu"))
            print(f"{kind:12} {took}{figures['more']}")


def _took(figures: Figures) -> str:
    return f"{figures['seconds']:6.2f} s (CPU {figures['cpu']:5.2f} s)"


def _part(part: str, file: Path, home: Path) -> Figures:
    return run_part("evals.sync_speed", part, str(file), "--home", str(home))


def _seconds(figures: Figures) -> float:
    return float(figures["seconds"])


PARTS = {
    "sync": sync_once,
    "bare": bare_loop,
    "alike": alike,
    "same": same_again,
    "change": one_in_a_hundred,
    "search": search,
}

if __name__ == "__main__":
    main()
