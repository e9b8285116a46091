"""How a message shows that it leans on what was said: pronouns, halves of questions, words for another paper."""

from __future__ import annotations

import re
from typing import Final

OWN: Final = re.compile(r"\b(?:its|their|his|her)\b", re.IGNORECASE)
POINTING: Final = re.compile(
    r"\b(?:(?<!\badmit )it|they|them"
    r"|(?:this|that|the) (?:paper|method|system|work|approach|framework|model|algorithm|one)"
    r"|(?:this|that|these|those)(?=\s*(?:[?.,!;]|$|\b(?:is|are|was|were|does|do|did|can|could|compare|work|differ|hold"
    r"|mean|apply|then|too|instead)\b)))\b",
    re.IGNORECASE,
)
THE_ONE: Final = re.compile(r"\b(?:the|that) (?:\w[\w-]*\s+){0,2}(?:ones?|papers?)\b", re.IGNORECASE)
INSTEAD: Final = re.compile(
    r"^\s*(?:and|what about|how about|and what about|same for|now|(?:(?:let(?:'|’)?s |can we )?go )?back to)\s+"
    r"(?:for\s+|with\s+|the\s+)?(?P<rest>.+?)\s*\??\s*$",
    re.I,
)
ABOUT: Final = re.compile(
    r"^\s*(?:(?:and|ok(?:ay)?|so|now),?\s+)?(?:what|how)\s+about\s+(?:papers?\s+(?:on|about)\s+)?(?P<rest>\w.+?)"
    r"(?:\s+then)?\s*\?*\s*$",
    re.I,
)
ELLIPSIS: Final = re.compile(
    r"^\s*(?:and|but|so|ok(?:ay)?,?|what about|how about|and what about|and how about)\s+"
    r"(?:what about\s+|how about\s+)?(?:its|their|the)\s+(?P<aspect>[\w-]+(?:\s+[\w-]+){0,2})\s*[?.!]*\s*$",
    re.I,
)
"""Half a question: "and its dataset?"."""
ASPECT_ALONE: Final = re.compile(
    r"^\W*(?:just |only |the )*"
    r"(?P<aspect>(?:first |last |senior )?authors?|years?|dates?|venues?|conferences?|journals?"
    r"|urls?|links?|doi|titles?)\W*$",
    re.I,
)
"""What the catalogue knows of a paper, and nothing else: "authors?"."""
BESIDE_IN: Final = re.compile(
    r"^\s*(?:and |or )?(?P<said>(?:on|in terms of|with (?:regard|respect) to|regarding|as to) "
    r"(?!the (?:first|second|third|other))"
    r"[\w-]+(?: [\w-]+){0,3})\s*[?.!]*$",
    re.I,
)
"""In what two papers are to be compared: "on cost", after they were."""
COMPARED: Final = r"compar\w+|differ\w*|versus|vs|contrast\w*|better|worse|faster|slower"
COMPARING: Final = re.compile(rf"\b(?:{COMPARED}|than|relate\w*|common)\b", re.I)
SIDE_BY_SIDE: Final = re.compile(
    r"^\s*compare\b|\b(?:compare[ds]? (?:to|with)|compare$|differs? from|versus|vs|in common|differences? between"
    r"|do .+ differ)\b",
    re.I,
)
WHOLE: Final = re.compile(
    r"^(?:what|who|where|when|how|why)\s+(?:is|are|was|were|do|does|did|can|could|has|have|many|much)\b", re.I
)
OPENS_AFRESH: Final = re.compile(
    r"\b(?:which|what|any|an?other|are there|how many) (?:\w+ )?(?:papers?|works?|studies|abstracts)\b"
    r"|\b(?:is there|do you have) (?:also |maybe )?(?:some|any)thing(?: else| similar| more)? (?:on|about|for)\b",
    re.I,
)
ANOTHER: Final = re.compile(
    r"\b(?:an?other|other|else|further|(?:any|some) more|more|similar|related|different) (?:[\w-]+ ){0,2}?"
    r"(?:papers?|works?|studies|articles?|publications?|research|literature)\b(?! (?:is|are|was|were|does|do|did) )"
    r"|\b(?:any|some)thing (?:else|similar|more|related)(?: here)? (?:on|about|for|like|to|with)\b"
    r"|\bwhat else is there\b"
    r"|\b(?:who|any(?:one|body)) else (?:here )?(?:work|stud|look|tri|us|is|has)"
    r"|\b(?:papers?|works?|studies|articles?) (?:like|similar to|related to|besides|other than|apart from)\b",
    re.I,
)
"""Asks for papers that are none of those just spoken of."""
SET_BESIDE: Final = re.compile(rf"\b(?:{COMPARED}|outperform\w*|improv\w+|beats?)\b", re.I)
"""Sets the paper beside others, and does not ask for them: "how does it compare with other work?"."""
