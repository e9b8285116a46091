"""The checker's word lists, our own writing: which words deny, which are opposites, which say the same thing.

The long lists (opposites by axis, synonyms and irregular verbs by line) lie in rag/weights/verify_lexicon.json. Words
are stemmed with the tokeniser's own stemmer on first use, so that the lists and the texts always meet in the same form;
"fell", which no stemmer knows, stands wherever "fall" does.
"""

from __future__ import annotations

from functools import cache

from rag.text.tokens import stem_of
from rag.weights import read_weights

# Turn what follows them into its denial, up to the end of the clause.
NEGATORS = frozenset(
    "not no never none neither nor without cannot can't don't doesn't didn't isn't aren't wasn't weren't "
    "won't wouldn't couldn't shouldn't hasn't haven't nobody nothing nowhere hardly scarcely barely n't "
    "cant dont doesnt".split()
)
# Deny more softly: enough to answer a plain "not", too little to contradict one.
SOFT_NEGATORS = frozenset(
    "fail fails failed failing lack lacks lacking lacked absence absent unable avoid avoids avoiding "
    "avoided eliminate eliminates eliminating eliminated remove removes removing obviate obviates "
    "obviating bypass bypasses bypassing prevent prevents preventing free rather instead unlike rarely "
    "seldom little few neglect neglects neglecting ignore ignores ignoring insufficient unlikely "
    "impossible forgo forgoing circumvent circumvents circumventing dispense independent agnostic "
    "struggle struggles refuse refuses exclude excludes excluding devoid zero deficiency loss deletion "
    "deficient limiting hinders hindering hampers hampering impedes impeding".split()
)
# So do these before `from` and a verb: `keeps X from binding`.
KEEPING = frozenset("keep keeps kept keeping stop stops stopped stopping".split())

# A search's stop words that carry the meaning of a claim all the same.
TELLING = frozenset(
    "show shows showed shown give gives gave given know knows known say says work works worked tell".split()
)
# Small words that make a difference before a hyphen: `on-policy`, `pre-training`.
PREFIXES = frozenset("on off over under in out intra inter pre post up down".split())
# Those of them that take away as surely as a "not" does.
FIRM_NEGATORS = frozenset("fail struggle unable eliminate avoid obviate free non lack absent devoid circumvent".split())

BOUNDARIES = frozenset("but however while whereas although though which because since yet unless despite".split())
# What follows is what something else is measured against.
AGAINST = frozenset("than over against versus vs relative compared compare compares comparing".split())
BEATING = frozenset(
    "outperform outperforms outperformed outperforming surpass surpasses surpassed surpassing exceed "
    "exceeds exceeded exceeding beat beats beating dominate dominates dominating overtake overtakes "
    "underperform underperforms underperforming trail trails trailing lag lags lagging superior inferior "
    "preferable".split()
)
DOING = frozenset(
    "causes leads improves reduces replaces precedes guides predicts drives controls governs regulates "
    "dominates determines explains induces triggers requires depends generates produces supports "
    "simulates subsumes contains implies prevents inhibits activates encodes teaches maps transforms "
    "converts influences affects".split()
)
# Acronyms that the whole field shares: content words, not the name of one thing. Those of `text.names` are another
# list: they end a name, and with all of them here one more of the changed names would pass.
GENERIC = frozenset(
    "ai ml llm llms lm lms vlm vlms mllm mllms lmm nlp rl sft rlhf gpu gpus cpu rag cot moe ood dnn cnn "
    "rnn gnn gnns mlp sgd ode sde pde gan gans vae ssl api iot 2d 3d rgb qa vqa ocr asr tts rct dna rna "
    "mrna pcr mri ct hiv icu ci cell cells".split()
)
# Says nothing of which side of a comparison it stands on.
FACELESS = frozenset(
    "method methods approach approaches model models baseline baselines technique techniques algorithm "
    "algorithms other others existing prior previous based standard strong strongest recent leading "
    "including include such competing performance accuracy results state art sota conventional "
    "alternative alternatives one ones favorably favourably well poorly".split()
)
PASSIVE_AUXILIARIES = frozenset("is are was were be been being get gets got".split())
SELF = frozenset("we our ours us it its this these they their".split())
LEANING = frozenset("it its this these those they them their such both former latter".split())

HEDGES = frozenset(
    "may might could can possibly potentially perhaps likely probably suggest suggests suggesting appear "
    "appears seem seems potential hypothesize hypothesise conjecture partially partly sometimes tend "
    "tends approximately aim aims hope expected".split()
)
UNIVERSALS = frozenset("all every always each entire entirely universally invariably never none".split())
PARTIALS = frozenset(
    "some most many several often sometimes usually typically generally mostly few part partially certain".split()
)
STRENGTHENERS = frozenset(
    "only solely exclusively first best guarantee guarantees guaranteed proves prove proven optimal "
    "optimally perfect perfectly must always never state-of-the-art sota significantly dramatically "
    "exactly definitively will".split()
)

# What one wants more of, and less of: "improves" raises the former and lowers the latter.
DESIRED = frozenset(
    "accuracy performance quality robustness throughput fidelity efficiency stability precision recall f1 "
    "score reward coverage safety fairness diversity generalization consistency alignment speed "
    "scalability reliability survival calibration faithfulness utility speedup success auc privacy result "
    "results".split()
)
UNWANTED = frozenset(
    "error errors latency cost costs memory overhead loss hallucination hallucinations bias variance "
    "regret time complexity noise failure failures footprint abstention mortality risk perplexity runtime "
    "toxicity forgetting redundancy energy pain burden delay uncertainty disparity gap".split()
)

