"""The part a sentence plays in an abstract, and the part a question asks after.

After the argumentative zones of S. Teufel (1999), kept to what cue words show: background or problem, contribution,
evaluation, result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Literal

from rag.text.function_words import A_WORK

Role = Literal["problem", "contribution", "evaluation", "origin"]

_SENTENCE_CUES: Final[tuple[tuple[Role, str], ...]] = (
    (
        "evaluation",
        r"\b(?:experiment\w*|evaluat\w+|empirical\w*|benchmark\w*|validat\w+|outperform\w*|"
        r"state-of-the-art|we (?:test|apply|compare)|applied to|demonstrat\w+|case stud\w+|"
        r"numerical\w*|simulat\w+|results? (?:show|on|indicate|demonstrate)|trials?|across|"
        r"achiev\w+)\b",
    ),
    (
        "contribution",
        r"\b(?:we (?:\w+ )?(?:propose|introduce|present|develop|design|construct|build|"
        r"formulate|devise|study|derive|establish|prove|show|give|provide|describe|extend)|"
        r"this (?:paper|work) (?:\w+ )?(?:proposes|introduces|presents|develops|studies)|"
        r"is proposed|are proposed|novel|our (?:method|approach|framework|key|"
        r"contributions?))\b",
    ),
    (
        "problem",
        r"\b(?:however|challeng\w*|limit(?:s|ed|ation|ations|ing)?|suffer\w*|fail\w*|lack\w*|"
        r"difficult\w*|costly|expensive|despite|yet|although|existing|prior|previous|current|"
        r"conventional|traditional|problem\w*|risk\w*|remain\w*|hinder\w*|overlook\w*|"
        r"neglect\w*|poorly|unclear|prohibitive\w*|impractical|bottleneck|cannot|"
        r"unfortunately|critical|crucial|important)\b",
    ),
    (
        "origin",
        r"\b(?:inspir\w+|motivat\w+|based on|build\w* (?:on|upon)|extend\w*|generali[sz]\w+|"
        r"adapt\w*|from|deriv\w+|borrow\w*|drawn?|guided by|analog\w*)\b",
    ),
)
_QUESTION_CUES: Final[tuple[tuple[Role, str], ...]] = (
    (
        "evaluation",
        r"\b(?:test(?:ed|s)?|evaluat\w+|validat\w+|tried|try|experiment\w*|benchmark\w*|"
        r"data ?sets?|data sets|appl(?:y|ied|ication|ications)|outperform\w*|compar\w+ (?:to|"
        r"with)|results?|achiev\w*|reach\w*|by how much|how much (?:faster|better|more|less)|"
        r"improv\w+|case study|accuracy|score|trial|gains?|measur\w+|demonstrat\w+|judged|"
        r"beat)\b",
    ),
    (
        "origin",
        r"\b(?:inspir\w+|motivat\w+|based (?:on|upon)|built (?:on|upon|from)|come from|"
        r"derived from|generali[sz]\w*|behind|borrow\w*|originat\w*)\b",
    ),
    (
        "problem",
        r"\b(?:problems?|challeng\w*|drawbacks?|limit\w*|weakness\w*|danger\w*|trouble\w*|"
        r"wrong|hurts?|hard|difficult\w*|bottleneck\w*|shortcoming\w*|existing|earlier|"
        r"previous|prior|current|conventional|usual|traditional|fail\w*|why (?:is|are|can't|"
        r"cannot|isn't|don't|doesn't)|risks?|expensive|costly|obstacles?|stop(?:s|ped)?|"
        r"prevent\w*|gap|motivates)\b",
    ),
    (
        "contribution",
        r"\b(?:propos\w+|introduc\w+|present\w*|develop\w*|construct\w*|build|built|creat\w+|"
        r"design\w*|contribut\w+|idea|trick|how (?:does|do|is|are|did)|what is|called|method|"
        r"learn\w*|prove[sn]?|show\w*|establish\w*|guarantee\w*|bounds?)\b",
    ),
)
_SENTENCE: Final = tuple((role, re.compile(cues)) for role, cues in _SENTENCE_CUES)
_QUESTION: Final = tuple((role, re.compile(cues)) for role, cues in _QUESTION_CUES)
OURS: Final = rf"\b(?:we|this (?:position )?(?:{A_WORK})|here)"
_OWN_WORK: Final = re.compile(
    rf"{OURS} (?:\w+ ){{0,2}}?(?:propos|introduc|present|develop|design|formulat|devis|stud[iy]|deriv|establish|prove|"
    r"show|investigat|examin|describ|argu|demonstrat|provid|find|found|analy|consider|address|report|used?|compar|"
    r"assess|evaluat|identif|built|build|revisit|characteri|challenge|combin|take|bridge)"
    r"|\b(?:aims?|objectives?|purpose) (?:of this|was|is)\b|^(?:objective|aims?|methods?|results?|design)\b"
)


def own_work_begins(folded_sentences: Iterable[str]) -> int:
    """The place of the sentence in which an abstract turns from what is known to its own work; 0 where none does."""
    return next((at for at, sentence in enumerate(folded_sentences) if _OWN_WORK.search(sentence)), 0)


def roles_of(folded_sentence: str) -> frozenset[Role]:
    return frozenset(role for role, pattern in _SENTENCE if pattern.search(folded_sentence))


def role_asked(folded_question: str) -> Role | None:
    """The first part that the question's words point to; None when they point to none."""
    return next((role for role, pattern in _QUESTION if pattern.search(folded_question)), None)
