"""False premises: questions that take something for granted, asked without a model and with one that always agrees.

    python -m evals.premises              both ways, every miss listed
    python -m evals.premises --split report

A premise is confirmed when a shown claim says it, or when a question about something the corpus does not hold is
answered at all. It is corrected when the answer shows what the abstract says instead. A true premise is refused when
nothing is answered, or when the answer opens by contradicting it.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from evals.material import cases
from evals.material.cases import Question
from evals.material.matching import first_of, spaced
from evals.models.agreeing import Agreeing
from evals.report.table import columns
from rag.assistant import Assistant
from rag.question.premise import premise_of
from rag.settings import Settings
from rag.text.normalise import plain
from rag.types import Answer

PREMISES = cases.QUESTIONS / "premises.jsonl"
WAYS = ("without a model", "with a model that agrees")
MOST_REFUSED = 0.03
Outcome = Literal["confirmed", "corrected", "abstained", "beside it", "answered", "refused"]
"""`beside it`: neither confirmed nor corrected, something else of the abstract is shown."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One question, what became of it, and the words shown."""

    question: Question
    outcome: Outcome
    opened: bool
    """The answer opens by saying that the abstract says otherwise."""
    shown: str


def assistant(home: Path, *, agreeing: bool) -> Assistant:
    """Over the shipped seeds; nothing logged, nothing cached."""
    asked = Assistant(Settings(home=home, model="agreeing" if agreeing else "none", log=False, cache=False))
    if agreeing:
        asked.model = Agreeing()
    return asked


def judged(question: Question, answer: Answer) -> Judged:
    shown = " / ".join(claim.text for claim in answer.claims) or f"abstained: {answer.reason}"
    return Judged(question, _outcome(question, answer), answer.note is not None, shown)


def _outcome(question: Question, answer: Answer) -> Outcome:
    texts = [spaced(plain(claim.text)) for claim in answer.claims]
    if question.kind == "true_premise":
        return "answered" if texts and answer.note is None else "refused"
    if not texts:
        return "abstained"
    if not question.answerable or any(_says(text, question) for text in texts):
        return "confirmed"
    everything = " ".join(texts)
    return "corrected" if all(first_of(everything, fact) for fact in question.must) else "beside it"


def _says(text: str, question: Question) -> bool:
    premise = premise_of(question.question)
    return bool(first_of(text, question.must_not)) or bool(premise and spaced(premise) in text)


def rate(outcomes: Sequence[Judged], outcome: Outcome) -> str:
    found = sum(each.outcome == outcome for each in outcomes)
    return f"{found} of {len(outcomes)}" if outcomes else "-"


def passes(found: Sequence[Judged]) -> bool:
    """None confirmed, at most 3 % of the true ones refused."""
    true = [each for each in found if each.question.kind == "true_premise"]
    refused = sum(each.outcome == "refused" for each in true)
    return not any(each.outcome == "confirmed" for each in found) and refused <= MOST_REFUSED * len(true)


def report(found: Sequence[Judged]) -> Iterator[str]:
    """The figures, then every question that did not end as it should."""
    false = [each for each in found if each.question.kind == "false_premise" and each.question.answerable]
    unheard = [each for each in found if not each.question.answerable]
    true = [each for each in found if each.question.kind == "true_premise"]
    yield from columns(
        [
            ("premise", "confirmed", "corrected", "abstained", "beside it", "refused", "opens with the correction"),
            *(
                (name, *(rate(group, each) for each in ("confirmed", "corrected", "abstained", "beside it", "refused")),
                 f"{sum(each.opened for each in group)} of {len(group)}")
                for name, group in (("false", false), ("of nothing here", unheard), ("true", true))
            ),
        ]
    )  # fmt: skip
    for each in found:
        if each.outcome in ("confirmed", "refused") or (each.outcome != "corrected" and each in false):
            yield f"  {each.outcome}: {each.question.question}\n      {plain(each.shown)}"


def run(questions: Sequence[Question], home: Path, *, agreeing: bool) -> list[Judged]:
    asked = assistant(home, agreeing=agreeing)
    return [judged(question, asked.ask(question.question)) for question in questions]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m evals.premises", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--split", choices=("fit", "report"), help="only the questions of this split")
    parser.add_argument("--limit", type=int, help="only the first N")
    asked = parser.parse_args(arguments)
    questions = [each for each in cases.load_questions((PREMISES,)) if asked.split in (None, each.split)]
    good = True
    with tempfile.TemporaryDirectory(prefix="citewell-premises-", ignore_cleanup_errors=True) as folder:
        for way in WAYS:
            found = run(questions[: asked.limit], Path(folder), agreeing=way != WAYS[0])
            print(f"\n{way}")
            print("\n".join(report(found)))
            good = good and passes(found)
    return 0 if good else 10


if __name__ == "__main__":
    raise SystemExit(main())
