"""Eight abstracts of our own writing, and a way to ask them: what the extract tests share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rag.embed import load
from rag.extract import Extracted, answer
from rag.library import Library
from rag.library.sync import sync
from rag.question import understand
from rag.retrieve import Retriever
from rag.types import Paper

_TEXTS = {
    "TidePool: Caching Attention States Across Requests": (
        "Serving language models to many users wastes work because prompts share long prefixes. "
        "We introduce TidePool, a cache that keeps attention states of shared prefixes on the GPU. "
        "It evicts entries by a learned estimate of their next use. "
        "TidePool reduces time to first token by 43% on ShareGPT traces compared with RadixCache. "
        "Code is available at https://example.org/tidepool."
    ),
    "MossNet: Counting Seedlings from Drone Images": (
        "Counting seedlings by hand is slow and costly. "
        "This paper presents MossNet, a convolutional network that counts seedlings in drone images. "
        "MossNet was trained on 12,400 images from five farms in Norway. "
        "It reaches a mean absolute error of 1.7 plants per plot. "
        "Shadows remain the main cause of errors."
    ),
    "Sparse Rewards Suffice for Warehouse Robots": (
        "Dense rewards are thought to be necessary for training warehouse robots. "
        "We show that sparse rewards lead to safer policies than dense rewards in two simulators. "
        "Training takes 31% longer with sparse rewards."
    ),
    "Learning to Prove Inequalities with Graph Search": (
        "Automated provers struggle with inequalities. "
        "We propose IneqSearch, which combines a graph search with a language model that suggests lemmas. "
        "On the OlympIneq benchmark IneqSearch proves 61 of 80 problems."
    ),
    "Federated Tuning of Speech Models": (
        "Federated learning keeps recordings on the device. "
        "We present FedEcho, a federated method that sends only layer statistics. "
        "FedEcho lowers communication cost by 8 times on LibriSpeech without loss of accuracy."
    ),
    "Federated Learning under Concept Drift": (
        "Federated learning assumes that data do not change. "
        "Our method, DriftGuard, detects clients whose data drift and trains them apart. "
        "Experiments on three streams show that DriftGuard improves accuracy by up to 9%."
    ),
    "A Lower Bound for Private Mean Estimation": (
        "We study mean estimation under differential privacy. "
        "We prove a lower bound of $\\Omega(d/\\epsilon)$ samples, which matches known algorithms."
    ),
    "Sleep and Memory in Honey Bees": (
        "Honey bees form memories of flowers. "
        "Bees deprived of sleep for one night did not forget a learned odour. "
        "However, they found their way home less often."
    ),
}
PAPERS = tuple(
    Paper(
        f"openreview:p{number}",
        title,
        "given",
        text,
        authors=(("Ada Lund", "Bo Ek") if number == 0 else ("Cy Vale",)),
        year=2024 + number % 2,
        venue="ICML" if number < 6 else None,
        url=f"https://example.org/{number}",
    )
    for number, (title, text) in enumerate(_TEXTS.items())
)
EMBEDDER = load()


class Asking:
    """A library of these papers on disk, and one call for a question."""

    def __init__(self, home: Path, papers: Sequence[Paper] = PAPERS) -> None:
        sync(home, "small", papers, EMBEDDER)
        self.library = Library.open(home, "small", embedder_identity=EMBEDDER.identity)
        self.retriever = Retriever(self.library, EMBEDDER)

    def ask(self, text: str) -> Extracted:
        question = understand(text, self.library)
        retrieval = self.retriever.search(question.search, top_k=10, filters=question.filters)
        return answer(question, retrieval, self.library, EMBEDDER, self.retriever)


def shown(found: Extracted) -> str:
    """Everything that would be shown."""
    return " ".join([*(s.text for s in found.draft.sentences), *(claim.text for claim in found.statements)])
