"""`citewell ask --model` with models that know less than OpenAI's or write otherwise: answered all the same, in time.

Real sockets, the real command: exit code 0, JSON of an answer, the sentence cited, and no mark of the model's shown.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from asking_models import FASTER, KEY, TWO, Home, evidence_lines, once
from servers import DONE, Pause, Reply, Scripted, ScriptedServer, chunk, event, refuses, tokens, whole

STOP = chunk(finish="stop")
SECONDS = 20
SLACK = 10
"""Beyond `--timeout`: a busy machine retrieves, checks and prints too."""
Body = dict[str, Any]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    made = Home(tmp_path_factory.mktemp("quirks"))
    assert made.inside("ask", FASTER).code == 0
    return made


def cited(body: Body, words: str = TWO[0]) -> tuple[str, str]:
    """Key and text of the evidence sentence that holds the words; the text without its full stop."""
    key, text = next(line for line in evidence_lines(body) if words in line[1])
    return key, text.rstrip(".")


def good(body: Body) -> str:
    key, text = cited(body)
    return f"{text} [{key}]."


def without(*unknown: str, status: int = 400, said: str = "Unsupported parameter: '{}' is not supported.") -> Scripted:
    """A server that refuses each of these parameters, one at a time; it answers whole where it knows no `stream`."""

    def answer(body: Body) -> Reply:
        for name in unknown:
            if name in body and body[name] is not False:
                return refuses(status, said.format(name))
        return Reply((chunk(good(body)), STOP, DONE)) if body.get("stream") else whole(good(body))

    return answer


def renamed(body: Body) -> Reply:
    if "max_completion_tokens" not in body:
        return refuses(400, "Unsupported parameter: 'max_tokens' is not supported with this model. "
                            "Use 'max_completion_tokens' instead.", "unsupported_parameter")  # fmt: skip
    return Reply((chunk(good(body)), STOP, DONE))


def only_default_temperature(body: Body) -> Reply:
    if body.get("temperature", 1) != 1:
        return refuses(400, "Unsupported value: 'temperature' does not support 0 with this model. "
                            "Only the default (1) value is supported.", "unsupported_value")  # fmt: skip
    return Reply((chunk(good(body)), STOP, DONE))


def no_system_role(status: int, said: str) -> Scripted:
    def answer(body: Body) -> Reply:
        if any(message["role"] == "system" for message in body["messages"]):
            return refuses(status, said)
        return Reply((chunk(good(body)), STOP, DONE))

    return answer


PARAMETERS: dict[str, Scripted] = {
    "knows no stream": without("stream"),
    "knows no stream_options": without("stream_options"),
    "knows no temperature": without("temperature"),
    "knows no max_tokens": without("max_tokens", "max_completion_tokens"),
    "wants max_completion_tokens": renamed,
    "knows no temperature but its own": only_default_temperature,
    "says 422": without("stream_options", status=422, said="extra fields not permitted: {}"),
    "knows none of them": without("stream_options", "temperature", "max_tokens", "max_completion_tokens"),
    "knows none, nor streams": without("stream_options", "stream", "temperature", "max_tokens"),
    "has no system role": no_system_role(400, "System role not supported"),
    "has no system role, and fails": no_system_role(500, "Only user and assistant roles are supported!"),
    "wants roles to alternate": no_system_role(
        400, "Conversation roles must alternate user/assistant/user/assistant/..."
    ),
    "streams nothing though asked": lambda body: whole(good(body)),
}


def as_events(make: Callable[[str], tuple[bytes | Pause, ...]]) -> Scripted:
    return lambda body: Reply(make(good(body)))


def bytewise(text: str) -> tuple[bytes, ...]:
    raw = chunk(text, None, note="β论文") + STOP + DONE
    return tuple(raw[at : at + 1] for at in range(len(raw)))


STREAMS: dict[str, Scripted] = {
    "a byte at a time": as_events(bytewise),
    "no [DONE]": as_events(lambda text: (chunk(text), STOP)),
    "usage only": as_events(lambda text: (chunk(text), STOP, event({"choices": [], "usage": None}), DONE)),
    "comments": as_events(lambda text: (b": OPENROUTER PROCESSING\n\n", chunk(text), b": ping\n\n", STOP, DONE)),
    "reasoning apart": as_events(
        lambda text: (event({"choices": [{"delta": {"reasoning_content": "DFlash was sold."}}]}), chunk(text), STOP)
    ),
    "text and its end in one": as_events(lambda text: (chunk(text, "stop"), DONE)),
    "null tool calls": as_events(
        lambda text: (event({"choices": [{"delta": {"content": text, "tool_calls": None}}]}), STOP, DONE)
    ),
    "slow": as_events(
        lambda text: (*(part for piece in tokens(text, 60) for part in (Pause(0.05), chunk(piece))), STOP)
    ),
}


def written(make: Callable[[str, str, str], str]) -> Scripted:
    """The reply made of a key, its sentence, and another key that was given."""

    def answer(body: Body) -> Reply:
        key, text = cited(body)
        said = make(key, text, cited(body, TWO[1])[0])
        return Reply((*(chunk(piece) for piece in tokens(said, 9)), STOP, DONE))

    return once(answer)


FORMATS: dict[str, Scripted] = {
    "[a, b]": written(lambda key, text, other: f"{text} [{key}, {other}]."),
    "[a][b]": written(lambda key, text, other: f"{text} [{key}][{other}]."),
    "[a; b]": written(lambda key, text, other: f"{text} [{key}; {other}]."),
    "【a】": written(lambda key, text, other: f"{text}【{key}】."),
    "[^a]": written(lambda key, text, other: f"{text}[^{key}]."),
    "(a)": written(lambda key, text, other: f"{text} ({key})."),
    "after the full stop": written(lambda key, text, other: f"{text}. [{key}]"),
    "on a line of its own": written(lambda key, text, other: f"{text}.\n[{key}]"),
    "in capitals": written(lambda key, text, other: f"{text} [{key.upper()}]."),
    "a key never given": written(lambda key, text, other: f"{text} [{key}] [zz99]."),
    "nought and beyond the last": written(lambda key, text, other: f"{text} [{key}] [0] [999]."),
    "author and year as well": written(lambda key, text, other: f"{text} (Chen et al., 2026) [{key}]."),
    "a list": written(lambda key, text, other: f"- {text} [{key}]."),
    "numbered, bold": written(lambda key, text, other: f"1. **{text}** [{key}]."),
    "a heading": written(lambda key, text, other: f"## Answer\n\n{text} [{key}]."),
    "a list of references": written(
        lambda key, text, other: f"{text} [{key}].\n\nReferences:\n[{key}] Chen et al. DFlash. 2026."
    ),
    "JSON": written(lambda key, text, other: f'{{"answer": "{text} [{key}]."}}'),
    "fenced JSON": written(lambda key, text, other: f'```json\n{{"answer": "{text} [{key}]."}}\n```'),
    "windows line ends": written(lambda key, text, other: f"{text} [{key}].\r\n\r\n"),
}


OFTEN = ("a byte at a time", "reasoning apart", "[a, b]", "after the full stop", "a key never given", "JSON")
"""Of those that the reader of replies is tested with in its own room too; the others are marked slow."""
SCRIPTS = [
    pytest.param(script, id=name, marks=[] if name in (*PARAMETERS, *OFTEN) else pytest.mark.slow)
    for name, script in {**PARAMETERS, **STREAMS, **FORMATS}.items()
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_it_is_answered_all_the_same(home: Home, script: Scripted) -> None:
    begun = time.monotonic()
    with ScriptedServer(once(script)) as server:
        run = home.ask(server, "--json", "--no-cache", "--no-log", "--timeout", str(SECONDS))
        keys = [key for body in server.requests for key, _ in evidence_lines(body)]
    assert time.monotonic() - begun < SECONDS + SLACK
    assert run.code == 0, run.err
    assert (run.json["status"], run.json.get("fallback")) == ("answered", None)
    first = run.json["claims"][0]
    assert TWO[0] in first["text"]
    assert TWO[0] in first["citations"][0]["quote"]
    shown = " ".join(claim["text"] for claim in run.json["claims"])
    assert not any(mark in shown for mark in ("zz99", "[0]", "999", "References", "```", "【", "[^", "##", '"answer"'))
    assert not any(f"[{key}" in shown or f"({key}" in shown or f"[{key.upper()}" in shown for key in keys)
    assert "sold" not in run.out and KEY not in run.out + run.err
