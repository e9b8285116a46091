"""A manuscript against a corpus, sentence by sentence: find the papers that may say it, weigh them, give a verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from rag.checking.checkable import is_aside, of_the_writers, sets_apart, why_not
from rag.checking.clauses import parts
from rag.checking.evidence import Paperwise, Weighed, in_paper, most_against, support
from rag.checking.nouns import Checked, CheckedText, Cited, CitedVerdict, Verdict
from rag.checking.weights import Weights, load
from rag.checking.works import Works, said_of
from rag.library import Library
from rag.manuscript import Manuscript, Reference, Statement
from rag.retrieve import Retriever
from rag.text.orders import stating
from rag.text.tokens import STOPWORDS, content_terms, tokenise
from rag.types import Citation, Source
from rag.verify.checking import kind_of
from rag.verify.model import Model
from rag.verify.model import load as shipped_model
from rag.verify.reading import read
from rag.verify.support import leans

_PAPERS = 3
"""Papers looked into besides those that a sentence cites."""
_NEAR = 0.8
"""Share of a sentence that sets the writers' work apart which a paper must hold to be what is spoken of."""
_SAME_LANGUAGE = 0.5
"""Share of its words that the corpus must know of a sentence that has no function word."""
Step = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Finding:
    """What the corpus makes of one statement or clause. `papers`: each paper looked into; `own`: those it cites."""

    verdict: Verdict
    risk: float
    points: float
    ground: tuple[Weighed, ...]
    papers: dict[str, Paperwise]
    own: frozenset[str]
    reason: str = ""


