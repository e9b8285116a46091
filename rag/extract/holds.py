"""Whether a sentence holds an answer of the type asked for: a number of that unit, a link, a name, a reason."""

from __future__ import annotations

import re
from typing import Final

from rag.extract.passage import Passage
from rag.question.wanted import Wanted
from rag.verify.lexicon import GENERIC

_FORMULA: Final = re.compile(
    r"\\(?:mathcal|tilde|widetilde|Omega|Theta|log|sqrt|frac)|\bO ?\(|[ΩΘ]|\$[^$]*(?:\^|/|\\log|log)[^$]*\$"
    r"|\b(?:poly)?logarithmic(?:ally)?\b|\b(?:sub|super)?linear(?:ly)?\b|"
    r"\bquadratic(?:ally)?\b|\bpolynomial(?:ly)?\b|\bexponential(?:ly)?\b|\bconstant\b"
    r"|\b\d+(?:/\d+)?-approximation|\bdimension-free\b|"
    r"\b(?:minimax[- ])?(?:near[- ])?optimal\b|NP-hard|\b(?:within a )?factor of\b",
)
_CUE_WORDS: Final[dict[Wanted, str]] = {
    "code": r"github|gitlab|bitbucket|huggingface|https?://|\bcodes?\b.{0,60}\b(?:available|"
    r"released?|open|public|provided|found|at)\b|\b(?:available|released?|open-?sourced?|"
    r"provide)\b.{0,60}\b(?:codes?|implementation|repository)\b|open-?sourced?\b|\bcodes?\b.{0,40}\bsupplement\w*",
    "link": r"https?://|www\.|\b[\w-]+\.(?:com|org|io|net|ai|edu|dev)\b",
    "money": r"[$€£¥]\s?\d|\b(?:usd|dollars?|euros?|cents?)\b",
    "hardware": r"\b(?:gpus?|tpus?|cpus?|nvidia|a100|h100|h200|v100|a6000|rtx|fpgas?|asic|chips?|"
    r"hardware|smartphones?|iphone|android|raspberry|jetson|workstation|laptop|"
    r"supercomputer|processors?|loihi|quantum (?:computer|processor|device|hardware))\b",
    "date": r"\b(?:19|20)\d\d\b|\b(?:january|february|march|april|may|june|july|august|september|"
    r"october|november|december|century|decades?)\b",
    "condition": r"\b(?:when|whenever|if|only|under|during|unless|once|where|given|provided|after|"
    r"before|while|in the (?:case|presence|absence)|for (?:any|all)|as long as)\b",
    "reason": r"\b(?:because|since|due to|owing to|caused?|causes|causing|leads?|leading|results?|"
    r"as|so that|therefore|thus|hence|thereby|why|which|fail|fails|lack|lacks|limit\w*|"
    r"suffer\w*|require\w*|rel(?:y|ies)|overlook\w*|ignor\w*|neglect\w*|cannot|not|"
    r"prevent\w*|hinder\w*|difficult\w*|challeng\w*|reason\w*|to (?:avoid|address|reduce|"
    r"ensure)|by|driven|motivated|explain\w*|attribut\w*)\b",
    "means": r"\b(?:by|via|using|use[sd]?|through|with|which|based on|leverag\w*|employ\w*|"
    r"appl(?:y|ies|ied)|introduc\w*|propos\w*|utiliz\w*|integrat\w*|combin\w*|learn\w*|"
    r"adopt\w*|exploit\w*|construct\w*|formulat\w*|model\w*|enforc\w*|design\w*|"
    r"develop\w*|derive\w*)\b",
    "definition": r"\b(?:is|are|called|termed|refer\w*|defined?|denot\w*|introduc\w*|propos\w*|"
    r"present\w*|develop\w*|, an? |\()",
    "place": r"\b(?:at|in|from|on) (?:the )?[A-Z][a-z]+|\b(?:university|hospital|institute|country|"
    r"countries|city|region|available)\b|https?://",
    "person": r"(?:[A-Z][a-z]+(?: and | & |, )[A-Z][a-z]+)|\bet al\b|[A-Z][a-z]+'s\b|\b(?:humans?|"
    r"experts?|annotators?|participants?|users?|workers?|clinicians?|physicians?|"
    r"patients?|we|researchers|practitioners|people|students?)\b",
    "several": r",.*\b(?:and|or)\b|\(\d\)|\(i+\)|\b(?:first|second|two|three|four|five|six|both|"
    r"including|such as)\b|:",
}
_CUES: Final = {kind: re.compile(words, re.IGNORECASE) for kind, words in _CUE_WORDS.items()}
_CAPITALISED: Final = re.compile(r"(?<=[a-z0-9,;:(] )[A-Z][a-z]{2,}")
_TIME_UNITS: Final = re.compile(
    r"\b(?:seconds?|secs?|s|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|ms|"
    r"milliseconds?|µs|microseconds?)\b",
    re.IGNORECASE,
)
_MEMORY_UNITS: Final = re.compile(r"\b(?:[kmgt]i?b|bytes?|bits?|gigabytes?|megabytes?)\b", re.IGNORECASE)
_DATA_WORDS: Final = re.compile(
    r"\b(?:data ?sets?|benchmarks?|corpora|corpus|suites?|environments?|gyms?|tasks?|cohorts?|databases?)\b",
    re.IGNORECASE,
)
STRONG: Final = frozenset(
    {
        "number",
        "percent",
        "factor",
        "time",
        "money",
        "memory",
        "complexity",
        "score",
        "code",
        "link",
        "hardware",
        "dataset",
        "model",
        "date",
    }
)
"""Types that can be seen on a sentence; the others are only hinted at by cue words."""


