"""Very many records in one file: `python -m evals.hostile.records --records 10000000`, through `citewell sync -`.

Half of them say the same paper, word for word, half are broken, and one in a hundred thousand is a paper of its own: a
harvest that ran twice a thousand times over. Wanted: each paper once, every fault counted, memory that does not grow
with the file. The records are made as they are read, so that only the corpus takes room on the disk.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from evals.material.places import ROOT

MEMORY = 500
"""Megabytes that a sync may take, however long the file."""
_SAME = {"title": "Same", "abstract": "We show that ZORBLAX reaches 41.7% accuracy on QUIXBENCH. It is simple."}
_BROKEN = b'{"title": "Broken", "abstract": \n'
_BLOCK = 1_000
_OWN = 100_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the sync said of so many records, what it took, and what is wrong with it."""

    added: int
    unread: int
    seconds: float
    megabytes: float
    faults: tuple[str, ...]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=1_000_000)
    given = parser.parse_args(arguments)
    found = run(given.records)
    print(f"{given.records:,} records: {found.added} papers, {found.unread:,} not read; {found.megabytes:.0f} MB, "
          f"{found.seconds:.0f} s of processor time")  # fmt: skip
    for fault in found.faults:
        print(f"  {fault}")
    return 1 if found.faults else 0


def blocks(records: int) -> Iterator[bytes]:
    """`records` lines, whole thousands of them, and papers of their own between them."""
    block = (json.dumps(_SAME).encode() + b"\n" + _BROKEN) * (_BLOCK // 2)
    for at in range(0, records, _BLOCK):
        if at % _OWN == 0:
            own = {"title": f"Own {at}", "abstract": f"We show that OWN{at} takes {at} seconds. It is its own."}
            yield json.dumps(own).encode() + b"\n"
        yield block


def run(records: int) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="records-") as home:
        command = [sys.executable, str(ROOT / "cli.py"), "sync", "-", "--json"]
        before = _used()
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "CITEWELL_HOME": home}
        ) as process:
            assert process.stdin and process.stdout
            _feed(process.stdin, records)
            said = process.stdout.read()
            code = process.wait()
        seconds, megabytes = _used()[0] - before[0], _used()[1]
    report = json.loads(said) if code == 0 else {"added": 0, "problems": []}
    unread = _unread(report["problems"])
    own, broken = -(-records // _OWN), -(-records // _BLOCK) * (_BLOCK // 2)
    wrong = {
        f"the sync exits {code}": code != 0,
        f"{report['added']} papers, {own + 1} expected": report["added"] != own + 1,
        f"{unread} faults told, {broken} expected": unread != broken,
        f"{megabytes:.0f} MB": megabytes > MEMORY,
    }
    return Outcome(report["added"], unread, seconds, megabytes, tuple(what for what, so in wrong.items() if so))


def _feed(stdin: BinaryIO, records: int) -> None:
    try:
        for block in blocks(records):
            stdin.write(block)
        stdin.close()
    except BrokenPipeError:
        pass  # it ended early: its exit code says why


def _unread(problems: Sequence[dict[str, str]]) -> int:
    """One a problem; the last may stand for many ("7,000 more records here could not be read")."""
    more = problems[-1]["reason"].partition(" more records")[0].replace(",", "") if problems else ""
    return len(problems) - 1 + int(more) if more.isdigit() else len(problems)


def _used() -> tuple[float, float]:
    """Processor seconds of this process's children, and the most megabytes that one of them took."""
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main())
