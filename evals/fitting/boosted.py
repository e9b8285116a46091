"""What scikit-learn has boosted, as the plain numbers that `rag.forest` reads: no fit writes its nodes another way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Booster:
    """A fitted HistGradientBoostingClassifier of two classes, and the columns of the features that it reads."""

    fitted: Any
    columns: tuple[int, ...]


def scored(boosters: Sequence[Booster], values: np.ndarray) -> np.ndarray:
    """Log-odds, the boosters' mean. Shapes (n, features) and (n,)."""
    found = [each.fitted.decision_function(values[:, each.columns]) for each in boosters]
    return np.asarray(sum(found) / len(boosters))


def written(boosters: Sequence[Booster]) -> dict[str, Any]:
    """One forest of JSON whose score is `scored`, save for rounding."""
    share = 1 / len(boosters)
    biases = [float(np.ravel(each.fitted._baseline_prediction)[0]) for each in boosters]
    trees = [
        [_node(node, each.columns, share) for node in grown.nodes]
        for each in boosters
        for (grown,) in each.fitted._predictors
    ]
    return {"bias": sum(biases) * share, "trees": trees}


def _node(node: Any, columns: Sequence[int], share: float) -> list[float]:
    if node["is_leaf"]:
        return [-1, 0.0, 0, 0, round(float(node["value"]) * share, 5)]
    split = round(float(node["num_threshold"]), 6)
    return [columns[int(node["feature_idx"])], split, int(node["left"]), int(node["right"]), 0.0]
