"""Does the gate notice? The engine broken on purpose, one way at a time, in a copy: `python -m evals.sabotage`.

Each sabotage is a few lines put at the end of one module of the copy, against a function that other rooms rely on. The
whole gate is then run there as CI runs it, and must fail on a gate of the metric that the sabotage is about. First the
copy is run unharmed: it must pass.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.report.table import columns

_ROOT = Path(__file__).resolve().parent.parent
_COPIED = ("rag", "evals", "prompts", "seeds", "cli.py")
_FAILED, _UNMEASURED = 10, 11


@dataclass(frozen=True, slots=True)
class Sabotage:
    """`code` goes to the end of `module`; the gate must fail on one of `metrics`."""

    name: str
    what: str
    module: str
    code: str
    metrics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Caught:
    """What the gate said. `failed` are the metrics of its failed gates."""

    name: str
    what: str
    exit_code: int
    failed: tuple[str, ...]
    right: bool
    seconds: float


SABOTAGES = (
    Sabotage(
        "offset by one",
        "every citation begins and ends a character late",
        "rag/verify/support.py",
        """
def _late(self: Span) -> Citation:
    return Citation(self.paper.id, self.start + 1, self.end + 1, self.paper.abstract[self.start + 1 : self.end + 1])
Span.citation = _late
""",
        ("quote_fidelity",),
    ),
    Sabotage(
        "citations shuffled",
        "every claim cites the sentence after its own",
        "rag/verify/support.py",
        """
def _next(self: Span) -> Citation:
    spans = split(self.paper.abstract)
    after = [span for span in spans if span[0] >= self.end] or [spans[0]]
    return Citation(self.paper.id, *after[0], self.paper.abstract[after[0][0] : after[0][1]])
Span.citation = _next
""",
        ("citation_recall",),
    ),
    Sabotage(
        "abstention off",
        "the best sentence is shown however unlikely it is to answer",
        "rag/extract/model.py",
        """
import dataclasses as _d
_honest = shipped
def shipped():
    return _d.replace(_honest(), threshold=-1.0)
""",
        ("unsupported_answer",),
    ),
    Sabotage(
        "verification off",
        "every check says supported",
        "rag/verify/checking.py",
        """
def check(text, citations, **_):
    return Check("supported", 1.0, (), 0.0, True, 1.0)
""",
        ("claims_leaked", "edits_missed"),
    ),
    Sabotage(
        "negation dropped",
        "no, not, never and without are read over",
        "rag/verify/checking.py",
        r"""
import re as _re
_exact = check
def _positive(text):
    text = _re.sub(r"\b(do|does|did)(?: not|n't) (\w+)", r"\2", text)
    return " ".join(_re.sub(r"\b(not|no|never|without|cannot|nor|neither)\b|n't\b", " ", text).split())
def check(text, citations, *, context=(), **rest):
    return _exact(_positive(text), [_positive(c) for c in citations], context=[_positive(c) for c in context], **rest)
""",
        ("claims_leaked", "edits_missed"),
    ),
    Sabotage(
        "numbers ignored",
        "every number counts as the same",
        "rag/verify/checking.py",
        r"""
import re as _re
_counting = check
def _one(text):
    return _re.sub(r"\d+(?:[.,]\d+)*", "7", text)
def check(text, citations, *, context=(), **rest):
    return _counting(_one(text), [_one(c) for c in citations], context=[_one(c) for c in context], **rest)
""",
        ("claims_leaked", "edits_missed"),
    ),
    Sabotage(
        "BM25 off",
        "words count for nothing in the ranking, by BM25 or otherwise: papers are ranked by their vectors alone",
        "rag/retrieve/retriever.py",
        """
def features(query, lexicon, candidates, cosines):
    made = np.zeros((len(candidates), len(NAMES)), dtype=np.float32)
    made[:, NAMES.index("best_chunk") : NAMES.index("mean_chunk") + 1] = cosines
    return made
def feedback(*_):
    return 0.0
""",
        ("recall_at_10", "mrr", "ndcg_at_10", "first_paper", "fact_recall", "accuracy"),
    ),
    Sabotage(
        "last record skipped",
        "readers lose the last paper of what they read",
        "rag/readers/__init__.py",
        """
_whole = read
def read(paths, *, stdin=None):
    held = None
    for item in _whole(paths, stdin=stdin):
        if held is not None:
            yield held
        held = item
""",
        ("recall_at_10",),
    ),
    Sabotage(
        "abstracts cut",
        "readers keep the first 600 characters of an abstract",
        "rag/readers/__init__.py",
        """
import dataclasses as _d
_whole = read
def read(paths, *, stdin=None):
    for item in _whole(paths, stdin=stdin):
        yield _d.replace(item, abstract=item.abstract[:600]) if isinstance(item, Paper) else item
""",
        ("sentence_recall", "fact_recall"),
    ),
    Sabotage(
        "ranking turned around",
        "retrieval gives its hits worst first",
        "rag/retrieve/retriever.py",
        """
import dataclasses as _d
_ranked = Retriever.search
def _reversed(self, *a, **k):
    found = _ranked(self, *a, **k)
    hits = tuple(_d.replace(hit, rank=n) for n, hit in enumerate(reversed(found.hits), 1))
    return _d.replace(found, hits=hits)
Retriever.search = _reversed
""",
        ("mrr", "ndcg_at_10", "first_paper"),
    ),
    Sabotage(
        "one paper only",
        "retrieval gives a single hit",
        "rag/retrieve/retriever.py",
        """
