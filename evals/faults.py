"""Processes killed and readers beside writers: `python -m evals.faults --kills 100 --seconds 60`.

Syncs, chats, eval runs and exports of the real command are killed with SIGKILL at random moments. Wanted after each:
the corpus is whole and `doctor` finds it well; every answer of the chat that reached its reader is still in the
conversation; an eval run goes on and ends with the same verdicts as one that nobody killed; an exported file is the old
one or the new one. Then eight readers ask while two writers sync, for a while: every state that is read is one that was
synced, whole. (`python -m evals.kills` looks closer at killed syncs: each paper by its words and vectors.)
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.material.places import ROOT
from evals.processes.beside import beside
from evals.processes.versions import version
from rag.sessions import Sessions

_QUESTIONS = (
    "What is DFlash?", "How much faster is it than EAGLE-3?", "Who wrote MuLoCo?", "What is Zzyzx?", "Which year?",
)  # fmt: skip
_CASES = "6"


@dataclass(frozen=True, slots=True)
class Program:
    """A command to kill: what it is given, and what must hold afterwards (a list of what does not)."""

    arguments: tuple[str, ...]
    stdin: bytes
    verdict: Callable[[bytes], list[str]]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100, help="in all, a quarter each of sync, chat, eval and export")
    parser.add_argument("--seconds", type=float, default=60, help="of readers beside writers")
    parser.add_argument("--only", choices=("sync", "chat", "eval", "export"))
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    faults: list[str] = []
    with tempfile.TemporaryDirectory(prefix="faults-") as scratch:
        for name in [given.only] if given.only else ["sync", "chat", "eval", "export"]:
            times = given.kills if given.only else given.kills // 4
            found = kills(Path(scratch) / name, name, times, given.seed)
            print(f"{times} kills of {name}: {len(found)} faults", flush=True)
            faults += found
        if given.seconds and not given.only:
            counts, found = beside(Path(scratch) / "beside", given.seconds)
            print(f"8 readers beside 2 writers, {given.seconds:.0f} s: {counts}; {len(found)} faults")
            faults += found
    for fault in faults:
        print(f"  {fault}")
    return 1 if faults else 0


def kills(folder: Path, name: str, times: int, seed: int) -> list[str]:
    """`times` kills of one command, at moments within the time that a whole run takes."""
    folder.mkdir(parents=True)
    chance, faults = random.Random(f"{seed}{name}"), []
    program = _PROGRAMS[name](folder)
    started = time.perf_counter()
    _run(folder, program, None)
    length = time.perf_counter() - started
    for number in range(times):
        program = _PROGRAMS[name](folder)
        after = chance.uniform(0.2, 1.05) * length  # before that Python itself is starting
        said = _run(folder, program, after)
        faults += [f"{name} {number} killed after {after:.2f} s: {fault}" for fault in program.verdict(said)]
    return faults


def _run(folder: Path, program: Program, kill_after: float | None) -> bytes:
    """What it wrote to stdout before its end."""
    with subprocess.Popen(
        [sys.executable, str(ROOT / "cli.py"), *program.arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=_environment(folder),
    ) as process:
        try:
            return process.communicate(program.stdin, timeout=kill_after)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            return process.communicate()[0]


def _environment(folder: Path) -> dict[str, str]:
    theirs = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "CITEWELL_"))}
    return {**theirs, "CITEWELL_HOME": str(folder / "home"), "PYTHONUTF8": "1"}


def _whole(folder: Path, *arguments: str) -> tuple[int, bytes]:
    """A command that nobody kills: exit code and stdout."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), *arguments], capture_output=True, cwd=folder, env=_environment(folder)
    )
    return done.returncode, done.stdout


def _well(folder: Path, corpus: str) -> list[str]:
    code, out = _whole(folder, "doctor", "--corpus", corpus, "--json")
    ill = [each["detail"] for each in json.loads(out)["findings"] if not each["well"]]
    return [f"doctor exits {code}: {ill}"] if code else []