def holds(kind: Wanted, passage: Passage, told: frozenset[str] = frozenset()) -> float:
    """1.0: holds one; 0.5: something near it, or nothing in particular was asked for; 0.0: none.

    `told`: names that the question or the title holds already; they answer nothing.
    """
    if kind == "any":
        return 0.5
    if kind in ("number", "score", "percent", "factor", "time", "memory", "complexity"):
        return _number(kind, passage)
    if kind in ("name", "dataset", "model"):
        return _name(kind, passage, told)
    return 1.0 if _CUES[kind].search(passage.text) else 0.0


def new_names(passage: Passage, told: frozenset[str]) -> int:
    """How many names the passage holds that were not told and that stand for one thing ("GPU" does not)."""
    names = [name for name in passage.names if single(name) not in told and single(name) not in GENERIC]
    capitalised = [word for word in _CAPITALISED.findall(passage.text) if single(word.casefold()) not in told]
    return len(set(names)) + len(set(capitalised))


def single(name: str) -> str:
    """A folded name without a plural's s."""
    return name.removesuffix("s") if len(name) > 3 else name


def _number(kind: Wanted, passage: Passage) -> float:
    found = [q for _, q in passage.numbers if q.text.casefold() != "one" and q.unit != "year"]
    units = {quantity.unit for quantity in found}
    formula = bool(_FORMULA.search(passage.text))
    if kind == "complexity":
        return 1.0 if formula else 0.5 if units else 0.0
    if kind == "time" and formula and "time" in passage.places:
        return 0.8
    if not units:
        return 0.5 if formula and kind == "factor" else 0.0
    after = " ".join(passage.text[quantity.start : quantity.end + 14] for quantity in found)
    if kind == "percent":
        return 1.0 if "%" in units else 0.3
    if kind == "factor":
        return 1.0 if units & {"%", "x", "db", "pp", "points", "point"} else 0.6
    if kind == "time":
        return 1.0 if _TIME_UNITS.search(after) else 0.1
    if kind == "memory":
        return 1.0 if _MEMORY_UNITS.search(after) else 0.4 if units & {"%", "x"} else 0.1
    if kind == "score":
        return 1.0 if any(quantity.text[0].isdigit() for quantity in found) else 0.2
    return 1.0 if "" in units else 0.6


def _name(kind: Wanted, passage: Passage, told: frozenset[str]) -> float:
    found = new_names(passage, told)
    if kind == "dataset":
        worded = bool(_DATA_WORDS.search(passage.text))
        return (1.0 if worded else 0.8) if found else 0.2 if worded else 0.0
    return min(1.0, 0.6 + 0.2 * found) if found else 0.2
