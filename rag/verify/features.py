"""A claim beside its evidence, as numbers for the fitted model, and the findings beside them.

Coverage is weighted by idf (a table fitted once, so that a score means the same in every corpus); the findings of
the checks enter by kind.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rag.text.names import names
from rag.text.tokens import terms
from rag.verify import acronyms, aliases, conflicts, entities, gaps, stance
from rag.verify.align import SAME, SYNONYM, Alignment, align
from rag.verify.denial import negation
from rag.verify.direction import direction
from rag.verify.displacing import displaced
from rag.verify.findings import Finding
from rag.verify.pairing import exchanged_pairs
from rag.verify.reading import Reading, read
from rag.verify.recombined import recombined

KINDS = tuple(
    "number comparator owner name negation softness direction swap exchange sides crossing substitution quantifier "
    "strength hedge identity foreign displaced".split()
)
NAMES = (
    "coverage", "stem_coverage", "soft_coverage", "worst_gap", "gaps", "gap_share", "opposites", "foreign_gaps",
    "pairs", "order", "density", "best_sentence", "length", "evidence_length", "names", "numbers", "denials",
    "evidence_denials", *gaps.NAMES, *stance.NAMES, *KINDS,
)  # fmt: skip


_MARKS = re.compile(
    r"\s*(?:\[\^?\d+(?:\s*[,–-]\s*\d+)*\]|【\d+】"
    r"|\((?:[^()]{0,40}\bet al\.?|[A-Z][\w'’-]+(?: (?:and|&) [A-Z][\w'’-]+)?)"
    r",? *(?:19|20)\d\d[a-z]?(?:;[^()]*)?\))"
)


_WRITERS = re.compile(
    r"\b(?:[Tt]he|[Tt]hese|[Ii]ts) (?:authors|researchers)\b"
    r"|\b(?:[Tt]h(?:e|is)|[Tt]heir) (?:paper|study|work|article|abstract)(?= (?:also )?[a-z]+s\b)"
)


_ONE_BY_ONE = re.compile(
    r"\b(?:(?:just |only )?(?:one|a single) (?:\w+ )?at a time|one (?:by|after) (?:one|another|the other)"
    r"|token by token)\b",
    re.IGNORECASE,
)
_AT_ONCE = re.compile(
    r"\b(?:all |whole (?:\w+ )?)?at once\b|\bin one go\b|(?=\bin (?:a single|one) (?:\w+ )?pass\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """`values` go with NAMES."""

    values: tuple[float, ...]
    findings: tuple[Finding, ...]


def compare(
    text: str,
    citations: Sequence[str],
    context: Sequence[str],
    idf: Mapping[str, float],
) -> Comparison:
    """Reads a claim against the evidence sentences; `context` (title, other sentences) only resolves names."""
    known = aliases.definitions((*citations, *context, text))
    known = _of_the_field(text, citations) | known
    said, shown = voiced(bare(text)), [shown_as(sentence) for sentence in citations]
    differing = aliases.differing(known, said, " ".join(citations))
    if differing:
        said = aliases.contract(said, differing)
        shown = [aliases.contract(sentence, differing) for sentence in shown]
    claim, sentences = read(said), [read(sentence) for sentence in shown]
    evidence = read(" . ".join(sentence.text for sentence in sentences))
    own, around = aliases.own_names((*context, *citations)), _stems(context)
    alignment = align(claim, evidence, own)
    findings = tuple(_findings(alignment, own, context, around))
    other = aliases.renamed(aliases.definitions((*citations, *context)), bare(text))
    if other:
        findings = (*findings, Finding("name", "veto", f"the sentence calls it otherwise than “{other}”"))

    def weigh(stem: str) -> float:
        return _weight(stem, idf)

    findings = (*findings, *gaps.foreign(alignment, weigh, context, around))
    values = (
        *_overlap(alignment, idf, around),
        _best(claim, sentences, idf),
        *_shape(claim, evidence),
        *gaps.values(alignment, weigh),
        *stance.values(claim, sentences, weigh),
        *_counts(findings),
    )
    return Comparison(values, findings)


def _stems(texts: Sequence[str]) -> frozenset[str]:
    return frozenset(stem for text in texts for stem in terms(text))


def bare(text: str) -> str:
    """The claim without its citation marks: `[1, 2]`, `(Chen et al., 2026)`."""
    return " ".join(_MARKS.sub(" ", text).split())


def voiced(text: str) -> str:
    """The writers' voice in one form: `the authors`, `this paper` as `we`; `one at a time` by its word."""
    return _ONE_BY_ONE.sub("sequentially", _with_one_voice(text))


