"""The plots as inline SVG, drawn by matplotlib (the `report` extra) and made to follow the page.

matplotlib: it is kept, draws SVG without a browser or a network, and adds no script to the page. Colours are drawn as
placeholders and put back as the page's own variables, and style attributes as plain ones, so that one drawing serves
dark and light and passes a content policy without inline styles.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from evals.report.series import Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INK, _FAINT, _FIRST, _SECOND = "#010203", "#020304", "#030405", "#040506"
_VARIABLES = {_INK: "var(--ink)", _FAINT: "var(--line)", _FIRST: "var(--first)", _SECOND: "var(--second)"}
_STYLE = re.compile(r' style="([^"]*)"')
_ID = re.compile(r'(id="|url\(#|href="#)')
_WIDTH = 5.4
"""Inches; narrow, so that the words can be read on a telephone too."""
_RC: Any = {  # the stubs know the names by heart
    "svg.fonttype": "none",
    "svg.hashsalt": "citewell",
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": _INK,
    "axes.edgecolor": _FAINT,
    "axes.labelcolor": _INK,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "xtick.color": _INK,
    "ytick.color": _INK,
    "grid.color": _FAINT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
}


def available() -> bool:
    """Whether matplotlib is installed; without it the page shows the tables alone."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def draw(series: Series) -> str:
    """One plot as an `<svg>` element. Deterministic."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    paint, height = _PLOTS[series.name]
    with mpl.rc_context(_RC):
        figure = Figure(figsize=(_WIDTH, height(series)), layout="constrained")
        FigureCanvasSVG(figure)
        paint(figure.add_subplot(), series)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return _for_page(out.getvalue(), series)


def _metrics(axes: Axes, series: Series) -> None:
    rows = series.rows[::-1]
    places = range(len(rows))
    means = [_n(row[1]) for row in rows]
    spread = [[mean - _n(row[2]) for mean, row in zip(means, rows, strict=True)],
              [_n(row[3]) - mean for mean, row in zip(means, rows, strict=True)]]  # fmt: skip
    axes.errorbar(means, places, xerr=spread, fmt="o", color=_FIRST, capsize=3, label="this run")
    old = [(place, row[4]) for place, row in zip(places, rows, strict=True) if row[4] is not None]
    if old:
        axes.plot([_n(value) for _, value in old], [place for place, _ in old], "D", mfc="none", color=_SECOND,
                  markersize=8, label="baseline")  # fmt: skip
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
    axes.set_yticks(list(places), [str(row[0]) for row in rows])
    axes.set_xlim(-0.03, 1.03)
    axes.grid(axis="x", linewidth=0.5)


def _reliability(axes: Axes, series: Series) -> None:
    axes.plot([0, 1], [0, 1], "--", color=_FAINT, linewidth=1)
    axes.plot([_n(row[1]) for row in series.rows], [_n(row[2]) for row in series.rows], "o-", color=_FIRST)
    axes.set_xlabel("mean stated risk")
    axes.set_ylabel("share unsupported")
    axes.set_xlim(-0.03, 1.03)
    axes.set_ylim(-0.03, 1.03)


def _bars(axes: Axes, series: Series) -> None:
    rows = series.rows[::-1]
    drawn = axes.barh([str(row[0]) for row in rows], [_n(row[1]) for row in rows], color=_FIRST, height=0.6)
    axes.bar_label(drawn, fmt="%d", padding=3, color=_INK)
    axes.set_xlabel(series.columns[1])


def _ranks(axes: Axes, series: Series) -> None:
    drawn = axes.bar([str(row[0]) for row in series.rows], [_n(row[1]) for row in series.rows], color=_FIRST, width=0.7)
    axes.bar_label(drawn, fmt="%d", padding=2, color=_INK)
    axes.set_xlabel("rank")
    axes.set_ylabel("questions")


def _selective(axes: Axes, series: Series) -> None:
    axes.plot([_n(row[1]) for row in series.rows], [_n(row[2]) for row in series.rows], "-", color=_FIRST)
    axes.set_xlabel("share of claims let through")
    axes.set_ylabel("share wrong among them")
    axes.set_xlim(0, 1.03)
    axes.set_ylim(bottom=0)


_PLOTS: dict[str, tuple[Callable[[Any, Series], None], Callable[[Series], float]]] = {
    "metrics": (_metrics, lambda series: 0.9 + 0.27 * len(series.rows)),
    "reliability": (_reliability, lambda _: 3.4),
    "verdicts": (_bars, lambda series: 0.9 + 0.35 * len(series.rows)),
    "ranks": (_ranks, lambda _: 3.0),
    "selective": (_selective, lambda _: 3.0),
}


def _for_page(svg: str, series: Series) -> str:
    """Takes off what belongs to a file of its own, and lets the page's colours in."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<style[^>]*>.*?</style>", "", svg, flags=re.DOTALL)
    svg = _STYLE.sub(lambda found: _attributes(found[1]), svg)
    for placeholder, variable in _VARIABLES.items():
        svg = svg.replace(placeholder, variable)
    svg = _ID.sub(lambda found: f"{found[1]}{series.name}-", svg)
    head = f'<svg role="img" aria-labelledby="plot-{series.name}" preserveAspectRatio="xMinYMin meet"'
    svg = re.sub(r' (?:width|height)="[\d.]+pt"', "", svg, count=2)
    return svg.replace("<svg", head, 1).strip()


def _attributes(style: str) -> str:
    """`fill: none; font: 10px 'Sans'` as presentation attributes."""
    found = []
    for part in style.split(";"):
        name, _, value = part.partition(":")
        name, value = name.strip(), value.strip()
        if name == "font":
            size = re.search(r"[\d.]+px", value)
            found.append(f'font-size="{size[0] if size else "10px"}"')
        elif name:
            found.append(f'{name}="{value}"')
    return "".join(f" {each}" for each in found)


def _n(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
