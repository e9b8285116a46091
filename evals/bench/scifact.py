"""SciFact (Wadden et al. 2020, arXiv 2004.14974): claims checked against abstracts, sentences named as rationales.

PATH is the folder with `corpus.jsonl` and `claims_dev.jsonl` (test labels are not public); else of `claims_train.jsonl`
those claims whose abstracts none of our weights were fitted on.
Measured as in the paper's section 4: abstract level, label only and with a whole gold rationale among at most three
predicted sentences; sentence level, where a sentence counts when its whole rationale was predicted, without and with
the label. Open: three abstracts are retrieved. Oracle: the abstracts that the claim's own paper cites are given.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.bench.corpus import assistant_over, paper
from evals.bench.measures import classes, f1
from evals.bench.result import Published, Result
from evals.material.labelled import held_out, joined
from rag.errors import UsageError
from rag.verify import check

_LABELS = {"supported": "SUPPORT", "contradicted": "CONTRADICT", "not_found": "NOT_ENOUGH_INFO"}
_RETRIEVED = 3
_MOST_RATIONALE = 3
_VERISCI = "Wadden et al. 2020, test set"
PUBLISHED = (
    Published("open: abstract, label and rationale F1", 0.465, "VeriSci", _VERISCI),
    Published("open: sentence, selection and label F1", 0.395, "VeriSci", _VERISCI),
    Published("oracle: abstract, label and rationale F1", 0.727, "VeriSci", _VERISCI),
)
NOT_COMPARABLE = (
    "published figures are of the hidden test set, ours of public claims: of the training ones four in ten, kept apart",
    "VeriSci was trained on SciFact's training claims; our check was fitted on the other six in ten, and on much else",
)


@dataclass(frozen=True, slots=True)
class Claim:
    id: str
    text: str
    cited: tuple[str, ...]
    labels: Mapping[str, str]
    rationales: Mapping[str, tuple[frozenset[int], ...]]


@dataclass(frozen=True, slots=True)
class Predicted:
    label: str
    sentences: tuple[int, ...]


def run(path: Path, limit: int | None = None) -> Result:
    corpus = {str(line["doc_id"]): line for line in _lines(path / "corpus.jsonl")}
    claims = tuple(_claims(path))[:limit]
    with assistant_over(
        paper(key, line["title"], " ".join(line["abstract"])) for key, line in corpus.items()
    ) as assistant:
        found = {claim.id: [hit.id for _, hit in assistant.search(claim.text)[:_RETRIEVED]] for claim in claims}
    figures: list[tuple[str, float]] = []
    pairs: list[tuple[str, str]] = []
    for setting in ("oracle", "open"):
        predicted = {}
        for claim in claims:
            documents = claim.cited if setting == "oracle" else found[claim.id]
            predicted[claim.id] = {
                key: predict(claim.text, corpus[key]["abstract"]) for key in documents if key in corpus
            }
            if setting == "oracle":
                pairs += [
                    (claim.labels.get(key, "NOT_ENOUGH_INFO"), each.label) for key, each in predicted[claim.id].items()
                ]
        figures += [(f"{setting}: {name}", value) for name, value in measures(claims, predicted)]
    labels = classes(pairs)
    head = [("oracle: label accuracy", labels["accuracy"]), ("oracle: label macro-F1", labels["macro_f1"])]
    return Result("SciFact", len(claims), (*head, *figures), PUBLISHED, NOT_COMPARABLE)


def predict(claim: str, sentences: Sequence[str]) -> Predicted:
    """The label of an abstract, and the sentences that decide it, the most certain first."""
    checks = [(index, check(claim, [sentence], context=sentences)) for index, sentence in enumerate(sentences)]
    for outcome in ("supported", "contradicted"):
        mine = [(index, found) for index, found in checks if found.outcome == outcome]
        if mine:
            mine.sort(key=lambda each: (-each[1].coverage, -each[1].probability, each[0]))
            return Predicted(_LABELS[outcome], tuple(index for index, _ in mine[:_MOST_RATIONALE]))
    return Predicted(_LABELS["not_found"], ())


def measures(claims: Sequence[Claim], predicted: Mapping[str, Mapping[str, Predicted]]) -> Iterator[tuple[str, float]]:
    """The paper's four F1, and citation F1: sentences cited that stand in any gold rationale."""
    counted = dict.fromkeys(("abstracts", "labelled", "rationalised", "sentences", "selected", "right", "cited"), 0)
    for claim in claims:
        for key, made in predicted[claim.id].items():
            if made.label != "NOT_ENOUGH_INFO":
                _count(claim, key, made, counted)
    gold_abstracts = sum(len(claim.labels) for claim in claims)
    gold = [(claim, key, group) for claim in claims for key, groups in claim.rationales.items() for group in groups]
    gold_sentences = len({(claim.id, key, sentence) for claim, key, group in gold for sentence in group})
    yield "abstract, label F1", f1(counted["labelled"], counted["abstracts"], gold_abstracts)["f1"]
    yield (
        "abstract, label and rationale F1",
        f1(counted["rationalised"], counted["abstracts"], gold_abstracts)["f1"],
    )
    yield "sentence, selection F1", f1(counted["selected"], counted["sentences"], gold_sentences)["f1"]
    yield "sentence, selection and label F1", f1(counted["right"], counted["sentences"], gold_sentences)["f1"]
    yield "citation F1", f1(counted["cited"], counted["sentences"], gold_sentences)["f1"]


def _count(claim: Claim, key: str, made: Predicted, counted: dict[str, int]) -> None:
    chosen, groups = frozenset(made.sentences), claim.rationales.get(key, ())
    label_right = claim.labels.get(key) == made.label
    counted["abstracts"] += 1
    counted["labelled"] += label_right
    counted["rationalised"] += label_right and any(group <= chosen for group in groups)
    counted["sentences"] += len(chosen)
    selected = sum(any(sentence in group and group <= chosen for group in groups) for sentence in chosen)
    counted["selected"] += selected
    counted["right"] += selected if label_right else 0
    counted["cited"] += sum(any(sentence in group for group in groups) for sentence in chosen)


def _claims(path: Path) -> Iterator[Claim]:
    found = next((path / name for name in ("claims_dev.jsonl", "claims_train.jsonl") if (path / name).exists()), None)
    if found is None:
        raise UsageError(f"no claims_dev.jsonl in {path}", "give the folder of SciFact's data")
    lines = list(_lines(found))
    if found.name == "claims_train.jsonl":
        groups = joined([[str(key) for key in line["cited_doc_ids"]] for line in lines])
        lines = [line for line, group in zip(lines, groups, strict=True) if held_out(group)]
    for line in lines:
        evidence = line.get("evidence") or {}
        labels = {key: groups[0]["label"] for key, groups in evidence.items() if groups}
        rationales = {key: tuple(frozenset(group["sentences"]) for group in groups) for key, groups in evidence.items()}
        yield Claim(str(line["id"]), line["claim"], tuple(map(str, line["cited_doc_ids"])), labels, rationales)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
