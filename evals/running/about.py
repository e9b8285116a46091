"""The facts of a run: which tree, which corpus, which questions, which prompts, which versions."""

from __future__ import annotations

import hashlib
import json
import platform
import subprocess
from collections.abc import Mapping, Sequence
from importlib import metadata
from typing import Any

from evals.material import cases
from evals.material.places import ROOT
from evals.running.plan import Plan
from rag.settings import Settings

_CODE = ("rag", "prompts", "evals/scorers")
_SOURCES = {".py", ".json", ".txt"}
_PACKAGES = ("citewell", "chromadb", "numpy", "openai", "llama-index-core", "wordllama", "PyStemmer")


def run_facts(plan: Plan, settings: Settings) -> dict[str, Any]:
    """Everything that a later run must share to be the same measurement. Opens the corpus."""
    from rag.assistant import Assistant

    library = Assistant(settings).library
    info, embedder = library.info, settings.embedder
    library.close()
    return {
        "git": git(),
        "code": code(),
        "versions": versions(),
        "corpus": {"fingerprint": info.fingerprint, "papers": info.papers, "embedder": embedder},
        "questions": {
            "fingerprint": cases.fingerprint(plan.cases),
            "count": len(plan.cases),
            "files": list(plan.files),
            "whole": plan.whole,
            "chosen": {name: value for name, value in plan.chosen.items() if value},
        },
        "prompts": prompts(),
        "settings": {"model": settings.model, "top_k": settings.top_k, "max_risk": settings.max_risk},
        "repeat": plan.repeat,
        "replayed": plan.replay is not None,
    }


def papers(settings: Settings, entries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Title and abstract of every paper that a case cites or should, and the titles of those it retrieved."""
    from rag.assistant import Assistant

    shown: set[str] = set()
    for entry in entries:
        cited = (entry["answer"] or {}).get("sources", ())
        shown.update(entry["papers"], (source["paper_id"] for source in cited), entry.get("retrieved", ())[:10])
    library = Assistant(settings).library
    found = library.get(sorted(shown))
    library.close()
    return {paper.id: {"title": paper.title, "abstract": paper.abstract} for paper in found.values()}


def identity(facts: dict[str, Any]) -> str:
    """Tells whether an interrupted run is this one."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]


def git() -> dict[str, Any]:
    """The commit and whether tracked files differ from it; nulls outside a repository."""
    commit = _git("rev-parse", "HEAD")
    changed = _git("status", "--porcelain", "--untracked-files=no")
    return {"commit": commit, "dirty": None if changed is None else bool(changed)}


def code() -> str:
    """Tells apart two states of the engine, its weights and prompts and the evals, committed or not: 16 hex digits."""
    digest = hashlib.sha256()
    for folder in _CODE:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in _SOURCES:
                digest.update(f"{path.relative_to(ROOT).as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def prompts() -> dict[str, str]:
    """The fingerprint of every prompt, by name."""
    from rag.generate import prompts as room

    folder = ROOT / "prompts"
    return {path.stem: room.fingerprint(path.stem) for path in sorted(folder.glob("*.txt"))}


def _git(*arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
