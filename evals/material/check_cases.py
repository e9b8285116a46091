"""Sentences to check a manuscript's checker with: right ones, wrong ones, opinions; each a small text of its own.

* `seeds`: evals/claims/seeds.jsonl and reworded.jsonl over the shipped abstracts.
* `authored`: evals/claims/shared.jsonl, those over ICML 2026, in our own words.
* `icml`: evals/claims/icml.jsonl (hand-written), and sentences of ICML 2026 abstracts, reworded by rule (right), then
  edited (wrong); each against all 5,862 abstracts. A part of them cites a paper, the right one or another.

The edit that puts another word of the abstract in a word's place is left to the hand-written ones: made by rule, most
of its sentences say nothing at all ("small introduce can be scaled up").

Split by paper: what is fitted never sees a paper that is reported on.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Literal

from evals.material.edits import EDITS, Source
from evals.material.labelled import SUPPORTED, held_out, reword, seed_records, sentences
from evals.material.places import EVALS, shared
from evals.material.shared_claims import shared_claims, titles
from rag.embed.contract import Embedder
from rag.export.entries import keys, name
from rag.library import Library
from rag.library.sync import sync
from rag.manuscript import Form
from rag.readers import read
from rag.shipped import SEEDS
from rag.text.names import names
from rag.text.tokens import content_terms
from rag.types import Paper

Label = Literal["right", "wrong", "unchecked"]
_STRANGERS = 20


@dataclass(frozen=True, slots=True)
class Case:
    """`text` is a manuscript of one sentence (and its references). `edit` says how a wrong one was made; `paper` is the
    one the checker was fitted on, by its name there ("" where it saw none of this)."""

    text: str
    form: Form
    label: Label
    edit: str
    origin: str
    held_out: bool
    paper: str = ""


def corpora(
    home: Path, embedder: Embedder, *, kept: bool, edits: int, claims: int
) -> Iterator[tuple[Library, tuple[Case, ...]]]:
    """Each corpus with its cases of one side of the split (`kept` for reporting, or not): the seeds, and ICML where the
    shared papers are, with `edits` of its sentences edited and `claims` of the authored claims."""
    yield _library("seeds", SEEDS, home, embedder), tuple(case for case in seeds() if case.held_out is kept)
    folder = shared()
    if folder is not None:
        papers = folder / "icml2026" / "papers.jsonl"
        icml = _library("icml", papers, home, embedder)
        cases = chain(handwritten(papers), edited(icml, edits, kept=kept), authored(kept=kept, count=claims))
        yield icml, tuple(case for case in cases if case.held_out is kept)


def _library(name_: str, path: Path, home: Path, embedder: Embedder) -> Library:
    sync(home, name_, read([path]), embedder)
    return Library.open(home, name_, embedder_identity=embedder.identity)


def seeds() -> Iterator[Case]:
    labels: dict[str, Label] = {"supported": "right", "not_checkable": "unchecked"}
    for record in seed_records():
        label = labels.get(record["label"], "wrong")
        paper, kept = (record["papers"] or [""])[0], record["split"] == "report"
        yield Case(record["text"], "plain", label, record["edit"], "seeds", kept, paper)


def handwritten(papers: Path) -> Iterator[Case]:
    """Hand-written claims over the papers in `papers` (ICML 2026)."""
    known = {json.loads(line)["id"] for line in papers.open(encoding="utf-8")}
    for line in (EVALS / "claims" / "icml.jsonl").open(encoding="utf-8"):
        record = json.loads(line)
        if record["paper"] in known:
            label: Label = "right" if record["label"] == "supported" else "wrong"
            yield Case(
                record["text"], "plain", label, record["edit"], "icml-hand", record["split"] == "report",
                f"icml:{record['paper']}",
            )  # fmt: skip


def authored(*, kept: bool, count: int) -> Iterator[Case]:
    """`count` of the claims over ICML papers of one side (all, where there are no more); without those of
    evals/claims/tempting.jsonl, which are closer to their abstracts than what manuscripts get wrong."""
    own = [
        claim
        for claim in shared_claims()
        if claim.held_out is kept and claim.origin == "authored" and claim.paper.startswith("icml")
    ]
    for claim in random.Random(21).sample(own, min(count, len(own))):
        label: Label = "right" if claim.label == SUPPORTED else "wrong"
        yield Case(claim.text, "plain", label, claim.edit, "authored", kept, claim.paper)


def edited(corpus: Library, count: int, *, kept: bool, seed: int = 20) -> Iterator[Case]:
    """`count` sentences of as many papers (those kept for reporting, or the others), reworded; one edit of each
    kind that applies; and the sentence with a citation, of its paper or of another one. No paper that authored claims
    of the other side are about."""
    rng = random.Random(seed + kept)
    papers = [paper for paper in corpus.papers() if held_out(paper.id) is kept and paper.authors]
    theirs = titles("fit" if kept else "report")
    strangers = [n.text for paper in rng.sample(papers, _STRANGERS) for n in names(paper.abstract)]
    for number, paper in enumerate(rng.sample(papers, min(count, len(papers)))):
        abstract = sentences(paper.abstract)
        usable = [s for s in abstract if 8 <= len(s.split()) <= 45 and s[0].isupper() and len(content_terms(s)) >= 7]
        if not usable or paper.title in theirs:
            continue
        text = reword(rng.choice(usable), rng)
        yield Case(text, "markdown", "right", "reworded", "icml", kept)
        others = [s for s in abstract if s not in text]
        for kind, edit in EDITS.items():
            if kind == "word":
                continue
            wrong = edit(Source(text, others, strangers), rng)
            if wrong is not None and wrong != text:
                yield Case(wrong, "markdown", "wrong", kind, "icml", kept)
        other = rng.choice([each for each in papers if not set(each.authors) & set(paper.authors)])
        cited, edit_kind, label = (paper, "cited", "right") if number % 2 else (other, "wrong_paper", "wrong")
        yield citing(text, cited, number // 2, label, edit_kind, kept)  # type: ignore[arg-type]


def citing(text: str, paper: Paper, way: int, label: Label, edit: str, kept: bool) -> Case:
    """The sentence with a citation, in one of four ways."""
    bare = text.rstrip(" .")
    form: Form = "latex" if way % 4 == 0 else "markdown"
    if way % 4 == 0:
        made = f"{bare}~\\citep{{{keys((paper,))[0]}}}."
    elif way % 4 == 1:
        family = name(paper.authors[0]).family or paper.authors[0]
        made = f"{bare} ({family}{' et al.' if len(paper.authors) > 1 else ''}, {paper.year})."
    elif way % 4 == 2:
        made = f"{bare} [7].\n\n## References\n\n[7] {', '.join(paper.authors[:3])}. {paper.title}. {paper.year}."
    else:
        made = f"{bare} [@{keys((paper,))[0]}]."
    return Case(made, form, label, edit, "icml-cited", kept)
