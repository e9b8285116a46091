"""Each face of citewell as a terminal shows it: `python -m evals.captures` writes them, `--check` fails on stale ones.

    python -m evals.captures                          evals/FACES.md anew
    python -m evals.captures --check                  exit 10 when it no longer shows what the program shows
    python -m evals.captures --columns 60 ask chat    print some, at another width

The program runs in a terminal of its own over the shipped abstracts and two with Chinese names; no model, no network.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.material.places import EVALS, ROOT
from evals.processes.screen import CTRL_D, ENTER, Screen

PAGE = EVALS / "FACES.md"
COLUMNS = 80
_ROWS = 60
_SHOWN = 45
"""Lines of a face; the rest is counted."""
_CHANGING = (
    (re.compile(r"\d+\.\d+ s\b"), "0.1 s"),
    (re.compile(r"20\d\d-\d\d-\d\d \d\d:\d\d"), "2026-01-01 12:00"),
    (re.compile(r"\b20\d{6}-\d{6}-[0-9a-f]{4}\b"), "20260101-120000-abcd"),
)
MANUSCRIPT = """DFlash delivers up to 2.5x higher speedup than EAGLE-3. It achieves over 9x lossless acceleration.
"""
WIDE = r"""@article{wang2025, title = {大型语言模型的推测解码综述}, year = 2025, journal = {计算机学报},
  author = {王小明 and 李 华 and Müller, Jürgen},
  abstract = {推测解码使用较小的草稿模型来加速大型语言模型的推理。我们综述了四十二种推测解码方法。}}
@article{kim2025, title = {도시 교통의 그래프 신경망}, year = 2025, journal = {정보과학회논문지},
  author = {김민준 and 佐藤 健},
  abstract = {We forecast traffic in 日本 and 한국 with graph neural networks. Errors fall by 12\% on 3 cities.}}
"""


@dataclass(frozen=True, slots=True)
class Face:
    """A command line, and what it needs first. `typed` are the messages of a chat."""

    name: str
    said: str
    command: str
    typed: tuple[str, ...] = ()


FACES = (
    Face("ask", "An answer, its source, the words it rests on.", 'ask "How much faster is DFlash than EAGLE-3?"'),
    Face("ask, refused", "What the abstracts do not say.", 'ask "What is the capital of France?"'),
    Face("search", "Papers, best first.", "search offline reinforcement learning"),
    Face("show", "One paper, sentence by sentence.", "show DFlash"),
    Face("papers", "The corpus.", "papers --corpus wide"),
    Face("wide characters", "Names in any script line up.", 'ask "By how much do errors fall?" --corpus wide'),
    Face("chat", "A conversation.", "chat", ("What is DFlash?", "and its authors?", "/why")),
    Face("summarise", "A topic across papers.", 'summarise "offline reinforcement learning"'),
    Face("compare", "Papers side by side.", "compare DFlash MuLoCo --columns method,result"),
    Face("check", "A text someone wrote.", "check related-work.txt"),
    Face("export", "A bibliography.", "export DFlash MuLoCo"),
    Face("history", "What was asked.", "history"),
    Face("doctor", "What works here.", "doctor"),
)


def capture(face: Face, home: Path, columns: int = COLUMNS) -> str:
    """What the terminal shows once the program has ended, or waits."""
    command = [sys.executable, str(ROOT / "cli.py"), *shlex.split(face.command)]
    with Screen(command, columns=columns, rows=_ROWS, env=_environment(home), cwd=home) as screen:
        if not face.typed:
            screen.end()
            return _steady(screen.text, home)
        for message in face.typed:
            _say(screen, message)
        text = screen.text
        screen.type(CTRL_D)
        screen.end()
        return _steady(re.sub(r"\n>\s*$", "", text), home)


def _say(screen: Screen, message: str) -> None:
    """Types it at a waiting prompt, and waits for the next."""
    screen.wait(lambda text: text.rstrip().endswith("\n>") or text.strip().startswith(">"))  # the first has a hint
    screen.settle()
    screen.type(message)
    screen.settle()
    screen.type(ENTER)
    screen.wait(lambda text: text.rstrip().endswith("\n>") and f"> {message}" in text)
    screen.settle()


def _environment(home: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return {**kept, "HOME": str(home), "CITEWELL_HOME": str(home / "citewell"), "PYTHONUTF8": "1"}


def _steady(text: str, home: Path) -> str:
    """Without what differs from run to run."""
    text = re.sub(re.escape(str(home)) + r"\S*", "~/.local/share/citewell", text)
    for pattern, instead in _CHANGING:
        text = pattern.sub(instead, text)
    return text.strip("\n")


def prepare(home: Path) -> None:
    """The corpora and the manuscript that the faces are of."""
    (home / "wide.bib").write_text(WIDE, "utf-8")
    (home / "related-work.txt").write_text(MANUSCRIPT, "utf-8")
    for command in ("sync wide.bib --corpus wide", 'ask "Who wrote MuLoCo?"'):
        capture(Face("", "", command), home)


def page(home: Path) -> str:
    """The whole of FACES.md."""
    return "\n".join(_page(home)) + "\n"


def _page(home: Path) -> Iterator[str]:
    yield "# What citewell looks like"
    yield f"\nA terminal of {COLUMNS} columns, as text, written by `python -m evals.captures` (`--check`: still so?)."
    yield "Colours, links and the marked words of a quotation are lost here; a pipe gets the same lines unwrapped."
    for face in FACES:
        yield f"\n## {face.name}\n\n{face.said}\n\n```\n$ citewell {face.command}"
        lines = capture(face, home).splitlines()
        yield from lines[:_SHOWN]
        if len(lines) > _SHOWN:
            yield f"... {len(lines) - _SHOWN} more lines"
        yield "```"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="faces to print; none: write them all")
    parser.add_argument("--columns", type=int, default=COLUMNS)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder).resolve()
        prepare(home)
        if options.names:
            for face in FACES:
                if face.name in options.names:
                    print(f"$ citewell {face.command}\n{capture(face, home, options.columns)}\n")
            return 0
        text = page(home)
    if options.check:
        fresh = PAGE.exists() and PAGE.read_text("utf-8") == text
        print("fresh" if fresh else f"{PAGE.name} is stale: python -m evals.captures")
        return 0 if fresh else 10
    PAGE.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
