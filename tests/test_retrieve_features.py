"""The feature matrix against the same reasons computed slowly, and the learned parts against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.embed import load
from rag.retrieve.features import NAMES, Candidates, features
from rag.retrieve.feedback import feedback
from rag.retrieve.lexicon import Lexicon
from rag.retrieve.query import MOST_TERMS, Query, analyse
from rag.retrieve.scorer import MEMBER_NAMES, best_cut, from_weights, probability
from rag.weights import read_weights

WORDS = ("drift", "koala", "tensor", "quark", "violin", "77", "eagle-3", "the")
EMBEDDER = load()
unit = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
papers = st.lists(st.lists(unit, min_size=1, max_size=4), min_size=1, max_size=5)
COLUMN = {name: place for place, name in enumerate(NAMES)}


def asked(text: str, terms: list[str]) -> Query:
    return analyse(text, terms, {term: 2 + place for place, term in enumerate(WORDS)}, 50)


def matrix(query: Query, lines: list[list[str]]) -> tuple[np.ndarray, Lexicon, Candidates]:
    lexicon = Lexicon(EMBEDDER)
    lexicon.add({str(number): paper for number, paper in enumerate(lines)})
    candidates = Candidates([lexicon.paper(str(number)) for number in range(len(lines))])
    cosines = np.zeros((len(lines), 2), dtype=np.float32)
    return features(query, lexicon, candidates, cosines), lexicon, candidates


@settings(max_examples=60, deadline=None)
@given(papers, st.lists(st.sampled_from(WORDS[:-1]), min_size=1, max_size=5, unique=True))
def test_coverage_is_the_share_of_idf_held(lines: list[list[str]], terms: list[str]) -> None:
    query = asked(" ".join(terms), terms)
    made, _, _ = matrix(query, lines)
    worth = dict(zip(query.terms, query.idf, strict=True))

    def share(words: list[str]) -> float:
        return float(sum(worth[term] for term in worth if term in words)) / query.mass

    for row, paper in zip(made, lines, strict=True):
        units = [line.split() for line in paper]
        assert row[COLUMN["covered"]] == pytest.approx(share(" ".join(paper).split()), abs=1e-5)
        assert row[COLUMN["covered_by_sentence"]] == pytest.approx(max(map(share, units)), abs=1e-5)
        assert row[COLUMN["title"]] == pytest.approx(share(units[0]), abs=1e-5)


@settings(max_examples=60, deadline=None)
@given(papers, st.lists(st.sampled_from(WORDS[:-1]), min_size=1, max_size=5, unique=True))
def test_reasons_are_bounded_and_do_not_depend_on_other_candidates(lines: list[list[str]], terms: list[str]) -> None:
    query = asked(" ".join(terms), terms)
    made, _, _ = matrix(query, lines)
    assert np.isfinite(made).all()
    shares = [COLUMN[name] for name in NAMES if "bm25" not in name]
    assert (made[:, shares] >= -1e-5).all()
    assert (made[:, shares] <= 1 + 1e-4).all()
    assert (made[:, COLUMN["soft"]] >= made[:, COLUMN["covered"]] - 1e-4).all()
    alone = np.concatenate([matrix(query, [paper])[0] for paper in lines])
    assert np.allclose(alone, made, atol=1e-5)


@settings(max_examples=60, deadline=None)
@given(papers)
def test_pairs_are_neighbours_of_the_question_near_each_other_in_a_sentence(lines: list[list[str]]) -> None:
    query = asked("koala violin", ["koala", "violin"])
    made, _, _ = matrix(query, lines)
    for row, paper in zip(made, lines, strict=True):
        met = any(
            {first, second} == {"koala", "violin"}
            for line in paper
            for words in [line.split()]
            for place, first in enumerate(words)
            for second in words[place + 1 : place + 4]
        )
        assert row[COLUMN["pairs"]] == pytest.approx(float(met))


def test_a_near_word_counts_in_part_and_a_number_not_at_all() -> None:
    query = asked("violin", ["violin"])
    made, _, _ = matrix(query, [["cello music"], ["quark tensor"], ["77"], ["violin"]])
    soft = made[:, COLUMN["soft"]]
    assert soft[3] == pytest.approx(1)
    assert 0.2 < soft[0] < 1
    assert soft[0] > soft[1]
    assert soft[2] == 0


def test_feedback_prefers_papers_like_the_best() -> None:
    query = asked("koala", ["koala"])
    lines = [["koala", "eucalyptus marsupial forest"], ["x", "marsupial eucalyptus"], ["y", "bank account"]]
    _, lexicon, candidates = matrix(query, lines)
    scores = np.array([5.0, 0.0, 0.0], dtype=np.float32)
    found = feedback(query, lexicon, candidates, scores, lambda terms: dict.fromkeys(terms, 1), 50)
    assert found[0] == pytest.approx(1)
    assert found[1] > found[2]


def test_a_query_keeps_its_rarest_terms() -> None:
    many = [f"t{number}" for number in range(200)]
    query = analyse(" ".join(many), many, {term: place + 1 for place, term in enumerate(many)}, 1000)
    assert query.terms == tuple(many[:MOST_TERMS])


def test_words_of_asking_weigh_less() -> None:
    query = analyse("find koala", ["find", "koala"], {"find": 3, "koala": 3}, 50)
    assert query.idf[0] < 0.5 * query.idf[1]


def test_common_words_do_not_search_where_rare_ones_hold_the_weight() -> None:
    frequency = {"koala": 3, "violin": 9, "learn": 60_000}
    query = analyse("learn koala violin", list(frequency), frequency, 100_000)
    assert query.searched == ("koala", "violin")
    assert set(query.terms) == set(frequency)
    only = analyse("learn", ["learn"], frequency, 100_000)
    assert only.searched == ("learn",)


@settings(deadline=None)
@given(st.lists(st.floats(0.001, 0.999), min_size=1, max_size=30))
def test_the_cut_has_the_best_expected_f1(chances: list[float]) -> None:
    def expected(length: int) -> float:
        return 2 * sum(chances[:length]) / (length + sum(chances))

    cut = best_cut(np.array(chances))
    assert expected(cut) == pytest.approx(max(expected(length) for length in range(1, len(chances) + 1)))


def test_probability_does_not_overflow() -> None:
    assert probability(np.array([-1e9, 0, 1e9])).tolist() == pytest.approx([0, 0.5, 1], abs=1e-6)


def test_the_shipped_weights_name_every_reason_and_their_source() -> None:
    weights = read_weights("retrieve")
    scorer = from_weights(weights)
    assert scorer.final.shape == (len(NAMES),)
    assert scorer.member.shape == (len(MEMBER_NAMES),)
    assert scorer.slope > 0
    assert "evals.fit_retrieval" in weights["source"]
    del weights["final"]["bm25"]
    with pytest.raises(KeyError):
        from_weights(weights)


def test_a_word_in_no_paper_counts_by_what_it_means_if_it_is_one() -> None:
    """ "Rapid" stands nowhere here and is near "fast"; "qzxvort" is no word, and adds nothing."""
    frequency = {"fast": 1, "koala": 1}
    query = analyse("rapid qzxvort", ["rapid", "qzxvort"], frequency, 50)
    assert (query.terms, query.foreign, query.unknown) == ((), ("rapid",), ("rapid", "qzxvort"))
    made, _, _ = matrix(query, [["", "koala"], ["", "fast"]])
    assert made[1, COLUMN["gist"]] > made[0, COLUMN["gist"]]


def test_the_gist_s_weights_are_research_s_in_a_small_corpus_and_sum_to_one() -> None:
    query = analyse("model koala", ["model", "koala"], {"model": 1, "koala": 1}, 4)
    assert query.idf[0] == query.idf[1]
    assert query.gist[1] > 2 * query.gist[0]
    assert query.gist.sum() == pytest.approx(1)
