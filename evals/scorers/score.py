"""A score: a value or None, what was looked at, and why, in words for a person."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

Better = Literal["higher", "lower"]
Unit = Literal["share", "usd", "tokens", "seconds"]


@dataclass(frozen=True, slots=True)
class Score:
    """`value` is None where the metric says nothing about this answer: never averaged, always counted.

    `hits` of `of` make the value; they are kept for the micro average.
    """

    value: float | None
    why: str
    extracted: tuple[str, ...] = ()
    hits: float = 0.0
    of: float = 0.0


@dataclass(frozen=True, slots=True)
class Metric:
    """A scorer under its name.

    `scorer` gets the question (None where none is known), the record and a judge; a claim's, the claim and what came
    of it.
    """

    name: str
    meaning: str
    better: Better
    scorer: Callable[..., Score]
    unit: Unit = "share"


def share(hits: float, of: float, why: str, extracted: Sequence[str] = ()) -> Score:
    """`hits` of `of`; undefined where there is nothing to count."""
    if of <= 0:
        return undefined(why)
    return Score(hits / of, why, tuple(extracted), float(hits), float(of))


def undefined(why: str) -> Score:
    return Score(None, why)


def single(value: bool | float, why: str, extracted: Sequence[str] = ()) -> Score:
    """One thing that is so or not, or one number for the whole answer."""
    return Score(float(value), why, tuple(extracted), float(value), 1.0)


def short(text: str, most: int = 90) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 3] + "..."


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
