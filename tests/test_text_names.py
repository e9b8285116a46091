"""Names as written, the definitions that link them, and which are the text's own."""

import pytest

from rag.text.definitions import definitions
from rag.text.names import names


@pytest.mark.parametrize(
    ("text", "norms"),
    [
        ("We compare DFlash with EAGLE-3 on CIFAR-10/100.", ["dflash", "eagle-3", "cifar-10/100"]),
        ("The C$^2$R loss and the β-VAE beat C++ code.", ["c2r", "beta-vae", "c++"]),
        ("**DFlash** and *FlowOptimizer* and \\textsc{Tide} win.", ["dflash", "flowoptimizer", "tide"]),
        ("Large models use the Adam optimizer.", ["adam"]),
        ("Experiments show that this works. However, it is slow.", []),
        ("LLMs such as LLaMA and DFlash's draft.", ["llm", "llama", "dflash"]),
        ("We tune the LLM Qwen2 and the GNN GraphX.", ["llm", "qwen2", "gnn", "graphx"]),
        ("LLM-based agents with 4-bit weights and 7B-sized nets in 2020.", ["llm"]),
        ("We use Google's Vertex AI and Natural Questions.", ["google", "vertex ai", "natural questions"]),
        ("BACKGROUND We test OPV2V. RESULTS It works.", ["background we", "opv2v"][1:]),
        ("多少比DFlash快？", ["dflash"]),
        ("no names here", []),
    ],
)
def test_names(text: str, norms: list[str]) -> None:
    assert [name.norm for name in names(text)] == norms


@pytest.mark.parametrize(
    ("text", "long", "short"),
    [
        ("We propose Claim Graph Risk Control (CGRiC).", "Claim Graph Risk Control", "CGRiC"),
        (
            "the Discontinuous Galerkin Neural Operator (DGNO), which",
            "Discontinuous Galerkin Neural Operator",
            "DGNO",
        ),
        ("CGRiC (Claim Graph Risk Control) works", "Claim Graph Risk Control", "CGRiC"),
        ("strong large language models (LLMs) fail", "large language models", "LLMs"),
        ("Out-of-distribution (OOD) detection", "Out-of-distribution", "OOD"),
        (
            "scores of retrieval-augmented generation (RAG; see below)",
            "retrieval-augmented generation",
            "RAG",
        ),
    ],
)
def test_definitions(text: str, long: str, short: str) -> None:
    (found,) = definitions(text)
    assert (text[slice(*found.long)], text[slice(*found.short)]) == (long, short)


@pytest.mark.parametrize(
    "text",
    [
        "a model (see Fig. 2)",
        "a fine range (NR)",
        "on ImageNet (IN1K)",
        "it works (p < 0.05)",
        "(ABC) first",
        "two words (XY)",
        "()",
    ],
)
def test_no_definition(text: str) -> None:
    assert list(definitions(text)) == []


def test_both_forms_know_each_other_and_are_introduced() -> None:
    long, short = names("We propose Claim Graph Risk Control (CGRiC).")
    assert (long.alias, short.alias) == (short.norm, long.norm)
    assert long.introduced and short.introduced


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("In this paper, we introduce **DFlash**, a method that beats EAGLE-3.", ["dflash"]),
        ("We propose a new method for ImageNet, called ViTx, and test it on COCO.", ["vitx"]),
        ("DFlash: Block Diffusion for Flash Speculative Decoding", ["dflash"]),
        ("We evaluate on ImageNet with ResNet-50.", []),
        ("Feasible sets are large. Our method, LSFlow, learns a policy on COCO.", ["lsflow"]),
        (f"We propose what {'very ' * 25}few people do, which DFlash knew.", []),
    ],
)
def test_introduced(text: str, own: list[str]) -> None:
    assert [name.norm for name in names(text) if name.introduced] == own


def test_a_title_gives_only_names_of_telling_look() -> None:
    title = "EchoLoRA-2: Efficient Fine-Tuning of Large Models on ImageNet"
    assert [name.norm for name in names(title)] == ["echolora-2", "imagenet"]
