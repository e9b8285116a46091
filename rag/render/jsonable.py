"""Nouns -> JSON objects, as DESIGN promises them. Keys are only ever added; SCHEMA_VERSION tells when that changes."""

from __future__ import annotations

import json
import re
from typing import Any

from rag.errors import CitewellError
from rag.library.reports import Finding, SyncReport
from rag.render.prose import numbers_of, prose
from rag.types import Answer, Citation, Claim, CorpusInfo, Hit, Nearest, Paper, Problem, Source, Usage

SCHEMA_VERSION = 1
# C1 controls, zero-width and bidirectional marks, line separators, lone surrogates; JSON itself escapes C0.
_COMMANDS = re.compile("[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def dumps(value: object) -> str:
    """One line of JSON, readable in any script; what a terminal could take for a command is written as its escape."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return _COMMANDS.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def answer(value: Answer) -> dict[str, Any]:
    """What `ask --json` prints. Keys are only ever added."""
    numbers = numbers_of(value.sources)
    result = {
        "schema_version": SCHEMA_VERSION,
        "question": value.question,
        "status": value.status,
        "reason": value.reason,
        "answer": prose(value),
        "claims": [claim(each, numbers) for each in value.claims],
        "sources": [source(each) for each in value.sources],
        "nearest": [nearest(each) for each in value.nearest],
        "dropped": [{"text": each.text, "reason": each.reason} for each in value.dropped],
        "risk": {"bound": value.risk.bound, "certified": value.risk.certified, "target": value.risk.target},
        "usage": usage(value.usage),
        "corpus": corpus(value.corpus),
    }
    for name in ("fallback", "understood", "note"):
        if getattr(value, name) is not None:
            result[name] = getattr(value, name)
    return result


def usage(value: Usage) -> dict[str, Any]:
    return {
        "model": value.model,
        "calls": value.calls,
        "prompt_tokens": value.prompt_tokens,
        "completion_tokens": value.completion_tokens,
        "cost_usd": value.cost_usd,
        "seconds": round(value.seconds, 4),
    }


def corpus(value: CorpusInfo) -> dict[str, Any]:
    return {"name": value.name, "papers": value.papers, "fingerprint": value.fingerprint}


def claim(value: Claim, numbers: dict[str, int]) -> dict[str, Any]:
    citations = [citation(each, numbers[each.paper_id]) for each in value.citations]
    return {"text": value.text, "verdict": value.verdict, "risk": value.risk, "citations": citations}


def citation(value: Citation, number: int) -> dict[str, Any]:
    """`start` and `end` count characters of the abstract; `quote` is what stands between them."""
    result: dict[str, Any] = {
        "source": number,
        "paper_id": value.paper_id,
        "start": value.start,
        "end": value.end,
        "quote": value.quote,
    }
    if value.field != "abstract":
        result["field"] = value.field
    return result


def source(value: Source) -> dict[str, Any]:
    paper = value.paper
    return {
        "number": value.number,
        "paper_id": paper.id,
        "title": paper.title,
        "title_source": paper.title_source,
        "authors": list(paper.authors),
        "year": paper.year,
        "venue": paper.venue,
        "url": paper.url,
        "doi": paper.doi,
    }


def nearest(value: Nearest) -> dict[str, Any]:
    return {"paper_id": value.paper.id, "title": value.paper.title, "score": round(value.score, 4)}


def paper(value: Paper, hit: Hit | None = None) -> dict[str, Any]:
    """A line of `papers`, `show` and `search`; a find has its rank and score too."""
    result: dict[str, Any] = {
        "paper_id": value.id,
        "title": value.title,
        "title_source": value.title_source,
        "abstract": value.abstract,
        "authors": list(value.authors),
        "year": value.year,
        "venue": value.venue,
        "url": value.url,
        "doi": value.doi,
        "files": list(value.files),
    }
    if hit is not None:
        result["rank"] = hit.rank
        result["score"] = round(hit.score, 6)
    return result


def problem(value: Problem) -> dict[str, Any]:
    return {"file": value.file, "line": value.line, "reason": value.reason}


def sync_report(value: SyncReport) -> dict[str, Any]:
    return {
        "corpus": value.corpus,
        "added": value.added,
        "changed": value.changed,
        "unchanged": value.unchanged,
        "removed": value.removed,
        "problems": [problem(each) for each in value.problems],
        "seconds": round(value.seconds, 3),
    }


def finding(value: Finding) -> dict[str, Any]:
    return {"subject": value.subject, "well": value.well, "detail": value.detail, "hint": value.hint}


def error(value: CitewellError) -> dict[str, Any]:
    return {"error": {"code": value.code, "message": value.message, "hint": value.hint}}
