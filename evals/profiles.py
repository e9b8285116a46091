"""Where the time goes: `python -m evals.profiles [--size 2000]`.

Three things are run under cProfile, each in a process of its own: a first sync, `citewell ask` in a new process, and
searches of one that stays. The time of every function goes to its room (`rag/text`), that of C functions to whoever
called them; a profiler slows Python more than C, so shares are of the profile, and seconds are processor time without
it. Embedding and Chroma run in threads of their own beside a sync: what they take is the difference to its total.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import os
import pstats
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from evals.material.places import ROOT
from evals.report.table import columns
from evals.timing import corpus as scale_corpus
from evals.timing import scale_parts
from evals.timing.measure import Figures, run_part, timed
from evals.timing.parts import NAME, sync_once

SEARCHES = 100
_LEAST = 0.01
"""Share of the whole below which a room is not listed."""


def room(file: str) -> str:
    """`rag/text` of rag/text/tokens.py; the package of an installed file; `python re` of the standard library's."""
    path = Path(file)
    if path.is_relative_to(ROOT):
        return "/".join(path.relative_to(ROOT).with_suffix("").parts[:2])
    parts = path.parts
    if "site-packages" in parts:
        return parts[parts.index("site-packages") + 1].removesuffix(".py")
    library = next((at for at, name in enumerate(parts) if name.startswith("python3.")), None)
    return f"python {parts[library + 1].removesuffix('.py')}" if library and parts[library + 1 :] else "python"


def rooms(profile: pstats.Stats) -> Counter[str]:
    """Seconds by room."""
    spent: Counter[str] = Counter()
    table: dict[Any, Any] = profile.stats  # type: ignore[attr-defined]
    for (file, _, _), (_, _, own, _, callers) in table.items():
        if file != "~" or not callers:
            spent[room(file)] += own
            continue
        for (caller, _, _), (_, _, part, _) in callers.items():
            spent[room(caller)] += part
    return spent


def profiled(work: Callable[[], object]) -> Figures:
    profile = cProfile.Profile()
    profile.runcall(work)
    return {"rooms": rooms(pstats.Stats(profile))}


def _sync(file: Path, home: Path) -> Figures:
    plain = sync_once(file, home)
    return profiled(lambda: sync_once(file, home / "again")) | {"cpu": plain["cpu"], "of": plain["papers"]}


def _ask(file: Path, home: Path) -> Figures:
    """A process from its first to its last moment, imports and all."""
    plain = scale_parts.measured("cold", file, home)
    command = [str(ROOT / "cli.py"), "ask", _titles(home)[0], "--corpus", NAME, "--no-log", "-q"]
    found = home / "ask.profile"
    subprocess.run(
        [sys.executable, "-m", "cProfile", "-o", str(found), *command],
        stdout=subprocess.DEVNULL,
        env=os.environ | {"CITEWELL_HOME": str(home)},
        check=False,  # 3 where nothing answers
    )
    return {"rooms": rooms(pstats.Stats(str(found))), "cpu": plain["cpu"], "of": 1}


def _search(file: Path, home: Path) -> Figures:
    from rag.embed import load
    from rag.library import Library
    from rag.retrieve import Retriever

    titles = _titles(home)
    embedder = load()
    with Library.open(home, NAME, embedder_identity=embedder.identity) as library:
        retriever = Retriever(library, embedder)
        for title in titles[SEARCHES:]:
            retriever.search(title)
        _, plain = timed(lambda: [retriever.search(title) for title in titles[:SEARCHES]])
        retriever = Retriever(library, embedder)
        made = profiled(lambda: [retriever.search(title) for title in titles])
    return made | {"cpu": plain["cpu"], "of": SEARCHES}


def _titles(home: Path) -> list[str]:
    from rag.library import Library

    with Library.open(home, NAME) as library:
        titles = [paper.title for paper in library.papers()]
    return titles[:: max(1, len(titles) // (2 * SEARCHES))][: 2 * SEARCHES]


PARTS: Final[dict[str, Callable[[Path, Path], Figures]]] = {"sync": _sync, "ask": _ask, "search": _search}


def report(size: int, folder: Path) -> Iterator[str]:
    file, home = folder / "papers.jsonl", folder / "home"
    scale_corpus.write(file, size)
    found = {part: run_part("evals.profiles", part, "--file", str(file), "--home", str(home)) for part in PARTS}
    for part, figures in found.items():
        whole = sum(figures["rooms"].values())
        yield f"\n{part}, {figures['cpu']:.2f} s of processor time for {figures['of']}, of {size} papers:\n"
        rows = sorted(figures["rooms"].items(), key=lambda row: -row[1])
        shares = [(name, f"{seconds / whole:.0%}") for name, seconds in rows if seconds >= _LEAST * whole]
        yield from (f"    {line}" for line in columns(shares))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m evals.profiles", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--size", type=int, default=2000, help="papers")
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--home", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.part:
        print(json.dumps(PARTS[given.part](given.file, given.home)))
        return 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for line in report(given.size, Path(folder)):
            print(line)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
