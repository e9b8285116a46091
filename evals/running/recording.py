"""A model's replies recorded and played again, so that a run with a model needs neither it nor a network.

A reply is found by the hash of its prompt and the number of the repeat. A prompt that was never recorded is told as
such, and as stale when the same case was recorded with another prompt; nothing near is ever used instead.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rag.errors import ModelUnreachable, UsageError
from rag.model.contract import Finish, Model, Prompt, Stream


@dataclass(slots=True)
class Call:
    """One prompt and what came back."""

    prompt: str
    system: str
    user: str
    reply: str = ""
    ending: str = "cut"
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


@dataclass(slots=True)
class Watched:
    """Passes a model's stream on and keeps every call of the current case."""

    inner: Model
    calls: list[Call] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def context_window(self) -> int | None:
        return self.inner.context_window

    def begin(self, case: str, repeat: int) -> None:
        """A new case: its calls and misses start anew."""
        self.calls, self.missed = [], []
        if isinstance(self.inner, Replay):
            self.inner.at = (case, repeat)

    def stream(self, prompt: Prompt, *, max_tokens: int, seconds: float) -> Stream:
        call = Call(prompt_hash(prompt), prompt.system, prompt.user)
        self.calls.append(call)
        try:
            for piece in self.inner.stream(prompt, max_tokens=max_tokens, seconds=seconds):
                if isinstance(piece, Finish):
                    call.ending = piece.ending
                    call.prompt_tokens, call.completion_tokens = piece.prompt_tokens, piece.completion_tokens
                else:
                    call.reply += piece
                yield piece
        except Unrecorded as error:
            self.missed.append(error.message)
            raise

    def identity(self) -> str:
        return self.inner.identity()


class Unrecorded(ModelUnreachable):
    """A prompt for which no reply was recorded. The run turns it into an error of the case."""

    code = "unrecorded"


class Replay:
    """A model that only knows what was recorded."""

    context_window: int | None

    def __init__(self, path: Path) -> None:
        self.about, self._lines = _read(path)
        self.name = str(self.about["model"])
        self.context_window = self.about.get("context_window")
        self._replies = {(line["prompt"], line["repeat"]): line for line in self._lines}
        self._cases = {(line["case"], line["repeat"]) for line in self._lines}
        self.at: tuple[str, int] = ("", 1)

    def stream(self, prompt: Prompt, *, max_tokens: int, seconds: float) -> Stream:
        wanted = prompt_hash(prompt)
        line = self._replies.get((wanted, self.at[1]))
        if line is None:
            raise Unrecorded(self._why(wanted), "record anew: `citewell eval run --record FILE`")
        yield line["reply"]
        yield Finish(line["ending"], line.get("prompt_tokens"), line.get("completion_tokens"))

    def identity(self) -> str:
        return str(self.about["identity"])

    def _why(self, wanted: str) -> str:
        if self.at in self._cases:
            return f"stale recording: the prompt is now {wanted}, another one was recorded for this case"
        return f"no reply was recorded for prompt {wanted}"


def prompt_hash(prompt: Prompt) -> str:
    return hashlib.sha256(f"{prompt.system}\0{prompt.user}".encode()).hexdigest()[:16]


def about(model: Model) -> dict[str, Any]:
    """The first line of a recording."""
    return {"model": model.name, "identity": model.identity(), "context_window": model.context_window}


def write(path: Path, first: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]) -> None:
    """Every call of a run's entries, one a line."""
    lines = [dict(first)]
    for entry in entries:
        for call in entry.get("calls", ()):
            kept = {name: call[name] for name in ("prompt", "reply", "ending", "prompt_tokens", "completion_tokens")}
            lines.append({"case": entry["id"], "repeat": entry["repeat"], **kept})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")


def _read(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    try:
        lines = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]
        if not lines or "identity" not in lines[0]:
            raise ValueError("its first line names no model")
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot replay {path}: {error}", "`citewell eval run --record FILE` writes one") from None
    return lines[0], lines[1:]
