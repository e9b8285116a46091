"""Which optimizer, what GPU: a sentence that tells none is no answer; words of another language that nothing holds."""

from __future__ import annotations

import pytest
from program import Citewell

from rag.extract.instances import untold
from rag.extract.passage import read
from rag.question import understand


@pytest.mark.parametrize(
    ("noun", "sentence", "told"),
    [
        ("optimizer", "Tidal is trained with the Adam optimizer for 10 epochs.", False),
        ("optimizer", "Tidal is robust to the choice of optimizer.", True),
        ("optimizer", "Tidal outperforms all baselines.", True),
        ("gpus", "Training takes 3 hours on 8 NVIDIA H100 cards.", False),
        ("gpus", "Training is memory-bound and leaves GPUs idle.", True),
        ("llm", "Tidal runs on a frozen GPT-4 model.", False),
        ("llm", "Tidal prompts an LLM to explain each edge.", True),
        ("datasets", "Experimental results on CMU-MOSI demonstrate its accuracy.", False),
        ("datasets", "Experiments on five real-world datasets demonstrate its accuracy.", False),
        ("datasets", "Experiments demonstrate its accuracy.", True),
        ("loss function", "A contrastive loss separates the classes.", False),
        ("loss function", "The classes are well separated.", True),
        ("programming language", "Large language models (LLMs) are strong.", True),
        ("programming language", "Tidal is implemented in Rust.", False),
        ("problem", "Tidal outperforms all baselines.", False),
    ],
)
def test_a_noun_that_has_names_needs_one(noun: str, sentence: str, told: bool) -> None:
    assert untold(noun, read(sentence), frozenset({"tidal", "optimizer", "gpu", "llm"})) is told


def test_a_year_that_became_a_filter_is_not_looked_for() -> None:
    asked = understand("Which papers from 2025 study bees?")
    assert (asked.filters.year_from, asked.terms) == (2025, ("bee",))


def test_a_topic_that_no_paper_holds_in_another_language_is_not_everything(seeded: Citewell) -> None:
    assert seeded("ask", "哪些论文研究地震预警?").code == 3
    everything = seeded("ask", "有哪些论文?")
    assert everything.code == 0
    assert "[38]" in everything.out


@pytest.mark.parametrize(
    ("text", "held"),
    [("It is an order of magnitude faster.", 1), ("Twice as fast.", 1), ("It is fast.", 0)],
)
def test_amounts_in_words_are_found_without_a_digit(text: str, held: int) -> None:
    assert len(read(text).numbers) == held
