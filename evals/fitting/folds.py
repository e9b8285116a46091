"""Folds by paper: what is said of one paper is never fitted on and judged at once."""

from __future__ import annotations

import hashlib

FOLDS = 5


def fold_of(paper: str) -> int:
    return int(hashlib.sha256(f"fold:{paper}".encode()).hexdigest(), 16) % FOLDS
