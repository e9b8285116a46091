"""Fit the choice of the answering sentence, and the refusal where there is none: `python -m evals.fit_extract`.

First model: conditional logit over the sentences of the best papers (the sentence that answers against the
others). Second: which of the best paper's closest sentences, seen beside each other with the question as a statement.
Third: does the chosen sentence answer? Both are boosted trees (scikit-learn, needed for refitting only; averaged with a
logistic regression they were no better). Its threshold refuses 3 % of the answerable
questions, as predicted for papers left out (5 folds); the figures printed are of those folds. Writes numbers
only: rag/weights/extract.json and, with --terms, rag/weights/extract_terms.json (document frequencies of 25,000
abstracts).
"""

from __future__ import annotations

import argparse
import json
import pickle
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from evals.fitting.boosted import Booster, written
from evals.material import shared_questions
from evals.material.extract_cases import Case, cases
from rag.embed import load
from rag.extract.features import FEATURES
from rag.extract.matching import Vector
from rag.extract.model import Linear, Model, closest, compared, from_json, summary
from rag.extract.stated import STATED
from rag.text.tokens import terms
from rag.weights import FOLDER

REFUSED = 0.03
FOLDS, FOLDS_INSIDE = 5, 3
MEASURED_ONLY = "strangers"
"""Questions whose very topic is missing: fitted on them too, the model would let missing details pass."""
_SEED = 0


def fit_select(fitted: Sequence[Case], *, l2: float = 0.02, steps: int = 500) -> dict[str, Any]:
    """Conditional logit by Adam: the log-likelihood that one of the right rows is chosen."""
    fitted = [case for case in fitted if case.right]
    rows = np.vstack([case.rows for case in fitted])
    mean, scale = rows.mean(axis=0), np.maximum(rows.std(axis=0), 1e-6)
    rows = (rows - mean) / scale
    sizes = np.array([len(case.rows) for case in fitted])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    right = np.concatenate([np.isin(np.arange(len(case.rows)), case.right) for case in fitted])
    weights, first, second = (np.zeros(len(FEATURES)) for _ in range(3))
    for step in range(1, steps + 1):
        chances = np.exp(rows @ weights - np.repeat(np.maximum.reduceat(rows @ weights, starts), sizes))
        wanted = chances * right
        chances /= np.repeat(np.add.reduceat(chances, starts), sizes)
        wanted /= np.repeat(np.maximum(np.add.reduceat(wanted, starts), 1e-300), sizes)
        slope = l2 * weights + rows.T @ (chances - wanted) / len(fitted)
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        rate = 0.09 if step < 0.7 * steps else 0.02
        weights = weights - rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return {"mean": mean.tolist(), "scale": scale.tolist(), "weights": weights.tolist(), "bias": 0.0}


