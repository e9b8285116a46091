"""Embedders behind a server and behind LlamaIndex: a real server on loopback, real LlamaIndex classes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from servers import JSON, Cut, Reply, ScriptedServer, refuses

from rag.embed import embed_query, load
from rag.errors import ConfigError, ModelRefused, ModelUnreachable, NoCredential
from rag.settings import Settings

KEY = "sk-test-0123456789abcdef"


def settings(base_url: str | None, key: str | None = KEY, timeout: float = 20) -> Settings:
    return Settings(home=Path("unused"), base_url=base_url, api_key=key, timeout=timeout)


def vector(text: str) -> list[float]:
    """What the scripted model makes of a text: its length and how many e it holds."""
    return [float(len(text)), 1.0 + text.count("e"), 1.0]


def replies(
    change: Callable[[list[dict[str, Any]]], object] = lambda data: data,
) -> Callable[[dict[str, Any]], Reply]:
    """A model that answers every text, after `change` has had its way with the reply's data."""

    def answer(body: dict[str, Any]) -> Reply:
        data = [{"index": n, "embedding": vector(text)} for n, text in enumerate(body["input"])]
        return Reply((json.dumps({"data": change(data)}).encode(),), 200, JSON)

    return answer


def test_vectors_come_back_in_order_of_the_texts_whatever_the_order_of_the_reply() -> None:
    texts = ["one", "three", "", "eleven eleven"]
    with ScriptedServer(replies(lambda data: data[::-1])) as server:
        rows = load("openai:m", settings(server.base_url)).embed(texts)
    expected = np.array([vector(text) for text in texts], dtype=np.float32)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    expected[2] = 0
    assert np.allclose(rows, expected, atol=1e-6)
    assert server.requests[0]["model"] == "m"
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_many_texts_go_in_batches() -> None:
    texts = [f"text {number}" for number in range(600)] + ["x" * 150_000, "y" * 150_000]
    with ScriptedServer(replies()) as server:
        rows = load("openai:m", settings(server.base_url)).embed(texts)
    assert rows.shape == (602, 3)
    sizes = [len(request["input"]) for request in server.requests]
    assert sum(sizes) == 602
    assert max(sizes) <= 256
    assert all(sum(map(len, request["input"])) <= 200_000 for request in server.requests)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data[:-1],
        lambda data: [*data, data[0]],
        lambda data: [{**entry, "index": 0} for entry in data],
        lambda data: [{**data[0], "embedding": [1.0]}, *data[1:]],
        lambda data: [{**entry, "embedding": None} for entry in data],
        lambda data: [{**entry, "embedding": [float("nan")] * 3} for entry in data],
        lambda data: [{**entry, "embedding": []} for entry in data],
        lambda data: "vectors",
    ],
    ids=["short", "long", "same index", "ragged", "null", "nan", "empty", "text"],
)
def test_a_reply_that_does_not_hold_every_vector_is_refused(change: Callable[..., object]) -> None:
    with ScriptedServer(replies(change)) as server, pytest.raises(ModelRefused):
        load("openai:m", settings(server.base_url)).embed(["a", "b", "c"])
    assert len(server.requests) == 1


def test_a_dimension_that_changes_between_requests_is_refused() -> None:
    longer = replies(lambda data: [{**entry, "embedding": [1.0] * 5} for entry in data])
    with ScriptedServer(replies(), longer) as server:
        embedder = load("openai:m", settings(server.base_url))
        embedder.embed(["a"])
        with pytest.raises(ModelRefused, match="length 5 after 3"):
            embedder.embed(["a"])


def test_a_server_that_asks_to_wait_is_asked_once_more() -> None:
    busy = refuses(429, "slow down", headers={"Retry-After": "0.2"})
    with ScriptedServer(busy, replies()) as server:
        assert load("openai:m", settings(server.base_url)).embed(["a"]).shape == (1, 3)
    assert len(server.requests) == 2


def test_a_wait_beyond_the_time_allowed_is_not_waited_for() -> None:
    refusal = refuses(429, "slow down", headers={"Retry-After": "900"})
    with ScriptedServer(refusal) as server, pytest.raises(ModelRefused, match="slow down"):
        load("openai:m", settings(server.base_url, timeout=5)).embed(["a"])
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("refusal", "error"),
    [
        (refuses(401, f"Incorrect API key provided: {KEY}"), NoCredential),
        (refuses(404, "The model m does not exist", "model_not_found"), ModelRefused),
        (refuses(429, "You exceeded your current quota", "insufficient_quota"), ModelRefused),
        (Reply((b"<html>hello</html>",), 200, "text/html"), ModelRefused),
    ],
    ids=["key", "model", "quota", "page"],
)
def test_hopeless_answers_fail_at_once_and_never_show_the_key(refusal: Reply, error: type[Exception]) -> None:
    with ScriptedServer(refusal) as server, pytest.raises(error) as caught:
        load("openai:m", settings(server.base_url)).embed(["a"])
    assert len(server.requests) == 1
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_broken_connection_is_tried_again() -> None:
    with ScriptedServer(Reply((Cut,), 200, JSON, before=(Cut,)), replies()) as server:
        assert load("openai:m", settings(server.base_url)).embed(["a"]).shape == (1, 3)


def test_nobody_listening_is_unreachable() -> None:
    with pytest.raises(ModelUnreachable):
        load("openai:m", settings("http://127.0.0.1:9/v1", timeout=1)).embed(["a"])


def test_openai_without_a_key_is_told_before_any_call() -> None:
    with pytest.raises(NoCredential):
        load("openai:m", settings(None, key=None))


def test_llamaindex_class_by_import_path() -> None:
    embedder = load('llama_index.core.embeddings.mock_embed_model:MockEmbedding?{"embed_dim": 4}')
    assert np.allclose(embedder.embed(["a", "b", ""]), [[0.5] * 4, [0.5] * 4, [0] * 4])
    assert np.allclose(embed_query(embedder, "a"), [0.5] * 4)
    other = load('llama_index.core.embeddings.mock_embed_model:MockEmbedding?{"embed_dim": 5}')
    assert embedder.identity != other.identity


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("word2vec", "no embedder"),
        ("openai:", "no embedder"),
        ("no.such.module:Class", "No module"),
        ("llama_index.core.embeddings.mock_embed_model:Nothing", "no class"),
        ("llama_index.core.embeddings.mock_embed_model:MockEmbedding", "could not be made"),
        ("llama_index.core.embeddings.mock_embed_model:MockEmbedding?4", "no JSON object"),
        ("collections:OrderedDict", "no LlamaIndex embedder"),
    ],
)
def test_a_spec_that_names_no_embedder_is_one_clear_line(spec: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason) as caught:
        load(spec)
    assert caught.value.hint
    assert "\n" not in caught.value.message


def test_providers_are_imported_only_when_named() -> None:
    script = (
        "import sys; from rag.embed import load; load('wordllama').embed(['a']);"
        "assert not {'openai', 'httpx', 'llama_index'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=Path(__file__).parents[1])
    assert (done.returncode, done.stderr) == (0, "")
