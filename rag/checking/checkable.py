"""Which sentences say something that abstracts can support: not questions, opinions, plans, or words about the text."""

from __future__ import annotations

import re

from rag.text.tokens import content_terms, tokenise

_FEWEST_TERMS = 2
_I = r"(?:I|[Ww]e)"
_OPINION = re.compile(
    rf"\b{_I} (?:\w+ly )?(?:think|believe|feel|hope|wish|doubt|suspect|like|love|prefer|"
    r"admire)\b"
    rf"|\b{_I} find\b(?! that)(?!.*\d)"
    r"|\b(?:in|to) (?:my|our) (?:(?:humble|own|personal) )?(?:view|opinion|minds?|eyes|judg\w*ment|taste)\b"
    r"|\b[Mm]y (?:take|guess|hunch|impression|feeling|sense|worry|hope)\b|\b[Ii]n (?:hindsight|retrospect)\b"
    r"|\bjury is (?:still )?out\b"
    r"|\b(?:arguably|hopefully|(?:un)?fortunately|sadly|regrettably|happily|luckily|frankly|personally|admittedly)\b"
    r"|\b(?:it is|it's|it would be|what) (?:\w+ )?(?:a (?:pity|shame)|regrettable|nice|great|tempting|sad)\b"
    r"|\b(?:should|ought to|deserves?|merits?|worth(?:y)?) (?:\w+ )?(?:be |more|far more|further|attention|stop|start|"
    r"consider|avoid|report|stud|explor|not )"
    r"|\b(?:(?:most|very|truly|really|remarkably|rather|quite|more) )(?:elegant|exciting|beautiful(?:ly)?|fascinating|"
    r"interesting|worrying|inspiring|disappointing|impressive|convincing|boring|ugly|clever|underrated|overrated|hyped)\b"
    r"|\b(?:is|are|was|were) (?:\w+ly )?(?:beautiful|elegant|exciting|fascinating|delightful|boring|ugly|brilliant|"
    r"underrated|overrated|wonderful|terrible|awful|(?:well|badly|beautifully|poorly) written)(?:ly)?\b"
)
_PLAN = re.compile(
    r"\b(?:we|I) (?:(?:now|next|first|then|also|briefly|here) ){0,2}"
    r"(?:turn to|discuss|review|summari[sz]e|survey|outline|organi[sz]e|revisit|return to|refer|conclude)\b(?!.*\d%)"
    r"|\b(?:we|I) (?:will|shall|plan to|intend to|are going to|would like to)\b"
    r"|^(?:let us|let's)\b|\b(?:future work|left to future|remains? for future)\b"
    r"|\bthe (?:rest|remainder) of (?:this|the) (?:paper|section|chapter|article|thesis|report|text)\b"
    r"|\b(?:this|the (?:next|following|previous|present)) (?:section|chapter|appendix|subsection|paragraph|essay)\b"
    r"|\bthis (?:paper|article|work|thesis|report) (?:is (?:organi[sz]ed|structured)|proceeds)\b"
    r"|^(?:in|see|as (?:shown|seen|discussed)) (?:in )?(?:section|appendix|figure|table|chapter|fig\.|tab\.|eq)",
    re.IGNORECASE,
)
_OWN = re.compile(r"\b(?:we|our|ours|us|I|my)\b", re.IGNORECASE)
_CONTRAST = re.compile(
    r"^(?:in contrast|by contrast|contrary to|unlike|differently|different from|as opposed to)\b.*?\b(?:we|our|ours)\b"
    r"|\bour (?:own )?(?:work|method|approach|paper|setting|contribution|model|study)\b.{0,40}\bdiffers?\b",
    re.IGNORECASE,
)
"""How writers set their own work apart from what they cite."""
_TALK = re.compile(
    r"^(?:(?:to sum up|to conclude|in (?:summary|short|sum|brief|conclusion)|overall|broadly|finally|all in all),? )?"
    r"(?:here (?:is|are)|sure|certainly|of course|thanks?|below|above|yes|no|great question|"
    r"(?:the|several|some|many|two|three|four|a few|various) (?:following|main|key)? ?"
    r"(?:lines?|strands?|groups?|kinds?|families|papers?|works?) (?:of work )?(?:is|are|stand|have been|can be) "
    r"(?:relevant|related|distinguished|discussed|listed|close(?:st)?|out))\b",
    re.IGNORECASE,
)
_TO_THE_READER = re.compile(
    r"^\W*(?:let me know|feel free|stay tuned|see you|do(?:n['’]t| not) hesitate|happy to|i hope"
    r"|hope (?:this|that|it)|please|check out|corrections (?:are )?welcome"
    r"|(?:more|details) (?:on|about) (?:this|that|it)|todo|fixme|tbd|xxx)\b",
    re.IGNORECASE,
)
"""Said to whoever reads the text, or to its writer."""
_ASIDE = re.compile(
    r"\byou(?:['’]\w+|rs?)?\b|\b(?:worth|important|interesting) (?:noting|mentioning|remembering|to (?:note|mention))\b"
    r"|\b(?:far from|early days|anyone['’]s guess|stands? out|honestly|to be (?:fair|honest))\b"
    r"|\bmatters?(?: more| less| a lot)"
    r"|\b(?:is|are|was|were|looks?|seems?|remains?|stays?) (?:\w+ ){0,2}?"
    r"(?:promising|preliminary|encouraging|impressive|mixed|surprising|striking|unclear|unsettled|clear)\b(?! that\b)",
    re.IGNORECASE,
)


def why_not(reading: str, *, cites: bool) -> str:
    """Why a sentence is not checked, "" where it is. `cites`: it names its evidence, so a claim is meant."""
    bare = reading.strip().rstrip("\"'”’)]}*_ ")
    if bare.endswith(("?", "？")):
        return "a question"
    terms = content_terms(reading)
    if len(terms) < _FEWEST_TERMS and not any(char.isdigit() for char in reading):
        return "too little is said"
    if _OPINION.search(reading):
        return "an opinion"
    if not cites and _PLAN.search(reading):
        return "about the text itself"
    if not cites and _TO_THE_READER.search(reading):
        return "said to the reader"
    if not cites and (_TALK.search(reading) or bare.endswith((":", "："))):
        return "a transition"
    return ""


def of_the_writers(reading: str) -> bool:
    """Whether the writers speak of themselves."""
    return bool(_OWN.search(reading))


def sets_apart(reading: str) -> bool:
    """Whether the writers set their own work apart from others'."""
    return bool(_CONTRAST.search(reading))


def is_aside(reading: str) -> bool:
    """Whether the writer judges or addresses the reader, and names nothing that could be looked up."""
    named = any(token.kind in ("name", "number") for token in tokenise(reading))
    return not named and _ASIDE.search(reading) is not None
