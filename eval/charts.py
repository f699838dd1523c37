"""The charts of a report."""

import io

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .results import Results
from .statistics import Estimate

_GOLD, _BLUE = "#c8962d", "#4a6a8a"
_MAX_NAME = 30  # characters


class Chart(Figure):
    """A figure that notebooks show, whatever the backend of Matplotlib."""

    def _repr_png_(self) -> bytes:
        return as_png(self)


def standings_chart(results: Results) -> Chart:
    """Draw win share and mean points of each agent with their intervals."""
    standings = results.standings[::-1]
    names = [_label(standing.name) for standing in standings]
    figure = Chart(figsize=(10, 1.8 + 0.5 * len(names)), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    _bars(left, names, [standing.win_share for standing in standings], _GOLD)
    _bars(right, names, [standing.points for standing in standings], _BLUE)
    left.set(xlabel="share of wins (more is better)")
    right.set(xlabel="points in a game (less is better)")
    if len(results.by_player_count) == 1:
        left.axvline(1 / results.by_player_count[0].num_players, color="black", lw=0.8, ls=":")
        left.set_title("dotted: an even share", fontsize=9)
    figure.suptitle(f"{results.config.game.title}: {results.deals:,} deals, 95 % intervals")
    return figure


def ratings_chart(results: Results) -> Figure:
    """Draw the rating of each agent with its interval."""
    ratings = results.ratings.agents[::-1]
    figure = Figure(figsize=(8, 1.5 + 0.4 * len(ratings)), layout="constrained")
    axes = figure.subplots()
    rated = [one.rating for one in ratings]
    errors = [[one.mean - one.low for one in rated], [one.high - one.mean for one in rated]]
    places, means = range(len(ratings)), [one.mean for one in rated]
    axes.errorbar(means, places, xerr=errors, fmt="o", color=_BLUE, capsize=4)
    axes.set_yticks(places, [_label(one.name) for one in ratings])
    axes.set_xlabel("rating (Plackett-Luce, Elo's scale), 95 % intervals")
    axes.margins(y=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def head_to_head_chart(results: Results) -> Figure:
    """Draw the head-to-head matrix in colours."""
    order = [results.config.names.index(standing.name) for standing in results.standings]
    names = [_label(standing.name) for standing in results.standings]
    size = 2.5 + 0.6 * len(names)
    figure = Figure(figsize=(size + 1, size), layout="constrained")
    axes = figure.subplots()
    shares = results.head_to_head[np.ix_(order, order)][..., 0]
    image = axes.imshow(shares, cmap="PuOr_r", vmin=0, vmax=1)
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right")
    axes.set_yticks(range(len(names)), names)
    for row, column in np.argwhere(np.isfinite(shares)):
        axes.text(column, row, f"{shares[row, column]:.0%}", ha="center", va="center", fontsize=8)
    figure.colorbar(image, label="row ahead of column")
    return figure


def as_png(figure: Figure) -> bytes:
    """Return a figure as a PNG file."""
    image = io.BytesIO()
    figure.savefig(image, dpi=150, format="png")
    return image.getvalue()


def as_svg(figure: Figure) -> str:
    """Return a figure as an SVG element for a page, without prolog, links or dates."""
    text = io.StringIO()
    nothing = {"Date": None, "Creator": None, "Format": None, "Type": None}
    with mpl.rc_context({"svg.hashsalt": "goldgriff", "svg.fonttype": "none"}):
        figure.savefig(text, format="svg", metadata=nothing)
    return text.getvalue()[text.getvalue().index("<svg") :]


def _bars(axes: Axes, names: list[str], estimates: list[Estimate | None], colour: str) -> None:
    """Draw a bar with its interval for each agent; an empty one for None."""
    known = [one or Estimate(0, 0, 0) for one in estimates]
    errors = [[one.mean - one.low for one in known], [one.high - one.mean for one in known]]
    means = [one.mean for one in known]
    axes.barh(range(len(names)), means, xerr=errors, color=colour, height=0.6, capsize=4)
    axes.set_yticks(range(len(names)), names)
    axes.spines[["top", "right"]].set_visible(False)


def _label(name: str) -> str:
    """Return a name without formulas for matplotlib, cut in front when it is long."""
    short = name if len(name) <= _MAX_NAME else "..." + name[3 - _MAX_NAME :]
    return short.replace("$", r"\$")
