"""Trees as they are written down, read and walked: by hand, and against the library that grew them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from evals.fitting.boosted import Booster, scored, written
from rag.forest import Forest

LEAF, UNEVEN = (
    [[-1, 0.0, 0, 0, 0.25]],
    [[1, 0.5, 1, 2, 0.0], [-1, 0.0, 0, 0, 1.0], [0, 3.0, 3, 4, 0.0], [-1, 0.0, 0, 0, 10.0], [-1, 0.0, 0, 0, 100.0]],
)


@pytest.mark.parametrize(
    ("row", "score"),
    [((9.0, 0.5), 1.0), ((3.0, 0.6), 10.0), ((3.1, 0.6), 100.0), ((3.1, float("nan")), 100.0)],
)
def test_a_row_goes_left_up_to_the_threshold_itself(row: tuple[float, float], score: float) -> None:
    forest = Forest.parse({"bias": -2.0, "trees": [LEAF, UNEVEN, LEAF]})
    assert forest.score(np.array(row)) == score + 0.5 - 2.0


def test_features_are_found_where_they_stand_now() -> None:
    forest = Forest.parse({"bias": 0.0, "trees": [UNEVEN]}, columns=(3, 0))
    assert forest.score(np.array([0.6, 0.0, 0.0, 3.1])) == 100.0


def test_without_trees_there_is_the_bias() -> None:
    assert Forest.parse({"bias": 0.75, "trees": []}).score(np.zeros(2)) == 0.75


def test_what_was_boosted_is_scored_as_its_library_scores_it() -> None:
    ensemble = pytest.importorskip("sklearn.ensemble", reason="only a fit needs scikit-learn")
    rows = np.random.default_rng(0).integers(100, size=(300, 4)) / 100.0  # no row is as near to a split as rounding
    labels = rows[:, 0] + rows[:, 3] > 1.0
    boosters = [
        Booster(
            ensemble.HistGradientBoostingClassifier(max_iter=8, max_depth=depth, early_stopping=False).fit(
                rows[:, columns], labels
            ),
            columns,
        )
        for depth, columns in ((3, (0, 1, 2, 3)), (4, (3, 1)))
    ]
    forest = Forest.parse(json.loads(json.dumps(written(boosters))))
    found = [forest.score(row) for row in rows]
    assert np.allclose(found, scored(boosters, rows), atol=1e-4)
    assert np.ptp(found) > 1.0
