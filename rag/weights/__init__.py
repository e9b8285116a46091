"""Fitted numbers and tables of words, a JSON file each; its `source` says what it was made of, and by which program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent


def read_weights(name: str) -> Any:
    """What `NAME.json` holds. Read anew each time: who asks keeps what is made of it."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
