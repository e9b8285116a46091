"""`python -m evals.hostile --inputs 2000`: broken and hostile inputs through every reader and through `ask`.

Each file is synced beside a good one, and a question about the good one is asked: nothing hostile may cost it. Each
question, option and manuscript goes to its command. Wanted: a documented exit code, no traceback, no "bug of ours",
no character that commands a terminal, valid JSON under --json, an end within the limit. Workers run the real command
in-process, fifty inputs each, with bounded memory; one that hangs or dies costs the input it was at.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evals.hostile.inputs import Hostile, make
from evals.material.places import ROOT

MEMORY = 6 * 2**30
"""Bytes of address space; the libraries alone map 2 GB."""
LIMIT = 120.0
"""Seconds for one input, on a busy machine."""
Counts = Counter[tuple[str, str]]
_A_WORKER = 50
_IN_MEMORY = Path("/dev/shm")
"""Thousands of small corpora, each synced to disk, wait for the disk alone."""
_DOCUMENTED = frozenset({0, 2, 3, 5})
_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_GOOD = "We show that ZORBLAX reaches 41.7% accuracy on QUIXBENCH. It is trained on 12 graphs.\n"
_ABOUT_IT = "What accuracy does ZORBLAX reach on QUIXBENCH?"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="begin with this input: to look at one again")
    parser.add_argument("--worker", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        return _work(given.seed, given.first, given.first + int(given.worker[0]), Path(given.worker[1]))
    started = time.perf_counter()
    counts, faults, slowest = run(given.seed, given.first, given.inputs)
    _print(counts)
    print(
        f"{given.inputs} inputs in {time.perf_counter() - started:.0f} s; "
        f"the slowest, {slowest[1]}, took {slowest[0]:.1f} s"
    )
    print(f"{len(faults)} faults")
    for fault in faults:
        print(f"  {fault}")
    return 1 if faults else 0


def run(seed: int, first: int, count: int) -> tuple[Counts, list[str], tuple[float, int]]:
    """Exits counted by kind; what went wrong, with the input's number; the longest time in seconds and whose it was."""
    counts: Counts = Counter()
    faults: list[str] = []
    slowest, at = (0.0, first), first
    while at < first + count:
        for said in _worker(seed, at, min(_A_WORKER, first + count - at)):
            kind = make(seed, at).kind
            print(f"\r{at + 1 - first} of {count}, {len(faults)} faults", end="", file=sys.stderr, flush=True)
            counts.update((kind, exit_) for exit_ in said["exits"])
            faults += [f"input {at} ({kind}): {fault}" for fault in said["faults"]]
            slowest, at = max(slowest, (said["seconds"], at)), at + 1
    return counts, faults, slowest


def _worker(seed: int, first: int, count: int) -> Iterator[dict[str, Any]]:
    """One reply an input; the input at which the worker died or hung has that as its fault, and is the last."""
    with tempfile.TemporaryDirectory(prefix="hostile-", dir=_IN_MEMORY if _IN_MEMORY.is_dir() else None) as scratch:
        command = [sys.executable, "-m", "evals.hostile", "--seed", str(seed), "--first", str(first)]
        process = subprocess.Popen(
            [*command, "--worker", str(count), scratch],
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, "TOKENIZERS_PARALLELISM": "false"},
        )
        with process:
            assert process.stdout is not None
            for _ in range(count):
                ready, _, _ = select.select([process.stdout], [], [], LIMIT)
                line = process.stdout.readline() if ready else b""
                if not line:
                    process.kill()
                    fault = f"no end within {LIMIT:.0f} s" if not ready else f"the process died ({process.wait()})"
                    yield {"exits": ["died" if ready else "hung"], "faults": [fault], "seconds": LIMIT}
                    return
                yield json.loads(line)


def _work(seed: int, first: int, end: int, scratch: Path) -> int:
    """A worker: one JSON line an input on the real stdout, which the commands do not see."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    out = os.fdopen(os.dup(1), "w")
    home = scratch / "home"
    os.environ["CITEWELL_HOME"] = str(home)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "CITEWELL_MODEL", "CITEWELL_CORPUS"):
        os.environ.pop(name, None)
    (scratch / "good.txt").write_text(_GOOD)
    _command(["sync", str(scratch / "good.txt"), "--corpus", "standing"], b"")
    for number in range(first, end):
        started = time.perf_counter()
        exits, faults = _tried(make(seed, number), scratch / str(number), scratch / "good.txt")
        told = {"exits": exits, "faults": faults, "seconds": round(time.perf_counter() - started, 2)}
        out.write(json.dumps(told) + "\n")
        out.flush()
    return 0


def _tried(given: Hostile, folder: Path, good: Path) -> tuple[list[str], list[str]]:
    if given.argv:
        corpus = () if "--corpus" in given.argv or given.argv[0] == "--" else ("--corpus", "standing")
        code, faults = _judged([given.argv[0], *corpus, *given.argv[1:]], given.stdin)
        return [f"{given.argv[0]} {code}"], faults
    folder.mkdir()
    try:
        for name, content in given.files.items():
            (folder / name).write_bytes(content)
        if given.trap:
            given.trap(folder)
        corpus = ["--corpus", "tried"]
        synced, faults = _judged(["sync", "--json", *corpus, str(good), str(folder)], b"")
        asked, more = _judged(["ask", *corpus, _ABOUT_IT], b"", wanted="41.7%")
        return [f"sync {synced}", f"ask {asked}"], faults + more
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(Path(os.environ["CITEWELL_HOME"]) / "corpora" / "tried", ignore_errors=True)


def _judged(argv: list[str], stdin: bytes, wanted: str = "") -> tuple[int, list[str]]:
    code, out, err = _command(argv, stdin)
    faults, shown = [], " ".join(argv)[:60]
    if code not in _DOCUMENTED or "Traceback" in err or "bug in citewell" in out + err:
        faults.append(f"{shown!r} exit {code}: {(err or out)[:300]!r}")
    if found := _COMMANDS.search(out + err):
        faults.append(f"{shown!r} prints {found.group()!r}")
    if "--json" in argv and argv[0] != "export":
        try:
            [json.loads(line) for line in out.splitlines()]
        except ValueError:
            faults.append(f"{shown!r} prints no JSON: {out[:100]!r}")
    if code in (2, 5) and not (out + err).strip():
        faults.append(f"{shown!r} exit {code} without a word")
    if wanted not in out:
        faults.append(f"{shown!r} lost the good paper: exit {code}, {out[:100]!r} {err[:100]!r}")
    return code, faults


def _command(argv: list[str], stdin: bytes) -> tuple[int, str, str]:
    """The real command, in this process: exit code, stdout, stderr."""
    import cli

    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    before = sys.argv, sys.stdin
    sys.argv, sys.stdin = ["citewell", *argv], io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
    code: Any = None
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            cli.main()
    except SystemExit as ended:
        code = ended.code
    except BaseException as error:
        return 99, "", f"Traceback: {type(error).__name__}: {error}"
    finally:
        sys.argv, sys.stdin = before
    return int(code or 0), _text(out), _text(err)


def _text(stream: io.TextIOWrapper) -> str:
    held = stream.buffer
    assert isinstance(held, io.BytesIO)
    return held.getvalue().decode("utf-8", "replace")


def _print(counts: Counts) -> None:
    kinds = sorted({kind for kind, _ in counts})
    for kind in kinds:
        codes = sorted((exit_, n) for (of, exit_), n in counts.items() if of == kind)
        print(f"{kind:11} " + ", ".join(f"{exit_}: {n}" for exit_, n in codes))


if __name__ == "__main__":
    sys.exit(main())
