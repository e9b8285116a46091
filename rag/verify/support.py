"""Evidence behind a claim: what a key means, the sentence before one that leans on it, which citations are needed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rag.text.normalise import fold
from rag.text.sentences import split
from rag.text.tokens import content_terms
from rag.types import Citation, Evidence, Paper
from rag.verify import lexicon
from rag.verify.checking import Check, check
from rag.verify.reading import read

_CANDIDATES = 6


@dataclass(frozen=True, slots=True)
class Span:
    """A slice of an abstract that a claim may cite."""

    paper: Paper
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.paper.abstract[self.start : self.end]

    def citation(self) -> Citation:
        return Citation(self.paper.id, self.start, self.end, self.text)


@dataclass(frozen=True, slots=True)
class Support:
    """Spans and what they make of a claim."""

    spans: tuple[Span, ...]
    check: Check

    @property
    def risk(self) -> float:
        return self.check.risk if self.check.outcome == "supported" else 1.0


def span_of(evidence: Evidence) -> Span:
    """The evidence sentence without white space around it."""
    start, end, abstract = evidence.sentence.start, evidence.sentence.end, evidence.paper.abstract
    while start < end and abstract[start].isspace():
        start += 1
    while end > start and abstract[end - 1].isspace():
        end -= 1
    return Span(evidence.paper, start, end)


def verbatim(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Whole sentences, one or several in a row of one abstract, that the text repeats; else ().

    White space, case and spelling (LaTeX for `×`, straight quotes for curly ones) do not count: what is shown is the
    abstract's own text.
    """
    wanted = _bare(text)
    if not wanted:
        return ()
    for first in spans:
        if not wanted.startswith(_bare(first.text)):
            continue
        run = [first]
        while _joined(run) != wanted and len(_joined(run)) < len(wanted):
            following = next((s for s in spans if s.paper.id == first.paper.id and s.start >= run[-1].end
                              and not first.paper.abstract[run[-1].end : s.start].strip()), None)  # fmt: skip
            if following is None:
                break
            run.append(following)
        if _joined(run) == wanted:
            return tuple(run)
    return ()


def quotation(run: Sequence[Span]) -> str:
    """The abstract's own text from the first of these sentences to the last."""
    return run[0].paper.abstract[run[0].start : run[-1].end]


def _bare(text: str) -> str:
    return _letters(text).rstrip(".。")


def _joined(run: Sequence[Span]) -> str:
    return "".join(_letters(span.text) for span in run).rstrip(".。")


@lru_cache(maxsize=4096)
def _letters(text: str) -> str:
    return "".join(fold(text).split())


@lru_cache(maxsize=512)
def sentences_of(paper: Paper) -> tuple[str, ...]:
    return tuple(paper.abstract[start:end] for start, end in split(paper.abstract))


def context_of(spans: Iterable[Span]) -> tuple[str, ...]:
    """Titles and abstracts of the cited papers, sentence by sentence: what names and acronyms mean there."""
    papers = {span.paper.id: span.paper for span in spans}
    return tuple(text for paper in papers.values() for text in (paper.title, *sentences_of(paper)))


def judge(text: str, spans: Sequence[Span], target: float) -> Support:
    """The claim against these spans; when one leans on the sentence before it, against both."""
    found = Support(tuple(spans), check(text, [s.text for s in spans], context=context_of(spans), target=target))
    if found.check.outcome == "supported" or not spans:
        return found
    wider = tuple(spans) + tuple(before for span in spans if (before := _before(span)) and before not in spans)
    if len(wider) == len(spans):
        return found
    wider = tuple(sorted(wider, key=lambda s: (s.paper.id, s.start)))
    again = check(text, [s.text for s in wider], context=context_of(wider), target=target)
    return Support(wider, again) if again.outcome == "supported" else found


def _before(span: Span) -> Span | None:
    """The sentence that a leaning one (`This reduces...`) rests on."""
    words = read(span.text).words[:3]
    if not any(word.norm in lexicon.LEANING for word in words):
        return None
    earlier = [(start, end) for start, end in split(span.paper.abstract) if end <= span.start]
    return Span(span.paper, *earlier[-1]) if earlier else None


def trimmed(text: str, support: Support, target: float) -> Support:
    """Without the citations that neither support the claim alone nor are needed by it (ALCE's precision, Gao et al.,
    EMNLP 2023)."""
    kept = support
    for span in support.spans:
        rest = tuple(other for other in kept.spans if other != span)
        if not rest:
            break
        without = judge(text, rest, target)
        if without.risk <= target and judge(text, (span,), target).risk > target and set(without.spans) <= set(rest):
            kept = without
    return kept


def nearest(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """The spans that share most words with a text, best first."""
    wanted = set(content_terms(text))
    scored = [(len(wanted.intersection(content_terms(span.text))), -place, span) for place, span in enumerate(spans)]
    return tuple(span for shared, _, span in sorted(scored, key=lambda s: s[:2], reverse=True) if shared)[:_CANDIDATES]


def leans(text: str) -> bool:
    """Whether a claim's subject stands in an earlier sentence (`It`, `This gain`, `Both`)."""
    words = [word.norm for word in read(fold(text)).words[:4]]
    return bool(words) and (words[0] in lexicon.LEANING or any(w in lexicon.LEANING - {"that"} for w in words[1:3]))
