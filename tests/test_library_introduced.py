"""The names that a paper brings in, which a question may call it by."""

from __future__ import annotations

import pytest
from library_cases import paper

from rag.library.introduced import introduced
from rag.text.sentences import split


@pytest.mark.parametrize(
    ("title", "abstract", "expected"),
    [
        ("DFlash: Block Diffusion for Flash Decoding", "It beats EAGLE-3 and EAGLE-2.", {"dflash"}),
        ("OPUS: Data Selection", "We propose OPUS (Optimal Projected Utility Selection), unlike BERT.",
         {"opus", "optimal projected utility selection"}),
        ("Causal graphs", "Work on LLMs goes on. We introduce Claim Graph Risk Control (CGRiC). It beats BERT.",
         {"cgric", "claim graph risk control"}),
        ("Causal graphs", "Graphs are hard. A new benchmark called GraphBench-2 shows it.", {"graphbench-2"}),
        ("On the rate of LoRA", "We show that LoRA converges with SGD.", set()),
    ],
)  # fmt: skip
def test_introduced_names(title: str, abstract: str, expected: set[str]) -> None:
    made = paper(1, title=title, abstract=abstract)
    assert set(introduced(made, split(abstract))) == expected