def boost(rows: Vector, labels: Vector, **shape: float) -> dict[str, Any]:
    """Boosted trees: `rag.forest` says how they are written."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    boosted = HistGradientBoostingClassifier(
        learning_rate=0.05, max_depth=4, max_features=0.3, early_stopping=False, random_state=_SEED, **shape
    ).fit(rows, labels)
    return written([Booster(boosted, tuple(range(rows.shape[1])))])


def fit_prefer(fitted: Sequence[Case], select: Linear) -> dict[str, Any]:
    """Whether one of the closest sentences answers, seen beside the others; where one of them does."""
    rows, labels = [], []
    for case in fitted:
        if case.right:
            scores = select(case.rows)
            close = _closest(case, scores)
            if not set(close).isdisjoint(case.right):
                rows.append(compared(case.rows[close], scores[close], case.said_of(close)))
                labels += [at in case.right for at in close]
    return boost(np.vstack(rows), np.array(labels), max_iter=200, min_samples_leaf=30, l2_regularization=3.0)


def fit(fitted: Sequence[Case]) -> dict[str, Any]:
    """The models, without a threshold. The refusal is fitted on sentences preferred by trees that saw no question about
    their paper; a question whose right paper was not chosen teaches it nothing, nor does one whose topic is missing."""
    held: dict[str, Any] = {"features": list(FEATURES), "stated": list(STATED), "threshold": 0.5}
    held["select"] = fit_select(fitted)
    held["prefer"] = held["forest"] = {"trees": [], "bias": 0.0}
    select = from_json(held).select
    rows, labels = [], []
    for seen, unseen in _folds(fitted, FOLDS_INSIDE):
        model = from_json(held | {"prefer": fit_prefer(seen, select)})
        for case in unseen:
            chosen, row = _chosen(model, case)
            if case.source != MEASURED_ONLY and (not case.answerable or chosen in case.in_paper):
                rows.append(row)
                labels.append(float(case.answerable))
    held["prefer"] = fit_prefer(fitted, select)
    held["forest"] = boost(np.array(rows), np.array(labels), max_iter=250, min_samples_leaf=15, l2_regularization=2.0)
    return held


def _closest(case: Case, scores: Vector) -> list[int]:
    paper = case.papers[int(scores.argmax())]
    return closest(scores, [at for at, of in enumerate(case.papers) if of == paper])


def _chosen(model: Model, case: Case) -> tuple[int, Vector]:
    """The row that is chosen, and its SUMMARY."""
    scores = model.select(case.rows)
    close = _closest(case, scores)
    said = case.said_of(close)
    scores = model.reordered(case.rows, scores, close, said)
    chosen = int(scores.argmax())
    return chosen, summary(case.rows, scores, chosen, case.said(chosen), said.max(axis=0))


def predict(model: Model, case: Case) -> tuple[int, float]:
    chosen, row = _chosen(model, case)
    return chosen, model.probability(row)


def _folds(all_cases: Sequence[Case], number: int) -> Iterator[tuple[list[Case], list[Case]]]:
    """(seen, unseen) `number` times; questions about one paper are never on both sides."""
    groups = sorted({case.group for case in all_cases})
    fold = dict(zip(np.random.default_rng(_SEED).permutation(groups), np.arange(len(groups)) % number, strict=True))
    for left in range(number):
        yield (
            [case for case in all_cases if fold[case.group] != left],
            [case for case in all_cases if fold[case.group] == left],
        )


def left_out(all_cases: Sequence[Case]) -> list[tuple[Case, int, float]]:
    """Every case as predicted by a model that saw no question about its paper."""
    found = []
    for seen, unseen in _folds(all_cases, FOLDS):
        model = from_json(fit(seen))
        found += [(case, *predict(model, case)) for case in unseen]
    return found


def report(found: Sequence[tuple[Case, int, float]], threshold: float) -> None:
    for source in dict.fromkeys(case.source for case, _, _ in found):
        kinds = sorted({case.kind for case, _, _ in found if case.source == source})
        for kind in kinds:
            held = [one for one in found if one[0].source == source and one[0].kind == kind]
            refused = np.mean([chance < threshold for _, _, chance in held])
            sentence = np.mean([chosen in case.right for case, chosen, _ in held])
            paper = np.mean([chosen in case.in_paper for case, chosen, _ in held])
            print(
                f"{source:9} {kind:15} {len(held):4}  refused {refused:.3f}  "
                f"right paper {paper:.3f}  right sentence {sentence:.3f}"
            )


def threshold_of(found: Sequence[tuple[Case, int, float]]) -> float:
    """The chance below which REFUSED of the answerable questions lie whose paper was found; colloquial ones over many
    strangers' papers aside, which are refused for want of the paper."""
    chances = [chance for case, chosen, chance in found if chosen in case.in_paper and case.answerable]
    return float(np.quantile(chances, REFUSED))


def write_terms() -> None:
    texts = shared_questions.texts(25_000)
    counts = Counter(term for text in texts for term in set(terms(text)))
    held = {term: count for term, count in sorted(counts.items()) if count >= 25 and term.isascii()}
    content = {
        "source": "document frequencies in abstracts, python -m evals.fit_extract --terms",
        "terms": {"papers": len(texts), "df": held},
    }
    (FOLDER / "extract_terms.json").write_text(json.dumps(content, indent=0) + "\n", encoding="utf-8")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--terms", action="store_true", help="count words anew first")
    options.add_argument("--kept", type=Path, help="keep the measured cases in this file, or read them from it")
    chosen = options.parse_args()
    if chosen.terms:
        write_terms()
    if chosen.kept and chosen.kept.exists():
        measured: list[Case] = pickle.loads(chosen.kept.read_bytes())
    else:
        with tempfile.TemporaryDirectory() as home:
            measured = [case for case in cases(load(), Path(home)) if len(case.rows)]
        if chosen.kept:
            chosen.kept.write_bytes(pickle.dumps(measured))
    found = left_out(measured)
    threshold = threshold_of(found)
    report(found, threshold)
    held = fit(measured) | {"threshold": round(threshold, 4)}
    held = {"source": f"{len(measured)} questions, python -m evals.fit_extract", **held}
    text = json.dumps(_rounded(held), separators=(",", ":"))
    (FOLDER / "extract.json").write_text(text + "\n", encoding="utf-8")
    print(f"threshold {threshold:.4f}")


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, dict):
        return {key: _rounded(held) for key, held in value.items()}
    return [_rounded(held) for held in value] if isinstance(value, list) else value


if __name__ == "__main__":
    main()
