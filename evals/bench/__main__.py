"""`python -m evals.bench scifact|pubmedqa|scholarqa|clapnq PATH [--limit N] [--json]`."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from evals.bench.result import Result
from rag.errors import CitewellError

NAMES = ("scifact", "pubmedqa", "scholarqa", "clapnq")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m evals.bench", description=(importlib.import_module("evals.bench").__doc__)
    )
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("path", type=Path, help="the set's own file or folder")
    parser.add_argument("--limit", type=int, help="only the first N examples")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(arguments)
    try:
        result: Result = importlib.import_module(f"evals.bench.{asked.name}").run(asked.path, asked.limit)
    except CitewellError as error:
        print(f"{error.message} — {error.hint}" if error.hint else error.message, file=sys.stderr)
        return error.exit_code
    print(json.dumps(asdict(result)) if asked.json else "\n".join(result.lines()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
