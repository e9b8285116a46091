"""A short seeded run of `python -m evals.fuzz`."""

from __future__ import annotations

import pytest

from evals.fuzz import Told, fuzz
from evals.hostile.texts import wild


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("readers", 150),
        ("sentences", 300),
        ("parts", 150),
        ("manuscript", 150),
        ("replies", 300),
        ("questions", 60),
        ("verify", 15),
        ("settings", 60),
    ],
)
def test_wild_text_is_survived(name: str, most: int) -> None:
    assert fuzz(name, seed=1, most=most) == (most, [])


def test_chance_can_be_told() -> None:
    """What a guided run changes in the bytes changes in the text, and the same bytes are the same text."""
    made = [wild(Told(bytes(told)), 12) for told in (range(200), range(200), range(1, 201))]
    assert made[0] == made[1] != made[2]
    assert wild(Told(b""), 3)
