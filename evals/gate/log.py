"""One run, one JSON file: what was measured, on what, every answer and score. Everything else is rendered from it.

All that depends on the clock stands under `times`; without it two runs of the same tree are byte-equal.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evals.scorers import Score
from rag.errors import UsageError

SCHEMA_VERSION = 1
Entry = dict[str, Any]
"""One case of a log: `id, kind, split, repeat, ..., answer, scores, failures, passed, error`."""
Log = dict[str, Any]


def write(path: Path, log: Log) -> None:
    """Writes the whole log or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(path.name + ".part")
    temporary.write_text(dumps(log), "utf-8")
    temporary.replace(path)


def read(path: Path) -> Log:
    """Raises UsageError for a file that is no log, or of a newer citewell."""
    try:
        log = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", "`citewell eval run -o FILE` writes a log") from None
    except ValueError:
        raise UsageError(f"{path} is not JSON", "`citewell eval run -o FILE` writes a log") from None
    if not isinstance(log, dict) or "schema_version" not in log or "cases" not in log:
        raise UsageError(f"{path} is not a log of `citewell eval run`")
    if log["schema_version"] > SCHEMA_VERSION:
        raise UsageError(f"{path} was written by a newer citewell", "upgrade this one")
    return log


def read_or_baseline(path: Path) -> Log:
    """A log, or the blessed baseline, which holds enough of one to compare with."""
    from evals.gate import baseline

    try:
        return read(path)
    except UsageError:
        found = baseline.load(path) if path.exists() and path.suffix == ".json" else None
        if found is None:
            raise
        return found


def dumps(log: Mapping[str, Any]) -> str:
    """A case a line, so that two logs read as a diff."""
    head = {key: value for key, value in log.items() if key != "cases"}
    rest = json.dumps(head, ensure_ascii=False, allow_nan=False, indent=1, sort_keys=True)
    cases = ",\n  ".join(
        json.dumps(case, ensure_ascii=False, allow_nan=False, sort_keys=True) for case in log.get("cases", ())
    )
    return f'{rest[:-2]},\n "cases": [\n  {cases}\n ]\n}}\n'


def without_times(log: Mapping[str, Any]) -> Log:
    """What must be the same in two runs."""
    return {key: value for key, value in log.items() if key != "times"}


def unlike(one: Mapping[str, Any], two: Mapping[str, Any]) -> tuple[str, ...]:
    """Where two runs differ but for their times: fields of the log, and cases by their key. Empty: byte-equal."""
    first, second = without_times(one), without_times(two)
    if dumps(first) == dumps(second):
        return ()
    fields = [name for name in sorted({*first, *second} - {"cases"}) if first.get(name) != second.get(name)]
    ours, theirs = ({key(entry): entry for entry in each["cases"]} for each in (first, second))
    return (*fields, *(name for name in {**ours, **theirs} if ours.get(name) != theirs.get(name)))


def key(entry: Mapping[str, Any]) -> str:
    """A case of a run: id and repeat."""
    return f"{entry['id']}#{entry['repeat']}"


def score_json(score: Score) -> dict[str, Any]:
    """A score as logged; what says nothing is left out."""
    kept = {name: value for name, value in asdict(score).items() if value not in ((), 0.0) or name == "value"}
    plain = {name: list(value) if isinstance(value, tuple) else value for name, value in kept.items()}
    return {name: round(value, 6) if isinstance(value, float) else value for name, value in plain.items()}


class Journal:
    """Entries as they finish, beside the log to come, so that an interrupted run goes on where it stopped."""

    def __init__(self, path: Path, identity: str) -> None:
        self._path = path.with_name(path.name + ".journal")
        self._identity = identity

    def earlier(self) -> Iterator[tuple[Entry, float]]:
        """Entries and seconds of an interrupted run of the same identity; nothing of any other."""
        with contextlib.suppress(OSError, ValueError, KeyError):
            lines = self._path.read_text("utf-8").split("\n")
            if not lines or json.loads(lines[0]) != {"identity": self._identity}:
                return
            for line in lines[1:]:
                found = json.loads(line)  # the last line may be cut: what is whole before it counts
                yield found["entry"], found["seconds"]

    def begin(self, kept: list[tuple[Entry, float]]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_text(json.dumps({"identity": self._identity}) + "\n", "utf-8")
        for entry, seconds in kept:
            self.add(entry, seconds)

    def add(self, entry: Entry, seconds: float) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"entry": entry, "seconds": seconds}, ensure_ascii=False) + "\n")

    def end(self) -> None:
        self._path.unlink(missing_ok=True)
