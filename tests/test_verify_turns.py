"""What turns a claim round is found, and what only looks as if it did is not."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from rag.verify.align import align
from rag.verify.denial import negation
from rag.verify.direction import direction
from rag.verify.findings import Finding
from rag.verify.reading import read

BATCHES = "Smaller batches help generalization and larger batches help throughput."
PROMPTS = "Short prompts fail on long documents and long prompts fail on short documents."
GENES = "Gene A activates gene B, which represses gene C."
MICE = "Mice lacking Foxp3 develop colitis, whereas mice lacking IL-2 develop anemia."


def conflicts(found: Iterable[Finding]) -> int:
    return sum(each.weight == "conflict" for each in found)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Long prompts fail on short documents.", PROMPTS),
        ("Mice lacking IL-2 develop anemia.", MICE),
        ("Tokens were never routed in parallel before.", "Lantern is the first to route tokens in parallel."),
    ],
)
def test_a_denial_that_the_evidence_shares_is_none_of_the_claims_own(claim: str, evidence: str) -> None:
    assert not conflicts(negation(align(read(claim), read(evidence))))


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Lantern does not route tokens in parallel.", "Lantern routes tokens in parallel."),
        ("Prior work does not prune the first layer.", "We prune the first layer."),
        ("The first layer was never pruned before.", "Lantern is the first to prune the layer."),
    ],
)
def test_a_denial_of_the_claims_own_is_found(claim: str, evidence: str) -> None:
    assert conflicts(negation(align(read(claim), read(evidence))))


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Lantern is less fast than Beacon.", "Lantern is slower than Beacon."),
        ("Lantern is weaker on long inputs.", "Lantern is less strong on long inputs."),
        ("Pruning makes training less expensive.", "Pruning makes training cheaper."),
        ("Larger batches help throughput.", BATCHES),
        ("Gene A activates gene B.", GENES),
    ],
)
def test_less_of_one_side_is_the_other(claim: str, evidence: str) -> None:
    assert not conflicts(direction(align(read(claim), read(evidence))))


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Lantern is less fast than Beacon.", "Lantern is faster than Beacon."),
        ("Pruning makes training less expensive.", "Pruning makes training more expensive."),
        ("Larger batches help generalization.", "Smaller batches help generalization."),
    ],
)
def test_the_other_side_is_found(claim: str, evidence: str) -> None:
    assert conflicts(direction(align(read(claim), read(evidence))))
