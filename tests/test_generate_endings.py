"""However a reply ends, a draft ends as documented and within its time: real sockets, real server-sent events."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

import pytest
from drafting import model_at, three_papers
from servers import (
    DONE,
    Cut,
    Pause,
    Reply,
    Reset,
    Scripted,
    ScriptedServer,
    chunk,
    event,
    picky,
    refuses,
    says,
    whole,
    with_keys,
    writes,
)

from rag.generate.writing import generate

SECONDS = 2.0
SLACK = 5.0
GOOD = writes("Sail is faster [@3]. Keel is small [@4].")
DRAFT = [("Sail is faster.", (3,)), ("Keel is small.", (4,))]
FIRST = DRAFT[:1]


def streamed(*parts: object) -> Scripted:
    """Raw events, with `@1` in their strings made into keys."""

    def answer(body: dict[str, object]) -> Reply:
        made = [chunk(with_keys(part, body)) if isinstance(part, str) else part for part in parts]
        return Reply(tuple(made))  # type: ignore[arg-type]

    return answer


def one_json(content: object, **more: object) -> Scripted:
    def answer(body: dict[str, object]) -> Reply:
        text = with_keys(content, body) if isinstance(content, str) else content
        return whole(text, **more)  # type: ignore[arg-type]

    return answer


def altered(old: bytes, new: bytes) -> Scripted:
    """The good reply with other bytes between its words."""

    def reply(body: dict[str, object]) -> Reply:
        return Reply(tuple(part.replace(old, new) if isinstance(part, bytes) else part for part in GOOD(body).body))

    return reply


@dataclass(frozen=True)
class Case:
    """What a server plays; what is drafted of it (texts, and the numbers of the sentences named); its ending."""

    name: str
    replies: tuple[Scripted, ...]
    drafted: list[tuple[str, tuple[object, ...]]]
    ending: str = "stop"
    requests: int = 1


GARBLED = b'data: {"choices": [{"delta": {"cont\n\n'
STOP = chunk(finish="stop")

CASES = [
    Case("well formed", (GOOD,), DRAFT),
    Case("a piece a character", (streamed(*"Sail is faster [@3].".split("_"), STOP, DONE),), FIRST),
    Case("all in one piece", (writes("Sail is faster [@3]. Keel is small [@4]."),), DRAFT),
    Case("cut mid-word", (streamed("Sail is faster [@3]. Keel is sm", Cut),), FIRST, "cut"),
    Case("reset mid-word", (streamed("Sail is faster [@3]. Keel is sm", Reset),), FIRST, "cut"),
    Case("cut within an event", (streamed("Sail is faster [@3]. ", GARBLED[:20], Cut),), FIRST, "cut"),
    Case("stalled", (streamed("Sail is faster [@3]. Keel is", Pause(60)),), FIRST, "stalled"),
    Case(
        "dripping on and on",
        (streamed("Sail is faster [@3]. ", *["word ", Pause(0.1)] * 90),),
        FIRST,
        "stalled",
    ),
    Case("no finish reason", (writes("Sail is faster [@3]. Keel is small", finish=None),), FIRST, "cut"),
    Case("no finish reason, no [DONE]", (streamed("Sail is faster [@3]."),), FIRST, "cut"),
    Case("length", (writes("Sail is faster [@3]. Keel is small and", finish="length"),), FIRST, "length"),
    Case("content filter", (writes("Sail is faster [@3]. Keel", finish="content_filter"),), FIRST, "filtered"),
    Case("an unknown finish reason", (writes("Sail is faster [@3]. Keel", finish="tool_calls"),), FIRST, "cut"),
    Case("empty choices before", (streamed(event({"choices": []}), "Sail is faster [@3].", STOP, DONE),), FIRST),
    Case("null content between", (streamed("Sail is ", chunk(None), "faster [@3].", STOP, DONE),), FIRST),
    Case("open after its end", (streamed("Sail is faster [@3].", STOP, Pause(60)),), FIRST),
    Case(
        "broken JSON in the middle",
        (streamed("Sail is faster [@3]. ", GARBLED, "Keel.", STOP),),
        FIRST,
        "cut",
    ),
    Case("an error in the middle", (streamed("Sail is faster [@3]. ", event({"error": "gone"})),), FIRST, "cut"),
    Case(
        "an error first, then fine",
        (Reply((event({"error": {"message": "overloaded"}}),)), GOOD),
        DRAFT,
        requests=2,
    ),
    Case(
        "429 with Retry-After",
        (refuses(429, "slow down", headers={"Retry-After": "0.2"}), GOOD),
        DRAFT,
        requests=2,
    ),
    Case("500, then fine", (refuses(500, "oops"), GOOD), DRAFT, requests=2),
    Case("503 without a body", (Reply((b"",), 503, "text/plain"), GOOD), DRAFT, requests=2),
    Case("reset before a word", (Reply((Reset,)), GOOD), DRAFT, requests=2),
    Case("closed before its headers", (Reply((), before=(Cut,)), GOOD), DRAFT, requests=2),
    Case("slow headers", (streamed("Sail is faster [@3].", STOP),), FIRST),
    Case("JSON though a stream was asked", (one_json("Sail is faster [@3]. Keel is small [@4]."),), DRAFT),
    Case("JSON as text/html", (one_json("Sail is faster [@3].", content_type="text/html"),), FIRST),
    Case(
        "content in parts",
        (one_json([{"type": "text", "text": "Sail is faster."}]),),
        [("Sail is faster.", ())],
    ),
    Case("events as text/plain", (lambda body: Reply(GOOD(body).body, content_type="text/plain"),), DRAFT),
    Case("knows no stream", (picky("stream", whole("Sail is faster.")),), [("Sail is faster.", ())], requests=2),
    *(
        Case(f"knows no {word}", (picky(word, says("Sail is faster.")),) * 2, [("Sail is faster.", ())], requests=2)
        for word in ("stream_options", "temperature", "max_tokens")
    ),
    Case(
        "422 for stream_options",
        (picky("stream_options", says("Sail is faster."), 422),) * 2,
        [("Sail is faster.", ())],
        requests=2,
    ),
    Case("knows no system role", (refuses(500, "System role not supported"), GOOD), DRAFT, requests=2),
    Case(
        "context too long, and says how long",
        (refuses(400, "This model's maximum context length is 700 tokens.", "context_length_exceeded"), GOOD),
        DRAFT,
        requests=2,
    ),
    Case("line ends as CRLF", (altered(b"\n", b"\r\n"),), DRAFT),
    Case("no blank lines between events", (altered(b"\n\n", b"\n"),), DRAFT),
    Case(
        "comments between events",
        (streamed(b": keep-alive\n\n", "Sail is faster [@3].", b": still here\n\n", STOP),),
        FIRST,
    ),
    Case(
        "a line separator inside the JSON",
        (
            streamed(
                json.dumps({"choices": [{"delta": {"content": "Sail\u2028is fast."}}]}, ensure_ascii=False)
                .join(["data: ", "\n\n"])
                .encode(),
                STOP,
            ),
        ),
        [("Sail is fast.", ())],
    ),
]


@pytest.fixture(scope="module", autouse=True)
def imported() -> None:
    """Importing the SDK takes seconds on a busy machine; it is not part of any budget."""
    with ScriptedServer(says("Sail.")) as server:
        list(generate(model_at(server.base_url), "How fast is Sail?", three_papers(), seconds=30))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_draft_ends_as_documented(case: Case) -> None:
    with ScriptedServer(*case.replies) as server:
        draft = generate(model_at(server.base_url), "How fast is Sail?", three_papers(), seconds=SECONDS)
        number = {item.key: at for at, item in enumerate(draft.evidence, 1)}
        started = time.monotonic()
        drafted = [(one.text, tuple(number.get(key, key) for key in one.keys)) for one in draft]
        took = time.monotonic() - started
    assert (drafted, draft.ending) == (case.drafted, case.ending)
    assert len(server.requests) == case.requests
    assert took < SECONDS + SLACK


def test_a_huge_reply_is_left() -> None:
    words = [f"Sail holds {number} boats. " * 200 for number in range(1000)]
    with ScriptedServer(says(*words)) as server:
        draft = generate(model_at(server.base_url), "How fast is Sail?", three_papers(), seconds=20)
        drafted = list(draft)
    assert draft.ending == "length"
    assert len(draft.raw) < 250_000
    assert len(drafted) < 100


def test_a_model_that_goes_round_in_circles_is_left() -> None:
    with ScriptedServer(writes("Sail is faster [@3]. " * 500, pause=0.001)) as server:
        draft = generate(model_at(server.base_url), "How fast is Sail?", three_papers(), seconds=20)
        drafted = list(draft)
    assert [one.text for one in drafted] == ["Sail is faster."]
    assert draft.ending == "length"
    assert len(draft.raw) < 500
