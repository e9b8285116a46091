"""Quote fidelity: what is shown as a document's words must be those words, at the place that is said.

A quote that fails is told apart: `moved` (the document's words, another place), `misattributed` (another document's),
`stitched` (real words, never contiguous), `altered` (shown as a quote, but not what is quoted), `fabricated` (nowhere).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from evals.material.cases import Question
from evals.scorers.judge import Judge
from evals.scorers.record import Cited, Record, Statement
from evals.scorers.score import Score, plural, share, short, undefined

Fate = Literal["exact", "moved", "misattributed", "stitched", "altered", "fabricated"]
_IN_TEXT = re.compile(r"[\"“]([^\"“”]{12,}?)[\"”]")
_FEWEST_WORDS = 4
"""A shorter run of words in quotation marks is a name or a term, no quotation."""
_PIECE = 2
"""Words in a row that count as taken from a document."""


def fidelity(_: Question | None, record: Record, judge: Judge) -> Score:
    """Quotes that are `document[start:end]`, whole words / all quotes shown."""
    fates = list(quotes(record))
    if not fates:
        return undefined("it abstained" if record.abstained else "nothing is quoted")
    faults = [f"{fate}: {short(text)}" for text, fate in fates if fate != "exact"]
    exact = len(fates) - len(faults)
    return share(exact, len(fates), f"{exact} of {plural(len(fates), 'quote')} exact", faults)


def quotes(record: Record) -> Iterator[tuple[str, Fate]]:
    """Every quote shown, and what it is."""
    for statement in record.statements:
        for citation in statement.citations:
            if citation.quote is not None:
                yield citation.quote, _fate_of_citation(citation, record.documents)
        if statement.verbatim and not _is_its_quotes(statement):
            yield statement.text, "altered"
        for match in _IN_TEXT.finditer(statement.text):
            if not statement.verbatim and len(match[1].split()) >= _FEWEST_WORDS:
                yield match[1], _fate_of_words(match[1], statement, record)


def _fate_of_citation(citation: Cited, documents: Mapping[str, str]) -> Fate:
    quote = citation.quote or ""
    own = citation.within or documents.get(citation.document or "", citation.passage or "")
    if citation.start is None or citation.end is None:
        return _fate(quote, own, documents)
    if own[citation.start : citation.end] == quote and _whole_words(own, citation.start, citation.end):
        return "exact"
    found = _fate(quote, own, documents)
    return "moved" if found == "exact" else found


def _fate_of_words(words: str, statement: Statement, record: Record) -> Fate:
    """Titles may be put in quotation marks like a document's text."""
    cited = [document for each in statement.citations if (document := each.document) is not None]
    of_cited = (record.documents.get(each, "") + "\n" + record.titles.get(each, "") for each in cited)
    everything = {**record.documents, **{passage.key: passage.text for passage in record.passages}}
    return _fate(words.rstrip(".,;: "), "\n".join((*statement.passages, *of_cited)), everything)


def _fate(quote: str, own: str, documents: Mapping[str, str]) -> Fate:
    bare = " ".join(quote.split())
    if bare and bare in " ".join(own.split()):
        return "exact"
    others = [" ".join(text.split()) for text in documents.values()]
    if bare and any(bare in other for other in others):
        return "misattributed"
    return "stitched" if _in_pieces(bare.split(), [" ".join(own.split()), *others]) else "fabricated"


def _in_pieces(words: list[str], texts: list[str]) -> bool:
    """Whether the words part into runs of at least two that each stand somewhere, the longest run first."""
    at = 0
    while at < len(words):
        end = len(words)
        while end - at >= _PIECE and not any(" ".join(words[at:end]) in text for text in texts):
            end -= 1
        if end - at < _PIECE:
            return False
        at = end
    return len(words) > _PIECE


def _whole_words(text: str, start: int, end: int) -> bool:
    """Neither end cuts a word in two, and no white space hangs over."""
    if not 0 <= start < end <= len(text) or text[start].isspace() or text[end - 1].isspace():
        return False
    cuts_before = start > 0 and _latin(text[start - 1]) and _latin(text[start])
    cuts_after = end < len(text) and _latin(text[end - 1]) and _latin(text[end])
    return not (cuts_before or cuts_after)


def _latin(char: str) -> bool:
    """Letters of scripts that part words by spaces."""
    return char.isalnum() and ord(char) < 0x2E80


def _is_its_quotes(statement: Statement) -> bool:
    """Whether the text is one of its quotes, or all of them in a row."""
    text = "".join(statement.text.split())
    each = ["".join((citation.quote or "").split()) for citation in statement.citations]
    return text in each or text == "".join(each)
