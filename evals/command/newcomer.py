"""Gates for someone's own abstracts: first questions, gates, and a GitHub workflow: `citewell eval init`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from string import Template

from rag.errors import UsageError
from rag.types import Paper

_STARTER = Path(__file__).resolve().parent / "starter"
_FOLDER = "grounding"
_MOST = 3
"""Starter questions with an answer."""


def write(folder: Path, corpus: Path) -> Iterator[str]:
    """Writes the files and yields what to tell. Raises UsageError where one is there already, or no paper is found."""
    papers = _papers(folder, corpus)
    into = folder / _FOLDER
    relative = Path(os.path.relpath(corpus if corpus.is_absolute() else folder / corpus, into)).as_posix()
    gates = Template((_STARTER / "gates.toml").read_text("utf-8")).substitute(corpus=json.dumps(relative))
    questions = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in starter(papers))
    files = {
        into / "questions.jsonl": questions,
        into / "gates.toml": gates,
        folder / ".github" / "workflows" / "grounding.yml": (_STARTER / "workflow.yml").read_text("utf-8"),
    }
    there = [path for path in files if path.exists()]
    if there:
        raise UsageError(f"{there[0]} is there already", "move it away, or name another folder with --into")
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        yield f"wrote {path}"
    yield ""
    yield f"{len(papers)} papers found in {corpus}. Next:"
    yield f"  1. edit {into / 'questions.jsonl'}: one question a line, with its papers and facts"
    yield "     (write a paper's title where you do not know its id: lint tells it)"
    yield "  2. citewell eval lint          finds what is wrong with the questions"
    yield "  3. citewell eval run           asks them, offline, and judges the gates"
    yield "  4. citewell eval bless         makes that run the baseline that later ones are compared with"
    yield "  5. commit grounding/ and .github/; citewell eval report --html out.html shows every case"


def starter(papers: Sequence[Paper]) -> Iterator[dict[str, object]]:
    """Questions that show the shape: papers asked for by their title, and one question without an answer."""
    for number, paper in enumerate(papers[:_MOST], 1):
        yield {
            "id": f"starter-{number}",
            "kind": "fact",
            "question": f"What does “{paper.title}” report?",
            "answerable": True,
            "papers": [paper.id],
            "sentences": [],
            "must": [],
            "must_not": [],
            "note": "made by `citewell eval init`: ask what you know the answer to, in your own words; `sentences` are "
            'those that answer, `must` the facts to be shown, each with its spellings: [["93.1%", "93.1 percent"]]',
        }
    yield {
        "id": "starter-unanswerable",
        "kind": "general",
        "question": "At which temperature does tungsten melt?",
        "answerable": False,
        "note": "made by `citewell eval init`: your abstracts do not say",
    }


def _papers(folder: Path, corpus: Path) -> list[Paper]:
    from rag.readers import read

    path = corpus if corpus.is_absolute() else folder / corpus
    if not path.exists():
        raise UsageError(f"no such file or folder: {path}", "name the file or folder that holds the abstracts")
    papers = [paper for paper in read([path]) if isinstance(paper, Paper)]
    if not papers:
        raise UsageError(f"no abstract could be read in {path}", "`citewell sync` names what is wrong with each record")
    return papers
