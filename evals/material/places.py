"""Where things lie: this checkout or what was installed of it, the evals' own files, and the shared papers."""

from __future__ import annotations

import os
from pathlib import Path

from rag.errors import NotMeasured

ROOT = Path(__file__).resolve().parents[2]
EVALS = ROOT / "evals"


def data() -> Path:
    """The folder that CITEWELL_DATA names, else `shared/data` beside the checkout. It may not be there."""
    return Path(os.environ.get("CITEWELL_DATA") or ROOT.parent / "shared" / "data")


def shared() -> Path | None:
    """Where the shared papers lie, or None."""
    return data() if data().is_dir() else None


def needed() -> Path:
    """Where the shared papers lie. Raises NotMeasured where they are not."""
    found = shared()
    if found is None:
        raise NotMeasured(f"the data sets are not in {data()}", "set CITEWELL_DATA to their folder")
    return found
