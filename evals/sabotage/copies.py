"""A copy of this checkout with one sabotage in it, and what the gate says there, or of a log that was kept."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.material.places import ROOT
from evals.sabotage.ways import Sabotage

_COPIED = ("rag", "evals", "prompts", "seeds", "cli.py")
_FAILED, _UNMEASURED = 10, 11


@dataclass(frozen=True, slots=True)
class Caught:
    """What the gate said. `failed` are the metrics of its failed gates."""

    name: str
    what: str
    exit_code: int
    failed: tuple[str, ...]
    right: bool
    seconds: float


def run_one(
    sabotage: Sabotage | None, *, jobs: int = 2, options: Sequence[str] = (), keep: Path | None = None
) -> Caught:
    """The gate over a copy with this sabotage; unharmed for None. `options` go to `citewell eval run`."""
    with tempfile.TemporaryDirectory(prefix="citewell-sabotage-") as folder:
        tree = Path(folder)
        copy_tree(tree)
        if sabotage:
            module = tree / sabotage.module
            module.write_text(f"{module.read_text('utf-8')}\n{sabotage.code}", "utf-8")
        began = time.monotonic()
        code, failed = _gate(tree, jobs, options)
        seconds = time.monotonic() - began
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
            shutil.copy2(tree / "log.json", keep / f"{sabotage.name if sabotage else 'none'}.json")
    return _caught(sabotage, code, failed, seconds)


def copy_tree(into: Path) -> None:
    """What the gate needs of this checkout."""
    ignore = shutil.ignore_patterns("__pycache__", "*.pyc")
    for name in _COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, into / name, ignore=ignore)
        else:
            shutil.copy2(source, into / name)


def _gate(tree: Path, jobs: int, options: Sequence[str]) -> tuple[int, tuple[str, ...]]:
    command = [
        sys.executable,
        "cli.py",
        "eval",
        "run",
        "--json",
        "-q",
        "--jobs",
        str(jobs),
        "-o",
        "log.json",
        *options,
    ]
    environment = {**os.environ, "PYTHONPATH": str(tree), "CITEWELL_HOME": str(tree / "home")}
    environment.pop("GITHUB_STEP_SUMMARY", None)
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in (0, _FAILED, _UNMEASURED):
        raise SystemExit(f"the gate did not run: {done.stdout[-500:]}{done.stderr[-1500:]}")
    gates = json.loads(done.stdout)["gates"]
    failed = [gate for gate in gates if gate["state"] in ("failed", "unmeasured")]
    return done.returncode, tuple(dict.fromkeys(gate["metric"] or gate["why"] for gate in failed))


def judged_again(sabotage: Sabotage | None, log: Path) -> Caught:
    """A kept log by the gates as they are now, without another run."""
    from evals.command import session
    from evals.gate import gates
    from evals.gate.log import read

    found = read(log)
    outcomes = session.figures(found, gates.load(session.OWN)).gates
    failed = tuple(
        dict.fromkeys(gate.metric or gate.why for gate in outcomes if gate.state in ("failed", "unmeasured"))
    )
    return _caught(sabotage, gates.exit_code(outcomes), failed, found["times"]["seconds"])


def _caught(sabotage: Sabotage | None, code: int, failed: tuple[str, ...], seconds: float) -> Caught:
    if sabotage is None:
        return Caught("none", "unharmed", code, failed, code == 0, seconds)
    right = code == _FAILED and bool(set(failed) & set(sabotage.metrics))
    return Caught(sabotage.name, sabotage.what, code, failed, right, seconds)
