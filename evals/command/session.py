"""From what was typed to a plan, and from a log to its verdict: `citewell eval` between parsing and printing."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.gate import baseline, gates
from evals.gate.compare import compare
from evals.gate.gates import Gates
from evals.material import cases
from evals.material.cases import Case
from evals.material.lint import Finding, lint
from evals.material.places import EVALS
from evals.report.figures import Figures
from evals.running.plan import Plan
from rag.errors import UsageError
from rag.settings import Settings
from rag.shipped import SEEDS
from rag.types import Paper

if TYPE_CHECKING:
    from evals.scorers.selftest import Moved

OWN = EVALS / "gates.toml"
THEIRS = Path("grounding") / "gates.toml"
"""Where `citewell eval init` puts someone's gates."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of `citewell eval run`, as typed."""

    only: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    split: str | None = None
    limit: int | None = None
    repeat: int = 1
    jobs: int | None = None
    corpus: tuple[str, ...] = ()
    questions: tuple[Path, ...] = ()
    record: Path | None = None
    replay: Path | None = None


def gates_file(asked: Path | None) -> Path:
    """The gates that count here: those named, else those of this folder's `grounding/`, else citewell's own."""
    if asked is not None:
        return asked
    return THEIRS if THEIRS.exists() else OWN


def plan(asked: Asked, settings: Settings, judged: Gates) -> Plan:
    """What to run. Raises UsageError where nothing is left to ask, or a corpus or file is not there."""
    if asked.repeat < 1 or (asked.limit is not None and asked.limit < 1):
        raise UsageError("--repeat and --limit must be 1 or more")
    files = asked.questions or judged.inputs.get("questions", (cases.QUESTIONS,))
    every: tuple[Case, ...] = cases.load_questions(files)
    if not asked.questions:
        every += cases.load_claims(judged.inputs.get("claims", ()))
    chosen = _chosen(asked, every)
    if not chosen:
        raise UsageError(
            "no question is left to ask",
            "loosen --only, --kind, --split; `citewell eval lint` lists the files",
        )
    corpus, settings = _corpus(asked.corpus, judged, settings)
    selection = {
        "only": list(asked.only),
        "kind": list(asked.kinds),
        "split": asked.split,
        "limit": asked.limit,
    }
    return Plan(
        chosen,
        corpus,
        settings,
        asked.repeat,
        asked.jobs or min(2, os.cpu_count() or 1),
        asked.record,
        asked.replay,
        tuple(path.name for path in files),
        selection,
    )


def figures(log: dict[str, Any], judged: Gates | None) -> Figures:
    """The log with its gates judged and, where the baseline is of the same questions, compared with it."""
    if judged is None:
        return Figures(log)
    blessed = baseline.load(baseline_file(judged))
    same = blessed is not None and blessed["questions"]["fingerprint"] == log["questions"]["fingerprint"]
    return Figures(log, gates.judge(log, judged, blessed), compare(blessed, log) if same and blessed else None)


def baseline_file(judged: Gates) -> Path:
    return judged.inputs.get("baseline", (EVALS / "baseline.json",))[0]


def question_fingerprint(judged: Gates) -> str:
    """Of the question and claim files as they are now."""
    questions = cases.load_questions(judged.inputs.get("questions", (cases.QUESTIONS,)))
    return cases.fingerprint((*questions, *cases.load_claims(judged.inputs.get("claims", ()))))


def _chosen(asked: Asked, every: Sequence[Case]) -> tuple[Case, ...]:
    unknown = [kind for kind in asked.kinds if kind not in {case.kind for case in every}]
    if unknown:
        known = ", ".join(sorted({case.kind for case in every}))
        raise UsageError(f"no question of kind {unknown[0]!r}", f"kinds here: {known}")
    kept = [
        case
        for case in every
        if (not asked.only or any(fnmatch.fnmatchcase(case.id, pattern) for pattern in asked.only))
        and (not asked.kinds or case.kind in asked.kinds)
        and (asked.split is None or case.split == asked.split)
    ]
    return tuple(kept[: asked.limit])


def _corpus(asked: Sequence[str], judged: Gates, settings: Settings) -> tuple[tuple[Path, ...] | None, Settings]:
    """Files to index anew, or None and settings that name a synced corpus."""
    if not asked:
        return judged.inputs.get("corpus", (SEEDS,)), settings
    paths = [Path(each) for each in asked]
    if all(path.exists() for path in paths):
        return tuple(paths), settings
    if len(asked) == 1 and not paths[0].suffix and os.sep not in asked[0]:
        origins = {**settings.origins, "corpus": "--corpus"}
        return None, replace(settings, corpus=asked[0], cache=False, log=False, origins=origins)
    missing = next(each for each, path in zip(asked, paths, strict=True) if not path.exists())
    raise UsageError(
        f"no such file or folder: {missing}", "--corpus takes files, folders, or the name of a synced corpus"
    )


def linted(questions: Sequence[Path], corpus: Sequence[str], judged: Gates) -> tuple[tuple[Finding, ...], int]:
    """What is wrong with these files (those the gates name, where none are given), and how many questions were read."""
    files = tuple(questions) or judged.inputs.get("questions", (cases.QUESTIONS,))
    placed, misread = cases.read_questions(files)
    return lint(placed, misread, papers_of(corpus, judged)), len(placed)


def self_tested() -> tuple[Moved, ...]:
    """The scorers' own test, on the questions and papers that ship."""
    from evals.scorers.selftest import selftest

    return selftest(cases.load_questions((cases.QUESTIONS,)), papers_of((), gates.load(OWN)))


def papers_of(corpus: Sequence[str], judged: Gates) -> dict[str, Paper]:
    """The papers of these files, by id. Raises UsageError for a file that is not there."""
    from rag.readers import read

    paths = [Path(each) for each in corpus] or list(judged.inputs.get("corpus", (SEEDS,)))
    missing = [path for path in paths if not path.exists()]
    if missing:
        raise UsageError(f"no such file or folder: {missing[0]}", "--corpus takes files and folders")
    return {paper.id: paper for paper in read(paths) if isinstance(paper, Paper)}
