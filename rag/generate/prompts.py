"""The prompts: one plain text file each in prompts/, `$name` where something is filled in."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping
from pathlib import Path
from string import Template

from rag.model.contract import Prompt

_FOLDER = Path(__file__).resolve().parent.parent.parent / "prompts"
_PARTING = "\n---\n"
"""Between the system's part of a prompt and the user's."""


def fill(name: str, values: Mapping[str, str]) -> Prompt:
    """Prompt `name` with every `$name` filled in.

    Strict both ways: KeyError for a `$name` without a value, ValueError for a value without its `$name`. Values may
    hold dollars (LaTeX does): they are put in as they are.
    """
    system, user = load(name)
    wanted = {*Template(system).get_identifiers(), *Template(user).get_identifiers()}
    unused = values.keys() - wanted
    if unused:
        raise ValueError(f"prompt {name!r} has no ${', $'.join(sorted(unused))}")
    return Prompt(Template(system).substitute(values), Template(user).substitute(values))


@functools.cache
def load(name: str) -> tuple[str, str]:
    """(system, user) as written, comments (`##` lines) left out."""
    text = (_FOLDER / f"{name}.txt").read_text("utf-8")
    kept = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("##"))
    system, parted, user = kept.partition(_PARTING)
    if not parted:
        raise ValueError(f"prompt {name!r} has no line '---' between the system's part and the user's")
    return system.strip(), user.strip()


def fingerprint(name: str) -> str:
    """Tells a prompt's wording apart: the first 12 hex digits of its SHA-256."""
    return hashlib.sha256(_PARTING.join(load(name)).encode()).hexdigest()[:12]
