from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.readers.titles import MAX_TITLE, derive_title


@pytest.mark.parametrize(
    ("abstract", "title"),
    [
        (
            "Graphs are everywhere. We introduce **GraphNet**, a network for $\\alpha$-sparse graphs, which is fast.",
            "GraphNet: a network for α-sparse graphs",
        ),
        (
            "Models are slow. In this paper, we propose a method for fast inference that halves cost.",
            "A method for fast inference that halves cost",
        ),
        (
            "Models are slow. A new method for inference is proposed, based on trees.",
            "A new method for inference",
        ),
        ("Sorting takes *many* comparisons; nothing else is known.", "Sorting takes many comparisons"),
        ("Three word abstract", "Three word abstract"),
    ],
)
def test_titles_out_of_the_abstracts_own_words(abstract: str, title: str) -> None:
    assert derive_title(abstract) == title


def test_a_long_clause_is_cut_between_words() -> None:
    title = derive_title("word " * 100)
    assert len(title) <= MAX_TITLE
    assert title.endswith("word…")


@given(st.text(min_size=1))
def test_any_abstract_gets_a_title_that_fits(abstract: str) -> None:
    title = derive_title(abstract)
    assert len(title) <= MAX_TITLE
    assert "\n" not in title
    assert title or not any(char.isalnum() for char in abstract)


@pytest.mark.parametrize(
    ("abstract", "title"),
    [
        (
            "This paper presents the first mechanism that provably ensures fairness of collaboration and incentivizes "
            "truthfulness at equilibrium for Bayesian models.",
            "The first mechanism that provably ensures fairness of collaboration and incentivizes…",
        ),
        (
            "We introduce NeuronCtrl, a modular framework of operators for safe, closed-loop generative control of "
            "neuronal microenvironment dynamics.",
            "NeuronCtrl: a modular framework of operators for safe, closed-loop generative control of…",
        ),
        (
            "Pipelines produce many models. This produces a trade-off, which we analyze theoretically and empirically.",
            "Pipelines produce many models",
        ),
    ],
)
def test_a_derived_title_says_enough(abstract: str, title: str) -> None:
    assert derive_title(abstract) == title
