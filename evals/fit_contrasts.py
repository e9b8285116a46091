"""Finds words that abstracts set beside each other: `python -m evals.fit_contrasts` writes rag/weights/contrasts.json.

Who writes "training and inference", "from token to pixel level" or "synthetic rather than real" means two things: a
claim that says the one where its evidence says the other is likely wrong, however close the words are in meaning
(patterns of Lin, Zhao, Qin and Zhou, IJCAI 2003). Counted over half of the ML abstracts and SciFact's, without a label.
Needs the shared papers (CITEWELL_DATA, or ../shared/data beside the checkout).
"""

from __future__ import annotations

import gzip
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from evals.material.places import shared
from rag.text.tokens import STOPWORDS, stem_of
from rag.verify import lexicon
from rag.weights import FOLDER

OUT = FOLDER / "contrasts.json"
LEAST_TIMES, LEAST_GAIN = 3, 3.0
_WORD = r"[a-z]{3,}"
_BESIDE = re.compile(
    rf"\b(?P<first>{_WORD})(?:-(?:\w+)?)?,? "
    r"(?:and|or|versus|vs\.?|rather than|instead of|nor|to|but not|as opposed to|as well as) "
    rf"(?:the |an? )?(?P<second>{_WORD})\b"
)


def pairs(folder: Path) -> tuple[Counter[tuple[str, str]], Counter[str]]:
    """How often two stems stand beside each other, in either order, and how often each stands beside any."""
    together: Counter[tuple[str, str]] = Counter()
    alone: Counter[str] = Counter()
    for text in _abstracts(folder):
        for match in _BESIDE.finditer(text.casefold()):
            words = (match["first"], match["second"])
            if STOPWORDS.isdisjoint(words):
                first, second = sorted(map(stem_of, words))
                if first != second:
                    together[first, second] += 1
                    alone.update((first, second))
    return together, alone


def _abstracts(folder: Path) -> Iterator[str]:
    with gzip.open(folder / "ml_abstracts.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from (json.loads(line)["abstract"] for number, line in enumerate(lines) if number % 2 == 0)
    with (folder / "scifact" / "corpus.jsonl").open(encoding="utf-8") as lines:
        yield from (" ".join(json.loads(line)["abstract"]) for line in lines)


def kept(together: Counter[tuple[str, str]], alone: Counter[str]) -> list[str]:
    """Pairs that stand together more often than by chance, and that the checker's lists do not call one thing."""
    total = sum(together.values())
    found = []
    for (first, second), n in together.items():
        gain = math.log2(n * total / (alone[first] * alone[second]))
        if n >= LEAST_TIMES and gain >= LEAST_GAIN and not lexicon.synonymous(first, second):
            found.append(f"{first} {second}")
    return sorted(found)


def main() -> int:
    folder = shared()
    if folder is None:
        print("fit_contrasts: no shared papers; set CITEWELL_DATA", file=sys.stderr)
        return 11
    found = kept(*pairs(folder))
    table = {"source": "python -m evals.fit_contrasts on ML abstracts and SciFact's", "contrasts": found}
    OUT.write_text(json.dumps(table, indent=0) + "\n", encoding="utf-8")
    print(f"wrote {OUT.name}: {OUT.stat().st_size // 1024} kB, {len(found)} pairs")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
