"""What the answer must hold: a number of some unit, a name, a link, a place, a reason; and the words it is asked by."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

Wanted = Literal[
    "number", "percent", "factor", "time", "money", "memory", "complexity", "score", "code", "link", "hardware",
    "person", "place", "date", "condition", "name", "dataset", "model", "several", "definition",
    "reason", "means", "any",
]  # fmt: skip
AMOUNTS: Final[frozenset[Wanted]] = frozenset({"number", "percent", "factor", "time", "money", "memory", "score"})
"""What a number tells."""


@dataclass(frozen=True, slots=True)
class Asked:
    """`kind` of answer, and `aspect`: the words of the question that say of what ("learning rate", "GPU hours")."""

    kind: Wanted
    aspect: str = ""


_WORD: Final = r"[^\s?,;:()]+"
_STOP: Final = (
    r"(?= (?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should|must|"
    r"may|might|of|for|in|on|at|by|with|"
    r"without|from|to|that|which|used|using|reported|achieved|obtained|needed|required|"
    r"under|when|if|during|between|among|"
    r"as|into|over|across|than|there|you|they|we|it|the|this|these|those|allows?|lets?|"
    r"shows?|gives?|gave|makes?|takes?)\b| ?\(|[?,;:.)]|$)"
)
_HEADS: Final[tuple[tuple[Wanted, str], ...]] = (
    ("code", r"(?:source )?codes?|code ?base|repository|repo"),
    ("link", r"url|link|web ?site|project (?:page|site)|homepage|github"),
    (
        "hardware",
        r"gpus?|tpus?|cpus?|hardware|chips?|accelerators?|fpgas?|processors?|phones?|"
        r"machines?|clusters?|supercomputers?|quantum (?:computers?|devices?)",
    ),
    (
        "complexity",
        r"complexity|complexities|(?:convergence|error|approximation|minimax|statistical|"
        r"regret|generali[sz]ation|upper|lower|tight|sample) (?:rates?|bounds?|ratios?|"
        r"guarantees?|factors?)|bounds?|convergence rates?",
    ),
    (
        "score",
        r"accuracy|accuracies|precision|recall|f1|f-?scores?|f-?measure|auroc|auprc|auc|roc|"
        r"map|miou|iou|psnr|ssim|fid|bleu|rouge(?:-\w)?|meteor|cider|wer|cer|perplexity|"
        r"scores?|error|errors|regret|rmse|mse|mae|ndcg|mrr|reward|return|(?:success|win|hit|"
        r"error|match|failure|refusal|acceptance|hallucination) rate|pass@\d+|elo|dice|"
        r"correlation|sensitivity|specificity|exact match",
    ),
    ("percent", r"percentages?|percent|fraction|share|proportion"),
    (
        "number",
        r"number|sizes?|length|width|depth|height|dimension(?:ality)?s?|amount|count|age|dose|"
        r"temperature|budget|epsilon|threshold|rank|coefficient|radius|bandwidth|frequency|"
        r"speed|latency|throughput|delay|duration|footprint|speed-?ups?|acceleration|"
        r"improvements?|gains?|reduction|increase|decrease|margin|savings?|overhead|range|"
        r"steps|epochs|layers|seeds|resolution|p-value|probability|odds|prevalence|incidence|"
        r"ratio|(?:\S+ )?rates?|values?",
    ),
    (
        "dataset",
        r"data ?sets?|data sets?|benchmarks?|corpora|corpus|test suites?|environments?|gyms?|"
        r"games?|databases?|cohorts?|collections?",
    ),
    ("model", r"models?|llms?|backbones?|networks?|encoders?|tokenizers?|architectures?"),
    (
        "place",
        r"country|countries|city|hospital|university|institution|region|company|lab|"
        r"laboratory|affiliation",
    ),
    ("date", r"year|date|month"),
    (
        "name",
        r"methods?|systems?|frameworks?|algorithms?|techniques?|optimi[sz]ers?|tools?|library|"
        r"libraries|programming language|languages?|drugs?|cell lines?|strains?|estimators?|"
        r"baselines?|loss(?: function)?|platforms?|agents?|software|license|licence|names?|"
        r"functions?",
    ),
    (
        "several",
        r"components|steps|stages|parts|challenges|contributions|tasks|domains|applications|"
        r"examples|areas|problems|phases|settings|factors|modules|types|categories|levels",
    ),
)
"""The noun that an aspect ends in, and the type of answer it calls for."""
_HEAD_RULES: Final = tuple((kind, re.compile(rf"(?:^|[ -])(?:{heads})$")) for kind, heads in _HEADS)

_RULES: Final[tuple[tuple[Wanted, str], ...]] = (
    (
        "code",
        r"\b(?:source ?code|code ?base|implementation available|open-?sourced?|open source)\b|"
        r"\b(?:the|its|their|any) (?:code|repo|repository|implementation)\b.*\b(?:available|"
        r"public|released?|find|found|download|get|github)\b|\b(?:find|download|get|where is|"
        r"available|release|share)\b.*\b(?:code|repo|repository)\b|\bgithub\b",
    ),
    ("link", r"\b(?:project (?:page|website|site)|web ?site|url|link to|homepage|demo page|web ?page)\b"),
    (
        "money",
        r"\bhow (?:expensive|costly)\b|\b(?:usd|dollars?|euros?|price|api cost|salary)\b|"
        r"\bhow much (?:money|did it cost|does it cost|do(?:es)? .* cost)\b",
    ),
    (
        "time",
        r"\bhow (?:long|many (?:\S+ )?(?:hours|minutes|seconds|days|weeks|months|years|"
        r"milliseconds|ms))\b|\bhow much time\b"
        r"|\b(?:in|of|per) (?:hours|minutes|seconds|milliseconds|days)\b|\b(?:gpu|tpu|"
        r"cpu)[- ](?:hours|days)\b|\bwhat (?:is|was|are) the (?:training|running|run|"
        r"inference|wall-?clock|computation|response) ?time\b|\bduration\b",
    ),
    (
        "memory",
        r"\b(?:how much|what|which) (?:gpu |video |peak |main )?(?:memory|vram|ram|storage)\b|"
        r"\bmemory footprint\b|\b(?:gigabytes?|gb|mb)\b",
    ),
    (
        "percent",
        r"\b(?:what|which|how many) (?:percent(?:age)?|fraction|share|proportion)\b|"
        r"\bpercentage of\b",
    ),
    (
        "factor",
        r"\bhow (?:many times|much (?:faster|slower|quicker|cheaper|smaller|larger|more|less|"
        r"better|higher|lower|fewer|longer|shorter))\b|\bby (?:how much|(?:what|"
        r"which) (?:factor|percentage|margin|amount))\b"
        r"|\bhow (?:much|far) (?:does|do|did|is|are|can|could|was|were) .*\b(?:improve|reduc|"
        r"increas|decreas|lower|rais|speed|accelerat|sav|cut|shrink|outperform|gain|beat|drop|"
        r"boost|enhanc|grow|exceed|surpass)"
        r"|\bhow (?:large|big|great|high) (?:is|are|was|were|a)? ?(?:the )?(?:\S+ )?(?:gains?|"
        r"improvements?|speed-?ups?|reduction|increase|decrease|drop|savings?|boost|advantage|"
        r"difference|gap)",
    ),
    (
        "complexity",
        r"\bhow (?:does|do|did) .*\b(?:scale|grow|shrink|decay|depend)\b|"
        r"\b(?:as a function of|asymptotic)|approximation (?:guarantee|ratio|factor)",
    ),
    (
        "number",
        r"\bhow many\b|^(?:the )?number of\b|\b(?:what|which|tell me|give|"
        r"report)\b(?: \w+){0,3} number of\b|\bhow (?:large|big|small|deep|wide|high|low|old|"
        r"often|fast|tall|heavy|strong|accurate|much)\b",
    ),
    ("person", r"^(?:who|whom|whose)\b|\bby whom\b"),
    ("date", r"\bsince when\b|\bhow recent"),
    ("condition", r"^(?:when|if|under (?:what|which))\b"),
    ("place", r"^where\b"),
    ("name", r"\bwhat (?:is|are) .*\bcalled\b|\bnames? of\b|\bwhat does \S+ stand for\b"),
    (
        "reason",
        r"\bwhy\b|\bhow come\b|\bwhat (?:causes?|makes?|prevents?|stops?|stopped)\b|"
        r"\breasons?\b|\bwhat(?:'s| is) (?:wrong|the (?:problem|danger|trouble|drawback|"
        r"weakness|limitation|reason))",
    ),
    ("several", r"\b(?:what|which) (?:two|three|four|five|six|several)\b"),
    ("definition", r"^what (?:is|are) (?:the |an? )?(?:\S+ ?){1,3}\??$"),
    ("means", r"^how\b|\b(?:trick|way|means|mechanism) (?:to|of|that|by|for)\b"),
)
_COMPILED: Final = tuple((kind, re.compile(pattern)) for kind, pattern in _RULES)
_HEAD_FIRST: Final = frozenset({"condition", "place", "name", "reason", "several", "definition", "means"})
"""Forms so general that the noun asked for says more."""

_FOREIGN_RULES: Final[tuple[tuple[Wanted, str], ...]] = (
    ("code", r"代码|源码|开源|quellcode|código|code source"),
    ("percent", r"百分之|百分比|多大比例"),
    (
        "factor",
        r"(?:快|慢|提升|提高|加速|降低|减少|高|低).{0,4}多少|多少倍|几倍|wie viel (?:schneller|besser|weniger|"
        r"mehr)|combien de fois|cuánto más|cuántas veces",
    ),
    ("number", r"多少|几个|几种|几层|多大|wie ?viele?|combien|cuánt[oa]s?"),
    (
        "dataset",
        r"(?:哪些|什么|哪个)(?:数据集|基准)|welche[nmr]? (?:datensätze|datensatz|benchmarks?)|"
        r"quels? (?:jeux de données|benchmarks?)|qué (?:conjuntos? de datos|benchmarks?)",
    ),
    ("person", r"^谁|^wer\b|^qui\b|^quién"),
    ("date", r"什么时候|何时|哪一?年|^wann\b|^quand\b|^cuándo\b"),
    ("place", r"哪里|^wo\b|^où\b|^dónde\b"),
    ("reason", r"为什么|为何|^warum\b|^pourquoi\b|^por qué\b"),
    ("means", r"如何|怎么|怎样|^wie\b|^comment\b|^cómo\b"),
)
_FOREIGN: Final = tuple((kind, re.compile(pattern)) for kind, pattern in _FOREIGN_RULES)

_PHRASE: Final = rf"{_WORD}(?: {_WORD}){{0,5}}?"
_VERBS: Final = (
    r"(?:is|are|was|were|do|does|did|can|could|has|have|had|would|will|makes?|causes?|"
    r"happens?|about|if|goes|becomes?)\b"
)
_ASPECTS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\bhow many ({_PHRASE}){_STOP}",
        rf"(?:^|\b(?:what|which|the) (?:\w+ ){{0,2}}?)(?:number|percentage|fraction|share|"
        rf"proportion|amount|names?) of (?:the )?({_PHRASE}){_STOP}",
        rf"\bhow much (?!(?:of|is|are|was|were|do|does|did|can|could)\b)({_PHRASE}){_STOP}",
        rf"\b(?:what|which) (?:is|are|was|were) (?:the |an? |its |their )?({_PHRASE}){_STOP}",
        rf"\b(?:what|which|whose) (?!{_VERBS})({_PHRASE}){_STOP}",
    )
)


def asked(folded: str) -> Asked:
    """The answer's type and aspect from a lower-cased question; `any` when nothing is known of it."""
    aspect = _aspect(folded)
    kind: Wanted | None = next((kind for kind, pattern in _COMPILED if pattern.search(folded)), None)
    if aspect and (kind is None or kind in _HEAD_FIRST):
        named, aspect = _headed(aspect)
        kind = named or kind
    if kind is None:
        kind = next((kind for kind, pattern in _FOREIGN if pattern.search(folded)), None)
    return Asked(kind or "any", aspect)


def _headed(aspect: str) -> tuple[Wanted | None, str]:
    """The type that the aspect's noun calls for, and the aspect up to that noun: "llms generated" asks for models."""
    words = aspect.split()
    for size in range(len(words), 0, -1):
        phrase = " ".join(words[:size])
        for named, pattern in _HEAD_RULES:
            if pattern.search(phrase):
                return named, phrase
    return None, aspect


def _aspect(folded: str) -> str:
    for pattern in _ASPECTS:
        found = pattern.search(folded)
        if found and found[1].strip():
            return found[1].strip()
    return ""
