"""Which way a claim and its evidence point: more or less, on or off, counted through every word that turns it round.

`Lack of X slows Y` and `X deficiency causes a marked exacerbation of Y` differ by one turn: lack (1) and slows (2)
against deficiency (1). Each text is read as the parity of its turning words; of the evidence, those clauses that hold
most of the claim are read. It is right more often than not, so it is a feature for the fitted model and no guard.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rag.verify import lexicon
from rag.verify.align import align
from rag.verify.reading import Reading, Word

NAMES = ("same_way", "other_way")
_CLAUSES = 3
_PRICE = 0.003
"""What a word of the evidence costs: of two runs of clauses that hold as much, the shorter is meant."""
_RAISING = frozenset(
    "increase raise elevate enhance promote induce stimulate activate activation upregulate augment potentiate "
    "accelerate trigger facilitate exacerbate exacerbation aggravate higher greater more gain growth expand expansion "
    "positive positively improve improvement superior longer overexpression heighten amplify rise grow enlarge boost "
    "strengthen earlier frequent faster rapid high better large drive".split()
)
_TURNING = frozenset(
    "decrease reduce reduction lower suppress suppression inhibit inhibition inhibitor block blockade prevent impair "
    "impairment attenuate abolish diminish dampen limit restrict slow slower delay repress downregulate protect rescue "
    "reverse abrogate antagonize antagonist deplete depletion knockdown knockout deficiency deficient loss lose lack "
    "absence deletion delete silencing silence ablation ablate inactivation inactivate null fewer less scarce weak "
    "weaken negative negatively poor poorer ineffective fail failure unrelated independent inverse inversely shorter "
    "insufficiency disrupt disruption unaffected unchanged hamper hinder worse worsen worsening deteriorate decline "
    "drop eliminate remove removal low small rare unable incapable counteract alleviate ameliorate mitigate minimize "
    "resist resistant resistance destabilize unlikely absent inactive dispensable dysfunction dysregulation "
    "insensitive".split()
)

_NOUNS = tuple("tion sion ment ency ence ance ade out down tor loss lack decline deficient".split())
_STOPS = frozenset("and or by with without for from to at than on".split())


def values(claim: Reading, sentences: Sequence[Reading], weigh: Callable[[str], float]) -> list[float]:
    """How much of the claim stands, over the sentences, in clauses that point its way, and in those that do not."""
    said = [p for p in claim.content if not _sign(claim.words[p])]
    total = sum(weigh(claim.words[p].stem) for p in said) or 1.0
    same = other = 0.0
    for sentence in sentences:
        met = {place: link.evidence for place, link in align(claim, sentence).links.items() if not link.opposite}
        held, clauses = _closest_clauses(claim, [p for p in said if p in met], met, sentence, weigh)
        ours, theirs = _signs(claim, sentence, met)
        turned = ours.count(-1) % 2 == 1
        shown = [sign for sign, word in zip(theirs, sentence.words, strict=True) if word.clause in clauses]
        there = shown.count(-1) % 2 == 1
        if any(ours) or any(shown):
            same += held / total if there == turned else 0.0
            other += held / total if there != turned else 0.0
    return [same, other]


def _closest_clauses(
    claim: Reading,
    said: Sequence[int],
    met: Mapping[int, int],
    sentence: Reading,
    weigh: Callable[[str], float],
) -> tuple[float, frozenset[int]]:
    """Of up to three clauses in a row: how much they hold of what is said, and which they are."""
    clauses = sorted({word.clause for word in sentence.words})
    best, chosen, best_score = 0.0, frozenset[int](), -1.0
    for first in range(len(clauses)):
        for last in range(first, min(first + _CLAUSES, len(clauses))):
            run = frozenset(clauses[first : last + 1])
            length = sum(word.clause in run for word in sentence.words)
            held = sum(weigh(claim.words[p].stem) for p in said if sentence.words[met[p]].clause in run)
            score = held / 10 - _PRICE * length
            if score > best_score:
                best, chosen, best_score = held, run, score
    return best, chosen


def _signs(claim: Reading, sentence: Reading, met: Mapping[int, int]) -> tuple[list[int], list[int]]:
    """The signs of both texts' words. Words that answer each other have one sign, though a list may hold only one; a
    word of the evidence that turns what the claim does not speak of has none."""
    ours, theirs = [_sign(word) for word in claim.words], [_sign(word) for word in sentence.words]
    spoken = set(met.values())
    denials_last = sorted(range(len(theirs)), key=lambda p: sentence.words[p].norm in lexicon.NEGATORS)
    for place in denials_last:
        if theirs[place] and place not in spoken and spoken.isdisjoint(_turned(sentence, place)):
            theirs[place] = 0
        elif theirs[place]:
            spoken.add(place)
    for place, there in met.items():
        if ours[place] != theirs[there]:
            ours[place] = theirs[there] = min(ours[place], theirs[there]) or 1
    return ours, theirs


def _turned(sentence: Reading, place: int) -> frozenset[int]:
    """What a word turns: the two content words after a verb or a negator, those before a noun or a passive too."""
    words, clause = sentence.words, sentence.words[place].clause
    before = [p for p in sentence.content if p < place and words[p].clause == clause][-2:]
    after: list[int] = []
    for spot in range(place + 1, len(words)):
        if words[spot].clause != clause or words[spot].norm in _STOPS or len(after) == 2:
            break
        after += [spot] if words[spot].content else []
    if words[place].norm in lexicon.NEGATORS:
        return frozenset(after)
    if words[place].norm.endswith(_NOUNS):
        return frozenset((*before[-1:], *after))
    passive = place > 0 and words[place - 1].norm in lexicon.PASSIVE_AUXILIARIES
    return frozenset(before if passive or not after else after)


def _sign(word: Word) -> int:
    if word.norm in lexicon.NEGATORS or word.stem in lexicon.stems(_TURNING):
        return -1
    if word.stem in lexicon.stems(_RAISING):
        return 1
    return next((sign for axis, sign in lexicon.poles().get(word.stem, ()) if axis == lexicon.axis("increase")), 0)
