"""A sentence against the papers that may hold it: how far each paper's closest sentences support it or deny it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rag.text.normalise import plain
from rag.types import Paper, Sentence
from rag.verify.checking import blocked, denies
from rag.verify.features import NAMES, compare
from rag.verify.findings import Finding
from rag.verify.model import Model
from rag.verify.support import Span, context_of, leans, nearest

_SENTENCES = 3
"""Of a paper, weighed one by one; the closest two also together."""
_SURE = 0.97
_GAIN = 0.3
"""How much more of a statement a pair must hold than one sentence: one word taken from elsewhere in the abstract, the
commonest slip of the pen, would else be found in the other sentence."""
_AS_CLOSE = 0.1
"""Only the closest words can contradict: how much less they may hold than the paper's closest sentence."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What sentences of one paper make of a statement.

    `points` (0..1, higher is better supported) are 0 where something forbids support; `coverage` is the share of the
    statement's weight that the sentences hold; `conflict` says what they say otherwise. `denies`: so that the rest of
    the paper cannot support it.
    """

    spans: tuple[Span, ...]
    points: float
    coverage: float
    conflict: str = ""
    reason: str = ""
    verbatim: bool = False
    denies: bool = False

    @property
    def paper_id(self) -> str:
        return self.spans[0].paper.id


@dataclass(frozen=True, slots=True)
class Paperwise:
    """What each of a paper's closest sentences, and pairs of them, make of a statement."""

    weighed: tuple[Weighed, ...]

    @property
    def coverage(self) -> float:
        """Of the closest."""
        return max(each.coverage for each in self.weighed)

    @property
    def supporting(self) -> tuple[Weighed, ...]:
        """What may support: nothing where one of the closest sentences says otherwise, unless it is there word for
        word."""
        denied = any(each.denies and len(each.spans) == 1 and self.is_close(each) for each in self.weighed)
        return tuple(each for each in self.weighed if each.verbatim or not denied)

    def is_close(self, weighed: Weighed) -> bool:
        """Whether no other holds much more of the statement."""
        return weighed.coverage >= self.coverage - _AS_CLOSE


def weigh(reading: str, spans: Sequence[Span], fitted: Model) -> Weighed:
    """A statement against sentences of one paper, taken together."""
    if _bare(plain(reading)) == _bare(" ".join(plain(span.text) for span in spans)):
        return Weighed(tuple(spans), 1.0, 1.0, verbatim=True)
    compared = compare(reading, [span.text for span in spans], context_of(spans), fitted.idf)
    values = dict(zip(NAMES, compared.values, strict=True))
    points = 0.0 if blocked(compared.findings) else fitted.probability(fitted.scores(compared.values).mean)
    conflict = next((f.reason for f in compared.findings if _speaks_against(f)), "")
    reason = next((f.reason for f in sorted(compared.findings, key=_order)), "")
    return Weighed(
        tuple(spans), points, values["stem_coverage"], conflict, reason, denies=bool(denies(compared.findings))
    )


def _bare(text: str) -> str:
    return "".join(text.split()).rstrip(".。")


def _speaks_against(finding: Finding) -> bool:
    """A conflict, or a number where the sentence has another of its unit; a name that is only missing is none."""
    return finding.weight == "conflict" or (finding.kind == "number" and "sentence says" in finding.reason)


def _order(finding: Finding) -> int:
    return ("veto", "conflict", "doubt").index(finding.weight)


def in_paper(reading: str, paper: Paper, sentences: Sequence[Sentence], fitted: Model) -> Paperwise | None:
    """The paper's closest sentences, singly and in pairs; None where it shares no word with the statement."""
    near = nearest(reading, [Span(paper, sentence.start, sentence.end) for sentence in sentences])[:_SENTENCES]
    if not near:
        return None
    weighed = [weigh(reading, [span], fitted) for span in near]
    if max(each.points for each in weighed) < _SURE:
        weighed += (weigh(reading, pair, fitted) for pair in _pairs(near, paper, sentences))
    closest = max(each.coverage for each in weighed[: len(near)])
    kept = [each for each in weighed if len(each.spans) == 1 or each.verbatim or each.coverage >= closest + _GAIN]
    return Paperwise(tuple(kept))


def _pairs(near: Sequence[Span], paper: Paper, sentences: Sequence[Sentence]) -> Iterator[tuple[Span, ...]]:
    """The two closest sentences, and the closest with the one before it where it leans on that (`This reduces ...`)."""
    pairs = [near[:2]] if len(near) > 1 else []
    first = near[0]
    before = [sentence for sentence in sentences if sentence.end <= first.start]
    if before and leans(first.text):
        pairs.append((Span(paper, before[-1].start, before[-1].end), first))
    seen = set()
    for pair in pairs:
        ordered = tuple(sorted(pair, key=lambda span: span.start))
        if ordered not in seen:
            seen.add(ordered)
            yield ordered


def support(found: Sequence[Paperwise]) -> Weighed | None:
    """The best support among words as close to the statement as the closest that speak against it.

    The sentence beside a contradicted one often seems to support, because it has nothing to contradict with.
    """
    against = most_against(found)
    least = 0.0 if against is None else against.coverage - _AS_CLOSE
    near = [each for paper in found for each in paper.supporting if each.verbatim or each.coverage >= least]
    return max(near, key=lambda each: (each.points, each.coverage, -len(each.spans)), default=None)


def most_against(found: Iterable[Paperwise]) -> Weighed | None:
    """The closest single sentence that says otherwise, where its paper has none that is clearly closer."""
    grounds = [
        each
        for paper in found
        for each in paper.weighed
        if each.conflict and len(each.spans) == 1 and paper.is_close(each)
    ]
    return max(grounds, key=lambda each: each.coverage, default=None)
