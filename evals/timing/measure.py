"""Time and memory of one part of a measurement, which has a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")
Figures = dict[str, Any]
"""`seconds` by the clock, `cpu` in seconds of the processor, `mb` at the peak; the rest as the part has it."""


def run_part(module: str, part: str, *arguments: str) -> Figures:
    """One part in a process of its own: `python -m module --part PART ...` prints its figures as JSON."""
    command = [sys.executable, "-m", module, "--part", part, *arguments]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}  # as the command sets it
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    figures: Figures = json.loads(done.stdout)
    return figures


def timed(work: Callable[[], T]) -> tuple[T, Figures]:
    wall, cpu = time.perf_counter(), _processor_time()
    result = work()
    return result, {"seconds": time.perf_counter() - wall, "cpu": _processor_time() - cpu}


def _processor_time() -> float:
    """Of this process and those it started that have ended."""
    return sum(os.times()[:4])


def peak_megabytes() -> int:
    """Of this process, and the largest of those it started that have ended."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    peak = sum(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return int(peak / (2**20 if sys.platform == "darwin" else 1024))


def latencies(search: Callable[[int], object], count: int) -> dict[str, float]:
    """Milliseconds: percentiles of the wall clock, and the processor's mean, which other programs hardly slow."""
    search(0)
    taken = []
    spent = time.process_time()
    for number in range(count):
        started = time.perf_counter()
        search(number)
        taken.append(1000 * (time.perf_counter() - started))
    spent = time.process_time() - spent
    return {f"p{at}": float(np.percentile(taken, at)) for at in (50, 95, 99)} | {"cpu": 1000 * spent / count}
