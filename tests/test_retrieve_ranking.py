"""Searching a real library with the real embedder: what is named comes first, what is asked is found, and no more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rag.embed import load
from rag.library.library import Library
from rag.library.sync import sync
from rag.retrieve import Retriever
from rag.retrieve.retriever import fused
from rag.types import Filters, Paper


def paper(id_: str, title: str, abstract: str, *authors: str, year: int = 2026, venue: str = "ICML") -> Paper:
    return Paper(f"openreview:{id_}", title, "given", abstract, authors, year, venue)


PAPERS = (
    paper(
        "Draft00001",
        "DraftFlow: Block Drafting for Speculative Decoding",
        "Speculative decoding is limited by sequential drafting. We propose DraftFlow, which drafts a block at once. "
        "It is 1.78× faster than EAGLE-3 on LLaMA-3.1 8B.",
        "Anna Kowalska",
        "Tom Møller",
        year=2025,
    ),
    paper(
        "Eagle00002",
        "EAGLE-3: Scaling up Inference Acceleration",
        "Large language models decode slowly. EAGLE-3 predicts tokens directly and fuses features of several layers.",
        "Yuhui Li",
    ),
    paper(
        "Routes0003",
        "Context-Consistent Routing of Experts",
        "Mixtures of experts route tokens independently. C$^2$R routes them consistently with their context.",
        "José García",
    ),
    paper(
        "Beta000004",
        "Disentangling by Annealed Capacity",
        "The β-VAE trades reconstruction for disentanglement. Annealing its capacity removes the trade-off.",
        "Anna Kowalska",
        year=2018,
        venue="NeurIPS",
    ),
    paper(
        "Cplus00005",
        "Repairing Memory Bugs",
        "Programs in C++ suffer from memory bugs. A language model repairs 41% of them, those in Rust need none.",
    ),
    paper(
        "Hyper00006",
        "Trees in Poincaré Balls",
        "Hierarchies embed well in hyperbolic space. Poincaré embeddings keep trees with few dimensions.",
    ),
    paper(
        "Privacy007",
        "Private Averages of Clients",
        "Federated learning leaks training examples. We add noise to the clients' averages, with differential privacy.",
    ),
    paper(
        "Privacy008",
        "Who Drops Out of Federated Learning",
        "Clients leave federated learning for lack of power. Weighting by battery keeps the training unbiased.",
    ),
    paper(
        "Weather009",
        "Rain Tomorrow",
        "Forecasting precipitation from radar images with a recurrent network gives sharp maps for six hours.",
    ),
    paper(
        "Protein010",
        "Folding Without Alignments",
        "Protein structures are predicted from single sequences, without multiple sequence alignments.",
    ),
    paper("Same000011", "Twins", "Two papers with the very same words about sparse kelp forests."),
    paper("Same000012", "Twins", "Two papers with the very same words about sparse kelp forests."),
)


@pytest.fixture(scope="module")
def retriever(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Retriever]:
    home, embedder = tmp_path_factory.mktemp("retrieve"), load()
    sync(home, "small", PAPERS, embedder)
    with Library.open(home, "small", embedder_identity=embedder.identity) as library:
        yield Retriever(library, embedder)


def found(retriever: Retriever, query: str, **more: object) -> list[str]:
    return [hit.paper_id.removeprefix("openreview:") for hit in retriever.search(query, **more).hits]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What is EAGLE-3?", "Eagle00002"),
        ("how does eagle3 predict", "Eagle00002"),
        ("How much faster than EAGLE-3 is DraftFlow?", "Draft00001"),
        ("Which method is 1.78x faster?", "Draft00001"),
        ("What does C$^2$R do?", "Routes0003"),
        ("what is C2R", "Routes0003"),
        ("beta-VAE", "Beta000004"),
        ("Is there a trade-off in the β-VAE?", "Beta000004"),
        ("bugs in C++ programs", "Cplus00005"),
        ("Poincare embeddings", "Hyper00006"),
        ("ＰＯＩＮＣＡＲÉ balls", "Hyper00006"),
        ("Is there a forecast of how much it rains?", "Weather009"),
        ("cars that are dropped out of federated training to save batteries", "Privacy008"),
        ("EAGLE-3 如何加速大语言模型的推理？", "Eagle00002"),
        ("DraftFlow 比其他方法快多少", "Draft00001"),
        ("papers by José García", "Routes0003"),
        ("jose garcia", "Routes0003"),
        ("What did García write?", "Routes0003"),
        ("Protein010", "Protein010"),
        ("openreview:Protein010", "Protein010"),
        ("what does openreview:Weather009 say about federated learning?", "Weather009"),
        ("In the paper Folding Without Alignments, which federated clients are predicted?", "Protein010"),
        ('Does "Rain Tomorrow" use federated learning with differential privacy?', "Weather009"),
        ("Repairing Memory Bugs", "Cplus00005"),
    ],
)
def test_what_is_named_or_asked_for_comes_first(retriever: Retriever, question: str, first: str) -> None:
    assert found(retriever, question)[0] == first


def test_an_author_finds_all_their_papers_and_those_first(retriever: Retriever) -> None:
    result = retriever.search("papers by Anna Kowalska")
    first = {hit.paper_id for hit in result.hits[:2]}
    assert first == {"openreview:Draft00001", "openreview:Beta000004"}
    assert result.belonging == 2
    assert set(result.signals.named) == first


def test_an_author_and_a_topic_find_the_paper_on_the_topic(retriever: Retriever) -> None:
    assert found(retriever, "What did Anna Kowalska write about disentanglement?")[0] == "Beta000004"
    assert found(retriever, "What did Anna Kowalska write about speculative decoding?")[0] == "Draft00001"


def test_a_list_ends_where_the_topic_does(retriever: Retriever) -> None:
    result = retriever.search("Which papers are about federated learning?")
    assert result.belonging == 2
    assert {hit.paper_id for hit in result.hits[:2]} == {"openreview:Privacy007", "openreview:Privacy008"}


@pytest.mark.parametrize(
    ("filters", "allowed"),
    [
        (Filters(year_to=2020), {"Beta000004"}),
        (Filters(venues=("neurips",)), {"Beta000004"}),
        (Filters(authors=("garcia",)), {"Routes0003"}),
        (Filters(paper_ids=("openreview:Cplus00005", "openreview:Rain")), {"Cplus00005"}),
        (Filters(year_from=2030), set()),
    ],
)
def test_filters_hold_even_for_what_is_named(retriever: Retriever, filters: Filters, allowed: set[str]) -> None:
    for query in ("EAGLE-3 by Yuhui Li", "openreview:Eagle00002", "federated learning", "Rain Tomorrow"):
        assert set(found(retriever, query, filters=filters)) <= allowed
    assert set(found(retriever, "beta-VAE memory routing of experts", filters=filters)) == allowed


@pytest.mark.parametrize("query", ["", "  \n", "?!", "what is the", "zzyzx qwrtp", "\ud800", "''\"\"", "a" * 5000])
def test_a_query_without_content_is_no_trouble(retriever: Retriever, query: str) -> None:
    result = retriever.search(query)
    assert len(result.hits) <= 10
    assert all(hit.score < 0.5 for hit in result.hits)
    assert result.belonging <= len(result.hits)


def test_a_whole_abstract_may_be_the_query(retriever: Retriever) -> None:
    assert found(retriever, f"{PAPERS[6].abstract} " * 200)[0] == "Privacy007"


def test_words_and_meaning_count_alike_whatever_their_scales() -> None:
    assert fused({"a": 20.0, "b": 15.0, "c": 10.0}, {"b": 0.9, "d": 0.1}) == {"a": 1.0, "b": 1.5, "c": 0.0, "d": 0.0}
    assert fused({"a": 7.0}, {}) == {"a": 1.0}


def test_ranks_scores_and_ties(retriever: Retriever) -> None:
    result = retriever.search("sparse kelp forests", top_k=5)
    assert [hit.rank for hit in result.hits] == [1, 2, 3, 4, 5]
    scores = [hit.score for hit in result.hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert [hit.paper_id for hit in result.hits[:2]] == ["openreview:Same000011", "openreview:Same000012"]
    assert scores[0] == scores[1]


def test_top_k_is_the_most_that_comes(retriever: Retriever) -> None:
    assert len(found(retriever, "federated learning", top_k=1)) == 1
    assert found(retriever, "federated learning", top_k=0) == []
    assert len(set(found(retriever, "federated learning", top_k=100))) <= len(PAPERS)


def test_what_was_searched_before_changes_nothing(retriever: Retriever) -> None:
    fresh = Retriever(retriever._library, retriever._embedder)
    for query in ("federated privacy", "EAGLE-3", "trees"):
        assert fresh.search(query) == retriever.search(query)


def test_words_in_no_paper_add_nothing_to_what_is_looked_for(retriever: Retriever) -> None:
    signals = retriever.search("federated xylophonist learning").signals
    assert signals.unknown == ("xylophonist",)
    assert set(signals.terms) == {"feder", "learn"}
    assert signals.known == pytest.approx(2 / 3)
    assert signals.coverage == pytest.approx(1)


def test_a_callers_own_terms_replace_those_of_the_question(retriever: Retriever) -> None:
    assert found(retriever, "and what about that one?", terms=["precipit", "radar"])[0] == "Weather009"


def test_a_finished_sync_is_seen_after_refresh(tmp_path: Path) -> None:
    embedder = load()
    sync(tmp_path, "growing", PAPERS[:3], embedder)
    with Library.open(tmp_path, "growing") as library:
        retriever = Retriever(library, embedder)
        assert "Eagle00002" in found(retriever, "EAGLE-3 tokens")
        changed = paper("Eagle00002", "Renamed", "Nothing of it is left.")
        added = paper("New0000013", "EAGLE-4", "EAGLE-4 follows EAGLE-3 and predicts tokens.")
        sync(tmp_path, "growing", [PAPERS[0], changed, added], embedder)
        library.refresh()
        assert found(retriever, "EAGLE-3 predicts tokens")[0] == "New0000013"
        assert "Routes0003" not in found(retriever, "C2R experts")


def test_an_empty_library_finds_nothing(tmp_path: Path) -> None:
    embedder = load()
    sync(tmp_path, "empty", [], embedder, allow_empty=True)
    with Library.open(tmp_path, "empty") as library:
        result = Retriever(library, embedder).search("anything at all")
    assert result.hits == ()
    assert result.belonging == 0
