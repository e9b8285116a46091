"""Refits the checker's scorer and its calibration: `python -m evals.fit_verify` writes rag/weights/verify.json.

Needs the shared papers (CITEWELL_DATA, or ../shared/data beside the checkout) and scikit-learn, which is no dependency
of citewell: `pip install scikit-learn`. Takes about four minutes; the same input gives the same weights.

The scorer is a forest of two boosters whose score may only rise with what agrees and fall with what speaks against a
claim. Five of them ship, each fitted without a fifth of the papers and calibrated on just those (see
rag/verify/model.py): Platt's sigmoid for the probability, and per kind of claim the thresholds of `rag.verify.risk`, on
wrong claims that are close to their evidence: those about something else would flatter the bound. Papers kept for
reporting are never read.
"""

from __future__ import annotations

import gzip
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from evals.fitting.boosted import Booster, scored, written
from evals.fitting.folds import FOLDS, fold_of
from evals.material.labelled import ELSEWHERE, SUPPORTED, Example, edited, handwritten, scifact, seeds
from evals.material.places import shared
from evals.material.shared_claims import AUTHORED, shared_claims, titles
from rag.text.normalise import fold
from rag.text.tokens import stem_of
from rag.verify import gaps, stance
from rag.verify.checking import blocked, kind_of
from rag.verify.features import NAMES, Comparison, compare
from rag.verify.reading import read
from rag.verify.risk import TARGETS, threshold
from rag.weights import FOLDER

OUT = FOLDER / "verify.json"
RISES = frozenset(
    "coverage stem_coverage soft_coverage near like_coverage cosine same_way best_sentence pairs order density".split()
)
FREE = frozenset("length left_over evidence_length names numbers denials evidence_denials".split())
WEIGHTS = {
    "scifact": 10.0, "icml": 4.0, "icml-auto": 1.0, "seeds": 4.0, "edited": 0.3,
    "authored": 1.5, "authored-bio": 0.75, "tempting": 0.0,
}  # fmt: skip
"""So that no origin is lost among the many authored ones; chosen by cross-validation within the fitting half. Tempting
ones are calibrated on, not fitted on: with them the checker was no better on others' claims, and worse on reworded
sentences."""
LATER = frozenset((*gaps.NAMES, *stance.NAMES, "identity", "foreign", "displaced"))
"""Features that only the deeper booster reads."""
KINDS = ("numeric", "prose")
"""The kinds of claims that a bound is given for."""
_ENOUGH, _LENGTHS = 200, 6
_WORD = re.compile(r"[^\W\d_]+")


def inverse_frequencies(folder: Path) -> dict[str, float]:
    """stem -> idf over a fifth of the ML abstracts and all of SciFact's; "" holds that of an unseen word."""
    with gzip.open(folder / "ml_abstracts.jsonl.gz", "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["abstract"] for number, line in enumerate(lines) if number % 5 == 0]
    with (folder / "scifact" / "corpus.jsonl").open(encoding="utf-8") as lines:
        texts += [" ".join(json.loads(line)["abstract"]) for line in lines]
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update({stem_of(word) for word in set(_WORD.findall(fold(text)))})
    table = {stem: round(math.log(len(texts) / n), 1) for stem, n in sorted(counts.items()) if n >= 12}
    return {**table, "": round(math.log(len(texts) / 4), 1)}


def weight(example: Example) -> float:
    """Hand-written claims count most; wholesale ones only fill in what those do not show."""
    return WEIGHTS[example.origin] * (2.0 if example.edit == "paraphrase" else 1.0)


def weights_of(examples: Sequence[Example]) -> np.ndarray:
    """Shape (n,). Among authored claims, right and wrong ones of every length weigh in one proportion."""
    weights = np.array([weight(e) for e in examples])
    right = np.array([e.label == SUPPORTED for e in examples])
    words = np.array([len(e.text.split()) for e in examples])
    for origin in AUTHORED:
        own = np.array([e.origin == origin for e in examples])
        if not weights[own].any():
            continue
        share = weights[own & right].sum() / weights[own].sum()
        edges = np.quantile(words[own], np.linspace(0, 1, _LENGTHS + 1)[1:-1])
        bins = np.digitize(words, edges)
        for length in range(_LENGTHS):
            some = own & (bins == length)
            total = weights[some].sum()
            for group, part in ((some & right, share), (some & ~right, 1 - share)):
                weights[group] *= total * part / (weights[group].sum() or 1.0)
    return weights


def fit_forest(values: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> tuple[Booster, ...]:
    """Shapes (n, features), (n,), (n,). A shallow booster on the plain features, and a deeper one on all of them with
    a third to choose from at each split: what the one reads too much into, the other does not see."""
    plain = tuple(i for i, name in enumerate(NAMES) if name not in LATER)
    return (
        _boosted(values, labels, weights, plain, max_depth=3, min_samples_leaf=20, max_features=1.0),
        _boosted(values, labels, weights, tuple(range(len(NAMES))), max_depth=4, min_samples_leaf=15,
                 max_features=0.3),
    )  # fmt: skip


def _boosted(
    values: np.ndarray, labels: np.ndarray, weights: np.ndarray, columns: tuple[int, ...], **shape: Any
) -> Booster:
    """Monotone where RISES and FREE say so."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    signs = [1 if name in RISES else 0 if name in FREE else -1 for name in (NAMES[i] for i in columns)]
    booster = HistGradientBoostingClassifier(
        max_iter=100, learning_rate=0.08, l2_regularization=1.0, monotonic_cst=signs, early_stopping=False,
        random_state=0, **shape,
    )  # fmt: skip
    with threadpool_limits(1):
        return Booster(booster.fit(values[:, columns], labels, sample_weight=weights), columns)


def platt(scores: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> tuple[float, float]:
    """Slope and offset of the sigmoid, by Newton's method (Lin, Lin and Weng, Machine Learning 2007)."""
    slope, offset = 1.0, 0.0
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(slope * scores + offset, -30, 30)))
        rest, curve = weights * (labels - p), weights * p * (1 - p) + 1e-9
        gradient = np.array([(rest * scores).sum(), rest.sum()])
        hessian = np.array([[(curve * scores**2).sum(), (curve * scores).sum()], [(curve * scores).sum(), curve.sum()]])
        step = np.linalg.solve(hessian + 1e-6 * np.eye(2), gradient)
        slope, offset = slope + step[0], offset + step[1]
    return float(slope), float(offset)