def shown_as(text: str) -> str:
    """Evidence as a claim may put it: what is done `in a single pass` or `at once` is done in parallel."""
    return _AT_ONCE.sub("in parallel ", voiced(text))


def _with_one_voice(text: str) -> str:
    return _WRITERS.sub(lambda found: "We" if found.group()[0].isupper() else "we", text)


def _of_the_field(text: str, citations: Sequence[str]) -> dict[str, str]:
    """Acronyms of one side whose long form stands on the other, as the field defines them."""
    shown = " ".join(citations)
    said = dict(acronyms.meant((name.norm for name in names(text)), (shown,)))
    return dict(acronyms.meant((name.norm for name in names(shown)), (text,))) | said


def _findings(
    alignment: Alignment, own: frozenset[str], context: Sequence[str], around: frozenset[str]
) -> list[Finding]:
    claim, evidence = alignment.claim, alignment.evidence
    return [
        *entities.numbers(claim, evidence, context),
        *entities.owners(claim, evidence),
        *entities.missing_names(claim, evidence, own, context, around),
        *negation(alignment),
        *direction(alignment),
        *conflicts.swapped(alignment),
        *conflicts.substituted(alignment),
        *conflicts.of_another_name(alignment, own),
        *conflicts.uncaused(alignment),
        *conflicts.identified(alignment),
        *conflicts.of_others(alignment, own),
        *conflicts.unsaid(alignment),
        *conflicts.only_asked(alignment),
        *conflicts.priced(alignment),
        *conflicts.overstated(alignment),
        *displaced(alignment),
        *recombined(alignment),
        *exchanged_pairs(alignment),
    ]


def _counts(findings: Sequence[Finding]) -> list[float]:
    return [sum(finding.strength for finding in findings if finding.kind == kind) for kind in KINDS]


def _weight(stem: str, idf: Mapping[str, float]) -> float:
    return idf.get(stem, idf.get("", 8.0))


def _overlap(alignment: Alignment, idf: Mapping[str, float], around: frozenset[str]) -> list[float]:
    """The values from `coverage` to `density`, as NAMES lists them.

    A gap is a claim word that the evidence does not answer; a foreign one is nowhere in the paper.
    """
    claim = alignment.claim
    total = exact = kin = soft = worst = foreign = 0.0
    missing = opposites = 0
    for place in claim.content:
        stem = claim.words[place].stem
        weight = _weight(stem, idf)
        link = alignment.links.get(place)
        total += weight
        if link is not None and not link.opposite:
            exact += weight if link.weight == SAME else 0.0
            kin += weight if link.weight >= SYNONYM else 0.0
            soft += weight * link.weight
            continue
        worst, missing, opposites = max(worst, weight), missing + 1, opposites + (link is not None)
        foreign += weight if stem not in around else 0.0
    total, count = total or 1.0, len(claim.content) or 1
    shares = [exact / total, kin / total, soft / total, worst / 10, float(missing), missing / count]
    return [*shares, float(opposites), foreign / total, *_arrangement(alignment)]


def _arrangement(alignment: Alignment) -> list[float]:
    """pairs kept next to each other, share kept in order, and how closely the words stand in the evidence."""
    places = [alignment.place(word) for word in alignment.claim.content]
    found = [place for place in places if place is not None]
    if len(found) < 2:
        return [0.0, 0.0, 0.0]
    steps = [(a, b) for a, b in pairwise(places) if a is not None and b is not None]
    near = sum(abs(b - a) <= 4 for a, b in steps)
    onward = sum(b >= a for a, b in steps)
    spread = sorted(found)
    tight = spread[-1 - len(spread) // 10] - spread[len(spread) // 10] + 1
    count = max(1, len(places) - 1)
    return [near / count, onward / max(1, len(steps)), min(1.0, len(found) / tight)]


def _best(claim: Reading, sentences: Sequence[Reading], idf: Mapping[str, float]) -> float:
    """Stem coverage by the one best sentence."""
    total = sum(_weight(claim.words[p].stem, idf) for p in claim.content) or 1.0
    best = 0.0
    for sentence in sentences:
        stems = {word.stem for word in sentence.words}
        held = sum(_weight(claim.words[p].stem, idf) for p in claim.content if claim.words[p].stem in stems)
        best = max(best, held / total)
    return best


def _shape(claim: Reading, evidence: Reading) -> list[float]:
    return [
        math.log1p(len(claim.content)),
        math.log1p(len(evidence.content)),
        float(min(3, len(claim.names))),
        float(min(3, len(claim.quantities))),
        float(len(claim.negators)),
        float(min(3, len(evidence.negators))),
    ]
