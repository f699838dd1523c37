"""The charts of a report."""

import io
from collections.abc import Sequence
from html import escape
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from ...naming import counted
from ..ratings.ratings import Rating
from ..tournament.results import Results, Standing
from ..tournament.statistics import Estimate
from .report_table import Column
from .tables import RATINGS, STANDINGS

_GOLD, _BLUE = "#c8962d", "#5b86ad"
_MAX_NAME, _MAX_NAME_ON_PAGE = 30, 20  # characters
_PAGE_WIDTH = 5.0  # inches; two of them stand side by side
PAPER_WIDTH, COLUMN_WIDTH = 7.0, 3.5  # inches: across a page of a paper, and in one of two columns
_PAPER_FONT = 8  # points
_SMALLEST = 0.7  # of a chart's width, at which its text is still read
_INK = "#010203"  # of text and axes; as_svg puts the colour of the page in its place
_INKED: dict[Any, str] = dict.fromkeys(
    ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), _INK
)
_WIN_SHARE, _POINTS, _RATING = STANDINGS[0], STANDINGS[1], RATINGS[0]
_AXES = {  # label and colour
    _WIN_SHARE: ("share of wins (more is better)", _GOLD),
    _POINTS: ("points in a game (less is better)", _BLUE),
    _RATING: ("rating (Plackett-Luce, Elo's scale)", _BLUE),
}
_DARK = 0.45  # luminance of a cell below which its text is white


