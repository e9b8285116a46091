"""Whether a sentence tells an instance of what is asked for: which optimizer, not the bare noun.

A question's words alone do not separate "is trained with the Adam optimizer" from "depends on the optimizer": what
answers "which optimizer" is a new name or a new word that stands with the noun, or one known to be of its kind.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Final

from rag.extract.holds import single
from rag.extract.passage import Passage
from rag.verify.lexicon import GENERIC

_KNOWN: Final = tuple(
    (re.compile(rf"\b(?:{nouns})\b"), re.compile(rf"(?<![\w-])(?:{names})(?![a-z])"))
    for nouns, names in (
        (
            r"optimi[sz]ers?",
            r"Adam\w*|SGD\w*|Muon|RMS[Pp]rop|Lion|Shampoo|Ada[Gg]rad|L?-?BFGS|LAMB|LARS|Sophia|SOAP|[Nn]esterov",
        ),
        (
            r"gpus?|hardware|accelerators?|chips?|machines?|devices?",
            r"NVIDIA|[AH][12]00\w*|V100|B200|GB?200|RTX|A6000|A40|L40S?|T4|TPU\w*|Jetson|FPGAs?|Ascend|MI\d00X?|iPhone|"
            r"Raspberry Pi|Loihi",
        ),
        (
            r"llms?|models?|backbones?|architectures?|networks?|encoders?",
            r"GPT\w*|Ll?[aA][mM][aA]\w*|LLaMA\w*|Qwen\w*|Mi[sx]tral\w*|Gemma\w*|Claude|Gemini|DeepSeek\w*|\w*BERT\w*|"
            r"T5|OPT|Phi|Pythia|OLMo\w*|ResNet\w*|ViT\w*|CLIP|U-?Net|VGG\w*|EfficientNet|Mamba\w*|LLaVA\w*|LLaDA|Dream|"
            r"SDXL|Stable Diffusion|FLUX|DINO\w*|LSTM|GRU|o[134]|SchNet|AlphaFold\w*|ESM\w*|Whisper",
        ),
        (
            r"data ?sets?|benchmarks?|corpora|corpus|environments?",
            r"(?:Tiny-?)?ImageNet\w*|CIFAR\w*|\w*MNIST\w*|GSM8[Kk]|MATH\w*|MMLU\w*|COCO|LibriSpeech|KITTI|nuScenes|"
            r"\w+Bench|WikiText\w*|C4|FineWeb\w*|HumanEval|MBPP|AIME\w*|GPQA|SQuAD|GLUE|SuperGLUE|UCI|OpenML|QM9|"
            r"MIMIC\w*|Atari|MuJoCo|D4RL|LAION\w*|VQA\w*|OGB\w*|CelebA\w*|ARC\w*|SWE-\w+",
        ),
        (
            r"(?:programming )?languages?",
            r"Python|C\+\+|CUDA|Rust|Java\w*|Julia|Haskell|Lean|Coq|Isabelle|Triton|English|Chinese|French|German|"
            r"Spanish|Arabic|Hindi|Swahili|Japanese|Korean",
        ),
        (
            r"activations?(?: functions?)?|nonlinearit(?:y|ies)",
            r"ReLU\w*|GELU|SiLU|Swish|tanh|[Ss]igmoid|SwiGLU|[Ss]oftplus",
        ),
        (
            r"metrics?|measures?",
            r"AUROC|AUC|F1|BLEU|ROUGE\w*|FID|PSNR|SSIM|[Aa]ccuracy|RMSE|MSE|MAE|[Pp]erplexity|IoU|mAP|NDCG|ECE|CRPS",
        ),
        (r"countr(?:y|ies)|cit(?:y|ies)|regions?|places?", r"[A-Z][a-z]{3,}"),
    )
)
_ALWAYS_NAMED: Final = tuple(
    (re.compile(rf"(?:^|[ -])(?:{asked})$"), re.compile(spoken), beside)
    for asked, spoken, beside in (
        (r"optimi[sz]ers?", r"(?i:\b(?:optimi[sz]ers?)\b)", True),
        (r"[gtc]pus?|graphics cards?|accelerators?", r"(?i:\b(?:[gtc]pus?|accelerators?)\b)", True),
        (r"llms?|language models?", r"(?i:\b(?:llms?|language models?|models?)\b)", True),
        (
            r"(?:programming|coding) languages?",
            r"(?i:\b(?:programming languages?|(?:implemented|written) in)\b)",
            True,
        ),
        (
            r"data ?sets?|benchmarks?|corpora|corpus",
            r"(?i:\b(?:data ?sets?|benchmarks?|bench|corpora|corpus|collections?|suites?)\b)"
            r"|\b(?i:on|across|over|under|in|using) [A-Z]\w*[A-Z\d-]",
            False,
        ),
        (r"loss(?:es)?|loss functions?", r"(?i:\b(?:loss(?:es)?|divergence|cross-entropy)\b)", False),
        (r"licen[cs]es?", r"(?i:\b(?:licen[cs]ed?|licen[cs]es)\b)", False),
    )
)
_NAME_LIKE: Final = re.compile(r"\b[A-Z]\w*[A-Z\d-][\w-]*")
"""A capital and another, a digit or a hyphen: "GPT-5", "BERT", "AdamW"."""
_BESIDE: Final = 24
"""Characters on each side of a noun in which its name is looked for."""


def instance(noun: str, passage: Passage, told: Collection[str]) -> float:
    """1: holds something known to be of the noun's kind; 0: does not; 0.5: nothing is known of that kind."""
    for nouns, names in _KNOWN:
        if nouns.search(noun):
            found = names.findall(passage.text)
            return float(any(name.casefold().removesuffix("s") not in told for name in found))
    return 0.5


@lru_cache(maxsize=64)
def _always_named(noun: str) -> tuple[re.Pattern[str], bool] | None:
    """How a sentence speaks of a noun whose instances have names of their own, and whether one must stand beside it;
    None for other nouns: a loss or a data set may also be described."""
    for asked, spoken, beside in _ALWAYS_NAMED:
        if asked.search(noun):
            return spoken, beside
    return None


def untold(noun: str, passage: Passage, told: Collection[str]) -> bool:
    """Whether "which optimizer" would be answered by a sentence that tells none.

    `told`: folded words and names of the question, without a plural's s.
    """
    kind = _always_named(noun)
    if kind is None or instance(noun, passage, told) == 1.0:
        return False
    spoken, beside = kind
    if not beside:
        return not spoken.search(passage.text)
    around = (passage.text[max(0, m.start() - _BESIDE) : m.end() + _BESIDE] for m in spoken.finditer(passage.text))
    names = {single(name.casefold()) for each in around for name in _NAME_LIKE.findall(each)}
    return names <= {*told, *GENERIC}


def named_near(places: Collection[int], passage: Passage, told: Collection[str]) -> float:
    """How near a name that was not told stands to the noun asked for, whose token positions are `places`: 1 beside it,
    0.2 for one anywhere else in the sentence, 0 for none."""
    new = [p for name in passage.names if name.removesuffix("s") not in told for p in passage.places.get(name, ())]
    if not new:
        return 0.0
    apart = min((abs(place - position) for place in places for position in new), default=99)
    return 1.0 if apart <= 2 else 0.7 if apart <= 6 else 0.2
