"""Wild text through what reads text: `python -m evals.fuzz --seconds 600` (a short seeded run is in the tests).

Sentences, names, quantities, citation marks of manuscripts, verification and settings, each until its share of the time
is over. Wanted: no exception but those documented, sentences that cover their text in order without overlap, a verdict
that is one. (`python -m evals.hostile` does the same to files and whole commands.)
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from evals.hostile.texts import WORDS, wild
from rag import manuscript
from rag.errors import CitewellError
from rag.settings import describe, load
from rag.text.names import names
from rag.text.normalise import fold, plain
from rag.text.quantities import quantities
from rag.text.sentences import split
from rag.verify.checking import check_against

_MARKS = (
    "[1]",
    "[1, 2]",
    "\\cite{a,b}",
    "\\cite[p.~2",
    "[@a; @b]",
    "(Smith et al., 2020)",
    "【1】",
    "[^1]",
    "%",
    "$",
    "\\begin{",
    "```",
)
_SLOW = 20.0
"""Seconds for one text, on a busy machine."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    faults = []
    for name in TARGETS:
        count, found = fuzz(name, given.seed, seconds=given.seconds / len(TARGETS))
        print(f"{name:12} {count:7} texts, {len(found)} faults", flush=True)
        faults += found
    for fault in faults:
        print(f"  {fault}")
    return 1 if faults else 0


def fuzz(name: str, seed: int, *, seconds: float = 1e9, most: int = sys.maxsize) -> tuple[int, list[str]]:
    """How many texts, and what went wrong: the target, the number of the text, the error."""
    faults: list[str] = []
    started, number = time.monotonic(), 0
    while number < most and time.monotonic() < started + seconds and len(faults) < 10:
        chance, begun = random.Random(f"{name}:{seed}:{number}"), time.monotonic()
        try:
            TARGETS[name](chance)
        except CitewellError:
            pass  # said on purpose
        except Exception as error:
            faults.append(f"{name} {number}: {type(error).__name__}: {error}"[:300])
        if time.monotonic() - begun > _SLOW:
            faults.append(f"{name} {number}: {time.monotonic() - begun:.0f} s")
        number += 1
    return number, faults


def _text(chance: random.Random) -> str:
    marks = (chance.choice(_MARKS) for _ in range(chance.randrange(4)))
    return chance.choice((" ", "\n", "")).join(
        (wild(chance, chance.randrange(40)), *marks, wild(chance, chance.randrange(40)))
    )


def _sentences(chance: random.Random) -> None:
    text = _text(chance)
    end = 0
    for start, stop in split(text):
        if not end <= start < stop <= len(text) or text[end:start].strip():
            raise ValueError(f"sentences do not cover {text!r}")
        end = stop
    if text[end:].strip():
        raise ValueError(f"sentences leave out the end of {text!r}")


def _parts(chance: random.Random) -> None:
    text = _text(chance)
    for found in (*names(text), *quantities(text)):
        if text[found.start : found.end] != found.text:
            raise ValueError(f"{found} is not where it says in {text!r}")
    if fold(fold(text)) != fold(text):
        raise ValueError(f"folding {text!r} twice changes it")
    plain(text)


def _manuscript(chance: random.Random) -> None:
    name = chance.choice(("a.tex", "a.md", "a.txt"))
    text = _text(chance)
    manuscript.read(manuscript.Source(name, text, manuscript.form_of(name, text)))


def _verify(chance: random.Random) -> None:
    sentences = [_text(chance) for _ in range(chance.randrange(1, 4))]
    _, found = check_against(chance.choice((_text(chance), sentences[0], " ".join(WORDS))), sentences)
    if not 0 <= found.probability <= 1:
        raise ValueError(f"probability {found.probability}")


def _settings(chance: random.Random) -> None:
    with tempfile.TemporaryDirectory() as home:
        lines = [f"{chance.choice(('model', 'top_k', 'x', 'prices', ''))} = {_text(chance)!r}" for _ in range(3)]
        (Path(home) / "config.toml").write_text("\n".join(lines), "utf-8", "replace")
        describe(load({}, {"CITEWELL_HOME": home, "CITEWELL_TOP_K": _text(chance), "OPENAI_BASE_URL": _text(chance)}))


TARGETS: dict[str, Callable[[random.Random], None]] = {
    "sentences": _sentences,
    "parts": _parts,
    "manuscript": _manuscript,
    "verify": _verify,
    "settings": _settings,
}

if __name__ == "__main__":
    sys.exit(main())
