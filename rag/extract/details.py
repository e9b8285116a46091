"""Details that abstracts hardly ever hold: who paid, what was filed, what it ran on, what others thought of it.

A question for one is answered only where a sentence of the paper speaks of that very detail. Words that the topic
shares with it do not make up for that: a paper on funding is asked what it says of funding, and says the word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

_RULES: Final[tuple[tuple[str, str, str], ...]] = (
    (
        "funding",
        r"\bfund(?:ing|ed|s|ers?)\b|\bsponsor\w*|\bgrants?\b(?! access)|\bfinanc(?:ed|ial support)\b|\bwho paid\b",
        r"\bfund(?:ing|ed|s|ers?)\b|\bsponsor\w*|\bgrants?\b|\bfinanc\w+|\bpaid\b",
    ),
    (
        "reviewers",
        r"\bwho (?:\w+ )?reviewed (?:(?:the|this|that) (?:\S+ )?(?:paper|article|submission|manuscript|work)|"
        r"[^\s?]+)\W*$"
        r"|\b(?:what|did|how|who|why|which)\b.{0,40}\breviewers?\b.{0,30}\b(?:think|thought|say|said|critici\w+|"
        r"complain\w*|ask\w*|like\w*|scored?|rated?|comment\w*|raised?|want\w*|of (?:the|this) (?:paper|submission))\b"
        r"|\b(?:who|which) (?:are|is|was|were) (?:the )?reviewers?\b"
        r"|\breviewers?['’]? (?:comments?|names?|identit\w+)\b"
        r"|\b(?:what|which|how)\b.{0,20}\b(?:review|rebuttal|meta-?review) (?:scores?|process|comments?)\b"
        r"|\b(?:is|was|been)\b.{0,40}\bpeer[- ]reviewed\b",
        r"\breviewers?\b|\breview (?:scores?|process|comments?)\b|\bpeer[- ]review\w*|\bmeta-?review\w*",
    ),
    (
        "acceptance",
        r"\baccept(?:ed|ance)\b.{0,30}\b(?:oral|poster|spotlight|paper|conference)\b"
        r"|\b(?:oral|spotlight|poster)\b.{0,20}\b(?:paper|presentation|accept\w*)\b|\bbest paper\b"
        r"|\bacceptance rate of (?:the )?(?:conference|venue)\b"
        r"|\b(?:paper|article|submission|work)\b.{0,40}\b(?:rejected|accepted)\b",
        r"\boral\b|\bspotlight\b|\bposter\b|\bbest paper\b|\baccepted (?:at|to|for)\b",
    ),
    (
        "page count",
        r"\bpage count\b|\bhow many (?:pages|figures|references|words|appendi\w+|tables|equations)\b(?=.*\b(?:paper|"
        r"article|appendix|it|manuscript|there|have|cite)\b)|\bhow long is the (?:paper|article|manuscript|appendix)\b",
        r"\bpages?\b|\bfigures?\b|\breferences\b|\bappendix\b",
    ),
    (
        "affiliation",
        r"\baffiliat\w*|\be-?mails?\b|\bcontact\b.{0,20}\bauthors?\b|\b(?:which|what) (?:university|institution|"
        r"institute|lab|company|country)\b.{0,40}\b(?:authors?|researchers?)\b"
        r"|\bauthors?\b.{0,30}\b(?:work at|from which|employed|based at|nationality|phone|orcid)\b",
        r"\baffiliat\w*|\be-?mails?\b",
    ),
    (
        "citations",
        r"\bhow (?:many|often)\b.{0,30}\b(?:citations|times (?:was|is|has)\b.{0,40}\bcited|cited)\b|\bh-index\b|"
        r"\bcitation counts?\b|\bimpact factor\b|\bhow often (?:is|was|has)\b.{0,60}\bcited\b",
        r"\bcitations?\b|\bcited\b|\bh-index\b|\bimpact factor\b",
    ),
    (
        "licence",
        r"\blicen[cs](?:e|es|ed|ing)\b",
        r"\blicen[cs](?:e|es|ed|ing)\b|\bfree of charge\b|\bapache\b|\bcreative commons\b|\bcc-by\b|\bgpl\b",
    ),
    (
        "authors' opinion",
        r"\bauthors?['’]?s?['’]? (?:personal )?(?:opinions?|views? (?:of|on|about)|favou?rite|feelings?|"
        r"hobby|hobbies|motives?)\b"
        r"|\bauthors? (?:personally )?(?:feel|like best|enjoy|regret)\b|\bpersonal(?:ly)? (?:think|opinion)\b",
        r"\bopinions?\b|\bwe (?:feel|believe|argue|regret|plan)\b",
    ),
    (
        "carbon footprint",
        r"\bcarbon\b.{0,30}\b(?:emit\w*|emissions?|footprint)\b|\bco2\b|\bhow much (?:carbon|energy|electricity)\b"
        r".{0,40}\btrain",
        r"\bcarbon\b|\bco2\b|\benergy\b|\bemissions?\b|\bkwh\b|\belectricity\b",
    ),
    (
        "ethics approval",
        r"\bethics (?:committee|board|approval|review)\b|\b(?:irb|institutional review)\b|\binformed consent\b|"
        r"\bapproved (?:by|the study)\b|\bapproved the\b.{0,60}\bstudy\b",
        r"\bethic\w*|\birb\b|\bconsent\b|\bapprov\w+",
    ),
    (
        "payment",
        r"\b(?:participants?|patients?|annotators?|workers?|subjects?)\b.{0,60}\b(?:paid|compensated|reimbursed)\b|"
        r"\b(?:paid|compensat\w+|reimburs\w+)\b.{0,30}\b(?:participants?|patients?|annotators?|workers?|subjects?)\b",
        r"\bpaid\b|\bpay\w*|\bcompensat\w+|\breimburs\w+|\bincentiv\w+",
    ),
    (
        "random seed",
        r"\b(?:random )?seeds?\b.{0,30}\b(?:used|set|fixed|value|run)\b|\b(?:which|what|how many) random seeds?\b",
        r"\bseeds?\b|\bruns\b|\brepeat\w*",
    ),
    (
        "hyperparameters",
        r"\b(?:what|which|how (?:large|high|big|many|much|long)|tell me|value of)\b.{0,50}"
        r"\b(?:learning rates?|batch sizes?|weight decay|dropout rates?|warm-?up steps|momentum coefficient|"
        r"discount factor|number of epochs|(?:training )?epochs)\b"
        r"(?=.*\b(?:used?|using|set|chosen|trained?|tuned?|for)\b)",
        r"\blearning[- ]rates?\b|\bbatch[- ]sizes?\b|\bweight decay\b|\bdropout\b|\bwarm-?up\b|\bmomentum\b|"
        r"\bdiscount\w*|\bepochs?\b|\bhyper-?parameters?\b",
    ),
    (
        "hardware",
        r"\b(?:on|using|with) (?:what|which) (?:hardware|machines?|gpus?|devices?|computers?)\b|"
        r"\b(?:what|which) (?:hardware|gpus?|tpus?|cpus?|graphics cards?)\b|"
        r"\bhow (?:many|much|long)\b.{0,30}\b[gt]pu[- ](?:hours|days)\b|"
        r"\bhow many (?:gpu|tpu|cpu|a100|h100)s?\b",
        r"\b(?:gpus?|tpus?|cpus?|nvidia|a100s?|h100s?|v100s?|rtx|fpgas?|asics?|chips?|hardware|processors?|"
        r"accelerators?|workstations?|laptops?|smartphones?|devices?|clusters?|supercomputers?)\b",
    ),
    (
        "unwanted effects",
        r"\b(?:side|adverse|unwanted|undesired) (?:effects?|events?|reactions?)\b|\bside-effects?\b",
        r"\bside[- ]effects?\b|\badverse\b|\bunwanted\b|\btoxic\w*|\bsafe(?:ty|ly)?\b|\btolera\w+|\bcomplications?\b|"
        r"\bharm\w*|\bdiscontinu\w+|\bwithdr[ae]w\w*",
    ),
    (
        "trial registration",
        r"\b(?:trial|study) regist\w+|\bregistration number\b|\bclinicaltrials\b|\bpre-?registered\b",
        r"\bregist\w+|\bnct\d+|\bisrctn\w*",
    ),
)
"""(what it is called, how a question asks for it, how a sentence speaks of it)."""


@dataclass(frozen=True, slots=True)
class Detail:
    """What it is called, how a folded question asks for it, how a folded sentence speaks of it."""

    name: str
    asked: re.Pattern[str]
    told: re.Pattern[str]


_DETAILS: Final = tuple(Detail(name, re.compile(asked), re.compile(told)) for name, asked, told in _RULES)


def details_asked(folded_question: str) -> tuple[Detail, ...]:
    """The details that a folded question asks for; () for most questions."""
    return tuple(detail for detail in _DETAILS if detail.asked.search(folded_question))


_LIMITS: Final = r"limitations?|shortcomings?|drawbacks?|weakness(?:es)?|downsides?|disadvantages?|caveats?"
_LIMITS_ASKED: Final = re.compile(rf"\b(?:{_LIMITS})\b(?=(?: \S+){{0,2}} (?:of|in|with|to|does|do|has|have)\b)")
_LIMITS_TOLD: Final = re.compile(
    rf"\b(?:{_LIMITS}|limit(?:s|ed|ing)|fail(?:s|ed|ure|ures)?|struggl\w+|suffers?|degrad\w+|trade-?offs?|costs?|expense|"
    r"poor(?:ly)?|worse|slow(?:er)?|fragile|vulnerable|brittle|however|unless|only (?:if|when)|not|cannot)\b"
)
_OWN_LIMITS: Final = re.compile(
    rf"\b(?:our|its|the proposed) (?:\w+ )?(?:{_LIMITS})\b|\b(?:{_LIMITS}) of (?:our|this|the proposed|it)\b"
    r"|\bat the (?:cost|expense) of\b"
)


def limits_asked(folded_question: str) -> bool:
    """Whether a question asks for the limitations of something."""
    return bool(_LIMITS_ASKED.search(folded_question))


def limits_told(names: Sequence[str], sentences: Iterable[str]) -> bool:
    """Whether a folded sentence says something against what is named, or an abstract against its own proposal: that
    others' methods are limited is why the paper was written, and no limitation of it."""
    return any(
        _LIMITS_TOLD.search(sentence) and (any(name in sentence for name in names) or _OWN_LIMITS.search(sentence))
        for sentence in sentences
    )
