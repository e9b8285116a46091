"""What the tests of answers with a model share: the real program against a scripted server, and replies that quote."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from program import Run, run_in, run_inside
from servers import Part, Reply, Scripted, ScriptedServer, chunk, tokens

FASTER = "How much faster is DFlash than EAGLE-3?"
ANSWER = "delivering up to 2.5"
"""Words of the sentence that answers it without a model."""
TWO = ("speculative decoding framework that employs", "generating draft tokens")
"""Words of two more sentences of the same abstract, to the point as well."""
KEY = "sk-sentinel-0123456789abcdef"


@dataclass(frozen=True, slots=True)
class Home:
    """A home with the seeds indexed, and the command in it. Calling it starts a process; `inside` runs the same program
    in this one, which spares each run the import of the SDK."""

    path: Path

    def ask(self, server: ScriptedServer | str, *args: str, question: str = FASTER, **env: str) -> Run:
        """`citewell ask` with the server's model; nothing cached unless asked for."""
        address = server if isinstance(server, str) else server.base_url
        return self.inside(
            "ask", question, "--model", "scripted", *args, OPENAI_BASE_URL=address, OPENAI_API_KEY=KEY, **env
        )

    def inside(self, *args: str, **env: str) -> Run:
        return run_inside(self.path)(*args, **env)

    def __call__(self, *args: str, **env: Any) -> Run:
        return run_in(self.path)(*args, **env)


def quoted(body: dict[str, Any], words: str) -> str:
    """The evidence sentence that holds `words`, as the prompt shows it, with its key as a model would cite it."""
    line = next(line for line in evidence_lines(body) if words in line[1])
    return f"{line[1].rstrip('.')} [{line[0]}]."


def evidence_lines(body: dict[str, Any]) -> list[tuple[str, str]]:
    """(key, sentence) of a request."""
    return re.findall(r"^\[(\w+)\] (.+)$", body["messages"][-1]["content"], re.MULTILINE)


def filled(text: str, body: dict[str, Any]) -> str:
    """`{words}` replaced by the evidence sentence that holds the words."""
    return re.sub(r"\{([^{}]+)\}", lambda found: quoted(body, found[1]), text)


def streams(*parts: str | Part) -> Scripted:
    """A model whose reply is sent part by part: texts in small pieces, events and pauses as they are."""

    def answer(body: dict[str, Any]) -> Reply:
        sent: list[Part] = []
        for part in parts:
            sent += [chunk(piece) for piece in tokens(filled(part, body), 9)] if isinstance(part, str) else [part]
        return Reply(tuple(sent))

    return answer


def once(scripted: Scripted) -> Callable[[dict[str, Any]], Reply]:
    """`scripted` for the call of the answer; a second call, about one sentence, gets NONE."""

    def answer(body: dict[str, Any]) -> Reply:
        if "Question: " not in body["messages"][-1]["content"]:
            return Reply((chunk("NONE"), chunk(finish="stop")))
        return scripted if isinstance(scripted, Reply) else scripted(body)

    return answer
