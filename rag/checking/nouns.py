"""What a check of a manuscript says: a verdict a sentence, a verdict a citation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from rag.manuscript import Source as Text
from rag.types import Citation, CorpusInfo, Source

Verdict = Literal["supported", "contradicted", "not_found", "not_checkable"]
CitedVerdict = Literal["right", "wrong_paper", "unknown"]


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation in the text. `unknown` without a paper: it is not in this corpus; with one: the paper is there, and
    whether it is the right one for this sentence cannot be said. `how` says by what a key without an entry was matched
    when that is less than its author and year ("the name of its system"), else ""."""

    key: str
    paper_id: str | None
    verdict: CitedVerdict
    how: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """A sentence, `text[start:end]` of the file. `citations` are the words that support it, or that contradict it.

    `risk` bounds the chance that a wrong sentence is called supported: 1.0 where it is not. `reason` says why in plain
    words, "" where nothing needs saying.
    """

    text: str
    start: int
    end: int
    verdict: Verdict
    risk: float = 1.0
    citations: tuple[Citation, ...] = ()
    cited: tuple[Cited, ...] = ()
    reason: str = ""

    @property
    def flagged(self) -> bool:
        """Whether someone should look at it: contradicted, not found, or with a wrong citation."""
        wrongly = any(each.verdict == "wrong_paper" for each in self.cited)
        return wrongly or self.verdict in ("contradicted", "not_found")


@dataclass(frozen=True, slots=True)
class CheckedText:
    """A manuscript checked; headings are left out of `sentences`. `sources` are numbered by first use, without gaps."""

    source: Text
    sentences: tuple[Checked, ...]
    sources: tuple[Source, ...]
    corpus: CorpusInfo

    @property
    def flagged(self) -> tuple[Checked, ...]:
        return tuple(each for each in self.sentences if each.flagged)

    @property
    def counts(self) -> Mapping[str, int]:
        """How many sentences got each verdict, and `wrong_paper`: how many citations did."""
        verdicts = Counter[str](dict.fromkeys(get_args(Verdict), 0))
        verdicts.update(each.verdict for each in self.sentences)
        wrong = sum(cited.verdict == "wrong_paper" for each in self.sentences for cited in each.cited)
        return {**verdicts, "wrong_paper": wrong}
