"""Cue words: what a folded sentence of an abstract says of its own part (after S. Teufel's argumentative
zones, 1999).

Patterns over `rag.text.normalise.fold`ed sentences, used as features where something is learned, and as they
are where only the plainest signs will do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_WE: Final = r"\bwe (?:\w+ ){0,2}"


def _any(words: str) -> str:
    """One of these words: spaces part them, `_` stands for a space inside one."""
    return rf"(?:{'|'.join(word.replace('_', ' ') for word in words.split())})"


_PATTERNS: Final[Mapping[str, str]] = {
    "we_make": _WE
    + _any("propose introduce present develop design devise construct build formulate release curate create")
    + r"\b",
    "we_study": _WE
    + _any(
        "study investigate address consider examine explore analy[sz]e revisit ask tackle focus aim sought seek argue"
    )
    + r"\b",
    "we_find": _WE
    + _any("find found show prove demonstrate observe establish obtain achieve reveal identif\\w+ derive confirm")
    + r"\b",
    "we_do": _WE
    + _any("use used apply applied evaluate evaluated train compare compared test tested employ leverage measure")
    + r"\b|"
    + _WE
    + _any("measured conducted performed collect\\w*")
    + r"\b",
    "this_paper": r"\b(?:this|the present|our) "
    + _any("paper work study article survey report thesis review position")
    + r"\b",
    "novel": r"\bnovel\b|\bthe first\b|\bnew "
    + _any("method framework approach algorithm model benchmark dataset family class")
    + r"\b",
    "contrast": r"^(?:however|yet|but|despite|although|while|unfortunately|nevertheless|though)\b|\b"
    + _any("remains? challenging suffer\\w* limited unclear lack\\w* fails? costly expensive poorly_understood")
    + r"\b",
    "prior": r"\b(?:existing|prior|previous|recent(?:ly)?|current|conventional|traditional|widely|typically|often)\b"
    r"|\b(?:have|has) (?:emerged|become|shown|been)\b",
    "experiments": r"\b"
    + _any("experiment\\w* evaluations? empirical\\w* results? benchmarks? simulations? ablations?")
    + r"\b",
    "shows": r"\b"
    + _any("shows? demonstrate[sd]? indicate[sd]? confirm(?:s|ed)? reveal(?:s|ed)? validate[sd]? corroborate")
    + r"\b",
    "better": r"\b"
    + _any(
        "outperform\\w* improv\\w+ achiev\\w+ state-of-the-art reduc(?:es|ed|ing) superior\\w* surpass\\w* up_to faster"
    )
    + r"\b|\b(?:competitive|significant\w*)\b",
    "number": r"\d+(?:\.\d+)?\s?(?:%|x\b|×|percent|points?|fold)",
    "digits": r"\d",
    "statistic": r"\bp\s?[<=>]|\bci\b|\bconfidence interval|\bodds ratio|\bhazard ratio",
    "to_fix": r"^(?:to "
    + _any("address tackle overcome resolve bridge mitigate fill this_end solve")
    + r"|motivated by|inspired by|building on|based on (?:this|these))",
    "specifically": r"^"
    + _any(
        "specifically concretely in_particular first second third then next the_key at_its_core "
        "at_the_core during given"
    )
    + r"\b",
    "addition": r"^"
    + _any("moreover furthermore additionally in_addition besides also notably finally crucially importantly")
    + r"\b",
    "implies": r"\b"
    + _any(
        "suggest\\w* highlight\\w* underscore\\w* implications? insights? pave\\w* potential promising "
        "future our_findings"
    )
    + r"\b|\b(?:these findings|these results|opens?|call for|offers? a)\b",
    "overall": r"^"
    + _any("overall in_summary together taken_together in_conclusion thus therefore collectively consequently")
    + r"\b",
    "code": r"https?://|\bgithub\b|\b"
    + _any("code dataset data models? implementation software project_page demo checkpoints")
    + r"\b[^.]{0,60}\b"
    + _any("available released? open-sourced? found_at provided_at public")
    + r"\b|\bwe (?:will |also )?(?:open-source|release)\b",
    "leaning": r"^(?:this|these|it|they|its|such|those|both)\b",
    "theory": r"\b(?:theoretical\w*|guarantees?|bounds?|convergence|theorems?|proofs?|provabl\w+)\b",
    "passive_done": r"\b(?:was|were) (?:\w+ )?\w+ed\b",
    "present": r"\b(?:is|are|has|have|can)\b",
    "our": r"\bour\b",
    "question": r"\?$",
}
CUES: Final[Mapping[str, re.Pattern[str]]] = {name: re.compile(pattern) for name, pattern in _PATTERNS.items()}


def has(cue: str, folded: str) -> bool:
    """Whether a folded sentence shows a cue. Raises KeyError for one that is not known."""
    return CUES[cue].search(folded) is not None