def thresholds(scores: Sequence[float], kinds: Sequence[str], origins: Sequence[str]) -> dict[str, list[list[float]]]:
    """Per kind: [target, least score], strict to lax. Blocked claims come with a score of minus infinity.

    The bound holds among all wrong claims of a kind, and among those written by hand; and among the authored ones,
    which are the hardest, where they are many enough to show it (where not, none of them passes).
    """
    table: dict[str, list[list[float]]] = {}
    for kind in KINDS:
        rows = [(score, origin) for score, own, origin in zip(scores, kinds, origins, strict=True) if own == kind]
        by_hand = [score for score, origin in rows if origin != "edited"]
        authored = [score for score, origin in rows if origin in AUTHORED]
        pools = [[score for score, _ in rows], *([by_hand] if len(by_hand) >= _ENOUGH else [])]
        for target in TARGETS:
            found = [threshold(pool, target) for pool in pools]
            hardest = threshold(authored, target)
            if hardest is None:
                hardest = math.nextafter(max(authored, default=-math.inf), math.inf)
            least = max([hardest, *(each for each in found if each is not None)])
            if None not in found and math.isfinite(least):
                table.setdefault(kind, []).append([target, round(least, 6)])
    return table


def fitted(examples: Sequence[Example], compared: Sequence[Comparison], idf: dict[str, float]) -> dict[str, Any]:
    """The model as JSON, from claims and their features."""
    values = np.array([c.values for c in compared])
    labels = np.array([float(e.label == SUPPORTED) for e in examples])
    weights = weights_of(examples)
    folds = np.array([fold_of(e.paper) for e in examples])
    unseen, forests = np.zeros(len(examples)), []
    for number in range(FOLDS):
        held = folds == number
        taught = ~held & (weights > 0)
        forests.append(fit_forest(values[taught], labels[taught], weights[taught]))
        unseen[held] = scored(forests[-1], values[held])
    slope, offset = platt(unseen, labels, weights)
    wrong = [i for i, e in enumerate(examples) if e.label != SUPPORTED and e.edit not in ELSEWHERE]
    scores = [-math.inf if blocked(compared[i].findings) else float(unseen[i]) for i in wrong]
    kinds = [kind_of(read(examples[i].text)) for i in wrong]
    table = thresholds(scores, kinds, [examples[i].origin for i in wrong])
    counts = Counter(e.origin for e in examples)
    parts = ", ".join(f"{n} {origin}" for origin, n in sorted(counts.items()))
    source = f"python -m evals.fit_verify on {len(examples)} claims: {parts}"
    return {"source": source, "names": NAMES, "forests": [written(each) for each in forests],
            "slope": slope, "offset": offset, "calibration": table, "idf": idf}  # fmt: skip


def examples_of(folder: Path) -> list[Example]:
    """Every claim to fit on; none over a paper that authored claims are reported on."""
    sources = chain(scifact(folder), handwritten(folder), seeds(), edited(folder, 700, "fit"), shared_claims())
    kept = titles("report")
    return [example for example in sources if not example.held_out and example.context[0] not in kept]


def main() -> int:
    folder = shared()
    if folder is None:
        print("fit_verify: no shared papers; set CITEWELL_DATA", file=sys.stderr)
        return 11
    idf = inverse_frequencies(folder)
    examples = examples_of(folder)
    model = fitted(examples, [compare(e.text, e.citations, e.context, idf) for e in examples], idf)
    OUT.write_text(json.dumps(model, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{model['source']}\nwrote {OUT.name}: {OUT.stat().st_size // 1024} kB")
    for kind, rows in model["calibration"].items():
        print(f"  {kind:12s} " + "  ".join(f"{target:g}: {least:.2f}" for target, least in rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
