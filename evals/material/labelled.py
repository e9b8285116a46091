"""Labelled claims for fitting and for reporting, from four places, split by paper so that no paper is on both sides.

* `scifact`: its training claims with the cited abstract's gold sentences, or, where it has no evidence in an abstract
  that a claim cites, that abstract's closest sentences (not found).
* `icml` and `seeds`: paraphrases and minimal wrong edits written by hand (evals/claims); the abstracts of `icml` are
  read from the shared papers, those of `seeds` ship.
* `edited`: sentences of ML abstracts, reworded by rule (right) and then edited (wrong).
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from evals.material.edits import EDITS, Source
from evals.material.places import EVALS
from rag.shipped import SEEDS
from rag.text.names import names
from rag.text.sentences import split
from rag.text.tokens import content_terms
from rag.verify.lexicon import GENERIC

SUPPORTED, CONTRADICTED, NOT_FOUND = "supported", "contradicted", "not_found"
ELSEWHERE = frozenset(("other paper", "other sentence", "wrong paper", "not_found"))
"""Edits that speak of something else than their evidence: too easily seen, they would flatter a bound."""


@dataclass(frozen=True, slots=True)
class Example:
    """A claim, what it cites, its label, and how it was made; `paper` groups examples that share text."""

    text: str
    citations: tuple[str, ...]
    context: tuple[str, ...]
    label: str
    edit: str
    origin: str
    paper: str
    held_out: bool


def held_out(paper: str) -> bool:
    """Four papers in ten are kept for reporting, by a hash of their id."""
    return int(hashlib.sha256(paper.encode()).hexdigest(), 16) % 10 < 4


def sentences(abstract: str) -> tuple[str, ...]:
    return tuple(abstract[start:end] for start, end in split(abstract))


def closest(text: str, candidates: Sequence[str], count: int) -> tuple[str, ...]:
    """The candidates that share most terms with a text, in their order."""
    wanted = set(content_terms(text))
    ranked = sorted(range(len(candidates)), key=lambda i: -len(wanted.intersection(content_terms(candidates[i]))))
    return tuple(candidates[i] for i in sorted(ranked[:count]))


def scifact(folder: Path) -> Iterator[Example]:
    corpus: dict[str, dict[str, object]] = {}
    for line in (folder / "scifact" / "corpus.jsonl").open(encoding="utf-8"):
        record = json.loads(line)
        corpus[str(record["doc_id"])] = record
    claims = [json.loads(line) for line in (folder / "scifact" / "claims_train.jsonl").open(encoding="utf-8")]
    groups = joined([[str(d) for d in claim["cited_doc_ids"]] for claim in claims])
    for claim, group in zip(claims, groups, strict=True):
        for doc in map(str, claim["cited_doc_ids"]):
            abstract = tuple(str(s) for s in corpus[doc]["abstract"])  # type: ignore[attr-defined]
            found = claim["evidence"].get(doc)
            if found:
                chosen = sorted({i for part in found for i in part["sentences"]})
                citations = tuple(abstract[i] for i in chosen)
                label = SUPPORTED if found[0]["label"] == "SUPPORT" else CONTRADICTED
            else:
                citations, label = closest(claim["claim"], abstract, 3), NOT_FOUND
            context = (str(corpus[doc]["title"]), *abstract)
            yield Example(
                claim["claim"],
                citations,
                context,
                label,
                label,
                "scifact",
                f"scifact:{group}",
                held_out(group),
            )


def joined(cited: Sequence[Sequence[str]]) -> list[str]:
    """One name for all claims that are joined by a shared document."""
    parent: dict[str, str] = {}

    def root(doc: str) -> str:
        while parent.setdefault(doc, doc) != doc:
            doc = parent[doc]
        return doc

    for docs in cited:
        for doc in docs[1:]:
            parent[root(doc)] = root(docs[0])
    return [root(docs[0]) for docs in cited]


@cache
def icml_papers(folder: Path) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Paper id -> title and abstract sentences."""
    papers = {}
    for line in (folder / "icml2026" / "papers.jsonl").open(encoding="utf-8"):
        record = json.loads(line)
        papers[str(record["id"])] = (str(record["title"]), sentences(record["abstract"]))
    return papers


