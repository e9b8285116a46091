"""Which papers belong in a list: what each holds of the topic, the best set of them, and what asks for a list."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.embed import load
from rag.extract.membership import MEMBER, RECALL, alternatives, best_set, members, shipped, topic_held
from rag.library.library import Library
from rag.library.sync import sync
from rag.question import understand
from rag.retrieve import Retriever
from rag.text.sentences import split
from rag.types import Paper, Sentence

NAMES = ("whole", "sentence", "title", "sentences", "early", "near")


def held(topic: tuple[str, ...], title: str, abstract: str) -> dict[str, float]:
    """What `topic_held` finds, by name."""
    paper = Paper("p", title, "given", abstract)
    sentences = [Sentence("p", at, *span) for at, span in enumerate(split(abstract))]
    return dict(zip(NAMES, topic_held([topic], paper, sentences), strict=True))


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=40), st.integers(1, 3))
def test_the_set_has_the_best_expected_f_measure(chances: list[float], least: int) -> None:
    values = np.array(chances)
    chosen = best_set(values, least)
    assert list(chosen) == sorted(set(chosen)) and len(chosen) >= min(least, len(chances))

    def expected(places: list[int]) -> float:
        return float(values[places].sum() / (len(places) + RECALL**2 * values.sum()))

    ranked = np.argsort(-values, kind="stable").tolist()
    best = max(expected(ranked[:size]) for size in range(1, len(chances) + 1))
    assert len(chosen) == min(least, len(chances)) or expected(list(chosen)) == pytest.approx(best)


def test_likely_papers_belong_wherever_they_are_ranked() -> None:
    assert best_set(np.array([0.9, 0.05, 0.9, 0.02, 0.8])) == (0, 2, 4)
    assert best_set(np.array([0.9, 0.05, 0.02]), least=2) == (0, 1)


def test_a_topic_held_at_once_tells_more_than_its_words_apart() -> None:
    topic = ("object", "detect")
    together = held(topic, "Boxes", "We study object detection. It is fast.")
    apart = held(topic, "Boxes", "We find an object. Errors are hard to detect.")
    assert together["whole"] == apart["whole"] == 1.0
    assert together["sentence"] == 1.0 > apart["sentence"]
    assert together["near"] == 1.0 > apart["near"]


def test_an_acronym_stands_for_its_long_form_and_the_reverse() -> None:
    networks = understand("papers on graph neural networks")
    spelled = dict(zip(networks.terms, networks.words, strict=True))
    paper = Paper("p", "Depth", "given", "We make GNNs deeper.")
    sentences = [Sentence("p", 0, 0, len(paper.abstract))]
    assert topic_held([networks.terms], paper, sentences, spelled)[0] == 1.0
    assert topic_held([("graph", "cluster")], paper, sentences, {"graph": "graph", "cluster": "clustering"})[0] == 0.0
    short = Paper("p", "Depth", "given", "We make graph neural networks deeper.")
    sentences = [Sentence("p", 0, 0, len(short.abstract))]
    assert topic_held([("gnn",)], short, sentences)[0] == 1.0


def test_a_bracket_says_the_same_again() -> None:
    found = alternatives(understand("Which papers use PPO (proximal policy optimization)?"))
    assert found[0] == ("ppo",)


def test_a_hyphen_is_no_difference() -> None:
    assert held(("fine-tun",), "Adapters", "Finetuning is cheap.")["whole"] == 1.0


def test_what_is_done_with_a_topic_weighs_less_than_the_topic() -> None:
    found = held(("prove", "regret"), "Bandits", "The regret is logarithmic.")
    assert found["whole"] > 0.75


def test_no_topic_is_held_by_none() -> None:
    paper = Paper("p", "A title", "given", "An abstract.")
    assert set(topic_held([], paper, [Sentence("p", 0, 0, 12)])) == {0.0}


def test_more_of_the_topic_makes_a_paper_likelier() -> None:
    base = np.array([0.5, 2.0, 6.0, 0.6, 0.4, 0.0, 0.2, 0.3, 0.4, 0.4, 0.6])
    for name in ("standing", "whole", "sentence", "title", "sentences"):
        more = base.copy()
        more[MEMBER.index(name)] += 0.3
        low, high = shipped().chances(np.stack([base, more]))
        assert high > low, name


@pytest.mark.parametrize(
    "text",
    [
        "abstracts that mention counterfactuals",
        "misinformation and fact checking papers",
        "graph neural network papers",
        "Who studies systems of several agents?",
        "Who builds on MeanFlow?",
        "Who writes about regulation?",
        "What is there with applications in finance?",
        "papers using contrastive learning",
    ],
)
def test_these_ask_for_a_list(text: str) -> None:
    assert understand(text).kind == "list"


@pytest.mark.parametrize(
    "text",
    [
        "How many sentences are in the papers?",
        "Summarize the two papers",
        "Does it compare with earlier papers?",
        "When were these papers?",
    ],
)
def test_and_these_do_not(text: str) -> None:
    assert understand(text).kind != "list"


def test_where_many_papers_say_the_topic_together_all_within_the_end_belong(tmp_path: Path) -> None:
    """None of them stands out among the others, so that how a score stands tells nothing."""
    places = (
        "rivers",
        "lakes",
        "fields",
        "cities",
        "forests",
        "harbours",
        "deserts",
        "islands",
        "valleys",
        "mines",
    )
    said = [f"We study causal discovery for {place}. Results hold." for place in places]
    papers = [Paper(f"text:{n}", f"Of {places[n]}", "given", text) for n, text in enumerate(said)]
    papers.append(Paper("text:x", "A proof", "given", "Causal claims need proof. The discovery was late."))
    embedder = load()
    sync(tmp_path, "many", papers, embedder)
    with closing(Library.open(tmp_path, "many", embedder_identity=embedder.identity)) as library:
        question = understand("papers on causal discovery", library)
        found = Retriever(library, embedder).search(question.search, top_k=40)
        chosen = {found.hits[place].paper_id for place in members(question, found, library)}
    assert {paper.id for paper in papers[:10]} & {hit.paper_id for hit in found.hits[: found.belonging]} <= chosen
    assert len(chosen) >= 8
