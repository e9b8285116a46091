"""Two things told beside each other: each with the other's share is refused, each with its own is not."""

from __future__ import annotations

import pytest

from rag.verify.align import align
from rag.verify.pairing import exchanged_pairs
from rag.verify.reading import read

DRIFT = (
    "The tide planner shortens long routes through a learned shortcut policy, and the wind planner balances the fuel "
    "budget through a linear program."
)
PARTS = (
    "Lantern has three light parts: (i) a condenser for summarising intermediate decoder states, (ii) a shaper for "
    "steering the next image tokens."
)
NEEDS = (
    "Lantern improves five tasks, lowering the need for labels by 20-60\\% and speeding convergence up by 2$\\times$."
)


def found(claim: str, evidence: str) -> bool:
    return any(exchanged_pairs(align(read(claim), read(evidence))))


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("A linear program shortens long routes while a learned shortcut policy balances the fuel budget.", DRIFT),
        ("The wind planner shortens long routes, and the tide planner balances the fuel budget.", DRIFT),
        ("Lantern speeds convergence up by 20-60% and lowers the need for labels by 2x.", NEEDS),
        ("The shaper sums up intermediate decoder states whereas the condenser steers the next image tokens.", PARTS),
    ],
)
def test_each_with_the_other_s_share(claim: str, evidence: str) -> None:
    assert found(claim, evidence)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("A learned shortcut policy shortens long routes while a linear program balances the fuel budget.", DRIFT),
        ("The wind planner balances the fuel budget, and the tide planner shortens long routes.", DRIFT),
        ("Lantern lowers the need for labels by 20-60% and speeds convergence up by 2x.", NEEDS),
        ("The condenser sums up intermediate decoder states whereas the shaper steers the next image tokens.", PARTS),
        ("Image tokens are steered by the shaper, and intermediate decoder states summed up by the condenser.", PARTS),
        ("The shaper and the condenser are light parts of Lantern.", PARTS),
    ],
)  # fmt: skip
def test_each_with_its_own(claim: str, evidence: str) -> None:
    assert not found(claim, evidence)
