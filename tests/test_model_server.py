"""The client of OpenAI-compatible servers: what it sends, what it keeps to itself, how it stops."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
from drafting import model_at
from program import ROOT, environment
from servers import JSON, Pause, Reply, ScriptedServer, chunk, event, patiently, picky, refuses, says, whole

from rag.errors import ConfigError, ModelError, ModelRefused, NoCredential
from rag.model import load
from rag.model.contract import Finish, Prompt, Stream, TooLong
from rag.model.probe import probe
from rag.settings import Settings

PROMPT = Prompt("Be brief.", "How fast is Sail?")
KEY = "sk-secret-0123456789abcdef"


def ask(model: object, seconds: float = 20) -> list[str | Finish]:
    stream: Stream = model.stream(PROMPT, max_tokens=50, seconds=seconds)  # type: ignore[attr-defined]
    return list(stream)


def test_the_request_is_plain_chat_completions() -> None:
    with ScriptedServer(says("Fast.")) as server:
        assert ask(model_at(server.base_url, api_key=KEY)) == ["Fast.", Finish("stop", 100, 20)]
    assert server.requests == [
        {
            "model": "scripted",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "How fast is Sail?"},
            ],
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": 0,
            "max_tokens": 50,
        }
    ]
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_what_a_server_does_not_know_is_left_out_from_then_on() -> None:
    def choosy(body: dict[str, object]) -> Reply:
        for name in ("temperature", "max_tokens", "stream_options"):
            if name in body:
                return refuses(400, f"Unrecognized request argument supplied: {name}")
        return says("Fast.")

    with ScriptedServer(choosy, choosy) as server:
        model = model_at(server.base_url)
        assert ask(model)[0] == "Fast."
        assert len(server.requests) == 4
        assert ask(model)[0] == "Fast."
        assert len(server.requests) == 5
    assert server.requests[-1]["max_completion_tokens"] == 50
    assert set(server.requests[-1]) == {"model", "messages", "stream", "max_completion_tokens"}


def test_a_server_without_streaming_or_limits_is_asked_without() -> None:
    def plain(body: dict[str, object]) -> Reply:
        for name in ("stream_options", "max_completion_tokens", "max_tokens", "stream"):
            if name in body:
                return refuses(422, f"Extra inputs are not permitted: {name}")
        return whole("Fast.")

    with ScriptedServer(plain, plain) as server:
        assert ask(model_at(server.base_url)) == ["Fast.", Finish("stop", 100, 20)]
    assert set(server.requests[-1]) == {"model", "messages", "temperature"}


def test_a_system_role_that_is_refused_joins_the_users() -> None:
    with ScriptedServer(
        refuses(400, "Conversation roles must alternate; system role is not supported"), says("Fast.")
    ) as server:
        ask(model_at(server.base_url))
    assert server.requests[-1]["messages"] == [{"role": "user", "content": "Be brief.\n\nHow fast is Sail?"}]


def test_a_refusal_that_cannot_be_mended_ends() -> None:
    with ScriptedServer(picky("messages", says("x")), picky("messages", says("x"))) as server:
        with pytest.raises(ModelRefused, match="'messages' is not supported"):
            ask(model_at(server.base_url))
        assert len(server.requests) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500])
@pytest.mark.parametrize("said", [KEY, f"Bearer {KEY}", "sk-proj-another0123456789"])
def test_no_key_is_in_any_message(status: int, said: str) -> None:
    refusal = refuses(status, f"what is {said} to me", headers={"Retry-After": "100"})
    with ScriptedServer(refusal) as server, pytest.raises(ModelError) as raised:
        ask(model_at(server.base_url, api_key=KEY), 2)
    for secret in (KEY, "another0123456789"):
        assert secret not in raised.value.message + raised.value.hint
        chained = (
            raised.value.__cause__,
            raised.value.__context__ if not raised.value.__suppress_context__ else None,
        )
        assert secret not in repr(chained)


def test_a_password_in_the_address_is_not_shown() -> None:
    model = model_at("http://me:hunter2@127.0.0.1:9/v1?token=hunter2")
    assert model.identity() == "http://127.0.0.1:9/v1 scripted"
    with pytest.raises(ModelError) as raised:
        ask(model, 1)
    assert "hunter2" not in raised.value.message


def test_a_redirect_is_not_followed_with_the_evidence() -> None:
    with ScriptedServer(says("Caught.")) as other:
        away = Reply((b"",), 308, JSON, {"Location": f"{other.base_url}/chat/completions"})
        with ScriptedServer(away) as server, pytest.raises(ModelRefused, match="redirects to"):
            ask(model_at(server.base_url))
        assert other.requests == []


@pytest.mark.parametrize(
    ("message", "limit"),
    [
        ("This model's maximum context length is 8,192 tokens. However, you requested 9000", 8192),
        ("request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it", 4096),
        ("prompt is too long: 9000 tokens", None),
    ],
)
def test_a_context_limit_is_read(message: str, limit: int | None) -> None:
    with ScriptedServer(refuses(400, message)) as server:
        model = model_at(server.base_url)
        with pytest.raises(TooLong) as raised:
            ask(model)
    assert raised.value.limit == limit
    assert model.context_window == limit


def test_the_window_is_the_settings_then_the_servers_then_unknown() -> None:
    assert model_at("http://localhost/v1").context_window is None
    assert model_at("http://localhost/v1", context_window=900).context_window == 900
    assert load(Settings(home=Path("unused"), model="gpt-5-mini", api_key=KEY)).context_window == 128_000


def test_retry_after_is_honoured() -> None:
    with ScriptedServer(refuses(429, "slow down", headers={"Retry-After": "0.4"}), says("Fast.")) as server:
        model = model_at(server.base_url)
        started = time.monotonic()
        assert ask(model)[0] == "Fast."
        assert time.monotonic() - started >= 0.4
        assert len(server.requests) == 2


def test_at_most_four_tries() -> None:
    with ScriptedServer(refuses(503, "busy", headers={"Retry-After": "0.01"})) as server:
        with pytest.raises(ModelRefused, match="answered 503: busy"):
            ask(model_at(server.base_url))
        assert len(server.requests) == 4


def test_leaving_early_closes_the_connection() -> None:
    slow = Reply((chunk("Fast. "), *(Pause(0.05), event({"choices": []})) * 200))
    with ScriptedServer(slow) as server:
        stream = model_at(server.base_url).stream(PROMPT, max_tokens=50, seconds=20)
        assert next(stream) == "Fast. "
        stream.close()
        assert patiently(server.closed_early.is_set)


def test_leaving_a_silent_server_frees_its_reader() -> None:
    with ScriptedServer(Reply((chunk("Fast. "), Pause(30)))) as server:
        stream = model_at(server.base_url).stream(PROMPT, max_tokens=50, seconds=20)
        assert next(stream) == "Fast. "
        stream.close()
        assert patiently(lambda: not any(thread.name == "citewell-model" for thread in threading.enumerate()))


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c_reaches_a_waiting_reader(tmp_path: Path) -> None:
    program = textwrap.dedent("""
        import sys
        sys.path[:0] = sys.argv[2:]
        from drafting import model_at, three_papers
        from rag.generate.writing import generate
        draft = generate(model_at(sys.argv[1]), "Why?", three_papers(), seconds=60)
        try:
            for sentence in draft:
                print(sentence.text, flush=True)
        except KeyboardInterrupt:
            print(draft.ending, flush=True)
    """)
    with ScriptedServer(Reply((chunk("Sail is fast [kx1]."), Pause(60)))) as server:
        command = [
            sys.executable,
            "-W",
            "error",
            "-c",
            program,
            server.base_url,
            str(ROOT / "tests"),
            str(ROOT),
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment(tmp_path)) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "Sail is fast.\n"
            started = time.monotonic()
            process.send_signal(signal.SIGINT)
            assert process.stdout.read() == "interrupted\n"
            assert process.wait(300) == 0
        assert time.monotonic() - started < 20


def test_a_key_or_an_address_is_needed_by_the_first_call() -> None:
    model = load(Settings(home=Path("unused"), model="gpt-4o-mini"))
    with pytest.raises(NoCredential, match="no key") as raised:
        list(model.stream(Prompt("s", "u"), max_tokens=8, seconds=1))
    assert "OPENAI_API_KEY" in raised.value.hint


def test_nothing_heavy_is_imported_to_load() -> None:
    program = (
        "import sys, rag.model, rag.history\n"
        "print([name for name in ('openai', 'llama_index', 'httpx') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("no_such_package.llms:Model", "No module named"),
        ("json:Decoder", "has no class Decoder"),
        ("json:JSONDecoder", "is no LlamaIndex model"),
        ("json:JSONDecoder?[1]", "no JSON object"),
        ("json:JSONDecoder?{", "no JSON object"),
        ('json:JSONDecoder?{"api_key": "sk-secret-0123"}', "could not be made: TypeError"),
    ],
)
def test_a_wrong_import_path_is_a_setting_to_mend(spec: str, says: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load(Settings(home=Path("unused"), model=spec))
    assert says in raised.value.message
    assert "sk-secret" not in raised.value.message


def test_a_probe_says_what_works() -> None:
    with ScriptedServer(says("yes"), says("", finish="length", usage=None), says("y", finish=None)) as server:
        model = model_at(server.base_url)
        first, thinking, cut = (probe(model, seconds=20) for _ in range(3))
    assert first.works and "(3 characters), counts tokens" in str(first)
    assert thinking.works and "(no text yet), counts no tokens" in str(thinking)
    assert not cut.works and "its reply ended as cut" in str(cut)
    assert server.requests[0]["max_tokens"] == 16
