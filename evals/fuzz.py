"""Wild text through what reads text: `python -m evals.fuzz --seconds 600` (a short seeded run is in the tests).

Readers, sentences, names and quantities, citation marks of manuscripts and of models, questions and exports,
verification and settings, each until its share of the time is over. Wanted: no exception but those documented,
sentences that cover their text in order without overlap, folding that is done when it was done once, a verdict that is
one, a record that is a paper or a problem, no mark that is left in what a model said.

`--guided` (pip install atheris) lets the branches that were taken lead: atheris mutates the bytes out of which the text
is made, one process a target. (`python -m evals.hostile` does the same to files and whole commands.)
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import pkgutil
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from types import FunctionType

from evals.hostile.inputs import readable
from evals.hostile.texts import WORDS, wild
from evals.material.places import ROOT
from rag import manuscript, readers
from rag.errors import CitewellError
from rag.export import FORMATS, export
from rag.generate.sentences import SentenceStream
from rag.generate.visible import Visible
from rag.question import understand
from rag.settings import describe, load
from rag.text.names import names
from rag.text.normalise import fold, plain
from rag.text.quantities import quantities
from rag.text.sentences import split
from rag.types import Paper, Problem
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
_OF_MODELS = (
    "[kx1]", "[ab2, cd3].", "(kx1)", "【kx1】", "[zz9]", "[kx1", "<think>", "</think>", "[THINK]", "<|channel|>final",
    "<|message|>", "```json", '{"answer": "', '"citations": ["kx1"]}', "\n", "- ", "Answer:", "Sources: [kx1], [ab2]",
    "NO ANSWER", "We show it.", "。",
)  # fmt: skip
_SLOW = 20.0
"""Seconds for one text, on a busy machine."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=tuple(TARGETS), action="append", help="this target; may be given again")
    parser.add_argument("--guided", action="store_true", help="by the branches taken, with atheris")
    parser.add_argument("--child", choices=tuple(TARGETS), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        return _guided(given.child, given.seconds, given.seed)
    faults, targets = [], given.only or list(TARGETS)
    for name in targets:
        seconds = given.seconds / len(targets)
        one = _in_a_child(name, given.seed, seconds) if given.guided else fuzz(name, given.seed, seconds=seconds)
        print(f"{name:12} {one[0]:7} texts, {len(one[1])} faults", flush=True)
        faults += one[1]
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


class Told(random.Random):
    """Chance that is told by bytes, so that who mutates the bytes mutates the choices; zeros when they are used up."""

    def __init__(self, told: bytes) -> None:
        super().__init__(0)
        self._told = io.BytesIO(told)

    def getrandbits(self, k: int, /) -> int:
        size = (k + 7) // 8
        return int.from_bytes(self._told.read(size).ljust(size, b"\0")) >> (size * 8 - k)

    def random(self) -> float:
        return self.getrandbits(53) / 2**53


def _guided(name: str, seconds: float, seed: int) -> int:
    """In a process of its own, since atheris ends it: says the texts tried, and the fault as an exception."""
    import atheris

    tried = 0

    def one(told: bytes) -> None:
        nonlocal tried
        tried += 1
        print(f"\rtried {tried}", end="", flush=True)
        with contextlib.suppress(CitewellError):  # said on purpose
            TARGETS[name](Told(told))

    for function in _own_functions():
        atheris.instrument_func(function)
    bounds = [
        f"-max_total_time={seconds:.0f}",
        "-max_len=512",
        "-len_control=0",
        f"-timeout={_SLOW:.0f}",
        f"-seed={seed + 1}",
    ]
    with tempfile.TemporaryDirectory() as found:
        atheris.Setup([sys.argv[0], *bounds, f"-artifact_prefix={found}/"], one)
        atheris.Fuzz()
    return 0


def _own_functions() -> list[FunctionType]:
    """Every function and method of `rag` that is loaded, the readers' too."""
    for module in pkgutil.iter_modules(readers.__path__, "rag.readers."):
        importlib.import_module(module.name)
    held = [vars(module) for name, module in sys.modules.items() if name.split(".")[0] == "rag"]
    held += [vars(value) for names in tuple(held) for value in names.values() if isinstance(value, type)]
    found = (getattr(value, "__func__", value) for names in held for value in names.values())
    ours = {value for value in found if isinstance(value, FunctionType) and value.__module__.split(".")[0] == "rag"}
    return sorted(ours, key=lambda function: (function.__module__, function.__qualname__))


def _in_a_child(name: str, seed: int, seconds: float) -> tuple[int, list[str]]:
    command = [sys.executable, "-m", "evals.fuzz", "--child", name, "--seconds", str(seconds), "--seed", str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", cwd=ROOT)
    tried = int(("0" + done.stdout).rpartition("tried ")[2] or 0)
    if not done.returncode:
        return tried, []
    said = [line.strip() for line in done.stderr.splitlines() if "Error" in line or "timeout" in line or "Exc" in line]
    return tried, [f"{name}: {(said or [done.stderr.strip()])[0]}"[:300]]


def _text(chance: random.Random) -> str:
    marks = (chance.choice(_MARKS) for _ in range(chance.randrange(4)))
    return chance.choice((" ", "\n", "")).join(
        (wild(chance, chance.randrange(40)), *marks, wild(chance, chance.randrange(40)))
    )


def _readers(chance: random.Random) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, content in readable(chance).files.items():
            (Path(folder) / name).write_bytes(content)
        for found in readers.read([folder]):
            if isinstance(found, Paper):
                f"{found}".encode()  # stored as it is: no half of a surrogate pair
            elif not (isinstance(found, Problem) and found.reason):
                raise ValueError(f"neither a paper nor a problem: {found!r}")


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


def _replies(chance: random.Random) -> None:
    """What a model may write, in pieces: whatever their ends, no mark of a given key is left, and no thinking."""
    given, reply = ("kx1", "ab2", "cd3"), _reply(chance)
    ends = sorted(chance.randrange(len(reply) + 1) for _ in range(chance.randrange(20)))
    pieces = [reply[start:end] for start, end in pairwise((0, *ends, len(reply)))]
    if _shown(pieces) != _shown([reply]):
        raise ValueError(f"what is thinking depends on the pieces of {pieces!r}")
    stream = SentenceStream(given, "We show [kx1] that.")
    drafted = [sentence for piece in pieces for sentence in stream.feed(piece)]
    drafted += stream.finish(whole=chance.random() < 0.5)
    for each in drafted:
        if not each.text.strip() or any(f"[{key}]" in each.text for key in given) or "<think>" in each.text:
            raise ValueError(f"{each} out of {reply!r}")


def _reply(chance: random.Random) -> str:
    marks = (chance.choice(_OF_MODELS) for _ in range(chance.randrange(8)))
    between = chance.choice((" ", "\n", ""))
    return between.join(part for mark in marks for part in (wild(chance, chance.randrange(12)), mark))


def _shown(pieces: Iterable[str]) -> str:
    """What is left of a reply when its thinking is out."""
    visible, left = Visible(), ""
    for piece in pieces:
        first, *afresh = visible.feed(piece)
        left = afresh[-1] if afresh else left + first
    return left + visible.rest()


def _questions(chance: random.Random) -> None:
    understand(_text(chance))
    titles = [_text(chance) for _ in range(2)]
    papers = [Paper(f"doi:10.1/{at}", title, "given", _text(chance) or "x") for at, title in enumerate(titles)]
    for name in FORMATS:
        export(papers, name).encode()


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
    "readers": _readers,
    "sentences": _sentences,
    "parts": _parts,
    "manuscript": _manuscript,
    "replies": _replies,
    "questions": _questions,
    "verify": _verify,
    "settings": _settings,
}

if __name__ == "__main__":
    sys.exit(main())
