"""Whether cited sentences support a claim: one call, three outcomes, a probability, and why in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import Literal

from rag.text.tokens import content_terms
from rag.verify import lexicon, model
from rag.verify.features import Comparison, compare
from rag.verify.findings import Finding
from rag.verify.reading import Reading, read

Outcome = Literal["supported", "contradicted", "not_found"]
TARGET = 0.05
_ABOUT_IT = 0.5
_OTHERS, _AS_CLOSE = 2, 0.1
"""Other sentences of the paper that are heard against a claim, and how much less of it they may hold."""
_OF_ONE_SENTENCE = frozenset(("number", "comparator", "owner", "name", "substitution"))
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
    if outcome == "supported" and (against := _denied_elsewhere(text, citations, context, compared.values[1])):
        return Check("contradicted", probability, (against,), 1.0, certified, compared.values[1])
    reasons = () if outcome == "supported" else _reasons(compared.findings)
    return Check(outcome, probability, reasons, risk, certified, compared.values[1])


def denies(findings: Sequence[Finding]) -> str:
    """What a sentence says against a claim, so that the rest of its paper cannot support it; empty for nothing. What
    it lacks (a name, a number, a denial), or has another of, says nothing of the other sentences."""
    return next((f.reason for f in findings if f.weight == "conflict" and not _lacks(f)), "")


def _lacks(finding: Finding) -> bool:
    return finding.kind in _OF_ONE_SENTENCE or (finding.kind == "negation" and finding.reason.startswith("the claim"))


def _denied_elsewhere(text: str, citations: Sequence[str], context: Sequence[str], coverage: float) -> str:
    """What the closest of the paper's other sentences says against a claim, where it holds the claim about as well."""
    shown = " ".join(citations)
    wanted = set(content_terms(text))
    others = [(len(wanted.intersection(content_terms(each))), each) for each in context if each not in shown]
    for _, other in nlargest(_OTHERS, (each for each in others if 2 * each[0] > len(wanted))):
        found = compare(text, [other], context, model.load().idf)
        if found.values[1] >= coverage - _AS_CLOSE and (reason := denies(found.findings)):
            return reason
    return ""


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
