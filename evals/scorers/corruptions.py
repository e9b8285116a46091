"""Controlled harm to good answers, one kind at a time, and what each must move: the scorers' own test.

A corruption returns None where it does not apply. `moves` names the metrics it must worsen and by how much at least,
on average over the answers it was applied to; `may` names those that can follow; every other metric must stay.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from evals.material import edits
from evals.scorers.record import Cited, Passage, Record, Statement

Corrupt = Callable[[Record, random.Random], Record | None]
_AT_RIGHT_PAPERS = ("first_paper", "paper_recall", "paper_precision", "sentence_recall", "coverage")
_RIGHT = ("fact_recall", "accuracy", "precision", "premise_corrected", "forbidden_facts", "premise_confirmed")
_OF_CITATIONS = ("citation_recall", "citation_precision", "citation_f1")


@dataclass(frozen=True, slots=True)
class Corruption:
    name: str
    what: str
    corrupt: Corrupt
    moves: Mapping[str, float]
    may: tuple[str, ...] = ()


def swap_citation(record: Record, rng: random.Random) -> Record | None:
    """The first sentence cites a sentence of another paper instead."""
    stranger = _stranger(record, rng)
    if stranger is None:
        return None
    first = record.statements[0]
    return _with_first(record, replace(first, citations=(_citing(stranger, record), *first.citations[1:])))


def drop_citation(record: Record, rng: random.Random) -> Record | None:
    return _with_first(record, replace(record.statements[0], citations=())) if record.statements else None


def add_irrelevant(record: Record, rng: random.Random) -> Record | None:
    stranger = _stranger(record, rng)
    if stranger is None:
        return None
    first = record.statements[0]
    return _with_first(record, replace(first, citations=(*first.citations, _citing(stranger, record))))


def invent_id(record: Record, rng: random.Random) -> Record | None:
    if not record.statements:
        return None
    first = record.statements[0]
    return _with_first(record, replace(first, citations=(*first.citations, Cited("99"))))


def change_number(record: Record, rng: random.Random) -> Record | None:
    return _edited(record, rng, edits.number)


def negate(record: Record, rng: random.Random) -> Record | None:
    return _edited(record, rng, edits.negation)


def swap_names(record: Record, rng: random.Random) -> Record | None:
    return _edited(record, rng, edits.name)


def turn_direction(record: Record, rng: random.Random) -> Record | None:
    return _edited(record, rng, edits.direction)


def move_quote(record: Record, rng: random.Random) -> Record | None:
    """The quote begins a word later than the offsets say, and ends a word later too."""
    return _requoted(record, lambda cited, text: _a_word_later(text, cited.start, cited.end))


def stitch_quote(record: Record, rng: random.Random) -> Record | None:
    """The quote leaves out its middle."""
    return _requoted(record, lambda cited, text: _without_middle(cited.quote or ""))


def fabricate_quote(record: Record, rng: random.Random) -> Record | None:
    return _requoted(record, lambda cited, text: "Extensive trials on seven unseen continents confirm every claim.")


def abstain(record: Record, rng: random.Random) -> Record | None:
    return replace(record, statements=(), abstained=True) if record.statements else None


def answer_anyway(record: Record, rng: random.Random) -> Record | None:
    """Something is answered where there is nothing to say."""
    return replace(record, statements=(Statement("Yes."),), abstained=False) if record.abstained else None


def lose_papers(record: Record, rng: random.Random) -> Record | None:
    """Retrieval no longer finds the papers that are cited."""
    kept = tuple(paper for paper in record.ranked or () if paper not in record.cited_documents)
    return replace(record, ranked=kept) if len(kept) < len(record.ranked or ()) else None


def demote(record: Record, rng: random.Random) -> Record | None:
    """Retrieval finds what is cited last of all."""
    ranked = record.ranked or ()
    last = tuple(paper for paper in ranked if paper in record.cited_documents)
    first = tuple(paper for paper in ranked if paper not in last)
    return replace(record, ranked=first + last) if first and last else None


CORRUPTIONS = (
    Corruption(
        "swap_citation",
        "a citation of another paper",
        swap_citation,
        {"citation_recall": 0.4, "citation_precision": 0.4, "citation_f1": 0.4, "misattribution": 0.4},
        (*_AT_RIGHT_PAPERS, *_RIGHT),
    ),
    Corruption(
        "drop_citation",
        "a sentence without its citation",
        drop_citation,
        {"citation_recall": 0.4},
        ("citation_f1", *_AT_RIGHT_PAPERS, *_RIGHT),
    ),
    Corruption(
        "add_irrelevant",
        "one citation too many",
        add_irrelevant,
        {"citation_precision": 0.2, "citation_f1": 0.1, "paper_precision": 0.2},
    ),
    Corruption(
        "invent_id",
        "an id that was never given",
        invent_id,
        {"citation_validity": 0.2, "citation_recall": 0.4, "citation_precision": 0.2, "citation_f1": 0.3},
        ("coverage",),
    ),
    Corruption(
        "change_number",
        "one number for another",
        change_number,
        {"citation_recall": 0.4, "faithfulness": 0.4, "citation_precision": 0.4, "citation_f1": 0.4},
        ("contradiction", *_RIGHT, "coverage"),
    ),
    Corruption(
        "negate",
        "a negation put in or taken out",
        negate,
        {"citation_recall": 0.4, "faithfulness": 0.4, "contradiction": 0.25},
        # What is denied may be what another passage denies; the checker takes one of 29 for that, wrongly.
        (*_OF_CITATIONS, "misattribution", *_RIGHT, "coverage"),
    ),
    Corruption(
        "swap_names",
        "one name for another",
        swap_names,
        {"citation_recall": 0.3, "faithfulness": 0.3},
        (*_OF_CITATIONS, "contradiction", *_RIGHT, "coverage"),
    ),
    Corruption(
        "turn_direction",
        "a word for its opposite",
        turn_direction,
        {"citation_recall": 0.3, "faithfulness": 0.3},
        (*_OF_CITATIONS, "contradiction", *_RIGHT, "coverage"),
    ),
    Corruption("move_quote", "a quote moved by a word", move_quote, {"quote_fidelity": 0.4}, _RIGHT),
    Corruption("stitch_quote", "a quote without its middle", stitch_quote, {"quote_fidelity": 0.4}, _RIGHT),
    Corruption("fabricate_quote", "a quote of nothing", fabricate_quote, {"quote_fidelity": 0.4}, _RIGHT),
    Corruption(
        "abstain",
        "no answer to an answerable question",
        abstain,
        {
            "false_refusal": 0.99,
            "abstention": 0.99,
            "accuracy": 0.9,
            "first_paper": 0.9,
            "sentence_recall": 0.9,
        },
        ("paper_recall", *_RIGHT, "coverage"),
    ),
    Corruption(
        "answer_anyway",
        "an answer where there is none",
        answer_anyway,
        {"unsupported_answer": 0.99, "abstention": 0.99},
        ("premise_corrected", "premise_confirmed"),
    ),
    Corruption(
        "lose_papers",
        "gold papers not retrieved",
        lose_papers,
        {"recall_at_10": 0.9, "ndcg_at_10": 0.9, "mrr": 0.9},
    ),
    Corruption("demote", "gold papers ranked last", demote, {"ndcg_at_10": 0.2, "mrr": 0.3}),
)


def _with_first(record: Record, statement: Statement) -> Record:
    return replace(record, statements=(statement, *record.statements[1:]))


def _stranger(record: Record, rng: random.Random) -> Passage | None:
    """A passage of a paper that the answer does not cite."""
    if not record.statements:
        return None
    pool = [passage for passage in record.passages if passage.document not in record.cited_documents]
    return rng.choice(pool) if pool else None


def _citing(passage: Passage, record: Record) -> Cited:
    start = record.documents[passage.document].index(passage.text)
    return Cited(passage.key, passage.document, passage.text, passage.text, start, start + len(passage.text))


def _edited(record: Record, rng: random.Random, edit: edits.Edit) -> Record | None:
    if not record.statements:
        return None
    first = record.statements[0]
    own = record.documents[record.cited_documents[0]]
    others = [passage.text for passage in record.passages if passage.text != first.text and passage.text in own]
    strangers = [title for document, title in record.titles.items() if document not in record.cited_documents]
    text = edit(edits.Source(first.text, others, strangers), rng)
    if text is None or "".join(text.split()) == "".join(first.text.split()):
        return None
    return _with_first(record, replace(first, text=text))


def _requoted(record: Record, change: Callable[[Cited, str], str | None]) -> Record | None:
    if not record.statements:
        return None
    first = record.statements[0]
    cited = first.citations[0]
    quote = change(cited, record.documents[cited.document or ""])
    if quote is None or quote == cited.quote:
        return None
    return _with_first(record, replace(first, citations=(replace(cited, quote=quote), *first.citations[1:])))


def _a_word_later(text: str, start: int | None, end: int | None) -> str | None:
    if start is None or end is None:
        return None
    first = text.find(" ", start, end)
    last = text.find(" ", end + 1)
    return text[first + 1 : last if last > 0 else len(text)] if first > 0 else None


def _without_middle(quote: str) -> str | None:
    words = quote.split()
    if len(words) < 10:
        return None
    third = len(words) // 3
    return " ".join((*words[:third], *words[-third:]))
