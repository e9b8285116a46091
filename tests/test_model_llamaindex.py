"""A LlamaIndex LLM by its import path, held to the same contract as every model."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from drafting import three_papers
from servers import Cut, Reply, ScriptedServer, chunk, says

from rag.errors import ModelError, ModelRefused, ModelUnreachable, NoCredential
from rag.generate.writing import generate
from rag.model import load
from rag.model.contract import Finish, Model, Prompt
from rag.settings import Settings


def boat(**arguments: Any) -> Model:
    return load(Settings(home=Path("unused"), model=f"llms:Boat?{json.dumps(arguments)}"))


def ask(model: Model, seconds: float = 20) -> list[str | Finish]:
    return list(model.stream(Prompt("Be brief.", "How fast is Sail?"), max_tokens=50, seconds=seconds))


@pytest.mark.parametrize(
    ("reasons", "ending"),
    [("stop", "stop"), ("FinishReason.STOP", "stop"), ("max_tokens", "length"), ("SAFETY", "filtered"),
     ("none", "cut"), ("", "stop"), ("odd", "cut")],
)  # fmt: skip
def test_its_words_and_its_ending(reasons: str, ending: str) -> None:
    assert ask(boat(reasons=reasons)) == ["Sail is ", "fast.", Finish(ending)]  # type: ignore[arg-type]


def test_its_name_window_and_identity() -> None:
    model = boat(api_key="sk-secret-012345", says="A.")
    assert (model.name, model.context_window) == ("boat-1", 2048)
    assert model.identity().startswith("llms:Boat boat-1 ")
    assert model.identity() == boat(api_key="another", says="A.").identity()
    assert model.identity() != boat(api_key="another", says="B.").identity()


@pytest.mark.parametrize(("status", "error"), [(401, NoCredential), (429, ModelRefused), (500, ModelRefused)])
def test_trouble_before_its_first_word_is_an_error(status: int, error: type[ModelError]) -> None:
    with pytest.raises(error, match=r"llms:Boat failed: Refused: the key \*\*\* is not good") as raised:
        ask(boat(says="!", status=status, api_key="sk-secret-012345"))
    assert raised.value.exit_code == 4


def test_trouble_later_is_an_ending() -> None:
    assert ask(boat(says="Sail is |!")) == ["Sail is ", Finish("cut")]


def test_it_is_not_waited_for_beyond_its_time() -> None:
    silent, stalling = boat(says="~"), boat(says="Sail is |~")
    started = time.monotonic()
    with pytest.raises(ModelUnreachable, match="did not answer in time"):
        ask(silent, 0.3)
    assert ask(stalling, 0.6) == ["Sail is ", Finish("stalled")]
    assert time.monotonic() - started < 20


def test_a_draft_from_it() -> None:
    draft = generate(boat(says="Sail is fast [k|x1]. NO ANSWER"), "How fast is Sail?", three_papers(), seconds=20)
    assert [(one.text, one.keys) for one in draft] == [("Sail is fast.", ("kx1",))]


def test_a_providers_own_class_over_the_wire() -> None:
    pytest.importorskip("llama_index.llms.openai_like", reason="a provider's package, not one of ours")
    with ScriptedServer(says("Sail is ", "fast."), Reply((chunk("Sail"), chunk(" is"), Cut))) as server:
        arguments = {
            "model": "scripted",
            "api_base": server.base_url,
            "api_key": "k",
            "is_chat_model": True,
            "max_retries": 0,
        }
        path = f"llama_index.llms.openai_like:OpenAILike?{json.dumps(arguments)}"
        model = load(Settings(home=Path("unused"), model=path))
        *words, finish = ask(model)
        assert ("".join(map(str, words)), finish) == ("Sail is fast.", Finish("stop"))
        *words, finish = ask(model)
        assert ("".join(map(str, words)), finish) == ("Sail is", Finish("cut"))
        assert len(server.requests) == 2
