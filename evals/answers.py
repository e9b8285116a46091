"""How well questions are answered without a model: `python -m evals.answers [--split report|fit] [--misses]`.

Every question of evals/questions goes through `Assistant.ask` over the shipped seeds in a temporary home; with
--shared, every question of evals/shared_questions.jsonl over the papers those are about among 1,500 others; with
--lists, every list of evals/shared_lists.jsonl over its 400 papers, with the standard errors. For each
kind and split: the right paper cited first, every fact of `must` in what is shown, nothing of `must_not`,
refusals; for lists recall and precision of the cited papers. Follow-ups are asked as their `standalone` form, and
left out without one.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import stdev

from evals.material import shared_lists, shared_questions
from evals.material.cases import QUESTIONS, Question, load_questions
from evals.material.extract_cases import OTHERS
from evals.material.matching import first_of
from rag.assistant import Assistant
from rag.embed import load
from rag.library.sync import sync
from rag.settings import Settings
from rag.text.normalise import fold
from rag.types import Answer

MANY = frozenset({"list", "comparison", "summary"})


@dataclass(frozen=True, slots=True)
class Outcome:
    """`facts` is None where the question names none; `recall` and `precision` are of cited papers."""

    question: Question
    answer: Answer
    refused: bool
    paper_first: bool
    facts: bool | None
    confirmed_wrong: bool
    recall: float
    precision: float

    @property
    def good(self) -> bool:
        if not self.question.answerable:
            return self.refused
        if self.question.kind in MANY:
            return self.recall == 1.0 and self.precision == 1.0 and self.facts is not False
        return not self.refused and self.facts is not False and not self.confirmed_wrong


def outcomes(questions: Sequence[Question], home: Path) -> Iterator[Outcome]:
    assistant = Assistant(Settings(home=home))
    for question in questions:
        text = question.standalone or question.question
        yield judge(question, assistant.ask(text))


def over_shared(split: str, home: Path) -> Iterator[Outcome]:
    """The same over the shared papers. Raises NotMeasured without them."""
    own, others = shared_questions.papers_of([one for one in shared_questions.asked() if one.split == split], OTHERS)
    name = f"shared-{split}"
    sync(home, name, [*own, *others], load())
    assistant = Assistant(Settings(home=home, corpus=name))
    for question in shared_questions.as_questions(split, own):
        yield judge(question, assistant.ask(question.question))


def over_lists(split: str, home: Path) -> Iterator[Outcome]:
    """The lists over the 400 papers that were read for them. Raises NotMeasured without the data."""
    sync(home, "lists", shared_lists.corpus(), load())
    assistant = Assistant(Settings(home=home, corpus="lists"))
    for number, one in enumerate(shared_lists.asked()):
        if one.split == split:
            yield judge(shared_lists.as_question(number, one), assistant.ask(one.text), one.maybe)


def judge(question: Question, answer: Answer, either: frozenset[str] = frozenset()) -> Outcome:
    """`either` are papers that may be cited or not: they count neither way."""
    every = dict.fromkeys(c.paper_id for claim in answer.claims for c in claim.citations)
    cited = [paper for paper in every if paper not in either]
    shown = fold(
        " ".join([claim.text for claim in answer.claims] + [c.quote for k in answer.claims for c in k.citations])
    )
    gold = set(question.papers)
    right = len(gold & set(cited))
    return Outcome(
        question,
        answer,
        refused=answer.status == "abstained",
        paper_first=bool(cited) and cited[0] in gold,
        facts=all(first_of(shown, spellings) for spellings in question.must) if question.must else None,
        confirmed_wrong=bool(first_of(shown, question.must_not)) if question.must_not else False,
        recall=right / len(gold) if gold else 1.0,
        precision=right / len(cited) if cited else float(not gold),
    )


def report(found: Sequence[Outcome]) -> None:
    """One line a kind; the answerable and the unanswerable together below."""
    print(f"{'kind':15} {'n':>4} {'refused':>8} {'first':>6} {'facts':>6} {'wrong':>6} {'recall':>7} {'precis.':>7}")
    for kind in dict.fromkeys(one.question.kind for one in found):
        _line(kind, [one for one in found if one.question.kind == kind])
    _line("answerable", [one for one in found if one.question.answerable])
    _line("unanswerable", [one for one in found if not one.question.answerable])
    for name in ("recall", "precision"):
        values = [getattr(one, name) for one in found if one.question.kind == "list"]
        if len(values) > 1:
            print(f"{name} of {len(values)} lists: standard error {stdev(values) / len(values) ** 0.5:.3f}")
    seconds = sorted(one.answer.usage.seconds for one in found)
    print(f"seconds a question: median {seconds[len(seconds) // 2]:.3f}, 95th {seconds[int(len(seconds) * 0.95)]:.3f}")


def _line(name: str, held: Sequence[Outcome]) -> None:
    if not held:
        return
    asked = [one for one in held if one.question.answerable]
    with_facts = [one for one in asked if one.facts is not None]
    columns = [
        f"{_mean([one.refused for one in held]):8.3f}",
        f"{_mean([one.paper_first for one in asked]):6.3f}" if asked else " " * 6,
        f"{_mean([bool(one.facts) for one in with_facts]):6.3f}" if with_facts else " " * 6,
        f"{_mean([one.confirmed_wrong for one in held]):6.3f}",
        f"{_mean([one.recall for one in asked]):7.3f}" if asked else "",
        f"{_mean([one.precision for one in asked]):7.3f}" if asked else "",
    ]
    print(f"{name:15} {len(held):4} " + " ".join(columns))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def misses(found: Sequence[Outcome]) -> None:
    for one in found:
        if one.good:
            continue
        question = one.question
        print(f"\n[{question.kind}] {question.standalone or question.question}")
        print(f"  {_why(one)}")
        for claim in one.answer.claims[:4]:
            print(f"  > {claim.text[:160]}")
        if one.answer.reason:
            print(f"  refused: {one.answer.reason}")


def _why(one: Outcome) -> str:
    if not one.question.answerable:
        return "answered though the corpus does not hold it"
    if one.refused:
        return "refused though answerable"
    if one.confirmed_wrong:
        return f"shows {one.question.must_not}"
    if one.question.kind in MANY:
        return f"recall {one.recall:.2f}, precision {one.precision:.2f}, facts {one.facts}"
    return "the right paper is first, the fact is not shown" if one.paper_first else "another paper is first"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--split", choices=("fit", "report", "all"), default="all")
    options.add_argument("--misses", action="store_true", help="list what went wrong")
    options.add_argument("--shared", action="store_true", help="questions over the shared papers, not the seeds")
    options.add_argument("--lists", action="store_true", help="lists over 400 shared papers, not the seeds")
    options.add_argument("files", nargs="*", type=Path, default=[QUESTIONS])
    chosen = options.parse_args()
    asked = [q for q in load_questions(chosen.files) if q.standalone or not q.history]
    with tempfile.TemporaryDirectory() as home:
        for split in ("fit", "report"):
            if chosen.split not in (split, "all"):
                continue
            if chosen.lists:
                found = list(over_lists(split, Path(home)))
            elif chosen.shared:
                found = list(over_shared(split, Path(home)))
            else:
                found = list(outcomes([q for q in asked if q.split == split], Path(home)))
            if not found:
                print(f"no question of the {split} half", file=sys.stderr)
                continue
            print(f"\n{split} half")
            report(found)
            if chosen.misses:
                misses(found)


if __name__ == "__main__":
    main()
