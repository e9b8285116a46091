"""citewell as LlamaIndex classes: sync, async, streaming, sources as exact slices."""

from __future__ import annotations

import asyncio
import re
import warnings
from pathlib import Path

import pytest
from program import ROOT

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from llama_index.core.tools import QueryEngineTool

    from rag.llamaindex import CitewellQueryEngine, CitewellRetriever

from rag.settings import Settings, load

FASTER = "How much faster is DFlash than EAGLE-3?"


@pytest.fixture(scope="module")
def settings(seeds_home: Path) -> Settings:
    return load(environ={"CITEWELL_HOME": str(seeds_home / "citewell")})


def test_the_retriever_ranks_papers(settings: Settings) -> None:
    retriever = CitewellRetriever(settings)
    found = retriever.retrieve("speculative decoding with diffusion")
    assert found[0].metadata["title"].startswith("DFlash")
    assert [node.score for node in found] == sorted((node.score for node in found), reverse=True)
    again = asyncio.run(retriever.aretrieve("speculative decoding with diffusion"))
    assert [node.node_id for node in again] == [node.node_id for node in found]


def test_the_query_engine_answers_with_exact_slices(settings: Settings) -> None:
    engine = CitewellQueryEngine(settings)
    response = engine.query(FASTER)
    assert "2.5×" in str(response)
    assert "[1]" in str(response)
    claims = response.metadata["claims"]
    node = response.source_nodes[0]
    cited = claims[0]["citations"][0]
    assert (node.text, node.metadata["start"], node.metadata["end"]) == (cited["quote"], cited["start"], cited["end"])
    assert str(asyncio.run(engine.aquery(FASTER))) == str(response)


def test_it_abstains(settings: Settings) -> None:
    response = CitewellQueryEngine(settings).query("What is the capital of France?")
    assert str(response) == "Not supported by this corpus."
    assert response.source_nodes == []


def test_streaming_gives_whole_checked_sentences(settings: Settings) -> None:
    response = CitewellQueryEngine(settings, streaming=True).query(FASTER)
    pieces = list(response.response_gen)
    assert len(pieces) == len(response.metadata["claims"])
    assert "".join(pieces).strip() == response.metadata["answer"]
    assert response.source_nodes[0].text == response.metadata["claims"][0]["citations"][0]["quote"]


def test_it_is_a_tool_for_agents(settings: Settings) -> None:
    tool = QueryEngineTool.from_defaults(CitewellQueryEngine(settings), name="abstracts", description="ICML abstracts")
    assert "2.5×" in tool.call(FASTER).content


def test_the_examples_of_the_readme_run(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CITEWELL_HOME", str(settings.home))
    examples = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.M | re.S)
    assert len(examples) >= 2
    tools = []
    for example in examples:
        names: dict[str, object] = {}
        exec(compile(example, "README.md", "exec"), names)
        tools += [each for each in names.values() if isinstance(each, QueryEngineTool)]
    assert "2.5" in capsys.readouterr().out
    assert ["2.5×" in tool.call(FASTER).content for tool in tools] == [True]
