"""citewell's engine: papers in, verified answers out.

Importing this package imports nothing heavy; each name below is loaded on first use.
"""

from __future__ import annotations

import importlib
from typing import Any

_EXPORTS = {
    "Assistant": "rag.assistant",
    "Settings": "rag.settings",
    "Answer": "rag.types",
    "Citation": "rag.types",
    "Claim": "rag.types",
    "Paper": "rag.types",
    "CitewellError": "rag.errors",
}

__all__ = sorted(_EXPORTS)


def __getattr__(name: str) -> Any:
    if name not in _EXPORTS:
        raise AttributeError(f"module 'rag' has no attribute {name!r}")
    return getattr(importlib.import_module(_EXPORTS[name]), name)