# Rare in abstracts because they are plain: how anyone says a thing in other words.
PLAIN_ENGLISH = frozenset(
    "today nowadays push lean tell apart ordinary presuppose mere alike ease withstand thank thanks behave behaves "
    "likely likeliest rid keep keeps hold holds hand sort sorts kind kinds lot lots pick picks spot spots catch turn "
    "turns look looks get gets go goes come comes put puts say says see sees think want wants wish try tries talk buy "
    "sell pay cheap cheaply costly dear easy hard tough quick slow big tiny huge little old fresh sheer bare plain "
    "odd strange usual unusual whole entire half twice thrice enough plenty far near close nearby beyond besides "
    "meanwhile anyway anyone someone something anything everything nothing everyone everywhere nowhere somewhere "
    "maybe perhaps thereby hence thus whatever whenever wherever whichever aside ahead behind forth forward backward "
    "onward afresh again anew bit piece pile heap bunch batch handful couple dozen share chunk slice stretch span "
    "spell while moment instant trouble trick hurdle snag flaw fault blame credit cure remedy fix mend patch boost "
    "lift jump leap drop dip climb shrink grow swell cut trim slash spare save waste spend cost price worth value "
    "gain loss win lose beat tie match rival peer fellow friend foe guess hunch hint clue cue sign token mark trace "
    "track trail path road route way start begin begins onset outset end ends finish finally last first next former "
    "latter upfront afterwards later sooner early late stay stays remain linger outlast hurt harm help aid foster "
    "hinder hamper thwart foil stop halt quit dismiss reject accept admit allow let lets forbid ban bar ask asks "
    "answer reply respond rest rests stem stems rise arises spring springs owe owes due vary differs suit suits fit "
    "fits crafted tailor tailored good bad better worse best worst nice poor rich fair foul sound shaky solid firm "
    "weak strong fragile brittle newcomer author authors reader readers scholar people folk practitioner "
    "practitioners outsider insider".split()
)

# Words that stand in almost every English sentence: without any, a longer text is in another language.
FUNCTION_WORDS = frozenset(
    "the a an of in on at to for from by with and or as is are was were be been it its this that we our "
    "their than can has have not no which when while between into using through over more less".split()
)


@cache
def _written() -> dict[str, list[list[str]] | list[str]]:
    written: dict[str, list[list[str]] | list[str]] = read_weights("verify_lexicon")
    return written


@cache
def _forms() -> dict[str, tuple[str, ...]]:
    """An irregular verb's stem -> the stems of all its forms, the first is its own."""
    return {stem_of(line.split()[0]): tuple(map(stem_of, line.split())) for line in map(str, _written()["irregular"])}


def _stems_of(words: str) -> list[str]:
    """The stems of a list of words, and of the forms of irregular verbs among them."""
    held = map(stem_of, words.split())
    return [form for stem in held for form in _forms().get(stem, (stem,))]


@cache
def poles() -> dict[str, frozenset[tuple[int, int]]]:
    """stem -> {(axis, +1 or -1), ...}: two words with one axis and different signs are opposites."""
    table: dict[str, set[tuple[int, int]]] = {}
    for axis, sides in enumerate(_written()["opposites"]):
        for sign, side in zip((1, -1), sides, strict=True):
            for stem in _stems_of(side):
                table.setdefault(stem, set()).add((axis, sign))
    return {word: frozenset(held) for word, held in table.items()}


@cache
def groups() -> dict[str, frozenset[int]]:
    """stem -> the lines of synonyms it stands on; the forms of an irregular verb are one."""
    table: dict[str, set[int]] = {}
    for number, line in enumerate((*_written()["synonyms"], *_written()["irregular"])):
        for stem in _stems_of(str(line)):
            table.setdefault(stem, set()).add(number)
    return {word: frozenset(held) for word, held in table.items()}


@cache
def stems(words: frozenset[str]) -> frozenset[str]:
    """A word list as stems."""
    return frozenset(stem_of(word) for word in words)


def opposed(first: str, second: str) -> bool:
    """Whether two stems stand on the two sides of one axis, and never on the same side of any."""
    ours, theirs = poles().get(first), poles().get(second)
    if not ours or not theirs or first == second or ours & theirs:
        return False
    return any((axis, -sign) in theirs for axis, sign in ours)


def allied(first: str, second: str) -> bool:
    """Whether two stems stand on the same side of one axis."""
    ours, theirs = poles().get(first), poles().get(second)
    return bool(ours and theirs and not ours.isdisjoint(theirs))


@cache
def axis(word: str) -> int:
    """The axis (line of the opposites) that a word stands on: that of `increase` is amount, of `improve` quality."""
    return min(number for number, _ in poles()[stem_of(word)])


def value(word: str) -> int:
    """1 for what one wants more of, -1 for what one wants less of, 0 otherwise."""
    return int(word in stems(DESIRED)) - int(word in stems(UNWANTED))


@cache
def _verbs() -> dict[str, str]:
    """A form of an irregular verb -> the verb, both as stems."""
    return {form: verb for verb, forms in _forms().items() for form in forms}


def one_verb(first: str, second: str) -> bool:
    """Whether two stems are forms of one irregular verb."""
    verb = _verbs().get(first)
    return verb is not None and verb == _verbs().get(second)


def synonymous(first: str, second: str) -> bool:
    """Whether two stems stand on one line of synonyms."""
    mine, theirs = groups().get(first), groups().get(second)
    return bool(mine and theirs and not mine.isdisjoint(theirs))