def handwritten(folder: Path) -> Iterator[Example]:
    """evals/claims/icml.jsonl, each right claim also with another paper's closest sentence."""
    papers = icml_papers(folder)
    everything = _pool(papers, sorted(papers)[:800])
    strangers = _strangers(tuple(sorted(papers)[:60]), folder, older=False)
    rng = random.Random(11)
    for line in (EVALS / "claims" / "icml.jsonl").open(encoding="utf-8"):
        record = json.loads(line)
        title, abstract = papers[record["paper"]]
        label = SUPPORTED if record["label"] == SUPPORTED else CONTRADICTED
        kept = record["split"] == "report"
        paper = f"icml:{record['paper']}"
        right = (abstract[record["sentence"]],)
        yield Example(record["text"], right, (title, *abstract), label, record["edit"], "icml", paper, kept)
        if label == SUPPORTED:
            source = Source(record["text"], abstract, strangers)
            for edit, wrong in _edited(source, rng):
                yield Example(wrong, right, (title, *abstract), CONTRADICTED, edit, "icml-auto", paper, kept)
            other, foreign = _rival(record["text"], record["paper"], everything)
            context = (papers[other][0], *papers[other][1])
            yield Example(record["text"], (foreign,), context, NOT_FOUND, "other paper", "icml", paper, kept)


Pool = tuple[tuple[str, str, frozenset[str]], ...]


def _pool(papers: dict[str, tuple[str, tuple[str, ...]]], ids: Sequence[str]) -> Pool:
    return tuple((paper, s, frozenset(content_terms(s))) for paper in ids for s in papers[paper][1])


def _rival(text: str, own: str, pool: Pool) -> tuple[str, str]:
    """The closest sentence among those of other papers, and its paper."""
    wanted = set(content_terms(text))
    paper, sentence, _ = max((row for row in pool if row[0] != own), key=lambda row: len(wanted & row[2]))
    return paper, sentence


@cache
def _strangers(ids: tuple[str, ...], folder: Path, older: bool) -> tuple[str, ...]:
    """Names that these papers use, without those that the whole field shares."""
    papers = _ml_papers(folder) if older else icml_papers(folder)
    found = [n.text for paper in ids for s in papers[paper][1] for n in names(s)]
    return tuple(name for name in found if name.casefold() not in GENERIC)


def _edited(source: Source, rng: random.Random) -> Iterator[tuple[str, str]]:
    for kind, edit in EDITS.items():
        wrong = edit(source, rng)
        if wrong is not None and wrong != source.text:
            yield kind, wrong


def seed_records() -> Iterator[dict[str, Any]]:
    """evals/claims/seeds.jsonl (also scored by `citewell eval run`) and reworded.jsonl (the ways models reword)."""
    for name in ("seeds.jsonl", "reworded.jsonl"):
        with (EVALS / "claims" / name).open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def seeds() -> Iterator[Example]:
    """Claims over the shipped abstracts; those without a right sentence meet the closest one of the paper they cite."""
    abstracts = _seed_abstracts()
    for record in seed_records():
        if record["label"] not in (SUPPORTED, CONTRADICTED, NOT_FOUND) or not record["papers"]:
            continue
        found = abstracts.get(record["papers"][0])
        if found is None:
            continue
        title, abstract = found
        citations = tuple(record["sentences"]) or closest(record["text"], abstract, 1)
        yield Example(record["text"], citations, (title, *abstract), record["label"], record["edit"].replace("_", " "),
                      "seeds", record["papers"][0], record["split"] == "report")  # fmt: skip


def _seed_abstracts() -> dict[str, tuple[str, tuple[str, ...]]]:
    texts = {path.name: path.read_text(encoding="utf-8-sig") for path in SEEDS.glob("*.txt")}
    found = {}
    for row in csv.DictReader((SEEDS / "manifest.csv").open(encoding="utf-8")):
        for block in re.split(r"\n\s*\n", texts.get(row["file"], "")):
            if " ".join(block.split()).startswith(" ".join(row["starts_with"].split())) and row["url"]:
                key = "openreview:" + row["url"].rpartition("id=")[2]
                found[key] = (row["title"], sentences(block.strip()))
    return found


