"""Three made-up papers and a model to draft about them: what the tests of rag/generate share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rag.model import load
from rag.model.contract import Finish, Model, Prompt, Stream
from rag.settings import Settings
from rag.text.sentences import split
from rag.types import Evidence, Paper, Sentence

_ABSTRACTS = {
    "doi:10.1/sail": (
        "Sail: Speculative Drafting in Blocks",
        "Drafting is slow because it is sequential. Sail drafts blocks of tokens in one pass. "
        "It is up to 3.1$\\times$ faster than Rudder on 7 tasks.",
    ),
    "doi:10.1/keel": (
        "Keel",
        "Keel trains with 40% fewer parameters (Moser et al., 2024). "
        "Its loss on x[i] does not diverge, e.g. for p < 0.05.",
    ),
    "doi:10.1/mast": ("Mast: a Benchmark", "Mast holds 1,200 problems in 3 languages."),
}


def paper(key: str, title: str, abstract: str) -> Paper:
    return Paper(key, title, "given", abstract)


def evidence_of(papers: list[Paper]) -> tuple[Evidence, ...]:
    """Every sentence, the first paper the most relevant."""
    return tuple(
        Evidence(f"{at}-{index}", one, Sentence(one.id, index, start, end), 1 / (at + 1))
        for at, one in enumerate(papers)
        for index, (start, end) in enumerate(split(one.abstract))
    )


def three_papers() -> tuple[Evidence, ...]:
    return evidence_of([paper(key, title, abstract) for key, (title, abstract) in _ABSTRACTS.items()])


def model_at(base_url: str, home: Path = Path("unused"), **more: Any) -> Model:
    """The real client, for a server on loopback."""
    return load(Settings(home=home, model="scripted", base_url=base_url, **more))


class Saying:
    """A model in this process, for what needs no server: it says its pieces and ends."""

    name = "saying"
    context_window: int | None = None

    def __init__(self, *pieces: str, ending: Any = "stop") -> None:
        self.pieces = pieces
        self.ending = ending
        self.prompts: list[Prompt] = []
        self.closed = False

    def identity(self) -> str:
        return "saying"

    def stream(self, prompt: Prompt, *, max_tokens: int, seconds: float) -> Stream:
        self.prompts.append(prompt)
        try:
            yield from self.pieces
            yield Finish(self.ending, 100, 20)
        finally:
            self.closed = True
