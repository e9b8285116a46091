"""Claims in an invented sentence's own words, put together rightly and wrongly: `claims/exchanged.jsonl`.

A language model that errs with care errs like this: every word is the evidence's, and two of them have changed places.
Nothing is fitted on them. Those `held_out` were written after the rules that they try, the others beside them.
"""

from __future__ import annotations

import json

from evals.material.labelled import CONTRADICTED, SUPPORTED, Example
from evals.material.places import EVALS

CLAIMS = EVALS / "claims" / "exchanged.jsonl"


def exchanged() -> list[Example]:
    """All of them; the label of a wrong one is `contradicted`."""
    records = [json.loads(line) for line in CLAIMS.read_text(encoding="utf-8").splitlines()]
    return [
        Example(record["claim"], (record["evidence"],), (), SUPPORTED if record["label"] == "right" else CONTRADICTED,
                "exchanged", "exchanged", record["evidence"], record["held_out"])
        for record in records
    ]  # fmt: skip