_REWORDINGS = (
    (
        r"^(?:However|Moreover|Furthermore|Additionally|In addition|Specifically|Finally|Notably|Importantly), ",
        "",
    ),
    (r"\\?%", " percent"),
    (r"\$?\\times\$?|×", "x"),
    (r"^In this (?:paper|work), we ", "We "),
    (r"\b[Ww]e (?:propose|introduce|present) ([^,.]+?), (an?|the) ", r"\1 is \2 "),
    (r"\b(?:Extensive|Comprehensive) experiments (?:show|demonstrate) that ", "Experiments show that "),
    (r"\b[Ww]e (?:show|demonstrate|find) that ", ""),
    (r"\bin order to\b", "to"),
    (r"\butiliz(e|es|ing)\b", r"us\1"),
    (r", (?:which|while|thereby|thus|leading to|resulting in|making|enabling) [^,]+(?=\.$)", ""),
    (r" \([^()]{2,40}\)", ""),
    (r"\bstate-of-the-art\b", "the best existing"),
    (r"\ba wide range of\b", "many"),
    (r"\ba novel\b", "a new"),
    (r"\bdemonstrates?\b", "shows"),
    (r"\bsignificantly ", ""),
    (r"\bexisting\b", "previous"),
    (r"\blarge language models\b", "LLMs"),
    (r"\bin terms of\b", "in"),
    (r"\bachieves\b", "reaches"),
    (r"\bleverag(e|es|ing)\b", r"us\1"),
    (r"\bchallenges\b", "difficulties"),
)


_TELLING = re.compile(
    r"(?<![\w.-])\d+(?:\.\d+)?\s?(?:\\?%|x|times|\$)|outperform|surpass|\bthan\b|compared (?:to|with)"
)


def reword(text: str, rng: random.Random) -> str:
    """The same said otherwise by rules that keep the meaning; may return the text as it was."""
    for pattern, new in rng.sample(_REWORDINGS, 12):
        text = re.sub(pattern, new, text)
    text = " ".join(text.split())
    return text[:1].upper() + text[1:]


def edited(folder: Path, count: int, origin: str = "fit") -> Iterator[Example]:
    """`count` sentences: reworded (right), and each edit of the rewording (wrong). `fit` reads the older abstracts,
    `report` the ICML 2026 papers that are held out."""
    rng = random.Random(5 if origin == "fit" else 6)
    papers = _ml_papers(folder) if origin == "fit" else icml_papers(folder)
    ids = [paper for paper in sorted(papers) if origin == "fit" or held_out(paper)]
    some = rng.sample(ids, min(800, len(ids)))
    everything, strangers = _pool(papers, some), _strangers(tuple(some[:60]), folder, older=origin == "fit")
    for paper in rng.sample(ids, min(count, len(ids))):
        title, abstract = papers[paper]
        usable = [s for s in abstract if 8 <= len(s.split()) <= 45 and s[0].isupper()]
        if not usable or len(abstract) < 3:
            continue
        telling = [s for s in usable if _TELLING.search(s)]
        sentence = rng.choice(telling if telling and rng.random() < 0.75 else usable)
        text = reword(sentence, rng)
        context, kept = (title, *abstract), origin != "fit"
        yield Example(text, (sentence,), context, SUPPORTED, "reworded", "edited", paper, kept)
        others = [s for s in abstract if s != sentence]
        for kind, wrong in _edited(Source(text, others, strangers), rng):
            yield Example(wrong, (sentence,), context, CONTRADICTED, kind, "edited", paper, kept)
        wanted = set(content_terms(text))
        if len(wanted) < 10 and not names(text):  # "We show its effectiveness by experiments" is true of many papers
            continue
        other, foreign = _rival(text, paper, everything)
        elsewhere = (papers[other][0], *papers[other][1])
        if len(wanted & set(content_terms(foreign))) < 0.7 * len(wanted):
            yield Example(text, (foreign,), elsewhere, NOT_FOUND, "other paper", "edited", paper, kept)
        yield Example(text, closest(text, others, 1), context, NOT_FOUND, "other sentence", "edited", paper, kept)


@cache
def _ml_papers(folder: Path) -> dict[str, tuple[str, tuple[str, ...]]]:
    papers = {}
    with gzip.open(folder / "ml_abstracts.jsonl.gz", "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number % 6 == 0:
                record = json.loads(line)
                papers[str(record["id"])] = (str(record["title"]), sentences(record["abstract"]))
    return papers