class Chart(Figure):
    """A figure that notebooks show, whatever the backend of Matplotlib.

    Attributes:
        texts_on_hover: What a page shows for parts of the figure, by their ids.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.texts_on_hover: dict[str, str] = {}

    def hover(self, name: str, artist: Artist, text: str) -> None:
        """Let a page show a text where the pointer is on a part of the figure."""
        artist.set_gid(name)
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
    return (
        f"Win share and mean points a game in {config.game.title} ({config.game.id}) with "
        f"{config.players}, {counted(results.deals, 'deal')}, each played with every agent in "
        f"every seat ({counted(results.games, 'game')}), and 95% bootstrap intervals over deals."
    )


def standings_chart(results: Results, width: float = PAPER_WIDTH) -> Chart:
    """Draw win share and mean points of each agent with their intervals, for a paper.

    Args:
        results: The results.
        width: Inches; with fewer than `PAPER_WIDTH` the points stand below the win shares.
    """
    wide, config = width >= PAPER_WIDTH, results.config
    height = 1.4 + 0.35 * len(results.standings)
    with mpl.rc_context({"font.size": _PAPER_FONT, "axes.titlesize": _PAPER_FONT}):
        figure = Chart(figsize=(width, height if wide else 2 * height), layout="constrained")
        first, second = figure.subplots(*((1, 2) if wide else (2, 1)), sharey=True)
        for axes, column in ((first, _WIN_SHARE), (second, _POINTS)):
            _draw(axes, results, column, _MAX_NAME if wide else _MAX_NAME_ON_PAGE)
        first.set_title(f"Win share{_even(results)}")
        second.set_title("Mean points")
        played = f"{config.players}, {counted(results.deals, 'deal')}"
        figure.suptitle(f"{config.game.title}:{' ' if wide else chr(10)}{played}, 95% intervals")
    return figure


def page_charts(results: Results) -> list[Chart]:
    """Draw the charts of a page: win shares, mean points, ratings, and who is ahead of whom.

    Each is narrow enough for a phone, unless many agents meet.
    """
    size = (_PAGE_WIDTH, 1.3 + 0.4 * len(results.standings))
    charts = []
    for column, title in (
        (_WIN_SHARE, f"Win share, 95% intervals{_even(results)}"),
        (_POINTS, "Mean points, 95% intervals"),
        (_RATING, "Ratings, 95% intervals"),
    ):
        chart = Chart(figsize=size, layout="constrained")
        _draw(chart.subplots(), results, column, _MAX_NAME_ON_PAGE)
        chart.suptitle(title, fontsize=11)
        charts.append(chart)
    return [*charts, head_to_head_chart(results)] if len(results.standings) > 1 else charts


def _even(results: Results) -> str:
    """Return what a title says of the dotted line, if there is one."""
    return " (dotted: an even share)" if len(results.by_player_count) == 1 else ""


def head_to_head_chart(results: Results) -> Chart:
    """Draw the head-to-head matrix in colours."""
    order = [results.config.names.index(standing.name) for standing in results.standings]
    names = _labels([standing.name for standing in results.standings], _MAX_NAME_ON_PAGE)
    size = max(_PAGE_WIDTH, 2 + 0.55 * len(names))
    figure = Chart(figsize=(size, size), layout="constrained")
    axes = figure.subplots()
    figure.suptitle("How often the row ends with fewer points", fontsize=11)
    shares = results.head_to_head[np.ix_(order, order)][..., 0]
    image = axes.imshow(shares, cmap="PuOr_r", vmin=0, vmax=1)
    centred: dict[str, Any] = {"ha": "center", "va": "center"}
    upright: dict[str, Any] = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"}
    axes.set_xticks(range(len(names)), names, parse_math=False, **upright)
    axes.set_yticks(range(len(names)), names, parse_math=False)
    for row, column in np.argwhere(np.isfinite(shares)):
        share = shares[row, column]
        light = np.dot(image.to_rgba(share)[:3], (0.299, 0.587, 0.114)) > _DARK
        ink = "black" if light else "white"
        cell = axes.text(column, row, f"{share:.0%}", color=ink, fontsize=9, **centred)
        first, second = results.standings[row].name, results.standings[column].name
        text = f"{first} ahead of {second}: {share:.1%} of the games"
        figure.hover(f"cell-{row}-{column}", cell, text)
    return figure


def as_png(figure: Figure) -> bytes:
    """Return a figure as a PNG file."""
    return _saved(figure, "png", {}, dpi=200)


def as_pdf(figure: Figure) -> bytes:
    """Return a figure as a PDF file, always the same for the same figure."""
    return _saved(figure, "pdf", {"CreationDate": None, "Creator": None, "Producer": None})


def as_svg(figure: Figure) -> str:
    """Return a figure as an SVG file, without links or dates."""
    nothing = {"Date": None, "Creator": None, "Format": None, "Type": None}
    return _saved(figure, "svg", nothing).decode()


def on_page(results: Results) -> list[str]:
    """Return the charts of a page as SVG elements, in its colours and with texts on hover."""
    with mpl.rc_context(_INKED):
        return [_as_element(chart) for chart in page_charts(results)]


def _as_element(figure: Chart) -> str:
    """Return a chart as an SVG element that a page makes smaller, but not too small to be read."""
    figure.patch.set_alpha(0)
    for axes in figure.axes:
        axes.patch.set_alpha(0)
    text = as_svg(figure)
    least = f'style="min-width: {_SMALLEST * figure.get_figwidth():.2f}in"'
    title = figure.get_suptitle()
    text = text[text.index("<svg") :].replace(_INK, "currentColor")
    text = text.replace("<svg", f'<svg role="img" aria-label="{escape(title)}" {least}', 1)
    for name, hover in figure.texts_on_hover.items():
        opening = f'<g id="{name}">'
        text = text.replace(opening, f"{opening}<title>{escape(hover)}</title>")
    return text


def _saved(figure: Figure, extension: str, metadata: dict[str, None], **options: Any) -> bytes:
    file = io.BytesIO()
    # Type 42 fonts, which publishers ask for; text in SVG stays text.
    form: dict[Any, Any] = {"svg.fonttype": "none", "pdf.fonttype": 42, "svg.hashsalt": "goldgriff"}
    with mpl.rc_context(form):
        figure.savefig(file, format=extension, metadata=metadata, **options)
    return file.getvalue()


def _draw(axes: Axes, results: Results, column: Column, most: int = _MAX_NAME) -> None:
    """Draw the estimates of a column with their intervals, as bars or, for ratings, as points.

    A dotted line marks an even share of wins, if there is one number of players.
    """
    is_rating, figure = column is _RATING, axes.figure
    rows: Sequence[Rating | Standing] = results.standings
    if is_rating:
        rows = results.ratings.agents
    rows = rows[::-1]
    label, colour = _AXES[column]
    ink = axes.xaxis.label.get_color()
    assert isinstance(figure, Chart)
    for place, row in enumerate(rows):
        estimate = column.value(row) or Estimate(0, 0, 0)
        errors = [[estimate.mean - estimate.low], [estimate.high - estimate.mean]]
        style: dict[str, Any] = {"xerr": errors, "color": colour, "capsize": 4}
        artist: Artist
        if is_rating:
            artist, *_ = axes.errorbar(estimate.mean, place, fmt="o", **style)
        else:
            (artist,) = axes.barh(place, estimate.mean, ecolor=ink, height=0.6, **style)
        mean, ends = column.cells(row)
        text = f"{row.name}: {column.heading} {mean}, 95% interval {ends}"
        figure.hover(f"mark-{column.key}-{place}", artist, text)
    axes.set_yticks(range(len(rows)), _labels([row.name for row in rows], most), parse_math=False)
    axes.set_xlabel(label)
    axes.spines[["top", "right"]].set_visible(False)
    if is_rating:
        axes.margins(y=0.3)
    if column is _WIN_SHARE:
        axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        if len(results.by_player_count) == 1:
            even = 1 / results.by_player_count[0].num_players
            axes.axvline(even, color=ink, lw=0.8, ls=":")


def _labels(names: Sequence[str], most: int) -> Sequence[str]:
    """Return names of which long ones lose their beginnings.

    Where two would look the same, all are whole.
    """
    short = [name if len(name) <= most else "..." + name[3 - most :] for name in names]
    return short if len(set(short)) == len(set(names)) else names
