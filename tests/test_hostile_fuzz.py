"""A short seeded run of `python -m evals.fuzz`."""

from __future__ import annotations

import pytest

from evals.fuzz import fuzz


@pytest.mark.parametrize(("name", "most"), [("sentences", 300), ("manuscript", 150), ("verify", 15), ("settings", 60)])
def test_wild_text_is_survived(name: str, most: int) -> None:
    assert fuzz(name, seed=1, most=most) == (most, [])
