"""Fit which papers belong in a list: `python -m evals.fit_lists [--check]`.

Fitted on the fit halves of evals/shared_lists.jsonl (400 abstracts) and of the lists in evals/questions (the seeds).
`--check` fits on five sixths of the questions and measures on the rest, six times, and writes nothing. Papers that a
reader may count in or out weigh nothing. Writes rag/weights/lists.json.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evals.fitting.logistic import Array, fit_logistic
from evals.material import shared_lists
from evals.material.corpora import Task, asked, built, seeds
from rag.embed import load
from rag.extract.listing import LOOKED_AT, MOST
from rag.extract.membership import MEMBER, Membership, best_set, member_features
from rag.library.library import Library
from rag.question import understand
from rag.retrieve import Retriever
from rag.weights import FOLDER

WEIGHTS = FOLDER / "lists.json"
SOURCE = "python -m evals.fit_lists: the fit halves of evals/shared_lists.jsonl and of the lists in evals/questions"


@dataclass(frozen=True, slots=True)
class Case:
    """A question's hits, what speaks for each, and which of them belong; `few`: asked of the seeds."""

    features: Array
    ids: tuple[str, ...]
    papers: frozenset[str]
    maybe: frozenset[str]
    few: bool


def cases(library: Library, questions: Sequence[shared_lists.ListAsked], few: bool) -> Iterator[Case]:
    retriever = Retriever(library, load())
    for one in questions:
        question = understand(one.text, library)
        retrieval = retriever.search(question.search, top_k=LOOKED_AT, filters=question.filters)
        ids = tuple(hit.paper_id for hit in retrieval.hits)
        yield Case(member_features(question, retrieval, library), ids, one.papers, one.maybe, few)


def gathered(home: Path) -> list[Case]:
    """Raises NotMeasured without the shared data."""
    task = Task("lists", shared_lists.corpus(), ())
    own = [one for one in shared_lists.asked() if one.split == "fit" and one.papers]
    over_seeds = [
        shared_lists.ListAsked(each.text, each.relevant, frozenset(), "fit") for each in asked(("list",), "fit")
    ]
    with closing(built(task, home, load())) as many, closing(seeds(home)) as shipped:
        return [*cases(many, own, few=False), *cases(shipped, over_seeds, few=True)]


def fit(from_cases: Sequence[Case]) -> Membership:
    x = np.concatenate([case.features for case in from_cases])
    y = np.concatenate([[float(id_ in case.papers) for id_ in case.ids] for case in from_cases])
    weight = np.concatenate([[float(id_ not in case.maybe) for id_ in case.ids] for case in from_cases])
    weights, offset = fit_logistic(x, y, weight)
    return Membership(weights, offset)


def quality(model: Membership, case: Case) -> tuple[float, float]:
    """Recall and precision of the papers chosen."""
    chosen = [case.ids[place] for place in best_set(model.chances(case.features))][:MOST]
    counted = [id_ for id_ in chosen if id_ not in case.maybe]
    right = len(case.papers.intersection(counted))
    return right / len(case.papers), right / len(counted) if counted else 0.0


def check(held: Sequence[Case], folds: int = 6) -> None:
    order = random.Random(1).sample(range(len(held)), len(held))
    found: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    for fold in range(folds):
        out = set(order[fold::folds])
        model = fit([case for place, case in enumerate(held) if place not in out])
        for place in out:
            found[held[place].few].append(quality(model, held[place]))
    for few, values in found.items():
        recall, precision = np.mean(values, axis=0)
        name = "seeds" if few else "400 papers"
        print(f"{name}: {len(values)} lists, recall {recall:.3f}, precision {precision:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="measure on questions left out; write nothing")
    only_check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as home:
        held = gathered(Path(home))
    if only_check:
        check(held)
        return
    model = fit(held)
    weights = {name: round(float(value), 4) for name, value in zip(MEMBER, model.weights, strict=True)}
    made = {"source": SOURCE, "weights": weights, "offset": round(model.offset, 4)}
    WEIGHTS.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    print(f"wrote {WEIGHTS}")


if __name__ == "__main__":
    main()
