"""The measures of `python -m evals.retrieval` by hand, the made list questions, and the data sets where they are."""

from __future__ import annotations

import math

import numpy as np
import pytest

from evals.material import corpora
from evals.material.places import needed
from evals.material.topics import topics
from evals.retrieval import interval, measured
from rag.errors import NotMeasured
from rag.types import Paper


def test_measures_of_one_query() -> None:
    ranked = ["x", "a", *(f"y{n}" for n in range(10)), "b"]
    ndcg, recall10, recall50, mrr, first = measured(ranked, frozenset("ab"))
    assert ndcg == pytest.approx((1 / math.log2(3)) / (1 + 1 / math.log2(3)))
    assert (recall10, recall50, mrr, first) == (0.5, 1.0, 0.5, 0.0)
    assert measured(["a", "b"], frozenset("ab")) == (1.0, 1.0, 1.0, 1.0, 1.0)
    assert measured([], frozenset("a")) == (0.0, 0.0, 0.0, 0.0, 0.0)


def test_the_interval_holds_the_mean_and_narrows_with_more_queries() -> None:
    few, many = np.array([0.0, 1.0] * 10), np.array([0.0, 1.0] * 1000)
    for values in (few, many):
        low, high = interval(values)
        assert low <= values.mean() <= high
    assert interval(many)[1] - interval(many)[0] < interval(few)[1] - interval(few)[0]


def test_topics_are_counted_not_judged() -> None:
    papers = [
        Paper("1", "Graph matching at scale", "given", "Fast."),
        Paper("2", "Other", "given", "We do graph matching. Slowly."),
        Paper("3", "Other", "given", "A graph. Matching is hard."),
    ]
    made = topics(papers, 5, 2, 3)
    assert [query.relevant for query in made] == [{"1", "2"}]
    assert "graph matching" in made[0].text


def test_data_sets_that_are_missing_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEWELL_DATA", "/nowhere/at/all")
    with pytest.raises(NotMeasured, match="/nowhere/at/all"):
        needed()


def test_fitting_papers_do_not_hold_the_sentence_they_are_asked_with() -> None:
    try:
        needed()
    except NotMeasured as missing:
        pytest.skip(missing.message)
    task = corpora.machine_learning(size=60, queries=20)
    papers = {paper.id: paper for paper in task.papers}
    assert len(task.queries) == 40
    for query in task.queries:
        (id_,) = query.relevant
        assert query.text not in papers[id_].abstract
        assert (papers[id_].title_source == "derived") == (query.text != "" and int(id_[3:]) % 2 == 0)
