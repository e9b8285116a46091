"""Numbers and names: what a claim may not say unless its evidence says it too, whatever else agrees.

A number needs the same value and unit, a comparator no stronger than the evidence's, and the same thing that it is
a number of. A name needs to be there, as its acronym or long form, or as the paper's own system behind a `we`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rag.text.normalise import fold
from rag.text.quantities import Quantity
from rag.text.tokens import stem_of
from rag.verify import acronyms, lexicon, otherwise, shares
from rag.verify.aliases import initials_match
from rag.verify.align import relate
from rag.verify.amounts import (
    bound,
    following,
    in_words,
    is_count,
    keeps_bound,
    no_stronger,
    same_unit,
    same_value,
)
from rag.verify.findings import Finding
from rag.verify.reading import Reading, Word

_ROUGHLY = frozenset("about almost approximately around just nearly only over roughly some".split())
_TIES = frozenset(("on", "for", "in", "over", "against", "than", "of", "from", "at", "among", "with"))
_BRACKET = re.compile(r"[^()\d]{0,30}\([^()]{0,12}")
_SPLITS = frozenset(("and", "or", "while", "but"))
_REACH, _TIED = 6, 14
"""Words on each side of a number that may say what it is of; those after it among which a name may be tied to it
(`2.5x faster than the decoding method X`)."""
_NOUNS, _LISTED = 3, 100
_OFTEN = 2


def numbers(claim: Reading, evidence: Reading, context: Sequence[str] = ()) -> Iterator[Finding]:
    """A value, unit or comparator that the evidence does not give, as it is or in other terms."""
    for quantity in claim.quantities:
        finding = _unlike(quantity, claim, evidence)
        if finding is None:
            continue
        if finding.kind == "comparator" or not otherwise.is_told(quantity, claim, evidence, context):
            yield finding


def _unlike(quantity: Quantity, claim: Reading, evidence: Reading) -> Finding | None:
    same = [other for other in evidence.quantities if same_value(quantity, other)]
    if not same:
        return _absent(quantity, claim, evidence)
    if not any(same_unit(quantity.unit, other.unit) for other in same):
        reason = f"the claim says “{quantity.text.strip()}”, the sentence “{same[0].text.strip()}”"
        return Finding("number", "veto", reason)
    said, shown = _to_or_by(claim, quantity), {_to_or_by(evidence, other) for other in same}
    if said and "" not in shown and said not in shown:
        reason = f"the claim says “{said} {quantity.text.strip()}”, the sentence “{min(shown)}”"
        return Finding("comparator", "veto", reason)
    if any(no_stronger(bound(quantity, claim), bound(other, evidence)) for other in same):
        return None
    if otherwise.bounded_alike(quantity, claim, evidence):
        return None
    return Finding("comparator", "veto", f"“{quantity.text.strip()}” is bounded otherwise in the sentence")


def _to_or_by(reading: Reading, quantity: Quantity) -> str:
    """`to`, `by` or `from` where an amount is where a change ends, what it comes to, or where it begins; else empty."""
    words = [word.norm for word in reading.words if word.end <= quantity.start]
    while words and words[-1] in _ROUGHLY:
        words.pop()
    return words[-1] if words and words[-1] in ("to", "by", "from") and words[-2:] != ["up", "to"] else ""


def _absent(quantity: Quantity, claim: Reading, evidence: Reading) -> Finding | None:
    """A number that the evidence does not have, nor keeps the bound of, nor has in a name."""
    alike = [other for other in evidence.quantities if same_unit(quantity.unit, other.unit)]
    if any(keeps_bound(quantity, other) for other in alike) or _names_it(evidence, quantity):
        return None
    if otherwise.bounded_alike(quantity, claim, evidence):
        return None
    said = f"the claim says {quantity.text.strip()}"
    there = f"the sentence says {alike[0].text.strip()}" if alike else "the sentence has no such number"
    if _only_counted(claim, quantity, evidence):
        return Finding("number", "doubt", f"{said}, {there}", 0.5)
    return Finding("number", "veto", f"{said}, {there}")


def _names_it(evidence: Reading, quantity: Quantity) -> bool:
    """Whether the evidence has the amount as part of a name (`Qwen3-4B` for a 4B model)."""
    said = fold(quantity.text.strip())
    if not any(char.isalpha() for char in said) or not said[0].isdigit():
        return False
    return re.search(rf"(?<![a-z0-9.]){re.escape(said)}(?![a-z0-9])", fold(evidence.text)) is not None


def _only_counted(claim: Reading, quantity: Quantity, evidence: Reading) -> bool:
    """Whether a small count in words meets no other count of the same thing: what is listed may be counted."""
    if not is_count(quantity) or shares.is_part(quantity, claim):
        return False
    counted = set(following(claim, quantity))
    if counted & _single(evidence):
        return False
    return not any(
        not counted.isdisjoint(following(evidence, other))
        for other in evidence.quantities
        if not other.unit and other.low <= _LISTED
    )


def _single(reading: Reading) -> set[str]:
    """Stems of what there is but one of: it is no quantity, but it is not two."""
    found: set[str] = set()
    for place, word in enumerate(reading.words):
        if word.norm in ("one", "single"):
            following = [other.stem for other in reading.words[place + 1 :] if other.content]
            found.update(following[:_NOUNS])
    return found


def owners(claim: Reading, evidence: Reading) -> Iterator[Finding]:
    """A number that the evidence gives, but of another thing than the claim does."""
    if "respectively" in fold(evidence.text):
        return
    for quantity in claim.quantities:
        twice = quantity.unit == "x" and in_words(quantity)
        alike = [
            q
            for q in evidence.quantities
            if same_unit(quantity.unit, q.unit) or (not twice and same_unit(q.unit, quantity.unit))
        ]
        own = [q for q in alike if same_value(quantity, q)]
        said = quantity.text.strip()
        if own and all(_held_by_others(claim, quantity, evidence, q) for q in own):
            yield Finding("owner", "conflict", f"the sentence gives {said} for another thing")
        elif own and len(own) < len(alike) and not any(_of_one_name(claim, quantity, evidence, q) for q in own):
            mine = max(_bond(claim, quantity, evidence, q) for q in own)
            rivals = [
                (_bond(claim, quantity, evidence, q), q.text.strip())
                for q in alike
                if q not in own and not _told_apart(quantity, own, q) and not _in_brackets(evidence, own, q)
            ]
            theirs, rival = max(rivals, default=(0.0, ""))
            if theirs > 1.4 * mine + 0.1:
                reason = f"the sentence gives {rival} where the claim gives {said}"
                yield Finding("owner", "conflict", reason, theirs - mine)


def _told_apart(ours: Quantity, own: Sequence[Quantity], rival: Quantity) -> bool:
    """Whether the bound alone says which number is meant: `up to 2.5x` beside `up to 2.5x` and `over 6x`."""
    kept = {q.comparator for q in own}
    return ours.comparator != "=" and ours.comparator in kept and rival.comparator != ours.comparator


def _in_brackets(evidence: Reading, own: Sequence[Quantity], rival: Quantity) -> bool:
    """Whether a number only says another of the same thing in other terms: `121 patients (53%)`."""
    between = (evidence.text[q.end : rival.start] for q in own if q.end <= rival.start)
    return any(_BRACKET.fullmatch(text) for text in between)


def _held_by_others(claim: Reading, ours: Quantity, evidence: Reading, theirs: Quantity) -> bool:
    """Whether both texts tie the number to a name (`on MSTAR`), and not to the same one."""
    here, there = _tied_names(claim, ours), _tied_names(evidence, theirs)
    return bool(here and there) and here.isdisjoint(there)


def _of_one_name(claim: Reading, ours: Quantity, evidence: Reading, theirs: Quantity) -> bool:
    return not _tied_names(claim, ours).isdisjoint(_tied_names(evidence, theirs))


def _tied_names(reading: Reading, quantity: Quantity) -> set[str]:
    words = reading.words
    place = next((n for n, word in enumerate(words) if word.start >= quantity.end), len(words))
    place = max(0, place - 1)
    found: set[str] = set()
    for spot in range(place + 1, min(place + 1 + _TIED, len(words))):
        if words[spot].number or words[spot].norm in _SPLITS or words[spot].clause != words[place].clause:
            break
        if words[spot].name and any(words[i].norm in _TIES for i in range(place + 1, spot)):
            found.add(_bare(words[spot].norm))
    if not found and len(words) > 1 and words[0].norm in _TIES and words[1].name and len(reading.quantities) == 1:
        found.add(_bare(words[1].norm))
    return found


def _bond(claim: Reading, ours: Quantity, evidence: Reading, theirs: Quantity) -> float:
    """How much of what stands around our number stands, in like order, around theirs."""
    here, there = _nearest(claim.words, ours), _nearest(evidence.words, theirs)
    counted = _counted_before(evidence, there)
    total = 0.2 if ours.comparator == theirs.comparator != "=" else 0.0
    for place in range(max(0, here - _REACH), min(len(claim.words), here + _REACH + 1)):
        word = claim.words[place]
        if not word.content or word.clause != claim.words[here].clause:
            continue
        best = 0.0
        for spot in range(max(0, there - _REACH), min(len(evidence.words), there + _REACH + 1)):
            if relate(word, evidence.words[spot])[0] > 0:
                best = max(best, _closeness(place - here, spot - there, evidence.words, there, spot))
        if any(relate(word, evidence.words[spot])[0] > 0 for spot in counted):
            best = 1.0
        total += best * (2.0 if word.name else 1.0) * _cut(claim.words, here, place) / abs(place - here or 1) ** 0.5
    return total


def _counted_before(reading: Reading, place: int) -> range:
    """What a number counts whose noun is left out (`500 questions in English and 200 in Hindi`): the words between an
    earlier number and the same small word."""
    words = reading.words
    if place + 1 >= len(words) or words[place + 1].norm not in _TIES:
        return range(0)
    tie = words[place + 1].norm
    before = next((n for n in range(place - 1, -1, -1) if words[n].number), -1)
    end = next((n for n in range(before + 1, place) if words[n].norm == tie), -1)
    return range(before + 1, end) if 0 <= before < end else range(0)


def _closeness(ours: int, theirs: int, words: Sequence[Word], there: int, spot: int) -> float:
    side = 1.0 if (ours > 0) == (theirs > 0) else 0.7
    return side * _cut(words, there, spot) / (1 + 0.25 * abs(abs(theirs) - abs(ours)))


def _cut(words: Sequence[Word], first: int, last: int) -> float:
    """1.0 within one phrase; less for each `and` or comma between."""
    low, high = sorted((first, last))
    crossings = sum(word.norm in _SPLITS for word in words[low:high]) + words[high].clause - words[low].clause
    return 0.4 ** min(crossings, 2)


def _nearest(words: Sequence[Word], quantity: Quantity) -> int:
    return min(range(len(words)), key=lambda i: abs(words[i].start - quantity.start), default=0)


def missing_names(
    claim: Reading, evidence: Reading, own: frozenset[str], context: Sequence[str], around: frozenset[str]
) -> Iterator[Finding]:
    """A name that the evidence does not have, nor means by `we` or `it`. One that the whole paper is about may well be
    meant where it is not named."""
    present = {_bare(name) for name, _, _ in evidence.names}
    folded, spaced = fold(evidence.text), acronyms.spaced(evidence.text)
    stems = {word.stem for word in evidence.words}
    leaning = any(word.norm in lexicon.SELF for word in evidence.words) or not present - lexicon.GENERIC
    for name, start, end in claim.names:
        bare = _bare(name).removeprefix("non-")
        if bare in present or _spelled(bare, folded):
            continue
        if initials_match(claim.text[start:end], [word.norm for word in evidence.words]):
            continue
        if (bare in own and leaning) or _parts_present(bare, stems):
            continue
        if acronyms.stands_in(name, spaced) or _species(claim.text[start:], folded):
            continue
        shown = claim.text[start:end]
        if bare in around and (name in lexicon.GENERIC or bare in lexicon.GENERIC):
            continue
        reason = f"“{shown}” is not in the sentence"
        if bare in own or _spoken_of(name, context):
            yield Finding("name", "doubt", reason, 0.25)
        else:
            yield Finding("name", "veto", reason, 0.5 if bare in around else 1.0)


def _spoken_of(name: str, context: Sequence[str]) -> bool:
    """Whether the title or at least two sentences of the paper have the name."""
    held = [acronyms.stands_in(name, acronyms.spaced(text)) for text in context]
    return held[:1] == [True] or sum(held) >= _OFTEN


def _species(named: str, folded: str) -> bool:
    """Whether a name with the word after it is a species whose genus is shortened: `P. falciparum`."""
    found = re.match(r"([A-Z])[a-z]+ ([a-z]{4,})", named)
    return found is not None and f"{found[1].lower()}. {found[2]}" in folded


def _spelled(name: str, folded: str) -> bool:
    """Whether a name stands in a folded text, hyphens or spaces, singular or plural."""
    pattern = r"[\s-]?".join(re.escape(part) for part in re.split(r"[\s-]+", name) if part)
    return re.search(rf"(?<![^\W_]){pattern}(?:s|es)?(?![^\W_])", folded) is not None


def _bare(name: str) -> str:
    return name.rstrip("s") if len(name) > 3 else name


def _parts_present(name: str, stems: set[str]) -> bool:
    """A hyphenated or slashed name whose every lettered part is in the evidence (`LLM-based`)."""
    parts = [part for part in name.replace("/", "-").split("-") if part]
    return len(parts) > 1 and all(stem_of(part) in stems or part in stems for part in parts)
