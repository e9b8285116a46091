"""The thresholds of `check` are set by forests that have not seen a claim's paper."""

from __future__ import annotations

import pytest

from evals.fit_check import unseen
from evals.fitting.folds import FOLDS, fold_of
from evals.material.check_cases import Case
from rag.verify.model import load


def case(paper: str) -> Case:
    return Case("Sail is faster than Keel.", "plain", "right", "paraphrase", "authored", False, paper)


@pytest.mark.parametrize("fold", range(FOLDS))
def test_a_claim_is_scored_only_by_the_forest_fitted_without_its_paper(fold: int) -> None:
    paper = next(name for name in map("paper {}".format, range(1000)) if fold_of(name) == fold)
    (forest,) = unseen(case(paper)).forests
    assert forest is load().forests[fold]


def test_a_claim_that_no_forest_has_seen_is_scored_by_all() -> None:
    assert unseen(case("")) is load()
