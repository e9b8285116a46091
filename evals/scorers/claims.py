"""What `check` and `verify` make of labelled claims: the scorers' own yardstick, and the engine's guard, measured.

A claim goes two ways: `check` tells the three outcomes apart, and `verify` gets it as a drafted sentence that cites
the named papers. It leaks when a wrong one comes out as it was written.
"""

from __future__ import annotations

from dataclasses import dataclass

from evals.material.cases import ClaimCase
from evals.scorers.score import Score, single, undefined


@dataclass(frozen=True, slots=True)
class Checked:
    """`outcome` of `check` against the named papers; `shown`: `verify` let the claim through as it was written."""

    outcome: str
    shown: bool
    reasons: tuple[str, ...] = ()
    probability: float = 0.0
    risk: float = 1.0


def kept(claim: ClaimCase, checked: Checked) -> Score:
    """Whether a true claim is shown."""
    if claim.label != "supported":
        return undefined("the claim is not true")
    return single(checked.shown, "shown" if checked.shown else _why(checked, "held back"))


def leaked(claim: ClaimCase, checked: Checked) -> Score:
    """Whether a claim that its papers do not support is shown as it was written."""
    if claim.label == "supported":
        return undefined("the claim is true")
    return single(checked.shown, f"shown, though {claim.label.replace('_', ' ')}" if checked.shown else "held back")


def told_apart(claim: ClaimCase, checked: Checked) -> Score:
    """Whether the outcome is the label. An opinion has no outcome to tell."""
    if claim.label == "not_checkable":
        return undefined("an opinion is not checkable")
    right = checked.outcome == claim.label
    return single(right, f"{checked.outcome}; labelled {claim.label}", checked.reasons)


def edit_missed(claim: ClaimCase, checked: Checked) -> Score:
    """Whether an edited claim (a number, a negation, a name...) still counts as supported."""
    if claim.label == "supported":
        return undefined("the claim is true")
    missed = checked.outcome == "supported"
    return single(missed, f"{claim.edit} not noticed" if missed else f"{claim.edit} noticed")


def _why(checked: Checked, what: str) -> str:
    return f"{what}: {'; '.join(checked.reasons)}" if checked.reasons else what