class Judge:
    """Checks the statements of one manuscript, in order: a sentence that leans on the one before is read with it."""

    def __init__(
        self,
        manuscript: Manuscript,
        library: Library,
        retriever: Retriever,
        references: Sequence[Reference] = (),
        weights: Weights | None = None,
        model: Model | None = None,
    ) -> None:
        """`weights` and `model` are the shipped ones, unless they are being fitted."""
        self._manuscript, self._library, self._retriever = manuscript, library, retriever
        self._weights, self._model = weights or load(), model or shipped_model()
        self._works = Works(library, retriever, (*manuscript.layout.references, *references))
        self._before: tuple[Statement, tuple[str, ...]] | None = None

    def run(self, step: Step = lambda done, total: None) -> CheckedText:
        """Every sentence but the headings. Raises CorpusError."""
        statements = [each for each in self._manuscript.statements if not each.heading]
        checked = []
        for number, statement in enumerate(statements, start=1):
            checked.append(self.checked(statement))
            step(number, len(statements))
        ids = dict.fromkeys(citation.paper_id for each in checked for citation in each.citations)
        papers = self._library.get(list(ids))
        sources = tuple(Source(number, papers[id_]) for number, id_ in enumerate(ids, start=1))
        return CheckedText(self._manuscript.source, tuple(checked), sources, self._library.info)

    def checked(self, statement: Statement) -> Checked:
        """One statement's verdict."""
        found = self._checked(statement)
        how = {key.text: self._works.how(key) for mark in statement.marks for key in mark.keys}
        return replace(found, cited=tuple(replace(each, how=how[each.key]) for each in found.cited))

    def _checked(self, statement: Statement) -> Checked:
        text = self._manuscript.source.text[statement.start : statement.end]
        cited = self._cited(statement)
        bare = Checked(text, statement.start, statement.end, "not_checkable")
        if why := self._why_not(statement):
            return replace(bare, cited=_unjudged(cited), reason=why)
        finding = self.find(statement)
        self._before = (statement, tuple(dict.fromkeys(each.paper_id for each in finding.ground)))
        if finding.verdict == "not_checkable":
            return replace(bare, cited=_unjudged(cited), reason=finding.reason)
        return replace(
            bare,
            verdict=finding.verdict,
            risk=finding.risk,
            citations=_citations(finding.ground) if finding.verdict != "not_found" else (),
            cited=tuple(self._judged(key, ids, finding) for key, ids in cited),
            reason=finding.reason or _missing(finding, cited),
        )

    def _why_not(self, statement: Statement) -> str:
        why = why_not(statement.reading, cites=bool(statement.marks))
        kind = kind_of(read(statement.reading))
        if not why and kind == "short":
            return "too little is said"
        return "the checker reads English only" if not why and kind == "foreign" and self._foreign(statement) else why

    def _foreign(self, statement: Statement) -> bool:
        """Whether it has no English function word, and most of its words are none that this corpus knows."""
        if any(token.norm in STOPWORDS for token in tokenise(statement.reading)):
            return False
        words = content_terms(statement.reading)
        return sum(map(bool, self._library.document_frequency(words).values())) < _SAME_LANGUAGE * len(words)

    def _cited(self, statement: Statement) -> tuple[tuple[str, tuple[str, ...]], ...]:
        keys = dict.fromkeys(key for mark in statement.marks for key in mark.keys)
        return tuple((key.text, self._works.papers(key)) for key in keys if not self._works.is_note(key))

    def find(self, statement: Statement) -> Finding:
        """The statement as a whole, or, where that finds no support, each of its clauses."""
        whole = self._find(statement)
        if whole.verdict == "supported":
            return whole
        clauses = parts(self._manuscript.source.text, self._manuscript.layout, statement)
        if not clauses:
            return whole
        own = tuple(id_ for _, ids in self._cited(statement) for id_ in ids)
        return _together(whole, [self._find(clause, own) for clause in clauses])

    def _find(self, statement: Statement, more: Sequence[str] = ()) -> Finding:
        """`more` are papers cited elsewhere in the same sentence."""
        own = dict.fromkeys([*(id_ for _, ids in self._cited(statement) for id_ in ids), *more])
        looked = self._look(statement.reading, own)
        finding = self._verdict(looked, frozenset(own))
        if finding.verdict != "supported":
            looked.update(self._look(statement.reading, self._others(statement, looked)))
            finding = self._verdict(looked, frozenset(own))
        if why := self._of_the_writers(statement, finding):
            return replace(finding, verdict="not_checkable", reason=why)
        return finding

    def _of_the_writers(self, statement: Statement, finding: Finding) -> str:
        """Why not, where the writers speak of work of theirs that the corpus does not hold, or give their view: a paper
        that shares most of the words is that work, or is meant."""
        covered = max((each.coverage for each in finding.papers.values()), default=0.0)
        own = "about the writers' own work"
        if sets_apart(statement.reading):
            return own if covered < _NEAR else ""
        cites_none = not finding.own and not statement.marks
        if not cites_none or finding.verdict != "not_found" or covered >= self._weights.about:
            return ""
        return own if of_the_writers(statement.reading) else "an opinion" if is_aside(statement.reading) else ""

    def _others(self, statement: Statement, known: Iterable[str]) -> list[str]:
        """The papers that retrieval finds, and those that the sentence before rests on in the same paragraph."""
        query, near = statement.reading, tuple[str, ...]()
        if self._before is not None and self._before[0].block == statement.block:
            before, near = self._before
            if leans(statement.reading):
                query = f"{before.reading} {query}"
        hits = self._retriever.search(query, top_k=_PAPERS).hits
        return [id_ for id_ in dict.fromkeys([*near, *(hit.paper_id for hit in hits)]) if id_ not in set(known)]

    def _look(self, reading: str, ids: Iterable[str]) -> dict[str, Paperwise]:
        wanted = list(ids)
        papers, sentences = self._library.get(wanted), self._library.sentences(wanted)
        found = {
            id_: in_paper(said_of(reading, paper), paper, stating(paper.abstract, sentences[id_]), self._model)
            for id_, paper in papers.items()
        }
        return {id_: each for id_, each in found.items() if each is not None}

    def _verdict(self, looked: dict[str, Paperwise], own: frozenset[str]) -> Finding:
        """Support by a cited paper, else by another; else words that say otherwise; else nothing."""
        ranked = [[looked[id_] for id_ in looked if (id_ in own) is mine] for mine in (True, False)]
        for group in (ranked[0], ranked[0] + ranked[1]):
            top = support(group)
            if top is not None and self._supports(top):
                risk = 0.0 if top.verbatim else self._weights.risk(top.points)
                return Finding("supported", risk, top.points, (top,), looked, own)
        top = support(ranked[0] + ranked[1])
        points = top.points if top else 0.0
        for group in ranked:
            ground = most_against(group)
            if ground is not None and ground.coverage >= self._weights.against:
                return Finding("contradicted", 1.0, points, (ground,), looked, own, ground.conflict)
        reason = _closest_reason(looked, self._weights.about)
        return Finding("not_found", 1.0, points, (), looked, own, reason)

    def _supports(self, found: Weighed | None) -> bool:
        return found is not None and (found.verbatim or self._weights.supports(found.points))

    def _judged(self, key: str, ids: tuple[str, ...], finding: Finding) -> Cited:
        """Right where one of the papers it may stand for is. A second citation of a supported sentence is wrong only
        where its paper is about something else."""
        if not ids:
            return Cited(key, None, "unknown")
        grounds = {each.paper_id for each in finding.ground}
        for id_ in ids:
            alone = [finding.papers[id_]] if id_ in finding.papers else []
            if id_ in grounds or (finding.verdict == "supported" and self._supports(support(alone))):
                return Cited(key, id_, "right")
        verdict: CitedVerdict = "unknown"
        if finding.verdict == "supported":
            near = max((p.coverage for id_ in ids if (p := finding.papers.get(id_))), default=0.0)
            verdict = "right" if grounds & finding.own and near >= self._weights.about else "wrong_paper"
        return Cited(key, ids[0] if len(ids) == 1 or verdict != "unknown" else None, verdict)


