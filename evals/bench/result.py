"""What a benchmark comes to: our figures, others' published ones beside them, and what is not comparable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evals.report.table import columns


@dataclass(frozen=True, slots=True)
class Published:
    """Someone else's figure for one of our measures, as a share, and where it stands."""

    measure: str
    value: float
    system: str
    source: str


@dataclass(frozen=True, slots=True)
class Result:
    name: str
    examples: int
    figures: tuple[tuple[str, float], ...]
    published: tuple[Published, ...] = ()
    not_comparable: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        yield f"{self.name}: {self.examples} examples"
        rows = [("measure", "citewell", "published")]
        for measure, value in self.figures:
            others = [
                f"{each.value:.3f} {each.system} ({each.source})" for each in self.published if each.measure == measure
            ]
            rows.append((measure, f"{value:.3f}", "; ".join(others)))
        yield from columns(rows)
        for told in self.not_comparable:
            yield f"  not comparable: {told}"