import dataclasses as _d
_several = Retriever.search
def _single(self, *a, **k):
    found = _several(self, *a, **k)
    return _d.replace(found, hits=found.hits[:1], belonging=min(1, found.belonging))
Retriever.search = _single
""",
        ("recall_at_10", "paper_recall", "coverage"),
    ),
    Sabotage(
        "history forgotten",
        "a follow-up is answered as if nothing had been said before",
        "rag/chat.py",
        """
Conversation._attend = lambda self, *_: None
""",
        ("fact_recall", "first_paper", "false_refusal"),
    ),
    Sabotage(
        "wrong paper cited",
        "the right words under another paper's name",
        "rag/verify/support.py",
        """
_own = Span.citation
def _borrowed(self: Span) -> Citation:
    cited = _own(self)
    return Citation("openreview:Oz335dV48X", cited.start, cited.end, cited.quote)
Span.citation = _borrowed
""",
        ("quote_fidelity", "first_paper", "citation_recall"),
    ),
    Sabotage(
        "names ignored",
        "every capitalised name counts as the same",
        "rag/verify/checking.py",
        r"""
import re as _re
_naming = check
def _anon(text):
    return _re.sub(r"\b[A-Za-z]*[A-Z][A-Za-z]*[A-Z\d][\w-]*\b", "Thing", text)
def check(text, citations, *, context=(), **rest):
    return _naming(_anon(text), [_anon(c) for c in citations], context=[_anon(c) for c in context], **rest)
""",
        ("claims_leaked", "edits_missed"),
    ),
)


def run_one(
    sabotage: Sabotage | None, *, jobs: int = 2, options: Sequence[str] = (), keep: Path | None = None
) -> Caught:
    """The gate over a copy with this sabotage; unharmed for None. `options` go to `citewell eval run`."""
    with tempfile.TemporaryDirectory(prefix="citewell-sabotage-") as folder:
        tree = Path(folder)
        copy_tree(tree)
        if sabotage:
            module = tree / sabotage.module
            module.write_text(f"{module.read_text('utf-8')}\n{sabotage.code}", "utf-8")
        began = time.monotonic()
        code, failed = _gate(tree, jobs, options)
        seconds = time.monotonic() - began
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
            shutil.copy2(tree / "log.json", keep / f"{sabotage.name if sabotage else 'none'}.json")
    if sabotage is None:
        return Caught("none", "unharmed", code, failed, code == 0, seconds)
    right = code == _FAILED and bool(set(failed) & set(sabotage.metrics))
    return Caught(sabotage.name, sabotage.what, code, failed, right, seconds)


def copy_tree(into: Path) -> None:
    """What the gate needs of this checkout."""
    ignore = shutil.ignore_patterns("__pycache__", "*.pyc")
    for name in _COPIED:
        source = _ROOT / name
        if source.is_dir():
            shutil.copytree(source, into / name, ignore=ignore)
        else:
            shutil.copy2(source, into / name)


def _gate(tree: Path, jobs: int, options: Sequence[str]) -> tuple[int, tuple[str, ...]]:
    command = [
        sys.executable,
        "cli.py",
        "eval",
        "run",
        "--json",
        "-q",
        "--jobs",
        str(jobs),
        "-o",
        "log.json",
        *options,
    ]
    environment = {**os.environ, "PYTHONPATH": str(tree), "CITEWELL_HOME": str(tree / "home")}
    environment.pop("GITHUB_STEP_SUMMARY", None)
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in (0, _FAILED, _UNMEASURED):
        raise SystemExit(f"the gate did not run: {done.stdout[-500:]}{done.stderr[-1500:]}")
    gates = json.loads(done.stdout)["gates"]
    failed = [gate for gate in gates if gate["state"] in ("failed", "unmeasured")]
    return done.returncode, tuple(dict.fromkeys(gate["metric"] or gate["why"] for gate in failed))


def _rows(caught: Iterator[Caught]) -> Iterator[tuple[str, ...]]:
    for each in caught:
        named = ", ".join(each.failed) or "nothing"
        yield (
            each.name,
            each.what,
            str(each.exit_code),
            "yes" if each.right else "NO",
            named,
            f"{each.seconds:.0f} s",
        )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m evals.sabotage", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--only", action="append", help="a sabotage by name; may be repeated; 'none' is the unharmed copy"
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--split", choices=("fit", "report"), help="half of the questions, in half the time")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="keep every log, to be judged again by other gates"
    )
    asked = parser.parse_args(arguments)
    chosen = [
        each for each in (None, *SABOTAGES) if not asked.only or (each.name if each else "none") in asked.only
    ]
    options = ("--split", asked.split) if asked.split else ()
    caught = []
    for sabotage in chosen:
        caught.append(run_one(sabotage, jobs=asked.jobs, options=options, keep=asked.keep))
        told = "as it should" if caught[-1].right else "NOT AS IT SHOULD"
        failed = ", ".join(caught[-1].failed) or "nothing"
        print(f"{caught[-1].name}: {told}; failed: {failed}", file=sys.stderr, flush=True)
    header = ("sabotage", "what it does", "exit", "right", "gates that failed name", "time")
    print("\n".join(columns([header, *_rows(iter(caught))])))
    missed = [each.name for each in caught if not each.right]
    print(
        f"\n{len(caught) - len(missed)} of {len(caught)} as they should be"
        + (f"; not: {', '.join(missed)}" if missed else "")
    )
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
