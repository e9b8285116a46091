"""How cost grows with the corpus: `python -m evals.scale --sizes 38,5862,38491 [-o FILE]`.

For each size a corpus is synced, beside a bare loop that adds the same vectors to Chroma; then asked, synced again
unchanged, and with one paper in a hundred edited. Every part runs in a process of its own, so that memory is its own
too. Real abstracts come first (`CITEWELL_DATA`); beyond them, and where there are none, papers are varied by program:
the sentences of several, with their own words and numbers, no two alike. Between two sizes a figure that grows as n^e
is shown with its e: 1 is in step with the corpus, 0 does not grow. With `--folder` the corpora are kept, and a run that
was stopped goes on with the parts that are not measured yet.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from evals.timing import corpus as scale_corpus
from evals.timing import scale_parts
from evals.timing.measure import Figures, run_part

SIZES = (38, 5_862, 38_491)
_ROWS = (
    ("sync", "seconds", "s"),
    ("sync", "cpu", "s CPU"),
    ("sync", "rate", "papers/s"),
    ("sync", "of_bare", "of the bare rate"),
    ("sync", "mb", "MB peak"),
    ("sync", "disk", "MB on disk"),
    ("parts", "read", "s reading"),
    ("parts", "split", "s splitting"),
    ("parts", "words", "s words"),
    ("parts", "embed", "s embedding"),
    ("bare", "seconds", "s Chroma alone"),
    ("bare", "cpu", "s CPU Chroma alone"),
    ("same", "seconds", "s without change"),
    ("same", "cpu", "s CPU without change"),
    ("change", "seconds", "s, 1 % changed"),
    ("change", "cpu", "s CPU, 1 % changed"),
    ("change", "share", "of a sync"),
    ("cold", "seconds", "s cold ask"),
    ("cold", "cpu", "s CPU cold ask"),
    ("cold", "mb", "MB cold ask"),
    ("warm", "ask_p50", "ms an answer p50"),
    ("warm", "p50", "ms retrieval p50"),
    ("warm", "p95", "ms retrieval p95"),
    ("warm", "p99", "ms retrieval p99"),
    ("warm", "cpu", "ms CPU retrieval"),
    ("warm", "vectors_p50", "ms by Chroma's index p50"),
    ("warm", "chosen_cpu", "ms CPU nearest"),
    ("warm", "vectors_cpu", "ms CPU by Chroma's index"),
    ("warm", "exact_p50", "ms out of SQLite p50"),
    ("warm", "exact_cpu", "ms CPU out of SQLite"),
    ("warm", "recall", "recall@10"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="papers, separated by commas")
    parser.add_argument("-o", "--output", type=Path, help="write the figures as JSON, after each size")
    parser.add_argument("--folder", type=Path, help="keep the corpora here, and go on with what is here")
    parser.add_argument("--part", choices=scale_parts.PARTS, help=argparse.SUPPRESS)
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--home", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.part:
        print(json.dumps(scale_parts.measured(given.part, given.file, given.home)))
        return 0
    found: list[Figures] = []
    for size in (int(size) for size in given.sizes.split(",")):
        with tempfile.TemporaryDirectory() as passing:
            found.append(measure(size, (given.folder or Path(passing)) / str(size)))
        _show(found[-1])
        if given.output:
            given.output.write_text(json.dumps({"sizes": found, "growth": list(growth(found))}, indent=1), "utf-8")
    for line in growth(found):
        print(f"{line['from']} to {line['to']}: {line['part']:7} {line['unit']:20} n^{line['exponent']:+.2f}")
    return 0


def measure(size: int, folder: Path) -> Figures:
    """All figures of one size, by part. A search over few vectors has no approximate index, and no recall to lose."""
    folder.mkdir(parents=True, exist_ok=True)
    file, measured = folder / "papers.jsonl", folder / "figures.json"
    if measured.exists():
        figures: Figures = json.loads(measured.read_text("utf-8"))
    else:
        figures = {"size": size, "real": scale_corpus.write(file, size)}
    for part in scale_parts.PARTS:
        if part not in figures:
            figures[part] = run_part("evals.scale", part, "--file", str(file), "--home", str(folder / "home"))
            measured.write_text(json.dumps(figures), "utf-8")
    sync, bare = figures["sync"], figures["bare"]
    sync["rate"] = size / sync["seconds"]
    sync["of_bare"] = bare["seconds"] / sync["seconds"]
    figures["change"]["share"] = figures["change"]["seconds"] / sync["seconds"]
    return figures


def growth(found: Sequence[Figures]) -> Iterator[Figures]:
    """The exponent of each figure between neighbouring sizes."""
    for small, large in pairwise(found):
        for part, name, unit in _ROWS:
            a, b = small[part].get(name), large[part].get(name)
            if a and b and small["size"] != large["size"]:
                exponent = math.log(b / a) / math.log(large["size"] / small["size"])
                ends = {"from": small["size"], "to": large["size"]}
                yield {"part": part, "figure": name, "unit": unit, "exponent": exponent, **ends}


def _show(figures: Figures) -> None:
    made = figures["size"] - figures["real"]
    print(f"\n{figures['size']} papers ({made} of them made by program), {figures['bare']['vectors']} vectors")
    for part, name, unit in _ROWS:
        if (value := figures[part].get(name)) is not None:
            print(f"  {part:7} {value:12.3f} {unit}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
