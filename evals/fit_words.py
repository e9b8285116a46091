"""The words behind index stems: `python -m evals.fit_words`. Writes rag/weights/words.json, words only.

The 11,000 words that most machine learning abstracts hold (not ICML 2026, not SciFact), and the English words that are
one token of the static model: those it was trained on most, among them the everyday words that people ask with.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections import Counter

from evals.material.places import needed
from rag.embed.static import StaticEmbedder
from rag.text.stemming import stem
from rag.text.tokens import STOPWORDS
from rag.weights import FOLDER

WEIGHTS = FOLDER / "words.json"
MOST = 11_000
_WORD = re.compile(r"(?<![\w-])[a-z]{2,}(?![\w-])")
_TOKEN = re.compile("\u2581([a-z]{3,})")


def of_abstracts() -> list[str]:
    """Commonest first."""
    counts: Counter[str] = Counter()
    with gzip.open(needed() / "ml_abstracts.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            counts.update(set(_WORD.findall(f"{row['title']} {row['abstract']}".lower())))
    return [word for word, _ in counts.most_common(MOST)]


def of_model() -> list[str]:
    """Commonest first: the order of its tokens."""
    tokens = sorted(StaticEmbedder()._tokenizer.get_vocab().items(), key=lambda token: token[1])
    return [found[1] for token, _ in tokens if (found := _TOKEN.fullmatch(token))]


def main() -> None:
    argparse.ArgumentParser(prog="python -m evals.fit_words", description=__doc__.splitlines()[0]).parse_args()
    table: dict[str, str] = {}
    for word in (*of_abstracts(), *of_model()):
        if word not in STOPWORDS:
            table.setdefault(stem(word), word)
    content = {
        "source": "python -m evals.fit_words: the commonest word of each stem, in abstracts and in the static model",
        "words": dict(sorted(table.items())),
    }
    WEIGHTS.write_text(json.dumps(content, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"wrote {len(table)} stems to {WEIGHTS}")


if __name__ == "__main__":
    main()
