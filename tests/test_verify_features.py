"""What the checker reads beside the words themselves."""

from __future__ import annotations

from rag.verify.checking import check
from rag.verify.features import compare
from rag.verify.model import load


def kinds(claim: str, evidence: str) -> dict[str, str]:
    return {found.kind: found.weight for found in compare(claim, [evidence], (), load().idf).findings}


DRAFTS = "By generating draft tokens in a single forward pass, Lantern enables efficient drafting."


def test_one_at_a_time_is_not_in_a_single_pass() -> None:
    claim = "Lantern generates draft tokens one at a time."
    assert kinds(claim, DRAFTS)["direction"] == "conflict"
    assert check(claim, [DRAFTS]).outcome == "contradicted"
    assert "direction" not in kinds(claim, claim)


def test_several_things_fit_into_a_single_one() -> None:
    claim = "Lantern generates several draft tokens in a single forward pass."
    assert "direction" not in kinds(claim, DRAFTS)
    assert check(claim, [DRAFTS]).outcome != "contradicted"
