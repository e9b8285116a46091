"""Retrieval spam: abstracts stuffed with every keyword of the corpus, and how often they get into lists and summaries.

    python -m evals.spam            shares over 30 topics of the shipped seeds, with the guard and without it
    python -m evals.spam --real     real abstracts that the guard would leave out (CITEWELL_DATA)

Each kind of spam is put into the corpus alone, under a title of its own, and says nothing of any topic.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final
from unittest import mock

from evals.material import corpora
from evals.material.topics import topics
from evals.report.table import columns
from rag.assistant import Assistant
from rag.settings import Settings
from rag.shipped import SEEDS
from rag.text.stuffing import is_stuffed
from rag.types import Paper

TOPICS = 30
TITLE = "Advances of All Kinds"
_VERBS: Final = ("improves", "extends", "relates", "applies", "connects", "reduces", "explains", "replaces")


def keywords(papers: Sequence[Paper]) -> list[str]:
    """Every title in pieces of two or three words, in an order of chance."""
    found = []
    for paper in papers:
        words = [word.strip(":,.?") for word in paper.title.split() if len(word) > 3]
        found += [" ".join(words[at : at + 2]).lower() for at in range(0, len(words) - 1, 2)]
    random.Random(5).shuffle(found)
    return found


KINDS: Final[dict[str, Callable[[list[str]], str]]] = {
    "words alone": lambda keys: " ".join(keys),
    "one long list": lambda keys: f"In this paper we study {', '.join(keys)}, and more.",
    "the same sentence for each": lambda keys: " ".join(f"We study {key} in this paper." for key in keys),
    "everything three times": lambda keys: " ".join(f"About {key} and {key}, or {key}." for key in keys),
    "an opening, then keywords": lambda keys: (
        f"We present a framework that is simple, general and effective. Keywords: {'; '.join(keys)}."
    ),
    "a sentence for each two": lambda keys: " ".join(
        f"{first.capitalize()} {_VERBS[at % len(_VERBS)]} {second} in our experiments."
        for at, (first, second) in enumerate(zip(keys[::2], keys[1::2], strict=False))
    ),
}


def shares(kind: str, home: Path, *, guarded: bool, count: int = TOPICS) -> tuple[int, int, int]:
    """Topics; lists in which the spam is cited; summaries in which it is used."""
    assistant = Assistant(Settings(home=home, corpus="spammed", log=False))
    records = home / "spam.jsonl"
    home.mkdir(parents=True, exist_ok=True)
    seeds = tuple(Assistant(Settings(home=home, log=False)).papers())
    records.write_text(json.dumps({"title": TITLE, "abstract": KINDS[kind](keywords(seeds))}), "utf-8")
    assistant.sync([str(SEEDS), str(records)])
    spam = next(paper.id for paper in assistant.papers() if paper.title == TITLE)
    asked = [each.text for each in topics(seeds, count, 1, len(seeds))]
    # Asked as `citewell ask` and `citewell summarise` ask; the guard is taken out where the retriever looks for it.
    with mock.patch("rag.retrieve.retriever.is_stuffed", _guard(guarded)):
        listed = sum(spam in {s.paper.id for s in assistant.ask(each).sources} for each in asked)
        summed = sum(spam in assistant.summarise(each).coverage.used for each in asked)
    return len(asked), listed, summed


def _guard(on: bool) -> Callable[[str], bool]:
    return is_stuffed if on else lambda text: False


def report(home: Path) -> Iterator[str]:
    rows = [("spam", "lists without guard", "lists", "summaries without guard", "summaries")]
    for at, kind in enumerate(KINDS):
        count, *bare = shares(kind, home / str(at), guarded=False)
        _, *held = shares(kind, home / str(at), guarded=True)
        rows.append((kind, *(f"{found} of {count}" for pair in zip(bare, held, strict=True) for found in pair)))
    yield from columns(rows)


def real() -> Iterator[str]:
    for task in (corpora.icml_titles(), corpora.scifact()):
        found = [paper for paper in task.papers if is_stuffed(paper.abstract)]
        yield f"{task.name}: {len(found)} of {len(task.papers)} abstracts would be left out"
        yield from (f"  {paper.id}: {paper.abstract[:160]!r}" for paper in found)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m evals.spam", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--real", action="store_true", help="only count real abstracts that look like spam")
    if parser.parse_args(arguments).real:
        print("\n".join(real()))
        return 0
    with tempfile.TemporaryDirectory(prefix="citewell-spam-", ignore_cleanup_errors=True) as folder:
        print("\n".join(report(Path(folder))))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
