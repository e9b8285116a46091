"""The blessed baseline: the values of one whole run, small enough to be kept in the repository."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rag.errors import UsageError

_KEPT = ("git", "versions", "corpus", "questions", "prompts", "settings", "repeat")


def load(path: Path) -> dict[str, Any] | None:
    """None where nothing was blessed yet. Raises UsageError for a file that is no baseline."""
    if not path.exists():
        return None
    try:
        baseline: dict[str, Any] = json.loads(path.read_text("utf-8"))
        baseline["cases"], baseline["questions"]["fingerprint"]
    except (ValueError, KeyError, TypeError):
        raise UsageError(f"{path} is no baseline", "`citewell eval bless LOG` writes one") from None
    return baseline


def bless(log: Mapping[str, Any], path: Path, fingerprint: str) -> None:
    """Makes this run the baseline. Raises UsageError for one that is not whole, has errors, or asked other questions.

    `fingerprint` is that of the question files as they are now.
    """
    if not log["questions"]["whole"]:
        raise UsageError(
            "not blessed: the run left out a part of the questions", "run again without --only, --limit..."
        )
    if not log["cases"]:
        raise UsageError("not blessed: the run measured nothing")
    errors = [entry["id"] for entry in log["cases"] if entry["error"] is not None]
    if errors:
        raise UsageError(f"not blessed: {len(errors)} cases ended in an error, first {errors[0]}", "mend and run again")
    if log["questions"]["fingerprint"] != fingerprint:
        raise UsageError("not blessed: the question files have changed since this run", "run again")
    temporary = path.with_name(path.name + ".part")
    temporary.write_text(_dumps(log), "utf-8")
    temporary.replace(path)


def _dumps(log: Mapping[str, Any]) -> str:
    """One case a line, so that a renewed baseline reads as a diff."""
    head = {name: log[name] for name in _KEPT if name in log}
    head["summary"] = {name: log["summary"][name] for name in ("cases", "metrics", "repeats")}
    lines = ",\n".join(f"  {json.dumps(_slim(entry), ensure_ascii=False, sort_keys=True)}" for entry in log["cases"])
    rest = json.dumps(head, ensure_ascii=False, indent=1, sort_keys=True)
    return f'{rest[:-2]},\n "cases": [\n{lines}\n ]\n}}\n'


def _slim(entry: Mapping[str, Any]) -> dict[str, Any]:
    scores = {name: {"value": each["value"]} for name, each in entry["scores"].items() if each["value"] is not None}
    kept = {name: entry[name] for name in ("id", "kind", "split", "repeat", "passed", "error")}
    return {**kept, "papers": entry["papers"][:1], "scores": scores}