def _sync(folder: Path) -> Program:
    edition = folder / "edition"
    number = int(edition.read_text()) + 1 if edition.exists() else 0
    edition.write_text(str(number))
    papers = version(number, 300)
    lines = [json.dumps({"id": p.id, "title": p.title, "abstract": p.abstract, "year": p.year}) for p in papers]
    (folder / "papers.jsonl").write_text("\n".join(lines) + "\n")

    def verdict(_: bytes) -> list[str]:
        faults = []
        code, out = _whole(folder, "papers", "--corpus", "c", "--json")
        if code == 0:
            found = {json.loads(line)["abstract"] for line in out.splitlines()}
            if found not in ({p.abstract for p in papers}, {p.abstract for p in version(number - 1, 300)}):
                faults.append("neither the old papers nor the new")
            faults += _well(folder, "c")
        code, out = _whole(folder, "sync", "papers.jsonl", "--corpus", "c", "--json")
        report = json.loads(out)
        if code or report["added"] + report["changed"] + report["unchanged"] != 300:
            faults.append(f"the next sync does not finish it: {out[:200]!r}")
        return faults + _well(folder, "c")

    return Program(("sync", "papers.jsonl", "--corpus", "c"), b"", verdict)


def _chat(folder: Path) -> Program:
    def verdict(said: bytes) -> list[str]:
        shown = [json.loads(line)["answer"] for line in said.split(b"\n")[:-1]]
        sessions = Sessions(folder / "home")
        kept = [turn.answer["answer"] for turn in sessions.latest().turns] if sessions.ids() else []
        if shown and kept[: len(shown)] != shown:
            return [f"{len(shown)} answers were shown, {len(kept)} kept"]
        code, _ = _whole(folder, "history", "--json")
        return [f"history exits {code}"] if code not in (0, 3) else []

    return Program(("chat", "--json"), "\n".join(_QUESTIONS).encode() + b"\n", verdict)


def _eval(folder: Path) -> Program:
    log, whole = folder / "log.json", folder / "whole.json"
    if log.exists() and not whole.exists():
        log.replace(whole)
    log.unlink(missing_ok=True)
    arguments = ("eval", "run", "--advisory", "--limit", _CASES, "--jobs", "1", "-o", str(log))

    def verdict(_: bytes) -> list[str]:
        if log.exists():
            json.loads(log.read_text("utf-8"))
        code, _out = _whole(folder, *arguments)
        wanted, found = (_scores(json.loads(path.read_text("utf-8"))) for path in (whole, log))
        if code or wanted != found:
            return [f"the run that went on exits {code}, {'as' if wanted == found else 'not as'} the whole one"]
        return []

    return Program(arguments, b"", verdict)


def _scores(log: dict[str, object]) -> list[tuple[object, object]]:
    cases = log["cases"]
    assert isinstance(cases, list)
    return sorted((case["id"], json.dumps(case.get("failures"))) for case in cases)


def _export(folder: Path) -> Program:
    target = folder / "refs.bib"
    before = target.read_bytes() if target.exists() else b""
    papers = version(0, 200)
    if not (folder / "home").exists():
        lines = [json.dumps({"title": paper.title, "abstract": paper.abstract}) for paper in papers]
        (folder / "papers.jsonl").write_text("\n".join(lines) + "\n")
        _whole(folder, "sync", "papers.jsonl")

    def verdict(_: bytes) -> list[str]:
        now = target.read_bytes() if target.exists() else b""
        whole = now.count(b"\n@") + now.startswith(b"@") == len(papers)
        target.unlink(missing_ok=True)
        return [] if whole or now == before else [f"half a file: {len(now)} bytes"]

    return Program(("export", "-o", str(target), *(paper.title for paper in papers)), b"", verdict)


_PROGRAMS: dict[str, Callable[[Path], Program]] = {"sync": _sync, "chat": _chat, "eval": _eval, "export": _export}

if __name__ == "__main__":
    sys.exit(main())
