"""The charts of a report."""

import io
from collections.abc import Callable
from html import escape
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from ..naming import counted
from .results import Results
from .statistics import Estimate

_GOLD, _BLUE = "#c8962d", "#5b86ad"
_MAX_NAME = 30  # characters
_INK = "#010203"  # of text and axes; as_svg puts the colour of the page in its place
_INKED: dict[Any, str] = dict.fromkeys(
    ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), _INK
)
_DARK = 0.45  # luminance of a cell below which its text is white


class Chart(Figure):
    """A figure that notebooks show, whatever the backend of Matplotlib.

    Attributes:
        texts_on_hover: What a page shows for parts of the figure, by their ids.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.texts_on_hover: dict[str, str] = {}

    def hover(self, name: str, part: Artist, text: str) -> None:
        """Let a page show a text where the pointer is on a part."""
        part.set_gid(name)
        self.texts_on_hover[name] = text

    def _repr_png_(self) -> bytes:
        return as_png(self)


def caption(results: Results) -> str:
    """Return a caption for the chart of the standings, to be copied into a paper."""
    counts, even = results.config.player_counts, ""
    if len(counts) == 1:
        even = f" The dotted line is an even share, {1 / counts[0]:.1%}."
    return describe(results) + even


def describe(results: Results) -> str:
    """Return what a chart or table of the standings shows, for a paper."""
    config = results.config
    counts = " and ".join(map(str, config.player_counts))
    return (
        f"Win share and mean points a game in {config.game.title} ({config.game.id}) with {counts} "
        f"players, {counted(results.deals, 'deal')}, each played with every agent in every seat "
        f"({counted(results.games, 'game')}), and 95% bootstrap intervals over deals."
    )


def standings_chart(results: Results) -> Chart:
    """Draw win share and mean points of each agent with their intervals."""
    standings = results.standings[::-1]
    names = [_label(standing.name) for standing in standings]
    figure = Chart(figsize=(10, 1.8 + 0.5 * len(names)), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    _bars(left, names, [standing.win_share for standing in standings], _GOLD, "win share {:.1%}")
    _bars(right, names, [standing.points for standing in standings], _BLUE, "{:.1f} points")
    left.set(xlabel="share of wins (more is better)")
    left.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    right.set(xlabel="points in a game (less is better)")
    if len(results.by_player_count) == 1:
        left.axvline(
            1 / results.by_player_count[0].num_players,
            color=left.xaxis.label.get_color(),
            lw=0.8,
            ls=":",
        )
        left.set_title("dotted: an even share", fontsize=9)
    figure.suptitle(f"{results.config.game.title}: {counted(results.deals, 'deal')}, 95% intervals")
    return figure


def ratings_chart(results: Results) -> Chart:
    """Draw the rating of each agent with its interval."""
    ratings = results.ratings.agents[::-1]
    figure = Chart(figsize=(8, 1.8 + 0.4 * len(ratings)), layout="constrained")
    axes = figure.subplots()
    axes.set_title("Ratings", fontsize=11)
    rated = [one.rating for one in ratings]
    errors = [[one.mean - one.low for one in rated], [one.high - one.mean for one in rated]]
    places, means = range(len(ratings)), [one.mean for one in rated]
    axes.errorbar(means, places, xerr=errors, fmt="o", color=_BLUE, capsize=4)
    axes.set_yticks(places, [_label(one.name) for one in ratings])
    axes.set_xlabel("rating (Plackett-Luce, Elo's scale), 95% intervals")
    axes.margins(y=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def head_to_head_chart(results: Results) -> Chart:
    """Draw the head-to-head matrix in colours."""
    order = [results.config.names.index(standing.name) for standing in results.standings]
    names = [_label(standing.name) for standing in results.standings]
    size = 2.5 + 0.6 * len(names)
    figure = Chart(figsize=(size + 1, size), layout="constrained")
    axes = figure.subplots()
    axes.set_title("How often the row ends with fewer points", fontsize=10)
    shares = results.head_to_head[np.ix_(order, order)][..., 0]
    image = axes.imshow(shares, cmap="PuOr_r", vmin=0, vmax=1)
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right")
    axes.set_yticks(range(len(names)), names)
    for row, column in np.argwhere(np.isfinite(shares)):
        share = shares[row, column]
        light = np.dot(image.to_rgba(share)[:3], (0.299, 0.587, 0.114)) > _DARK
        cell = axes.text(
            *(column, row, f"{share:.0%}"),
            color="black" if light else "white",
            ha="center",
            va="center",
            fontsize=9,
        )
        said = f"{names[row]} ahead of {names[column]}: {share:.1%} of the games"
        figure.hover(f"cell-{row}-{column}", cell, said)
    bar = figure.colorbar(image, label="row ahead of column")
    bar.ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    return figure


def as_png(figure: Figure) -> bytes:
    """Return a figure as a PNG file."""
    return _saved(figure, "png", {}, dpi=150)


def as_pdf(figure: Figure) -> bytes:
    """Return a figure as a PDF file, always the same for the same figure."""
    return _saved(figure, "pdf", {"CreationDate": None, "Creator": None, "Producer": None})


def as_svg(figure: Figure) -> str:
    """Return a figure as an SVG file, without links or dates."""
    nothing = {"Date": None, "Creator": None, "Format": None, "Type": None}
    return _saved(figure, "svg", nothing).decode()


def on_page(draw: Callable[[Results], Chart], results: Results) -> str:
    """Draw a chart as an SVG element for a page, in its colours and with texts on hover."""
    with mpl.rc_context(_INKED):
        figure = draw(results)
        figure.patch.set_alpha(0)
        for axes in figure.axes:
            axes.patch.set_alpha(0)
        text = as_svg(figure)
    text = text[text.index("<svg") :].replace(_INK, "currentColor")
    for name, said in figure.texts_on_hover.items():
        opening = f'<g id="{name}">'
        text = text.replace(opening, f"{opening}<title>{escape(said)}</title>")
    return text


def _saved(figure: Figure, kind: str, metadata: dict[str, None], **options: Any) -> bytes:
    file = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "goldgriff", "svg.fonttype": "none"}):
        figure.savefig(file, format=kind, metadata=metadata, **options)
    return file.getvalue()


def _bars(
    axes: Axes, names: list[str], estimates: list[Estimate | None], colour: str, form: str
) -> None:
    """Draw a bar with its interval for each agent; an empty one for None."""
    known = [one or Estimate(0, 0, 0) for one in estimates]
    errors = [[one.mean - one.low for one in known], [one.high - one.mean for one in known]]
    means, ink = [one.mean for one in known], axes.xaxis.label.get_color()
    bars = axes.barh(
        range(len(names)), means, xerr=errors, color=colour, ecolor=ink, height=0.6, capsize=4
    )
    axes.set_yticks(range(len(names)), names)
    axes.spines[["top", "right"]].set_visible(False)
    figure = axes.figure
    assert isinstance(figure, Chart)
    for place, (name, bar, one) in enumerate(zip(names, bars, known, strict=True)):
        ends = f"{form.format(one.low)} to {form.format(one.high)}".replace("win share ", "")
        said = f"{name}: {form.format(one.mean)}, 95% interval {ends}"
        figure.hover(f"bar-{form[0]}-{place}", bar, said)


def _label(name: str) -> str:
    """Return a name without formulas for matplotlib, cut in front when it is long."""
    short = name if len(name) <= _MAX_NAME else "..." + name[3 - _MAX_NAME :]
    return short.replace("$", r"\$")
