"""Runs the fixed questions and claims through the engine and scores every answer: one log, `citewell eval run`.

Cases go to worker processes, each with an engine of its own over one corpus; the log is in the order of the files
whatever the workers' order was. What the engine raises becomes an error of its case, and the run goes on.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from evals.gate import log, summary
from evals.gate.log import Entry, Journal, Log
from evals.running import about, recording
from evals.running.engine import index, settings_for
from evals.running.plan import Plan
from evals.running.workers import Job, Work, start, work
from rag.settings import Settings

Progress = Callable[[int, int], None]
"""Cases done, cases in all."""


def run(plan: Plan, path: Path | None, progress: Progress = lambda done, total: None) -> Log:
    """Measures, writes the log to `path` if there is one, and returns it."""
    began = time.time()
    with _corpus(plan) as (settings, unread):
        works = [Work(case, repeat) for repeat in range(1, plan.repeat + 1) for case in plan.cases]
        facts = about.run_facts(plan, settings)
        facts["corpus"]["unread"] = list(unread)
        journal = Journal(path, about.identity(facts)) if path else None
        done = dict(_earlier(journal, works))
        entries, seconds = _measured(plan, settings, works, done, journal, progress)
        facts["model"] = _model_facts(settings, plan)
        papers = about.papers(settings, entries)
    result: Log = {
        "schema_version": log.SCHEMA_VERSION,
        **facts,
        "summary": summary.summarise(entries),
        "papers": papers,
        "cases": entries,
        "times": _times(began, seconds),
    }
    if path and journal:
        log.write(path, result)
        journal.end()
    if plan.record:
        recording.write(plan.record, facts["model"], entries)
    return result


@contextmanager
def _corpus(plan: Plan) -> Iterator[tuple[Settings, tuple[str, ...]]]:
    """Settings whose corpus is indexed, anew in a folder that goes away or as it was synced; and what was not read."""
    if plan.corpus is None:
        yield plan.settings, ()
        return
    with tempfile.TemporaryDirectory(prefix="citewell-eval-", ignore_cleanup_errors=True) as home:
        changes = {name: getattr(plan.settings, name) for name in ("embedder", "model", "base_url", "api_key", "top_k")}
        changes |= {
            name: getattr(plan.settings, name) for name in ("max_risk", "timeout", "max_cost", "context_window")
        }
        settings = settings_for(Path(home), **changes, prices=plan.settings.prices)
        yield settings, index(settings, plan.corpus)


def _earlier(journal: Journal | None, works: Sequence[Work]) -> Iterator[tuple[str, tuple[Entry, float]]]:
    wanted = {work.key for work in works}
    for entry, seconds in journal.earlier() if journal else ():
        if log.key(entry) in wanted and entry["error"] is None:
            yield log.key(entry), (entry, seconds)


def _measured(
    plan: Plan,
    settings: Settings,
    works: Sequence[Work],
    done: dict[str, tuple[Entry, float]],
    journal: Journal | None,
    progress: Progress,
) -> tuple[list[Entry], dict[str, float]]:
    """Every entry in the order of `works`, and seconds by key. What is in `done` already is not asked again."""
    if journal:
        journal.begin(list(done.values()))
    # A case's repeats one after the other: a server that remembers the prompt it read last reads it once.
    place = {case.id: number for number, case in enumerate(plan.cases)}
    left = sorted((work for work in works if work.key not in done), key=lambda work: place[work.case.id])
    for entry, took in _each(Job(settings, plan.replay), left, plan.jobs):
        done[log.key(entry)] = (entry, took)
        if journal:
            journal.add(entry, took)
        progress(len(done), len(works))
    return [done[work.key][0] for work in works], {key: round(done[key][1], 4) for key in done}


def _each(job: Job, left: Sequence[Work], jobs: int) -> Iterator[tuple[Entry, float]]:
    """Entries as they finish."""
    if jobs <= 1 or len(left) < 2 * jobs:
        start(job)
        yield from (work(each) for each in left)
        return
    context = get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=start, initargs=(job,)) as pool:
        waiting = [pool.submit(work, each) for each in left]
        try:
            for finished in as_completed(waiting):
                yield finished.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _model_facts(settings: Settings, plan: Plan) -> dict[str, Any]:
    if not settings.uses_model and not plan.replay:
        return {"model": "none", "identity": "none", "context_window": None}
    from evals.running.workers import model_of

    return recording.about(model_of(Job(settings, plan.replay)))


def _times(began: float, seconds: dict[str, float]) -> dict[str, Any]:
    taken = sorted(seconds.values())
    return {
        "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(began)),
        "seconds": round(time.time() - began, 3),
        "median": taken[len(taken) // 2] if taken else None,
        "slowest": taken[-1] if taken else None,
        "cases": dict(sorted(seconds.items())),
    }