def _together(whole: Finding, clauses: Sequence[Finding]) -> Finding:
    """A sentence holds when each clause does; it is contradicted when one is."""
    papers = {**whole.papers, **{id_: each for clause in clauses for id_, each in clause.papers.items()}}
    points = max(whole.points, min(clause.points for clause in clauses))
    if all(clause.verdict == "supported" for clause in clauses):
        ground = tuple(each for clause in clauses for each in clause.ground)
        risk = min(1.0, sum(clause.risk for clause in clauses))
        return Finding("supported", risk, points, ground, papers, whole.own)
    against = next((clause for clause in clauses if clause.verdict == "contradicted"), None)
    if against is not None and whole.verdict != "contradicted":
        return replace(against, points=points, papers=papers, own=whole.own)
    return replace(whole, points=points)


def _closest_reason(looked: dict[str, Paperwise], about: float) -> str:
    top = max(
        (each for paper in looked.values() for each in paper.weighed),
        key=lambda each: each.coverage,
        default=None,
    )
    if top is None or top.coverage < about:
        return "no paper of this corpus is about this"
    return f"closest: {top.paper_id}" + (f"; {top.reason}" if top.reason else "")


def _missing(finding: Finding, cited: Sequence[tuple[str, tuple[str, ...]]]) -> str:
    unknown = [key for key, ids in cited if not ids]
    if finding.verdict == "not_found" and unknown:
        return f"not in this corpus: {', '.join(unknown)}"
    return ""


def _unjudged(cited: Sequence[tuple[str, tuple[str, ...]]]) -> tuple[Cited, ...]:
    return tuple(Cited(key, ids[0] if len(ids) == 1 else None, "unknown") for key, ids in cited)


def _citations(ground: Sequence[Weighed]) -> tuple[Citation, ...]:
    return tuple(dict.fromkeys(span.citation() for each in ground for span in each.spans))
