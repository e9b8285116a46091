"""Whether a sentence tells an instance of what is asked for: which optimizer, what a thing is, not the bare noun.

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
_WHAT_IS: Final = re.compile(
    r"^(?:so |and |but |ok,? )?(?:(?:what (?:exactly )?(?:is|are|was)|what's|what is meant by|explain|define|describe|"
    r"what does(?= .* (?:mean|stand for|do|refer to)\b)|how (?:does|do)(?= .* works?\b)|"
    r"tell me (?:about|what)|what do (?:they|we|you) mean by|meaning of|definition of)) "
    r"(?:how |for me |exactly |the (?:concept|notion|idea|meaning|definition|term) of )?(?:an? |the (?=[^?.,]* (?:"
    r"trap|dilemma|phenomenon|hypothesis|principle|paradox|paradigm|conjecture|syndrome|fallacy)[?.!]*$)|(?!the ))"
    r"(?P<thing>[^\s?.,]+(?: [^\s?.,]+){0,3}?)"
    r"(?: works?| is| are| means?| stands? for| do| refers? to| for me| with .*| in (?:one|a few|simple) .*"
    r"| in (?:machine|deep|reinforcement) learning| in (?:statistics|biology|general|mathematics))*[?.!]*$"
)
_GOVERNED: Final = re.compile(
    r"^(?:wrong|new|different|special)$|\b(?:of|in|for|on|by|from|behind|to|between|used|proposed|reported)\b"
)
_BRINGING: Final = (
    r"introduc\w*|propos\w*|present\w*|develop\w*|term(?:ed)?|call(?:ed)?|defin\w*|discover\w*|construct\w*|"
    r"design\w*|dubbed|named|devis\w*|refer(?:red)? to as|identif\w*"
)

_BEFORE: Final = (
    r"the|an?|this|that|these|where|whereas|while|when|because|since|and|or|as|called|termed|named|dubbed|"
    r"(?:concept|notion|idea) of|introduc\w*|propos\w*|present\w*|defin\w*|stud(?:y|ies)|so-called|novel|new|our|term|"
    r"prevalent|known as"
)
"""What a noun that stands for itself follows."""
_ARTICLES: Final = r"the|an?|new|novel|so-called|concept of|notion of|task of|problem of|setting of|idea of"


@lru_cache(maxsize=256)
def thing_asked(folded_question: str) -> str:
    """What "What is ...?" asks to be explained; "" for any other question, and for one about a part of a thing.

    "What is the pressure?" wants its value, not what pressure is.
    """
    found = _WHAT_IS.match(folded_question)
    thing = found["thing"].strip() if found else ""
    return "" if _GOVERNED.search(thing) else thing


def defines(thing: str, passage: Passage, *, named: bool, own: bool) -> float:
    """1: says what the thing is; 0.7: brings in one that has a name; 0: only uses the word; 0.5: that is not asked.

    "We propose a fast transformer" says nothing of what a transformer is, "we propose DFlash, a ..." does of DFlash.
    `named`: the thing has a name; `own`: the passage is of the paper that brings it in.
    """
    if not thing:
        return 0.5
    if thing.rstrip("s") not in passage.folded:
        return 0.0
    telling, bringing, doing = _defining(thing, named)
    if telling.search(passage.folded):
        return 1.0
    if (named and bringing.search(passage.folded)) or (own and doing.search(passage.folded)):
        return 0.7
    return 0.0


@lru_cache(maxsize=256)
def _defining(thing: str, named: bool) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """How a sentence says what a thing is, that it is brought in, and what it does.

    A common noun is told of only where it stands for itself: "group equivariant convolutional networks are a
    generalisation" says nothing of convolutional networks.
    """
    single = thing.removesuffix("s") if len(thing) > 3 else thing
    one = rf"{re.escape(single)}s?[\"”'’*]*(?: \([^)]*\)[\"”'’*]*)?"
    alone = r"(?<![\w-])" if named else rf"(?:^|(?<=[,;:(\"“‘`] )|(?<=[(\"“‘`])|\b(?:{_BEFORE}) [\"“‘`]*)"
    between = r"(?: \S+){0,2}?" if named else rf"(?: (?:{_ARTICLES}))*"
    article = r"(?:an?|the|one of|any|those)\b"
    telling = (
        rf"{alone}{one},? (?:(?:is|are) (?:defined|{article}|\w+s (?:able|that|which|of)\b)"
        rf"|(?:refers?|asks?|seeks?) to\b|means?\b|denotes?\b|which (?:is|are)\b)"
        rf"|{alone}{one} (?:aims? to|describes?|(?:which|that) \w+s)\b"
        rf"|{alone}{one} (?:\w+ly )?\w{{2,}}s\b[^.]*\b(?:by (?:\w+ly )?\w+ing|using|via)\b"
        rf"|{alone}{one}(?:,| [—–-]+) an? |\b(?:known|referred to|defined) as (?:an? |the )?[\"“‘`]*{one}"
        rf"|\bwe (?:call|term|dub|name)\b[^.]{{0,60}} (?:the |an? )?[\"“‘`]*{one}|{one}(?:[:,] (?:i\.e\.|that is)|:)"
        rf"|{alone}{one}(?: (?:phenomenon|effect|problem|paradigm|setting|dilemma|regime))?[\"”'’]*,? "
        rf"(?:where|in which|whereby)\b|\w \([\"“‘`]+{one}\)"
        rf"|\b(?:{_BRINGING}){between} [\"“‘`*]*{one}"
        rf"(?:,? (?:an?|which|that|where|in which)\b|:|, (?:\w+ ){{1,4}}(?:of|for|that|to)\b)"
    )
    subject = r"\b(?:we|i|this (?:paper|work|article|study|survey)|here|is|are|they|authors?)\b[^.;:]{0,60}"
    bringing = rf"{subject}\b(?:{_BRINGING})(?: \S+){{0,7}}? [(\"“‘`*]*{one}"
    doing = rf"\b{one}\)? (?:\w+ly )?\w{{3,}}s\b"
    return re.compile(telling), re.compile(bringing), re.compile(doing)


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
    around = (
        passage.text[max(0, m.start() - _BESIDE) : m.end() + _BESIDE] for m in spoken.finditer(passage.text)
    )
    names = {single(name.casefold()) for each in around for name in _NAME_LIKE.findall(each)}
    return names <= {*told, *GENERIC}


def named_near(places: Collection[int], passage: Passage, told: Collection[str]) -> float:
    """How near a name that was not told stands to the noun asked for, whose token positions are `places`: 1 beside it,
    0.2 for one anywhere else in the sentence, 0 for none."""
    new = [
        p
        for name in passage.names
        if name.removesuffix("s") not in told
        for p in passage.places.get(name, ())
    ]
    if not new:
        return 0.0
    apart = min((abs(place - position) for place in places for position in new), default=99)
    return 1.0 if apart <= 2 else 0.7 if apart <= 6 else 0.2
