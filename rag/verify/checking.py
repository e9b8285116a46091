"""Whether cited sentences support a claim: one call, three outcomes, a probability, and why in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rag.verify import lexicon, model
from rag.verify.features import Comparison, compare
from rag.verify.findings import Finding
from rag.verify.reading import Reading, read

Outcome = Literal["supported", "contradicted", "not_found"]
TARGET = 0.05
_ABOUT_IT = 0.5
_NEARLY_WORD_FOR_WORD = 0.95


@dataclass(frozen=True, slots=True)
class Check:
    """`risk` bounds the chance that a wrong claim scores this well (1.0: no bound); `certified` says whether it means
    anything for this kind of claim."""

    outcome: Outcome
    probability: float
    reasons: tuple[str, ...] = ()
    risk: float = 1.0
    certified: bool = False
    coverage: float = 0.0


def check(text: str, citations: Sequence[str], *, context: Sequence[str] = (), target: float = TARGET) -> Check:
    """A claim against the sentences it cites. Never raises.

    `context` (the paper's title and other sentences) only says what names and acronyms mean. `target` is the risk
    up to which a claim counts as supported.
    """
    if not text.strip() or not any(citation.strip() for citation in citations):
        return Check("not_found", 0.0, ("nothing is cited",) if text.strip() else ("nothing is said",))
    if text.rstrip(" \"'”’)*_").endswith(("?", "？")):
        return Check("not_found", 0.0, ("a question claims nothing",))
    fitted = model.load()
    compared = compare(text, citations, context, fitted.idf)
    kind = kind_of(read(text))
    scores = fitted.scores(compared.values)
    risk = 1.0 if blocked(compared.findings) else fitted.calibration.risk(kind, scores.agreed)
    probability = fitted.probability(scores.mean)
    certified = fitted.calibration.covers(kind)
    outcome = _outcome(compared, risk, target, certified)
    reasons = () if outcome == "supported" else _reasons(compared.findings)
    return Check(outcome, probability, reasons, risk, certified, compared.values[1])


def compared(text: str, sentences: Sequence[str], context: Sequence[str] = ()) -> tuple[float, ...]:
    """What the checker would weigh of a text beside its evidence; the values go with `rag.verify.features.NAMES`."""
    return compare(text, sentences, context, model.load().idf).values


def blocked(findings: Sequence[Finding]) -> bool:
    """Whether a finding forbids support, however well the rest agrees."""
    return any(finding.weight != "doubt" for finding in findings)


def check_against(text: str, sentences: Sequence[str], *, context: Sequence[str] = ()) -> tuple[int, Check]:
    """A statement against each sentence of a paper: the index of the one that decides it, and what it says.

    Supported beats contradicted beats not found; among equals the closest wording wins. The index is -1 only when
    there are no sentences.
    """
    best: tuple[int, Check] = (-1, Check("not_found", 0.0, ("there is nothing to check against",)))
    for index, sentence in enumerate(sentences):
        found = check(text, [sentence], context=(*context, *sentences))
        if best[0] < 0 or _rank(found) > _rank(best[1]):
            best = (index, found)
    return best


def kind_of(claim: Reading) -> str:
    """The calibration's kinds: numeric and prose; `foreign` and `short` are not covered."""
    letters = [word for word in claim.words if not word.number]
    if sum(word.norm.isascii() for word in letters) < 0.7 * len(letters):
        return "foreign"
    if not any(word.norm in lexicon.FUNCTION_WORDS for word in letters) and len(letters) > 4:
        return "foreign"
    if len(claim.content) + len(claim.quantities) < 2:
        return "short"
    return "numeric" if claim.quantities else "prose"


def _outcome(compared: Comparison, risk: float, target: float, certified: bool) -> Outcome:
    if not blocked(compared.findings):
        if certified and risk <= target:
            return "supported"
        if not certified and not compared.findings and compared.values[0] >= _NEARLY_WORD_FOR_WORD:
            return "supported"
    about_it = compared.values[1] >= _ABOUT_IT
    return "contradicted" if about_it and any(_contradicts(f) for f in compared.findings) else "not_found"


def _contradicts(finding: Finding) -> bool:
    """A conflict, or a number where the evidence has another of its unit."""
    return finding.weight == "conflict" or (finding.kind == "number" and "sentence says" in finding.reason)


def _reasons(findings: Sequence[Finding]) -> tuple[str, ...]:
    order = {"veto": 0, "conflict": 1, "doubt": 2}
    found = sorted(findings, key=lambda finding: order[finding.weight])
    reasons = tuple(dict.fromkeys(finding.reason for finding in found))[:3]
    return reasons or ("the cited sentences say too little of it",)


def _rank(found: Check) -> tuple[int, float, float]:
    return (
        ("not_found", "contradicted", "supported").index(found.outcome),
        found.coverage,
        found.probability,
    )
