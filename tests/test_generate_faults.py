"""Where no draft can be had, one clear line says why, within its time: real sockets, real server-sent events."""

from __future__ import annotations

import time
from dataclasses import dataclass

import pytest
from drafting import model_at, three_papers
from servers import (
    DONE,
    Cut,
    Pause,
    Reply,
    Scripted,
    ScriptedServer,
    chunk,
    event,
    refused_address,
    refuses,
    says,
    whole,
)

from rag.errors import ModelError, ModelRefused, ModelUnreachable, NoCredential
from rag.generate.writing import generate
from rag.model.contract import TooLong

SECONDS = 2.0
SLACK = 5.0


@dataclass(frozen=True)
class Failing:
    """What a server plays; the error, and words of its message. No number of requests: any will do."""

    name: str
    replies: tuple[Scripted, ...]
    error: type[ModelError]
    words: str
    requests: int | None = 1


FAILING = [
    Failing("nothing comes", (Reply((Pause(60),)),), ModelUnreachable, "did not answer in time"),
    Failing(
        "headers drip",
        (Reply((), before=(b"HTTP/1.1 200 OK\r\nX: ", *(b"a", Pause(0.2)) * 60)),),
        ModelUnreachable,
        "did not answer in time",
    ),
    Failing(
        "quota",
        (refuses(429, "You exceeded your current quota", "insufficient_quota"),),
        ModelRefused,
        "out of quota",
    ),
    Failing("payment required", (refuses(402, "Payment Required"),), ModelRefused, "out of quota"),
    Failing(
        "Retry-After beyond the budget",
        (refuses(429, "slow down", headers={"Retry-After": "600"}),),
        ModelRefused,
        "answered 429: slow down",
    ),
    Failing("401", (refuses(401, "Incorrect API key"),), NoCredential, "refused the key (401)"),
    Failing("403", (refuses(403, "not for you"),), NoCredential, "refused the key (403)"),
    Failing(
        "404 model",
        (refuses(404, "The model `scripted` does not exist", "model_not_found"),),
        ModelRefused,
        "no such model",
    ),
    Failing(
        "404 address",
        (Reply((b"404 page not found",), 404, "text/plain"),),
        ModelRefused,
        "nothing at this address (404)",
    ),
    Failing(
        "context too long",
        (refuses(400, "the request exceeds the available context size"),),
        TooLong,
        "too long",
    ),
    Failing(
        "400 for something else",
        (refuses(400, "messages must alternate"),),
        ModelRefused,
        "messages must alternate",
    ),
    Failing("500 for ever", (refuses(500, "oops"),), ModelRefused, "answered 500: oops", None),
    Failing(
        "a web page",
        (Reply((b"<!doctype html><p>Chat</p>",), 200, "text/html"),),
        ModelRefused,
        "something else than a completion",
    ),
    Failing(
        "a redirect",
        (Reply((b"",), 307, headers={"Location": "http://u:p@other.test/v1?key=1"}),),
        ModelRefused,
        "redirects to http://other.test/v1",
    ),
    Failing("an empty reply", (says(""),), ModelRefused, "holds no sentence"),
    Failing("null content", (whole(None),), ModelRefused, "holds no sentence"),
    Failing(
        "no choices at all",
        (Reply((event({}), DONE)),),
        ModelUnreachable,
        "broke off before its first word",
        None,
    ),
    Failing(
        "thinking takes all tokens",
        (says("<think>", "word " * 50, finish="length"),),
        ModelRefused,
        "used up its tokens",
    ),
    Failing("filtered before a word", (says(finish="content_filter"),), ModelRefused, "content filter"),
    Failing(
        "cut within its first sentence",
        (Reply((chunk("Sail is"), Cut)),),
        ModelUnreachable,
        "broke off before its first sentence",
    ),
    Failing(
        "broken JSON body",
        (Reply((b'{"choices": [',), 200, "application/json"),),
        ModelUnreachable,
        "broke off",
        None,
    ),
]


@pytest.fixture(scope="module", autouse=True)
def imported() -> None:
    """Importing the SDK takes seconds on a busy machine; it is not part of any budget."""
    with ScriptedServer(says("Sail.")) as server:
        list(generate(model_at(server.base_url), "How fast is Sail?", three_papers(), seconds=30))


@pytest.mark.parametrize("case", FAILING, ids=lambda case: case.name)
def test_a_failure_is_one_clear_line(case: Failing) -> None:
    with ScriptedServer(*case.replies) as server:
        draft = generate(model_at(server.base_url), "How fast is Sail?", three_papers(), seconds=SECONDS)
        started = time.monotonic()
        with pytest.raises(case.error) as raised:
            list(draft)
        took = time.monotonic() - started
    assert case.words in raised.value.message
    assert "\n" not in raised.value.message
    assert raised.value.hint
    assert raised.value.exit_code == 4
    assert case.requests in (None, len(server.requests))
    assert took < SECONDS + SLACK


def test_nobody_listening_is_said_at_once() -> None:
    draft = generate(model_at(refused_address()), "How fast is Sail?", three_papers(), seconds=SECONDS)
    started = time.monotonic()
    with pytest.raises(ModelUnreachable, match="is not reachable"):
        list(draft)
    assert time.monotonic() - started < SLACK
