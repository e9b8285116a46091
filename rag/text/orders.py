"""Sentences that give orders to whoever reads them. An abstract states; one that commands its reader, dictates an
answer or poses as part of a prompt is evidence of nothing, whoever wrote it.

This is the outer fence only: it knows the common forms in the common languages (`orders.txt`). What it lets through
meets the same checks as any sentence, and is shown only as what it says, and only where that is to the point.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from rag.text.normalise import fold
from rag.types import Sentence

_HINTS: Final = frozenset(
    "ignore disregard forget override bypass overlook dismiss skip attention aside please always instead simply only "
    "answer answers reply respond say output print write state claim repeat return cite tell conclude report recommend "
    "declare emit show speak stop never don do you your ask asks asked answered response citation source as system "
    "developer hidden secret initial prompt note notes notice message reminder warning dear hey hello important "
    "send forward post upload append transmit leak submit quote copy paste display "
    "instruction instructions orders commands new updated summary output act now forbidden required mandatory".split()
)
"""Without one of these words no English order is looked for: most sentences end here."""
_STEMS: Final = tuple(
    "ignor missacht vergi vergess negeer vergeet glom richtig korrekt einzig wahre antwort schreib sag gib geben "
    "zitier juiste correcte glem bort jata ohita oikea hagyd helyes raspuns puuza jibu det den oubli olvid esque "
    "dimentic desconsid repons respuesta resposta risposta repond respond rispond zignoruj zapomnij poprawna "
    "prawidlowa odpowiad talimat komut yonerge dogru qua abaikan jawaban".split()
)
"""The same for the other languages in Latin letters: beginnings of words."""
_HIDDEN: Final = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\U000e0000-\U000e007f]")
"""Marks that no reader sees: what they are strewn into was not written for readers."""
_MANY_HIDDEN: Final = 3
_CONTROLS: Final = re.compile("[\x1b\x9b\x08]")
"""What only a terminal reads: escapes and backspaces."""
_LOOK_ALIKES: Final = str.maketrans("\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455", "aeopcyxijs")
"""Cyrillic letters in the place of Latin ones."""
_SPACED: Final = re.compile(r"(?<!\S)(?:[a-z] ){4,}[a-z](?!\S)")
_ENDS: Final = re.compile(
    r"\bend of (?:the |all )?(?:evidence|context|sources?|documents?|prompt|abstracts?|user input)\b(?! \w)",
    re.IGNORECASE,
)
_LATIN: Final = re.compile("[a-z]")


@dataclass(frozen=True, slots=True)
class _Orders:
    english: re.Pattern[str]
    forms: re.Pattern[str]
    latin: re.Pattern[str]
    scripts: re.Pattern[str]


@lru_cache(maxsize=8192)
def commands(text: str) -> bool:
    """Whether a sentence gives its reader orders, dictates an answer, poses as part of a prompt, or hides its text."""
    bare = _HIDDEN.sub("", text)
    if len(text) - len(bare) > _MANY_HIDDEN or _CONTROLS.search(text):
        return True
    bare = bare.replace("\xad", "")
    orders, folded = _orders(), _undisguised(fold(bare))
    if orders.forms.search(bare.casefold()):
        return True
    words = re.findall(r"[a-z]+", folded)
    if not _HINTS.isdisjoint(words) and orders.english.search(folded):
        return True
    if any(word.startswith(_STEMS) for word in words) and orders.latin.search(folded):
        return True
    # Folding takes marks off that Arabic and Hindi spell with.
    return not bare.isascii() and bool(orders.scripts.search(folded) or orders.scripts.search(bare.casefold()))


def _undisguised(folded: str) -> str:
    """With look-alike letters as what they look like in Latin text, and s p a c e d words closed."""
    if not folded.isascii() and 2 * len(_LATIN.findall(folded)) > len(folded):
        folded = folded.translate(_LOOK_ALIKES)
    return _SPACED.sub(lambda found: found[0].replace(" ", ""), folded)


def stating(text: str, sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """`sentences` of `text` without those that give orders: they are evidence of nothing. Neither is what follows
    words that pretend to be the end of all evidence."""
    ended = next((each.index for each in sentences if _ENDS.search(text[each.start : each.end])), len(text))
    return tuple(each for each in sentences if each.index < ended and not commands(text[each.start : each.end]))


@cache
def _orders() -> _Orders:
    """The forms of `orders.txt`, each section one pattern."""
    sections: dict[str, list[str]] = {}
    for line in files("rag.text").joinpath("orders.txt").read_text("utf-8").splitlines():
        if re.fullmatch(r"\[\w+\]", line):
            current = sections.setdefault(line[1:-1], [])
        elif line and not line.startswith("# "):
            current.append(line)
    parts = dict(line.split(" = ", 1) for line in sections.pop("parts"))
    return _Orders(**{name: _joined(lines, parts) for name, lines in sections.items()})


def _joined(lines: list[str], parts: dict[str, str]) -> re.Pattern[str]:
    filled = (re.sub(r"\{([a-z]+)\}", lambda found: parts[found[1]], line) for line in lines)
    return re.compile("|".join(f"(?:{line})" for line in filled), re.MULTILINE)
