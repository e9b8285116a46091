"""Fixed questions and claims, read from JSON lines and checked against one schema (`evals/questions/schema.json`).

A question names its gold sentences by their text, so that it survives a change of the sentence splitter. A claim is a
sentence somebody might write, with what the named papers make of it; it exercises `verify` without a language model.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar

from evals.material.places import EVALS
from rag.errors import UsageError

QUESTIONS = EVALS / "questions"
CLAIMS = EVALS / "claims" / "seeds.jsonl"
CLAIM_KIND = "claim"
KINDS = (
    *("fact", "paraphrase", "list", "comparison", "summary", "metadata", "followup", "other_language"),
    *("true_premise", "false_premise", "near_miss", "neighbour", "general"),
)
"""The kinds this repository uses. Others are allowed: they are scored like facts."""


@dataclass(frozen=True, slots=True)
class Question:
    """`must`: every inner tuple is one fact, any of its spellings will do. An unanswerable question has no gold."""

    id: str
    kind: str
    question: str
    answerable: bool
    papers: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    must: tuple[tuple[str, ...], ...] = ()
    must_not: tuple[str, ...] = ()
    split: Literal["fit", "report"] = "report"
    history: tuple[str, ...] = ()
    """Earlier questions of the same conversation, oldest first."""
    standalone: str | None = None
    """A follow-up as it would be asked alone."""
    note: str | None = None


@dataclass(frozen=True, slots=True)
class ClaimCase:
    """`label` is what `papers` say of `text`; `edit` names how it was made."""

    id: str
    text: str
    label: Literal["supported", "contradicted", "not_found", "not_checkable"]
    edit: str
    papers: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    split: Literal["fit", "report"] = "report"
    note: str | None = None
    kind: str = CLAIM_KIND


Case = Question | ClaimCase
_T = TypeVar("_T", Question, ClaimCase)


@dataclass(frozen=True, slots=True)
class Placed:
    """A case and where it stands, as `file:line`."""

    case: Case
    place: str


@dataclass(frozen=True, slots=True)
class Misread:
    """A line that is not a case, and why."""

    place: str
    reason: str


def read_questions(paths: Sequence[Path]) -> tuple[tuple[Placed, ...], tuple[Misread, ...]]:
    """Every question of the files and folders, in order. Raises UsageError for a path that is not there."""
    return _read(paths, Question)


def read_claims(paths: Sequence[Path]) -> tuple[tuple[Placed, ...], tuple[Misread, ...]]:
    return _read(paths, ClaimCase)


def load_questions(paths: Sequence[Path]) -> tuple[Question, ...]:
    """The same, where nothing may be wrong. Raises UsageError naming the first line that is."""
    placed, misread = read_questions(paths)
    if misread:
        raise UsageError(f"{misread[0].place}: {misread[0].reason}", "`citewell eval lint` lists every such line")
    return tuple(each.case for each in placed if isinstance(each.case, Question))


def load_claims(paths: Sequence[Path]) -> tuple[ClaimCase, ...]:
    placed, misread = read_claims(paths)
    if misread:
        raise UsageError(f"{misread[0].place}: {misread[0].reason}", "`citewell eval lint` lists every such line")
    return tuple(each.case for each in placed if isinstance(each.case, ClaimCase))


def fingerprint(cases: Sequence[Case]) -> str:
    """Tells two question sets apart, whatever their order and files: 16 hex digits."""
    lines = sorted(json.dumps(as_json(case), ensure_ascii=False, sort_keys=True) for case in cases)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def as_json(case: Case) -> dict[str, Any]:
    """The case as it stands in its file: defaults left out."""
    adapter = _adapter(type(case))
    kept: dict[str, Any] = adapter.dump_python(case, mode="json", exclude_defaults=True)
    return kept


def schema() -> dict[str, Any]:
    """JSON Schema of one line of a question file."""
    found: dict[str, Any] = _adapter(Question).json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found, "additionalProperties": False}


def _read(paths: Sequence[Path], kind: type[_T]) -> tuple[tuple[Placed, ...], tuple[Misread, ...]]:
    placed: list[Placed] = []
    misread: list[Misread] = []
    for path in _files(paths):
        for number, line in enumerate(path.read_text("utf-8-sig", "replace").split("\n"), 1):
            if not line.strip():
                continue
            found = _case(line, kind, f"{path.name}:{number}")
            (placed if isinstance(found, Placed) else misread).append(found)  # type: ignore[arg-type]
    return tuple(placed), tuple(misread)


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(path.glob("*.jsonl"))
        elif path.is_file():
            yield path
        else:
            raise UsageError(f"no such question file: {path}", "give a .jsonl file, or a folder of them")


def _case(line: str, kind: type[_T], place: str) -> Placed | Misread:
    from pydantic import ValidationError

    try:
        fields = json.loads(line)
        unknown = sorted(set(fields) - set(kind.__slots__)) if isinstance(fields, dict) else []
        if unknown:
            return Misread(place, f"unknown field {unknown[0]!r}; known are {', '.join(kind.__slots__)}")
        return Placed(_adapter(kind).validate_python(fields), place)
    except json.JSONDecodeError as error:
        return Misread(place, f"not JSON: {error.msg} at column {error.colno}")
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the line"
        return Misread(place, f"{where}: {first['msg']}")


def _adapter(kind: type[Case]) -> Any:
    return _adapters()[kind.__name__]


@cache
def _adapters() -> dict[str, Any]:
    from pydantic import TypeAdapter

    return {kind.__name__: TypeAdapter(kind) for kind in (Question, ClaimCase)}
