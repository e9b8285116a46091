"""A topic across papers: what batches of papers say (map), and an overview over the claims that passed (reduce)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rag.generate.repairs import cited_evidence
from rag.generate.writing import Generation
from rag.model.contract import Model
from rag.types import Claim, DraftSentence, Evidence, Paper, Sentence

_SENTENCES_A_PAPER = 2


def findings(model: Model, topic: str, evidence: Sequence[Evidence], *, seconds: float) -> Generation:
    """What these papers say about `topic`, one or two sentences a paper. One call."""
    papers = len({item.paper.id for item in evidence})
    return Generation(
        model, "summary_map", evidence, seconds=seconds, most=_SENTENCES_A_PAPER * max(1, papers), topic=topic
    )


class Overview:
    """Sentences over verified claims; iterate as a Generation.

    Their keys are those of the claims' own evidence: they are checked against the abstracts, not against our text.
    """

    def __init__(
        self,
        model: Model,
        topic: str,
        claims: Sequence[Claim],
        evidence: Sequence[Evidence],
        *,
        seconds: float,
        most: int = 5,
    ) -> None:
        """`evidence` holds the sentences that the claims cite, under unique keys."""
        papers = {item.paper.id: item.paper for item in evidence}
        shown = [_as_evidence(at, claim, papers) for at, claim in enumerate(claims)]
        self.generation = Generation(model, "summary_reduce", shown, seconds=seconds, most=most, topic=topic)
        cited = [[item.key for item in cited_evidence(claim, evidence)] for claim in claims]
        self._keys = {item.key: cited[item.sentence.index] for item in self.generation.evidence}

    def __iter__(self) -> Iterator[DraftSentence]:
        for sentence in self.generation:
            keys = [name for key in sentence.keys for name in self._keys.get(key, [key])]
            yield replace(sentence, keys=tuple(dict.fromkeys(keys)))


def _as_evidence(at: int, claim: Claim, papers: Mapping[str, Paper]) -> Evidence:
    """A claim in the place of a sentence, under the paper that it cites first."""
    paper = replace(papers[claim.citations[0].paper_id], abstract=claim.text)
    return Evidence("", paper, Sentence(paper.id, at, 0, len(claim.text)))
