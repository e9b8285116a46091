"""Sentence splitting against SciFact's corpus, whose abstracts come as lists of sentences: `python -m evals.sentences`.

The sentences of an abstract are joined by a space and split again. Measured are the inner boundaries (the end of the
text is free): precision, recall, F1 over all abstracts, and abstracts split per second of CPU time. SciFact's
own sentences were made by a tool and hold mistakes ("1.4 +/-" | "0.24"; dots of a table of contents), so the
ceiling is below 1.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from evals.material.places import data
from rag.text.sentences import split

Splitter = Callable[[str], "tuple[tuple[int, int], ...]"]


def corpus_file() -> Path:
    """SciFact's corpus under CITEWELL_DATA, else beside the checkout."""
    return data() / "scifact" / "corpus.jsonl"


def abstracts(path: Path) -> Iterator[tuple[str, set[int]]]:
    """Each abstract as one text, and the offsets where its inner sentences end."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            sentences = [" ".join(sentence.split()) for sentence in json.loads(line)["abstract"]]
            sentences = [sentence for sentence in sentences if sentence]
            ends, at = set(), 0
            for sentence in sentences[:-1]:
                at += len(sentence)
                ends.add(at)
                at += 1
            if sentences:
                yield " ".join(sentences), ends


def measure(cases: list[tuple[str, set[int]]], splitter: Splitter) -> dict[str, float]:
    """Boundary precision, recall, F1, and abstracts a second of CPU time."""
    right = predicted = wanted = 0
    began = time.process_time()
    results = [splitter(text) for text, _ in cases]
    seconds = time.process_time() - began
    for (_, ends), spans in zip(cases, results, strict=True):
        made = {end for _, end in spans[:-1]}
        right += len(made & ends)
        predicted += len(made)
        wanted += len(ends)
    precision, recall = right / max(predicted, 1), right / max(wanted, 1)
    return {
        "precision": round(precision, 4),
        "recall": round(recall, 4),
        "f1": round(2 * precision * recall / max(precision + recall, 1e-9), 4),
        "abstracts_per_second": round(len(cases) / max(seconds, 1e-9)),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", metavar="MODULE:FUNCTION", help="another splitter (text -> spans) beside ours")
    options = parser.parse_args()
    path = corpus_file()
    if not path.is_file():
        print(
            f"evals.sentences: skipped, no {path}; set CITEWELL_DATA to the folder that holds scifact/",
            file=sys.stderr,
        )
        return 0
    cases = list(abstracts(path))
    splitters = {"citewell": split}
    if options.against:
        module, _, function = options.against.partition(":")
        splitters[options.against] = getattr(importlib.import_module(module), function)
    for name, splitter in splitters.items():
        print(json.dumps({"splitter": name, "abstracts": len(cases), **measure(cases, splitter)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
