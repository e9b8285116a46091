"""Whether a claim denies what its evidence says, or says what it denies.

Each negator is held against the other text where its first few words stand there: it is answered by a negator (or a
softer `fails to`, `avoids`) on one of the same words, by an opposite, or by a word that denies by its own form
(`unlabeled`, `training-free`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rag.text.tokens import stem_of
from rag.verify import lexicon
from rag.verify.align import KIN, Alignment, Link, relate
from rag.verify.findings import Finding
from rag.verify.reading import DENIED, PLAIN, Reading

_HEADS = 3
_SCOPE = 8
_BEFORE = frozenset("before previously prior earlier existed hitherto yet previous".split())
_WHOLE = frozenset(("neither", "nor", "none", "no", "nobody", "nothing"))
"""They deny the verb as well as the noun that follows them."""
_ABILITY = frozenset("ability abilities capability capabilities capacity able possible".split())
"""`limits the ability to plan` and `cannot plan` deny the same."""
_HARDLY = frozenset(("struggle",))
_HARD = frozenset(
    "challenge challenges challenging difficult difficulty hard hardly limited poor poorly trouble weak weakly".split()
)
"""How a claim may say that something `struggles to` do a thing."""
_TAKING = frozenset(
    "lack lacks lacking lacked absent absence without deficient deficiency devoid loss deletion".split()
)
"""What is denied `in mice lacking X` happens with X."""
_PLACING = frozenset("in on at for from with by to of under during among within when via through".split())
_NEGATIVE_FORM = re.compile(r"(?:un|non|in|im|ir|dis)(\w{3,})|(\w{3,})less$")


def negation(alignment: Alignment) -> Iterator[Finding]:
    """A denial of the claim that the evidence does not answer, or one of the evidence that the claim does not."""
    claim, evidence, links = alignment.claim, alignment.evidence, alignment.links
    back = {link.evidence: Link(link.evidence, place, link.weight, link.opposite) for place, link in links.items()}
    if _is_the_first(claim, evidence) or _told_by_absence(claim, evidence):
        return
    if _denies_alone(alignment):
        word = claim.words[claim.negators[0]].text
        yield _finding(_meets(alignment), f"the claim says “{word}”, the sentence does not")
        return
    for place in claim.deniers:
        hard = place in claim.negators
        if _unanswered(claim, place, evidence, links):
            word = claim.words[place].text
            yield _finding(hard or _takes_away(claim, place), f"the claim says “{word}”, the sentence does not")
    for place in evidence.deniers:
        hard = place in evidence.negators
        if evidence.words[place].stem in lexicon.stems(_HARDLY) and _told_as_hard(claim):
            continue
        if _unanswered(evidence, place, claim, back):
            word = evidence.words[place].text
            yield _finding(hard or _takes_away(evidence, place), f"the sentence says “{word}”, the claim does not")


def _told_as_hard(claim: Reading) -> bool:
    return any(word.norm in _HARD for word in claim.words)


def _denies_alone(alignment: Alignment) -> bool:
    """Whether the claim denies, and nothing whatever in the evidence does."""
    claim, evidence = alignment.claim, alignment.evidence
    if not claim.negators or evidence.deniers:
        return False
    if any(link.opposite and claim.words[place].denial for place, link in alignment.links.items()):
        return False
    return not any(_by_form(claim, _denied_by(claim, place), evidence) for place in claim.negators)


def _meets(alignment: Alignment) -> bool:
    """Whether what the claim denies stands in the evidence: else the denial may be how it puts something else."""
    claim, links = alignment.claim, alignment.links
    return any(
        place in links and links[place].weight >= KIN
        for negator in claim.negators
        for place in _denied_by(claim, negator)
    )


def _is_the_first(claim: Reading, evidence: Reading) -> bool:
    """`Nobody did X before` says what `the first to do X` says."""
    said, shown = {word.norm for word in claim.words}, {word.norm for word in evidence.words}
    return "first" in shown and "first" not in said and bool(said & _BEFORE) and not evidence.negators


def _told_by_absence(claim: Reading, evidence: Reading) -> bool:
    """`X is not induced in mice lacking Y` tells, turned round, that it is induced with Y."""
    if claim.deniers or not evidence.negators:
        return False
    first, words = evidence.negators[0], evidence.words
    after = (words[place] for place in evidence.deniers if place > first)
    return any(word.norm in _TAKING and word.clause == words[first].clause for word in after)


def _finding(hard: bool, reason: str) -> Finding:
    return Finding("negation", "conflict", reason) if hard else Finding("softness", "doubt", reason)


def _unanswered(ours: Reading, denier: int, theirs: Reading, links: Mapping[int, Link]) -> bool:
    """Whether the other text has what is denied here, and nothing there denies it."""
    heads = _denied_by(ours, denier)
    met = [links[place] for place in heads if place in links]
    if not met or (heads[0] not in links and not (denier in ours.negators and len(heads) > 1 and heads[1] in links)):
        return False
    if any(link.opposite for link in met) or _by_form(ours, heads, theirs):
        return False
    if denier in links and links[denier].evidence in theirs.deniers:
        return False
    if met[0].evidence in theirs.deniers and ours.words[denier].norm not in _WHOLE:
        return theirs.words[met[0].evidence].denial == PLAIN
    if ours.words[denier].norm in _WHOLE and any(_linked_back(theirs, other, links) for other in theirs.negators):
        return False
    if _answered_in_short(ours, denier, theirs, links):
        return False
    spots = {link.evidence for link in met}
    answered = any(
        2 * len(spots.intersection(denied := _denied_by(theirs, other, joined=True))) >= len(spots)
        or (len(met) < _HEADS and _akin(ours, heads, theirs, denied))
        for other in theirs.deniers
    )
    denied_too = sum(theirs.words[link.evidence].denial == DENIED for link in met)
    return not answered and 2 * denied_too < len(met)


def _answered_in_short(ours: Reading, denier: int, theirs: Reading, links: Mapping[int, Link]) -> bool:
    """Whether the other text denies it of the same place by leaving out the verb: `in runners but not in adults`."""
    end = min(denier + 1 + _SCOPE, len(ours.words))
    clause = ours.words[denier].clause
    told = {links[p].evidence for p in range(denier + 1, end) if p in links and ours.words[p].clause == clause}
    return any(
        _followed(theirs, other, tuple(_PLACING)) and not told.isdisjoint(_denied_by(theirs, other))
        for other in theirs.negators
    )


def _akin(ours: Reading, heads: list[int], theirs: Reading, denied: list[int]) -> bool:
    """Whether the same is denied on both sides, though the words meet others better (`not computed again`, `without
    re-computation`)."""
    return any(
        relate(ours.words[first], theirs.words[second])[0] >= KIN for first in heads[:2] for second in denied[:2]
    )


def _followed(reading: Reading, place: int, norms: tuple[str, ...]) -> bool:
    return place + 1 < len(reading.words) and reading.words[place + 1].norm in norms


def _linked_back(theirs: Reading, denier: int, links: Mapping[int, Link]) -> bool:
    heads = _denied_by(theirs, denier)[:2]
    return any(link.evidence in heads for link in links.values())


def _denied_by(reading: Reading, denier: int, *, joined: bool = False) -> list[int]:
    """The first content words that a negator denies, behind an `and` too if asked for; those just before one that
    closes its clause (`are not.`)."""
    words, clause = reading.words, reading.words[denier].clause
    if words[denier].norm == "free" and not _followed(reading, denier, ("of", "from")):
        return [place for place in range(max(0, denier - 1), denier) if words[place].content] or _after(
            reading, denier, joined
        )
    found = _after(reading, denier, joined)
    if found:
        return found
    before = range(max(0, denier - _SCOPE), denier)
    return [place for place in reversed(before) if words[place].content and words[place].clause == clause][:2]


def _after(reading: Reading, denier: int, joined: bool) -> list[int]:
    words, clause = reading.words, reading.words[denier].clause
    scope = range(denier + 1, min(denier + 1 + _SCOPE, len(words)))
    found = list[int]()
    for place in scope:
        if (
            words[place].clause != clause
            or len(found) == _HEADS
            or (found and not joined and words[place].norm == "and")
        ):
            break
        if words[place].content and words[place].norm not in _ABILITY:
            found.append(place)
    return found


def _by_form(ours: Reading, heads: list[int], theirs: Reading) -> bool:
    """Whether the other text has a word that denies the first words by its form: `not labeled`, `unlabeled`."""
    denied = {ours.words[place].stem for place in heads[:2]}
    for word in theirs.words:
        found = _NEGATIVE_FORM.match(word.norm)
        if found and stem_of(found[1] or found[2]) in denied:
            return True
    return False


def _takes_away(reading: Reading, place: int) -> bool:
    """Whether a softer negator is as good as `not` (`fails to`, `eliminates`, `free of`)."""
    return reading.words[place].stem in lexicon.stems(lexicon.FIRM_NEGATORS)
