"""Checks summaries of topics by program: `python -m evals.summaries [--show TOPIC]`.

Of 20 topics over ICML 2026 (where the data is) and 8 over the seeds: every claim is a slice of its abstract and passes
`rag.verify`, what is considered is used or left out, each paper is in one theme, nothing is cut off or holds LaTeX, no
sentence comes twice, a theme's sentences do not open alike; and how long a topic of 300 papers takes.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evals.material.places import needed
from rag import shipped
from rag.embed import Embedder, load
from rag.errors import NotMeasured
from rag.library import Library
from rag.library.sync import sync
from rag.question import understand
from rag.readers import read
from rag.render.lines import to_text
from rag.render.summary import summary as lines
from rag.retrieve import Retriever
from rag.summarise import Summary, outlined, summarise, told
from rag.summarise.belonging import kept
from rag.summarise.reading import is_debris
from rag.text.normalise import fold, plain
from rag.types import Claim, Paper

ICML = (
    "speculative decoding", "conformal prediction", "offline reinforcement learning", "machine unlearning",
    "diffusion models for protein design", "hallucination detection in large language models", "graph neural networks",
    "differential privacy", "mixture of experts", "vision-language-action models", "causal discovery",
    "reinforcement learning with verifiable rewards", "KV cache compression", "time series forecasting", "watermarking",
    "federated learning", "jailbreak attacks", "Bayesian optimization", "kernel methods",
    "what is known about test-time training?",
)  # fmt: skip
SEEDS = (
    "reinforcement learning", "language models", "optimization", "diffusion models", "generalization", "graphs",
    "sampling", "neural operators",
)  # fmt: skip
UNCOVERED = (
    "sourdough bread baking",
    "medieval poetry",
    "tax law in Brazil",
    "gene therapy for hemophilia",
    "football",
)
LARGE = "large language models"
_LARGE, _SECONDS = 300, 10.0


@dataclass(frozen=True, slots=True)
class Checked:
    """One summary, and what is wrong with it."""

    topic: str
    papers: int
    themes: int
    claims: int
    seconds: float
    faults: tuple[str, ...]


def faults(summary: Summary, papers: Mapping[str, Paper]) -> Iterator[str]:
    """Everything that a summary promises and does not keep."""
    yield from _coverage(summary)
    shown = [*summary.overview, *(claim for theme in summary.themes for claim in theme.claims)]
    related = [claim for relation in (*summary.agreements, *summary.differences) for claim in relation.claims]
    cells = [cell for row in summary.table for cell in row.cells if cell is not None]
    for claim in (*shown, *related, *cells):
        yield from _citations(claim, papers)
    for claim in (*shown, *related):
        yield from _readable(claim)
    for text, count in Counter(claim.text for claim in shown).items():
        if count > 1:
            yield f"said twice: {text[:60]}"
    for theme in summary.themes:
        openings = Counter(" ".join(fold(claim.text).split()[:2]) for claim in theme.claims)
        yield from (
            f"{count} sentences open with {text!r} in {theme.name!r}" for text, count in openings.items() if count > 2
        )


def _coverage(summary: Summary) -> Iterator[str]:
    coverage = summary.coverage
    left_out = [each.paper_id for each in coverage.left_out]
    if coverage.considered != len(coverage.used) + len(left_out) or set(coverage.used) & set(left_out):
        yield "coverage does not add up"
    themed = [paper for theme in summary.themes for paper in theme.papers]
    if sorted(themed) != sorted(coverage.used):
        yield "themes do not hold each used paper once"
    if [row.paper_id for row in summary.table] != [source.paper.id for source in summary.sources]:
        yield "the table does not have a row for each source"
    if sorted(coverage.used) != sorted(source.paper.id for source in summary.sources):
        yield "sources are not the papers used"
    if len({theme.name for theme in summary.themes}) != len(summary.themes):
        yield "two themes have one name"


def _citations(claim: Claim, papers: Mapping[str, Paper]) -> Iterator[str]:
    if not claim.citations:
        yield f"no citation: {claim.text[:60]}"
    for citation in claim.citations:
        if papers[citation.paper_id].abstract[citation.start : citation.end] != citation.quote:
            yield f"no slice: {citation.quote[:60]}"
    if claim.verdict == "quoted" and claim.text != "".join(citation.quote for citation in claim.citations):
        yield f"not the quote: {claim.text[:60]}"


def _readable(claim: Claim) -> Iterator[str]:
    text = plain(claim.text)
    if is_debris(text):
        yield f"markup is left: {text[:80]}"
    if text[-1:] not in ".!?\"”')":
        yield f"cut off: …{text[-60:]}"


def check(topic: str, library: Library, retriever: Retriever, embedder: Embedder) -> tuple[Summary, Checked]:
    started = time.perf_counter()
    made = summarise(topic, library, retriever, embedder)
    seconds = time.perf_counter() - started
    found = tuple(faults(made, {source.paper.id: source.paper for source in made.sources}))
    if made.status == "abstained":
        found = (f"abstained: {made.reason}",)
    claims = len(made.overview) + sum(len(theme.claims) for theme in made.themes)
    return made, Checked(topic, len(made.coverage.used), len(made.themes), claims, seconds, found)


def _report(checked: Sequence[Checked]) -> int:
    for each in checked:
        print(
            f"{each.topic:<48} {each.papers:>4} papers {each.themes:>3} themes"
            f" {each.claims:>3} claims {each.seconds:6.2f} s"
        )
        for fault in each.faults:
            print(f"    FAULT {fault}")
    if checked:
        print(f"{len(checked)} topics, {statistics.median(each.seconds for each in checked):.2f} s in the middle")
    return sum(len(each.faults) for each in checked)


def _run(library: Library, embedder: Embedder, topics: Sequence[str], show: Sequence[str]) -> int:
    retriever = Retriever(library, embedder)
    checked = []
    for topic in topics:
        made, found = check(topic, library, retriever, embedder)
        checked.append(found)
        if topic in show:
            sys.stdout.write(to_text(lines(made)))
    return _report(checked)


def _uncovered(library: Library, embedder: Embedder) -> int:
    retriever = Retriever(library, embedder)
    told = [topic for topic in UNCOVERED if summarise(topic, library, retriever, embedder).status != "abstained"]
    print(f"{len(UNCOVERED) - len(told)} of {len(UNCOVERED)} topics that {library.info.name} does not cover: abstained")
    for topic in told:
        print(f"    FAULT summarised: {topic}")
    return len(told)


def _large(library: Library, embedder: Embedder) -> int:
    """The time that a summary of 300 papers takes, whatever the learned cut-off says of the topic."""
    retriever = Retriever(library, embedder)
    retriever.search(LARGE)
    started, busy = time.perf_counter(), time.process_time()
    retrieval = replace(retriever.search(LARGE, top_k=_LARGE), belonging=_LARGE)
    made = told(outlined(LARGE, understand(LARGE), kept(retrieval, library), library, embedder), library)
    seconds, busy = time.perf_counter() - started, time.process_time() - busy
    print(f"{len(made.coverage.used)} papers in {seconds:.1f} s ({busy:.1f} s of processor time)")
    return int(busy > _SECONDS)


def libraries(home: Path, embedder: Embedder) -> Iterator[tuple[Library, tuple[str, ...]]]:
    sync(home, "seeds", read([shipped.SEEDS]), embedder)
    yield Library.open(home, "seeds", embedder_identity=embedder.identity), SEEDS
    try:
        papers = needed() / "icml2026" / "papers.jsonl"
    except NotMeasured as missing:
        print(f"ICML 2026 is skipped: {missing.message}")
        return
    sync(home, "icml", read([papers]), embedder)
    yield Library.open(home, "icml", embedder_identity=embedder.identity), ICML


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", nargs="*", default=[], help="topics whose summary is printed whole")
    parser.add_argument("--home", type=Path, help="where the corpora are kept for the next run")
    options = parser.parse_args()
    embedder = load()
    wrong = 0
    with tempfile.TemporaryDirectory() as temporary:
        for library, topics in libraries(options.home or Path(temporary), embedder):
            wrong += _run(library, embedder, [*topics, *options.show] if options.show else topics, options.show)
            wrong += _uncovered(library, embedder)
            if topics is ICML:
                wrong += _large(library, embedder)
            library.close()
    print(f"{wrong} faults")
    sys.exit(10 if wrong else 0)


if __name__ == "__main__":
    main()
